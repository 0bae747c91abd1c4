/** A host that is or becomes read-only during a commit: nothing is lost, and a later commit succeeds. */

import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { builtFixture } from '../../../testing/built.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, quickLook } from '../../../testing/commit/commit.ts';
import { scan } from '../../scan/scan.ts';
import { finishCommit } from '../recover/recover.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});
const READ_ONLY = 'the file system is read-only (EROFS)';

/** In mounts of its own: the commit as this user, and beside it somebody who may mount. */
const MACHINE = `
mount --bind "$1" "$1"
( until [ -e "$2" ]; do sleep 0.02; done; mount -o remount,ro,bind "$1"; : > "$2.done" ) > /dev/null &
shift 2; exec "$@"`;

async function committedThere(t: TestSession, when: 'before' | 'applying'): Promise<unknown> {
  const script = await builtFixture(`${import.meta.dirname}/read-only.fixture.ts`);
  const { uid, gid } = userInfo();
  const self = asRoot ? [] : ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`];
  const enter = asRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  const signal = `${t.ctx.stateDir}/read-only`;
  const task = JSON.stringify({ ctx: t.ctx, when, signal });
  const machine = ['sh', '-ec', MACHINE, 'sh', t.host, signal, ...self, process.execPath, script, task];
  return JSON.parse(execFileSync('unshare', [...enter, ...machine], { encoding: 'utf8' }));
}

describe(`a read-only host, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each(['before', 'applying'] as const)('%s: nothing is applied, and later all of it', async (when) => {
    const t = testSession();
    open.push(t);
    t.onHost('echo old > f; echo gone > gone; mkdir sub; echo 1 > sub/1');
    const before = quickLook(t.host);
    t.inSandbox('echo new > f; rm gone; echo n > n; chmod 700 sub; echo 2 > sub/1; ln -s f l');
    const partial = { state: 'partial', applied: 0, messages: expect.arrayContaining([READ_ONLY]) };
    // Directories of one's own that can't be written are tried all the same: they may only be closed.
    const told = when === 'before' && !asRoot ? { code: 'io' } : partial;
    expect(await committedThere(t, when)).toEqual({ pending: 6, told });
    expect([...quickLook(t.host)].filter(([path]) => !path.startsWith('.trai-'))).toEqual([...before]);
    // The file system can be written to again.
    await finishCommit(t.ctx);
    for (let round = 0; round < 2 && (await scan(t.ctx)).changes.length > 0; round++)
      expect(await commitNow(t, { request: { conflicts: 'take-sandbox' } })).toMatchObject({ failed: [] });
    const now = quickLook(t.host);
    expect([
      now.get('f'),
      now.has('gone'),
      now.get('n'),
      now.get('sub'),
      now.get('sub/1'),
      now.get('l'),
    ]).toEqual(['100644 new\n', false, '100644 n\n', '40700', '100644 2\n', '120777 f']);
    expect([...now.keys()].filter((path) => path.includes('.trai-'))).toEqual([]);
  });
});
