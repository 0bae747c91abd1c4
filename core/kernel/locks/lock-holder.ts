/** Who has a file's lock, for whoever waited for it in vain. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { processArguments } from '../proc/proc.ts';

/** Of a command line, so much is shown (words, characters). */
const WORDS = 3;
const CHARACTERS = 200;

/**
 * A process of this user that has the lock; null when it is nobody's by now, or another user's. Those that wait have the
 * file open as well: the kernel says at the descriptor whose the lock is, and a process that only took it for another one
 * (flock(1)) is gone.
 */
export function lockHolder(path: string): { pid: number; command: string } | null {
  try {
    const lock = statSync(path);
    for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
      if (descriptors(pid).some((fd) => holds(pid, fd, lock))) {
        const words = (processArguments(Number(pid)) ?? []).slice(0, WORDS).join(' ');
        return { pid: Number(pid), command: toDisplay(words as BytePath).slice(0, CHARACTERS) };
      }
    }
  } catch {
    // It is for a message only.
  }
  return null;
}

function descriptors(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fdinfo`);
  } catch {
    // Another user's, or gone.
    return [];
  }
}

function holds(pid: string, fd: string, lock: { dev: number; ino: number }): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1');
    // By its number first: a look at a file may hang where its server is gone.
    if (!/^lock:.* FLOCK /m.test(text) || !text.includes(`:${lock.ino} 0 EOF`)) return false;
    const found = statSync(`/proc/${pid}/fd/${fd}`);
    return found.dev === lock.dev && found.ino === lock.ino;
  } catch {
    return false;
  }
}
