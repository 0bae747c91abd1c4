/** syncfs(2), which Node has no call for: by the perl that a transaction keeps, else by sync(1). */
import { constants } from 'node:os';
import { askPerl, isPerlKept } from '../perl.ts';
import { plainEnv, run } from '../run.ts';

/** Reads a path; answers the errno, or nothing where it can't be asked. */
const SYNC = `
if (opendir my $h, $input) { my $fd = fileno $h;
  $out = syscall($call[0], $fd) < 0 ? $! + 0 : 0 if defined $fd; }`;

export async function syncFileSystem(fd: number): Promise<void> {
  const held = `/proc/${process.pid}/fd/${fd}`;
  const answer = isPerlKept() ? await askPerl({ text: SYNC, calls: ['syncfs'] }, held) : null;
  if (answer === null || answer === '') await syncByProgram(fd);
  else if (answer !== '0') throw failed(`errno ${answer}`, isFull(Number(answer)));
}

async function syncByProgram(fd: number): Promise<void> {
  const options = { fds: [fd], stdout: 'ignore', env: plainEnv() } as const;
  const { status, stderr } = await run('sync', ['-f', '/proc/self/fd/3'], options);
  if (status !== 0) throw failed(stderr.trim() || `ended with ${status}`, /No space left/.test(stderr));
}

function isFull(errno: number): boolean {
  return errno === constants.errno.ENOSPC || errno === constants.errno.EDQUOT;
}

function failed(why: string, isNoSpace: boolean): Error {
  return Object.assign(new Error(`sync -f: ${why}`), { code: isNoSpace ? 'ENOSPC' : 'EIO' });
}
