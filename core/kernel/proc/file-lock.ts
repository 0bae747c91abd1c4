/** flock(2) between processes and with the launcher. The kernel releases a dead holder's lock. */
import { constants, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { LOCK_WAIT_S } from '../../../shared/limits.ts';
import { errorText } from '../fs/entry.ts';
import { run } from '../run.ts';
import { namesIn, processArguments, processIds, processText } from './proc.ts';

/**
 * Locks `path` (created when missing, never removed) and returns the release. Node has no flock(2), so
 * flock(1) locks the inherited descriptor: the lock belongs to the open file, which other children do not
 * inherit. Errors: `busy` after `waitSeconds`, `unsupported` without flock(1), `io`.
 */
export async function takeFileLock(path: string, waitSeconds = LOCK_WAIT_S): Promise<() => Promise<void>> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  } catch (cause) {
    const hint = 'If it is no regular file, remove it: it is made anew.';
    const message = `the lock file could not be opened: ${errorText(cause)}`;
    throw new TraiError('io', message, { path, cause, hint });
  }
  try {
    await lock(file, path, waitSeconds);
  } catch (error) {
    await file.close();
    throw error;
  }
  return async () => await file.close();
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

async function lock(file: FileHandle, path: string, waitSeconds: number): Promise<void> {
  const { status, stderr } = await run('flock', ['-x', '-w', String(waitSeconds), '3'], { fds: [file.fd] });
  if (status === 0) return;
  if (status === 127) {
    const hint = 'Install util-linux (flock).';
    throw new TraiError('unsupported', `flock could not be started: ${stderr}`, { path, hint });
  }
  const holder = lockHolder(path);
  const who = holder === null ? '' : `: process ${holder.pid} (${holder.command}) has it`;
  throw new TraiError('busy', `the lock was not free within ${waitSeconds} seconds${who}`, {
    path,
    hint: 'A call is just entering, or a commit is running. Try again in a moment.',
  });
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
  try {
    const found = statSync(`/proc/${pid}/fd/${fd}`);
    return found.dev === lock.dev && found.ino === lock.ino;
  } catch {
    return false;
  }
}
