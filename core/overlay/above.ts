/** Whether the path of a host entry led to another one when the sandbox looked: renaming a directory leaves no trace below it. */
import type { Stat } from '../kernel/fs/port.ts';

/** What the host's directories above an entry say of when its path last came to lead somewhere else. */
export interface Above {
  /** Change time of the directory that holds it: every name that comes or goes in it moves this. */
  ctimeNs: bigint;
  /** No later than this was one of the directories above put in the place of another one. */
  movedNs: bigint;
}

/** Of what is below a directory that the sandbox could not look into: no time of the host's is early enough. */
export const UNSEEN: Above = { ctimeNs: 2n ** 63n, movedNs: 2n ** 63n };

/** What holds the place itself is not looked at (/tmp changes all the time): a rename moves its change time alone. */
export function aboveRoot(root: Stat | null): Above {
  const ctimeNs = root?.ctimeNs ?? 0n;
  return { ctimeNs, movedNs: root === null || root.mtimeNs === ctimeNs ? 0n : ctimeNs };
}

export function below(above: Above, dir: Stat): Above {
  const moved = putThere(dir, above);
  return { ctimeNs: dir.ctimeNs, movedNs: later(moved, above.movedNs) };
}

/** Putting an entry in the place of another one moves the change times of both the entry and the directory. */
function putThere(entry: Stat, above: Above): bigint {
  return earlier(entry.ctimeNs, above.ctimeNs);
}

/**
 * Whether the host's entry is what the sandbox took its copy of: unchanged since the sandbox looked at the host anew
 * (`window`), or written in place before the copy (`bound`). What another entry was put in the place of, itself or
 * with a directory above it, the sandbox goes on seeing as it was: an overlay keeps what it has looked up.
 */
export function wasSeen(entry: Stat, bound: bigint, window: bigint, above: Above): boolean {
  return entry.ctimeNs < bound && putThere(entry, above) < window && above.movedNs < window;
}

// Math.min and Math.max take no bigint.
function earlier(a: bigint, b: bigint): bigint {
  return b < a ? b : a;
}

function later(a: bigint, b: bigint): bigint {
  return b > a ? b : a;
}
