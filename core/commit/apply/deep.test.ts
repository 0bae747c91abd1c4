import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { fromText, nameOf } from '../../../shared/bytes.ts';
import { MAX_LEVELS } from '../../../shared/limits.ts';
import { CONFLICT_REASONS } from '../../../shared/model/change.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow, requestFor, undoRequest } from '../../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON, PLAIN_PYTHON } from '../../../testing/commit/python.ts';
import { splitNames } from '../../export/export-git.ts';
import { OUT_OF_REACH } from '../../kernel/messages/reasons.ts';
import { recordBases } from '../../overlay/bases.ts';
import { listUppers } from '../../scan/cache/upper-listing.ts';
import { reap } from '../../scan/reap.ts';
import { scan } from '../../scan/scan.ts';
import { discardAll, newestTrash, undoDiscard } from '../discard/discard.ts';
import { planCommit } from '../plan/plan.ts';
import { undoCommit } from '../undo/undo.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const made of open.splice(0)) {
    // Node can't remove what lies deeper than PATH_MAX.
    spawnSync('rm', ['-rf', made.host, made.ctx.stateDir]);
    made.remove();
  }
});
function session(): TestSession {
  const made = testSession();
  open.push(made);
  return made;
}

/** Goes down through directories, making those that are missing, and runs Python there. */
const down = (levels: number, bytes: number, lines: string): string => `${PLAIN_PYTHON} - <<'PYTHON'
import os
for i in range(${levels}):
    n = "d" * ${bytes}
    os.path.isdir(n) or os.mkdir(n)
    os.chdir(n)
def write(p, text): open(p, "w").write(text)
${lines}
PYTHON
`;
const DEEP = [
  ['longer than a system call takes', 30, 200],
  ['of too many directories', MAX_LEVELS + 1, 1],
] as const;

describe.runIf(hasPython)(
  `trees deeper than PATH_MAX, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  { timeout: 120_000 },
  () => {
    describe.each(DEEP)('with paths %s', (_, levels, bytes) => {
      it('are listed as unreadable and refused by commit and export; the rest is committed', async () => {
        const s = session();
        s.inSandbox(`echo b > beside; ${down(levels, bytes, 'write("end", "x")')}`);
        await recordBases(s.ctx);
        await listUppers(s.ctx, true);
        await reap(s.ctx);
        const list = await scan(s.ctx);
        const unreadable = list.changes.filter(({ conflict }) => conflict === 'unreadable');
        expect(unreadable).toHaveLength(1);
        expect(list.problems.map(({ message }) => message)).toEqual([OUT_OF_REACH]);
        const { closed } = planCommit(list, requestFor(list));
        expect(closed).toEqual(unreadable);
        expect(splitNames(list, closed, fromText(s.host)).left).toEqual([
          { path: unreadable[0]?.path, why: CONFLICT_REASONS.unreadable },
        ]);
        const { failed } = await commitNow(s);
        expect(failed).toContainEqual({ path: unreadable[0]?.path, message: CONFLICT_REASONS.unreadable });
        expect(readdirSync(s.host)).toContain('beside');
        expect((await scan(s.ctx)).problems).toHaveLength(1);
        s.inSandbox(down(levels, bytes, 'assert open("end").read() == "x"'));
      });

      it('are discarded with everything, and come back', async () => {
        const s = session();
        s.inSandbox(`echo b > beside; ${down(levels, bytes, 'write("end", "x")')}`);
        await discardAll(s.ctx, 1);
        expect((await scan(s.ctx)).changes).toEqual([]);
        await undoDiscard(s.ctx, (await newestTrash(s.ctx))?.trash ?? '');
        s.inSandbox(down(levels, bytes, 'assert open("end").read() == "x"'));
      });

      it('of the host stay when the sandbox deletes them, and what else changed is committed', async () => {
        const s = session();
        s.onHost(`echo a > f; mkdir old; cd old; ${down(levels, bytes, 'write("end", "x")')} sleep 0.05`);
        s.inSandbox('echo b > f; rm -rf old');
        const list = await scan(s.ctx);
        expect(list.problems.map(({ message }) => message)).toEqual([OUT_OF_REACH]);
        const { failed } = await commitNow(s);
        expect(failed.map(({ path }) => nameOf(path))).toContain('old');
        expect(brief(await scan(s.ctx), s.host)).not.toContain('modified f');
        s.onHost(`cd old; ${down(levels, bytes, 'assert open("end").read() == "x"')}`);
      });

      it('that the host made in a committed directory make its undo fail, and nothing is lost', async () => {
        const s = session();
        s.inSandbox('mkdir new; echo n > new/f');
        await commitNow(s);
        s.onHost(`cd new; ${down(levels, bytes, 'write("end", "x")')}`);
        const undone = await undoCommit(s.ctx, undoRequest()).catch((error: unknown) => error);
        expect(undone instanceof Error || (undone as { failed: unknown[] }).failed.length > 0).toBe(true);
        expect(existsSync(`${s.host}/new`)).toBe(true);
        s.onHost(`cd new; ${down(levels, bytes, 'assert open("end").read() == "x"')}`);
      });
    });

    it('a path of nearly PATH_MAX that changed on both sides of the limit is named, not followed', async () => {
      const s = session();
      const levels = Math.floor((3_900 - s.host.length) / 201);
      s.onHost(`${down(levels, 200, 'write("old", "x"); write("gone", "")')} sleep 0.05`);
      s.inSandbox(`echo b > beside; ${down(levels, 200, 'write("o" * 250, "y"); os.remove("gone")')}`);
      const list = await scan(s.ctx);
      expect(list.problems).toHaveLength(1);
      const { failed } = await commitNow(s);
      expect(failed.map(({ message }) => message)).toEqual([CONFLICT_REASONS.unreadable]);
      expect(readdirSync(s.host)).toContain('beside');
    });
  },
);
