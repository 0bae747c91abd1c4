/** Test fixture, run with a TMPDIR on a small tmpfs: the launcher's errors when no byte is free. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { testSession } from '../../testing/sandbox/session.ts';

const session = await testSession();
const filler = join(session.base, 'filler');
const fill = () => spawnSync('sh', ['-c', `cat /dev/zero > '${filler}'`], { stdio: 'ignore' });
// The log's last page has room for a line, while the launcher's small files have no room.
fill();
const first = await session.call('echo ran');
rmSync(filler);
const between = await session.call('echo ran');
fill();
const full = await session.call('echo ran');
rmSync(filler);
const later = await session.call('echo ran');
const events = session.log().map((event) => event['t']);
await session.close();
console.log(JSON.stringify({ sessionDir: session.sessionDir, first, between, full, later, events }));
