/** What core/kernel says to users; core/session/messages/errors.ts has the form. */
import { TraiError } from '../../../shared/errors.ts';
import type { LiveProcess } from '../../../shared/model/commit.ts';
import { countText } from '../../../shared/terminal/text.ts';

export const lockUnusable = (path: string, why: string, cause: unknown): TraiError =>
  new TraiError('io', `the lock file could not be opened: ${why}`, {
    path,
    cause,
    hint: 'If it is no regular file, remove it: it is made anew.',
  });

export const fileNotWritten = (path: string, why: string, cause: unknown): TraiError =>
  new TraiError('io', `the file could not be written: ${why}`, {
    path,
    cause,
    hint: 'Nothing was changed. Make room on its disk, or its directory writable, and try again.',
  });

export const noFlock = (path: string, why: string): TraiError =>
  new TraiError('unsupported', `flock could not be started: ${why}`, {
    path,
    hint: why.includes('ENOENT')
      ? 'Install util-linux (flock). See: trai doctor'
      : 'Is the limit of open files (ulimit -n) or of processes (ulimit -u) reached? See: trai doctor',
  });

export function lockHeld(
  path: string,
  seconds: number,
  holder: { pid: number; command: string } | null,
): TraiError {
  const who = holder === null ? '' : `: process ${holder.pid} (${holder.command}) has it`;
  return new TraiError('busy', `the lock was not free within ${seconds} seconds${who}`, {
    path,
    hint: 'A call is just entering, or a commit is running. Try again in a moment.',
  });
}

export const processesNotEnded = (processes: readonly LiveProcess[]): TraiError =>
  new TraiError('live', `${countText(processes.length, 'process', 'processes')} could not be ended`, {
    paths: processes.map(({ pid, command }) => `${pid} ${command}`),
  });
