/**
 * Which files a process of the session has open or mapped for writing, and whether one may be just opening a
 * file (`momentOf`, `allPassed`). /proc shows the overlay's inode number, of which a file can have several at
 * a time: the host's if opened before its copy-up, the upper's for a second name. So every number under which
 * a file was seen counts, and the times of descriptors, which are always the upper's.
 */
import type { BytePath } from '../../shared/bytes.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import { orNull, nodePort as port, type Stat, withHandle } from '../kernel/fs/port.ts';
import { inodeIn, openFiles, statOf } from '../kernel/proc/open-files.ts';
import { namesIn, processStat, processText } from '../kernel/proc/proc.ts';

/** A false match only keeps a file longer. */
export interface Marks {
  numbers: ReadonlySet<string>;
  times: string;
}

/** For a forgotten file the times decide. */
const REMEMBERED = 10_000;
const seenAs = new Map<string, Set<string>>();

/** The inode number that fdinfo and maps show for a file opened by this path; null when unknown. */
export function numberOf(at: BytePath): string | null {
  const fd = orNull(() => port.openEntry(at));
  if (fd === null) return null;
  const inode = withHandle(port, fd, () => inodeIn(processText('self', `fdinfo/${fd}`) ?? ''));
  return inode === null ? null : String(inode);
}

/** Call it before a rename: a process may have opened the file under `number`. */
export function remember(upper: Stat, number: string | null): Set<string> {
  const key = `${upper.dev}:${upper.ino}:${upper.birthNs}`;
  const numbers = seenAs.get(key) ?? new Set([String(upper.ino)]);
  if (number !== null) numbers.add(number);
  if (seenAs.size >= REMEMBERED) seenAs.clear();
  seenAs.set(key, numbers);
  return numbers;
}

/** Null when the file can't be read. */
export function marksOf({ at, upper }: { at: BytePath; upper: BytePath }): Marks | null {
  const number = numberOf(at);
  const entry = number === null ? null : lstatEntry(upper);
  return entry === null ? null : { numbers: remember(entry, number), times: timesOf(entry) };
}

/** What processes have open or mapped for writing. */
export interface Held {
  marks: ReadonlySet<string>;
  /** Of some only the number is known: a mapping whose descriptor may be closed. */
  byNumber: boolean;
}

export function heldBy(pids: readonly number[]): Held {
  const marks = new Set<string>();
  let byNumber = false;
  for (const pid of pids) {
    for (const { ino, fd, writes } of openFiles(pid)) {
      if (!writes) continue;
      marks.add(String(ino));
      const stat = fd === null ? null : statOf(`/proc/${pid}/fd/${fd}`);
      if (stat === null) byNumber = true;
      else marks.add(timesOf({ birthNs: stat.birthtimeNs, ctimeNs: stat.ctimeNs }));
    }
  }
  return { marks, byNumber };
}

/** Of a file that can't be read nobody knows: true. */
export function isMarked({ marks }: Held, file: Marks | null): boolean {
  return file === null || marks.has(file.times) || [...file.numbers].some((number) => marks.has(number));
}

/**
 * The same for one of many files, whose number is asked only where that can matter.
 * @param upper its entry there, whose times those of a descriptor are
 */
export function isHeldOpen({ marks, byNumber }: Held, at: BytePath, upper: Stat): boolean {
  if (marks.has(String(upper.ino)) || marks.has(timesOf(upper))) return true;
  const number = byNumber ? numberOf(at) : '';
  return number === null || marks.has(number);
}

function timesOf({ birthNs, ctimeNs }: Pick<Stat, 'birthNs' | 'ctimeNs'>): string {
  return `${birthNs} ${ctimeNs}`;
}

interface Task {
  state: string;
  /** utime, in clock ticks. */
  user: string;
}

/** Tasks that may be inside open(2), still without a descriptor. */
export type Moment = ReadonlyMap<string, Task>;

/** Runnable, or waiting for the disk: others are not opening a file of a local file system. */
const BUSY = new Set(['R', 'D']);

export function momentOf(pids: readonly number[]): Moment {
  return new Map([...tasks(pids)].filter(([, { state }]) => BUSY.has(state)));
}

/** Whether each task has been in user mode since, or has ended. */
export function allPassed(pids: readonly number[], since: Moment): boolean {
  if (since.size === 0) return true;
  const now = tasks(pids);
  return [...since].every(([key, then]) => {
    const task = now.get(key);
    return task === undefined || !BUSY.has(task.state) || task.user !== then.user;
  });
}

/** By thread id and start time, because ids are reused. */
function tasks(pids: readonly number[]): Map<string, Task> {
  const found = new Map<string, Task>();
  for (const pid of pids) {
    for (const tid of namesIn(`/proc/${pid}/task`)) {
      const stat = processStat(pid, `task/${tid}/stat`);
      if (stat !== null) found.set(`${tid} ${stat.start}`, stat);
    }
  }
  return found;
}
