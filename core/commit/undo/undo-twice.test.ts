/** A moved directory that a second commit changed: undo and redo of both. */
import { afterEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, mergedSnapshot, snapshot, undoRequest } from '../../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON } from '../../../testing/commit/python.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { undoCommit } from './undo.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});

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
  },
);
