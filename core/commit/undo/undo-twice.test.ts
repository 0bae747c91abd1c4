/** Two commits of the same entries: undo and redo of both. */
import { afterEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, mergedSnapshot, snapshot, undoRequest } from '../../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON, PLAIN_PYTHON } from '../../../testing/commit/python.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { undoCommit } from './undo.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});

const attribute = (value: string) =>
  `${PLAIN_PYTHON} -c 'import os; os.setxattr("d", "user.a", b"${value}")'`;

const undo = (t: TestSession, n: number) => undoCommit(t.ctx, undoRequest(n));

describe.runIf(hasPython)(
  `two commits of one directory, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  () => {
    it.each([
      'echo 2 >> d/1; echo new > d/new; rm d/e/2; mkdir d/sub; echo s > d/sub/s',
      'chmod 700 d; mv d/1 d/one',
      'rm -r d/e; mkdir d/e; echo z > d/e/z',
      'rm -r d',
      'rm -r d; echo file > d',
    ])('are taken back one after the other, after %s', async (second) => {
      const t = testSession();
      open.push(t);
      t.onHost('mkdir x; chmod 2775 x; echo keep > keep; sleep 0.05');
      const hosts = [snapshot(t.host)];
      t.inSandbox('cd x; mkdir -p d/e; echo 1 > d/1; echo 2 > d/e/2; chmod g-s d');
      await recordBases(t.ctx);
      expect((await commitNow(t)).failed).toEqual([]);
      hosts.push(snapshot(t.host));
      t.onHost('sleep 0.05');
      const earliestCall = Date.now();
      t.onHost('sleep 0.05');
      t.inSandbox(`cd x; ${second}`);
      await recordBases(t.ctx, { earliestCall });
      const view = mergedSnapshot(t);
      expect((await commitNow(t)).failed).toEqual([]);
      for (const n of [2, 1]) {
        expect(await undo(t, n)).toMatchObject({ state: 'applied', failed: [] });
        expect(snapshot(t.host)).toBe(hosts[n - 1]);
        expect(mergedSnapshot(t)).toBe(view);
      }
      await recordBases(t.ctx);
      expect((await scan(t.ctx)).changes.filter(({ conflict }) => conflict !== null)).toEqual([]);
      await commitNow(t);
      expect(snapshot(t.host)).toBe(view);
      expect((await scan(t.ctx)).changes).toEqual([]);
    });

    it.each([
      ['a deleted file', 'echo 0 > f', 'rm f', 'echo host > f', 'echo 2 > f'],
      ['a changed file', 'echo 0 > f', 'echo 1 > f', 'echo host > f', 'echo 2 > f'],
      ['a new file', ':', 'echo 1 > f', 'rm f; echo host > f', 'echo 2 > f'],
      ['a file in a new directory', ':', 'mkdir d; echo 1 > d/f', 'echo host > d/f', 'echo 2 > d/f'],
      ['a mode', 'mkdir d', 'chmod 700 d', 'chmod 750 d', 'chmod 711 d'],
      ['attributes', 'mkdir d', attribute('1'), attribute('host'), attribute('2')],
    ])('do not make the host’s change in between theirs: %s', async (_, before, first, onHost, second) => {
      const t = testSession();
      open.push(t);
      const call = async (lines: string) => {
        t.onHost('sleep 0.05');
        const earliestCall = Date.now();
        t.inSandbox(lines);
        await recordBases(t.ctx, { earliestCall });
      };
      t.onHost(before);
      await call(first);
      await commitNow(t);
      t.onHost(`sleep 0.05; ${onHost}`);
      const between = snapshot(t.host);
      await call(second);
      const view = mergedSnapshot(t);
      expect((await commitNow(t)).failed).toEqual([]);
      const after = snapshot(t.host);
      await expect(undo(t, 1)).rejects.toMatchObject({ code: 'conflicts' });
      expect(snapshot(t.host)).toBe(after);
      expect(await undo(t, 2)).toMatchObject({ state: 'applied', failed: [] });
      await expect(undo(t, 1)).rejects.toMatchObject({ code: 'conflicts' });
      expect(snapshot(t.host)).toBe(between);
      expect(mergedSnapshot(t)).toBe(view);
    });
  },
);
