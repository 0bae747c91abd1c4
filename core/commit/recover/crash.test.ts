import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { builtFixture } from '../../../testing/built.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, quickLook } from '../../../testing/commit/commit.ts';
import { hasPython } from '../../../testing/commit/python.ts';
import { scan } from '../../scan/scan.ts';
import { finishCommit } from './recover.ts';

let open: TestSession[] = [];
function session(): TestSession {
  const made = testSession();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

describe(`a full disk and a killed process, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  /** What a fixture prints that runs with its TMPDIR on a file system of that size. */
  async function onTmpfs(size: string, fixture: string): Promise<unknown> {
    // A mount of its own for this process only: root, or root of a user namespace, may do that.
    const base = mkdtempSync(`${tmpdir()}/trai-full-`);
    const { uid, gid } = userInfo();
    const self = asRoot ? '' : `unshare --user --map-user=${uid} --map-group=${gid}`;
    const mount = `mount -t tmpfs -o size=${size},mode=1777 tmpfs "$1" && TMPDIR=$1 exec ${self} "$2" "$3"`;
    const enter = asRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
    const script = await builtFixture(`${import.meta.dirname}/${fixture}`);
    const out = execFileSync('unshare', [...enter, 'sh', '-c', mount, 'sh', base, process.execPath, script], {
      encoding: 'utf8',
    });
    rmdirSync(base);
    return JSON.parse(out);
  }

  it('a tmpfs of 2 MB that is full while before-images are made: nothing is applied, and later all of it and its undo', async () => {
    const names = ['a', 'b', 'c', 'filler'];
    const both = ['modified a', 'modified c'];
    expect(await onTmpfs('2m', 'full-images.fixture.ts')).toEqual({
      codes: ['no-space', 'no-space'],
      kept: { same: true, names, pending: both },
      later: 'applied',
      landed: 'small\n',
      undone: ['applied'],
      back: true,
      after: both,
    });
  });

  it('a full tmpfs of 3 MB: nothing is applied, nothing is lost, and it works when there is room', async () => {
    expect(await onTmpfs('3m', 'full-disk.fixture.ts')).toEqual({
      codes: ['no-space', 'no-space'],
      host: ['filler'],
      pending: 4,
      later: 'applied',
      after: ['a', 'd', 'd/a', 'd/big'],
    });
  });

  it('a tmpfs of 3 MB too full for a copy: a new tree needs room only while the session is live', async (ctx) => {
    if (!hasPython) return ctx.skip('python3 is not installed, and without it (or perl) trees are copied');
    expect(await onTmpfs('3m', 'full-moved.fixture.ts')).toEqual({
      foreseen: [true, false],
      state: 'applied',
      host: ['filler', 'tree', 'tree/in', 'tree/in/big'],
    });
  });

  it('kill -9 leaves each entry old or new, and the next commit finishes', async () => {
    const script = await builtFixture(`${import.meta.dirname}/killed-part.fixture.ts`);
    const killedAt = async (n: number): Promise<number> => {
      const t = session();
      const old = Array.from({ length: 40 }, (_, i) => `echo old > f${i}`).join(';');
      t.onHost(`${old}; mkdir sub; echo x > sub/x`);
      t.inSandbox(
        'for i in {0..39}; do echo new > f$i; done; rm -r sub; mkdir -p tree/deep; for i in {1..40}; do echo $i > tree/deep/$i; done',
      );
      const paths = (await scan(t.ctx)).changes.map(({ path }) => path);
      const task = JSON.stringify({ ctx: t.ctx, kind: 'commit', paths, n });
      const { stdout, signal } = spawnSync(process.execPath, [script, task], { encoding: 'utf8' });
      expect(signal).toBe(n === 0 ? null : 'SIGKILL');
      for (const [path, state] of quickLook(t.host)) {
        if (/^f\d/.test(path)) expect(['100644 old\n', '100644 new\n']).toContain(state);
      }
      await finishCommit(t.ctx);
      if ((await scan(t.ctx)).changes.length > 0) await commitNow(t);
      expect((await scan(t.ctx)).changes).toEqual([]);
      const now = quickLook(t.host);
      expect([now.get('f0'), now.get('f39'), now.has('sub'), now.get('tree/deep/7')]).toEqual([
        '100644 new\n',
        '100644 new\n',
        false,
        '100644 7\n',
      ]);
      expect([...now.keys()].filter((path) => path.includes('.trai-'))).toEqual([]);
      return Number(stdout);
    };
    const total = await killedAt(0);
    const moments = Array.from({ length: 8 }, (_, i) => Math.ceil((total * (i + 1)) / 8));
    for (const n of moments) await killedAt(n);
    console.log(`killed at calls ${moments.join(', ')} of ${total}`);
  }, 300_000);
});
