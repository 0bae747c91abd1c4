/**
 * flock(2) between processes. The kernel releases a lock when its holder dies, so no lock is ever stale. The launcher takes
 * the same locks with flock(1).
 */
import { spawn } from 'node:child_process';
import { constants, readFileSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { LOCK_WAIT_S } from '../../../shared/limits.ts';
import { namesIn, processArguments } from './proc.ts';

/**
 * Takes the lock of the file `path` (made when missing, never removed) and gives the function that lets it go. Node
 * has no flock(2): flock(1) is given our descriptor, and the lock stays with the open file, that is with us, after it
 * has left. Children do not inherit it. Errors: `busy` after `waitSeconds`, `unsupported` without flock(1), `io`.
 */
export async function takeFileLock(path: string, waitSeconds = LOCK_WAIT_S): Promise<() => Promise<void>> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const hint = 'If it is no regular file, remove it: it is made anew.';
    throw new TraiError('io', `the lock file could not be opened: ${message}`, { path, cause, hint });
  }
  try {
    await lock(file, path, waitSeconds);
  } catch (error) {
    await file.close();
    throw error;
  }
  return async () => await file.close();
}

/** Runs `work` while holding the lock of a file. Errors: those of takeFileLock and of `work`. */
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

function lock(file: FileHandle, path: string, waitSeconds: number): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn('flock', ['-x', '-w', String(waitSeconds), '3'], {
      stdio: ['ignore', 'ignore', 'ignore', file.fd],
      // Ctrl-C in the person's terminal is for us: what we have begun ends with us, in order.
      detached: true,
    });
    child.on('error', (cause) => {
      const hint = 'Install util-linux (flock).';
      failed(
        new TraiError('unsupported', `flock could not be started: ${cause.message}`, { path, cause, hint }),
      );
    });
    child.on('close', (code) => {
      if (code === 0) return done();
      const hint = 'A call is just entering, or a commit is running. Try again in a moment.';
      const holder = lockHolder(path);
      const who = holder === null ? '' : `: process ${holder.pid} (${holder.command}) has it`;
      failed(
        new TraiError('busy', `the lock was not free within ${waitSeconds} seconds${who}`, { path, hint }),
      );
    });
  });
}

/** Of a command line, so much is shown (words, characters). */
const WORDS = 3;
const CHARACTERS = 200;

/**
 * A process of this user that has the lock; null when it is nobody's by now, or another user's. Those that wait have the
 * file open as well: the kernel says at the descriptor whose the lock is, and a process that only took it for another one
 * (flock(1)) is gone.
 */
function lockHolder(path: string): { pid: number; command: string } | null {
  try {
    const lock = statSync(path);
    for (const pid of namesIn('/proc').filter((name) => /^[0-9]+$/.test(name))) {
      if (namesIn(`/proc/${pid}/fdinfo`).some((fd) => holds(pid, fd, lock))) {
        const words = (processArguments(Number(pid)) ?? []).slice(0, WORDS).join(' ');
        return { pid: Number(pid), command: toDisplay(words as BytePath).slice(0, CHARACTERS) };
      }
    }
  } catch {
    // It is for a message only.
  }
  return null;
}

function holds(pid: string, fd: string, lock: { dev: number; ino: number }): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1');
    // By its number first: stat(2) may hang where a file's server is gone.
    if (!/^lock:.* FLOCK /m.test(text) || !text.includes(`:${lock.ino} 0 EOF`)) return false;
    const found = statSync(`/proc/${pid}/fd/${fd}`);
    return found.dev === lock.dev && found.ino === lock.ino;
  } catch {
    return false;
  }
}
