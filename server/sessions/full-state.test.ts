import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { afterAll, expect, it } from 'vitest';

const work = mkdtempSync(`${tmpdir()}/trai-full-state-`);
afterAll(() => rmSync(work, { recursive: true }));

it('on a full disk a commit changes nothing, and a discard and its undo work all the same', () => {
  const { uid, gid } = userInfo();
  const self = uid === 0 ? '' : `unshare --user --map-user=${uid} --map-group=${gid}`;
  // A mount of its own for this process only: root, or root of a user namespace, may do that.
  const mount = `mount -t tmpfs -o size=1500k,mode=1777 tmpfs "$1" && TMPDIR=$1 exec ${self} "$2" "$3"`;
  const enter = uid === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  const base = mkdtempSync(`${tmpdir()}/trai-full-`);
  const args = [...enter, 'sh', '-c', mount, 'sh', base, process.execPath, bundled()];
  const out = execFileSync('unshare', args, { encoding: 'utf8' });
  rmdirSync(base);
  expect(JSON.parse(out)).toEqual({
    kept: 80 * 1024,
    full: 'no-space',
    // But for a log line.
    holds: true,
    dropped: 3,
    left: [],
    undone: 3,
    back: ['d', 'd/big', 'f'],
    later: 'applied',
    f: 'new\n',
    again: 80 * 1024,
  });
});

/** Node 20 does not read TypeScript. */
function bundled(): string {
  const out = `${work}/fixture.mjs`;
  const script = `${import.meta.dirname}/full-state.fixture.ts`;
  const rolldown = `${import.meta.dirname}/../../node_modules/.bin/rolldown`;
  execFileSync(rolldown, [script, '--platform', 'node', '--format', 'esm', '-o', out], { stdio: 'ignore' });
  return out;
}
