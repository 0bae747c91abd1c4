/** flock(2) between processes and with the launcher. The kernel releases a dead holder's lock. */
import { closeSync, constants, openSync, statSync } from 'node:fs';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { LOCK_WAIT_S } from '../../../shared/limits.ts';
import { errorText } from '../fs/entry.ts';
import { orNull } from '../fs/port.ts';
import { lockHeld, lockUnusable, noFlock } from '../messages/errors.ts';
import { programPath } from '../programs.ts';
import { run } from '../run.ts';
import { namesIn, processArguments, processIds, processText } from './proc.ts';

/**
 * Locks `path` (created when missing, never removed) and returns the release. Node has no flock(2), so
 * flock(1) locks the inherited descriptor: the lock belongs to the open file, which other children do not
 * inherit. Errors: `busy` after `waitSeconds`, `unsupported` without flock(1), `io`.
 */
export async function takeFileLock(path: string, waitSeconds = LOCK_WAIT_S): Promise<() => Promise<void>> {
  let file: number;
  try {
    file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  } catch (cause) {
    throw lockUnusable(path, errorText(cause), cause);
  }
  try {
    await lock(file, path, waitSeconds);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return async () => closeSync(file);
}

export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  waitSeconds = LOCK_WAIT_S,
): Promise<T> {
  const release = await takeFileLock(path, waitSeconds);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function lock(file: number, path: string, waitSeconds: number): Promise<void> {
  const { status, stderr } = await run(programPath('flock'), ['-x', '-w', String(waitSeconds), '3'], {
    fds: [file],
  });
  if (status === 0) return;
  throw status === 127 ? noFlock(path, stderr) : lockHeld(path, waitSeconds, lockHolder(path));
}

const WORDS = 3;
const CHARACTERS = 200;

/** Null when free by now, or another user's. Waiting processes have the file open too: fdinfo decides. */
function lockHolder(path: string): { pid: number; command: string } | null {
  try {
    const lock = statSync(path);
    for (const pid of processIds()) {
      if (!namesIn(`/proc/${pid}/fdinfo`).some((fd) => holds(pid, fd, lock))) continue;
      const words = (processArguments(pid) ?? []).slice(0, WORDS).join(' ');
      return { pid, command: toDisplay(words as BytePath).slice(0, CHARACTERS) };
    }
  } catch {
    // It is for a message only.
  }
  return null;
}

function holds(pid: number, fd: string, lock: { dev: number; ino: number }): boolean {
  const text = processText(pid, `fdinfo/${fd}`) ?? '';
  // The inode number first: stat(2) may hang on a file system whose server is gone.
  if (!/^lock:.* FLOCK /m.test(text) || !text.includes(`:${lock.ino} 0 EOF`)) return false;
  const found = orNull(() => statSync(`/proc/${pid}/fd/${fd}`));
  return found?.dev === lock.dev && found.ino === lock.ino;
}
