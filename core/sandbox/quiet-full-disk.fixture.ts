/** Test fixture, run with a TMPDIR on a small tmpfs: live or quiet when no byte and no inode is free. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { testSession } from '../../testing/sandbox/session.ts';
import { endProcesses, isQuiet } from './live.ts';
import { withLock } from './lock.ts';

const session = await testSession();
const look = async (): Promise<unknown> => {
  try {
    return await withLock(session, () => isQuiet(session.ctx));
  } catch (error) {
    return String(error);
  }
};
await session.call('sleep 300 >/dev/null 2>&1 & disown');
const parking = join(session.sessionDir, 'overlay/parking');
// Removed so that the probe has to make them, as in a session that was never probed.
for (const name of ['probe', 'none', 'probe.fstab'])
  rmSync(join(parking, name), { recursive: true, force: true });
const filler = join(session.base, 'filler');
const fill = 'mkdir "$0" && cd "$0" || exit; cat /dev/zero >bytes; i=0; while : >"f$((i += 1))"; do :; done';
spawnSync('sh', ['-c', fill, filler], { stdio: 'ignore' });
const full = spawnSync('mkdir', [join(session.base, 'one-more')]).status !== 0;
const live = await look();
await endProcesses(session.ctx.source);
const quiet = await look();
rmSync(filler, { recursive: true });
await session.close();
console.log(JSON.stringify({ full, live, quiet }));
