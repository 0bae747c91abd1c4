import { execFileSync, spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { nameOf } from '../../shared/bytes.ts';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { brief, commitNow } from '../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON } from '../../testing/commit/python.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from './scan.ts';

const open: TestSession[] = [];
function session(): TestSession {
  const made = testSession();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const made of open.splice(0)) {
    // Node can't remove what lies deeper than PATH_MAX.
    spawnSync('rm', ['-rf', made.host, made.upper]);
    made.remove();
  }
});

describe.runIf(hasPython)(
  `entries out of the ordinary, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  { timeout: 600_000 },
  () => {
    it('a host file that its owner may not read is listed, never silently the same', async (ctx) => {
      if (asRoot) return ctx.skip('root reads everything');
      const s = session();
      s.onHost('for f in same other longer mode; do echo a > $f; chmod 000 $f; done; sleep 0.05');
      s.inSandbox(
        'chmod 600 *; echo a > same; echo b > other; echo longer > longer; chmod 000 same other longer; chmod 400 mode',
      );
      await recordBases(s.ctx);
      const list = await scan(s.ctx);
      const told = [
        ...list.changes.map(({ path }) => nameOf(path)),
        ...list.problems.map(({ path }) => path.slice(s.host.length + 1)),
      ];
      expect(told.sort()).toEqual(['longer', 'mode', 'other', 'same']);
    });

    it('an immutable host file stays as it is, and its change pending', async (ctx) => {
      const s = session();
      s.onHost('echo a > f; echo a > g; echo a > h; sleep 0.05');
      s.inSandbox('echo b > f; rm g; echo b > h');
      // Only now: the flag would keep the sandbox out, too.
      const immutable = spawnSync('chattr', ['+i', `${s.host}/f`, `${s.host}/g`]).status === 0;
      if (!immutable) return ctx.skip('only root makes files immutable, and not on every file system');
      try {
        expect(brief(await scan(s.ctx), s.host)).toEqual(['modified f', 'deleted g', 'modified h']);
        const report = await commitNow(s, { request: { conflicts: 'take-sandbox' } });
        expect(report.failed.map(({ path }) => nameOf(path)).sort()).toEqual(['f', 'g']);
        s.onHost('[ "$(cat f g h)" = $\'a\\na\\nb\' ]');
        expect(brief(await scan(s.ctx), s.host)).toEqual(['modified f', 'deleted g']);
      } finally {
        execFileSync('chattr', ['-i', `${s.host}/f`, `${s.host}/g`]);
      }
    });
  },
);
