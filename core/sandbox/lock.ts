/** The session's lock, sessions/<id>/lock: held while entering, committing, discarding and reaping. */
import { withFileLock } from '../kernel/locks/file-lock.ts';

/** Runs `work` under the lock. Throws TraiError('busy') when it can't be had within `waitSeconds`. */
export async function withLock<T>(
  sessionDir: string,
  waitSeconds: number,
  work: () => Promise<T>,
): Promise<T> {
  return await withFileLock(`${sessionDir}/lock`, work, waitSeconds);
}
