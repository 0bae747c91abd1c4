/**
 * Whether some process of a session has a file open for writing, or mapped so.
 *
 * /proc names an open file by the number of the overlay's inode, and one file of the upper can have several of those at a
 * time: who opened the name when only the host had it goes on with the host's number, a second name shows the upper's
 * own. So every number by which a file was seen is remembered, and of descriptors the times are compared as well, which
 * are the upper's whatever the number is.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { BytePath } from '../../shared/bytes.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import { nodePort as port, type Stat } from '../kernel/fs/port.ts';

/** How /proc may name a file of the upper. One that is another file's only makes it one too many. */
export interface Marks {
  numbers: ReadonlySet<string>;
  times: string;
}

/** Most files whose numbers are remembered; of one that is forgotten the times tell. */
const REMEMBERED = 10_000;
const seenAs = new Map<string, Set<string>>();

/** The number by which fdinfo and maps name what is opened by this name now; null when it can't be looked at. */
export function numberOf(at: BytePath): string | null {
  let fd: number;
  try {
    fd = port.openEntry(at);
  } catch {
    return null;
  }
  try {
    return inodeIn(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'));
  } finally {
    port.close(fd);
  }
}

/** Before a file of the upper gets another name: somebody may have opened it by this number. */
export function remember(upper: Stat, number: string | null): Set<string> {
  const key = `${upper.dev}:${upper.ino}:${upper.birthNs}`;
  const numbers = seenAs.get(key) ?? new Set([String(upper.ino)]);
  if (number !== null) numbers.add(number);
  if (seenAs.size >= REMEMBERED) seenAs.clear();
  seenAs.set(key, numbers);
  return numbers;
}

/** Null when it can't be looked at: then nothing is known of who has it open. */
export function marksOf({ at, upper }: { at: BytePath; upper: BytePath }): Marks | null {
  const number = numberOf(at);
  const entry = number === null ? null : lstatEntry(upper);
  return entry === null ? null : { numbers: remember(entry, number), times: timesOf(entry) };
}

/** Which of the files a process has open for writing. */
export function openForWriting<K>(pids: readonly number[], files: ReadonlyMap<K, Marks | null>): Set<K> {
  const byMark = new Map<string, K[]>();
  const found = new Set<K>();
  for (const [key, marks] of files) {
    for (const mark of marks === null ? [] : [...marks.numbers, marks.times])
      byMark.set(mark, [...(byMark.get(mark) ?? []), key]);
  }
  if (byMark.size === 0) return found;
  for (const pid of pids)
    for (const mark of [...written(pid), ...mapped(pid)])
      for (const key of byMark.get(mark) ?? []) found.add(key);
  return found;
}

function* written(pid: number): Generator<string> {
  for (const fd of descriptors(pid)) {
    try {
      const path = `/proc/${pid}/fd/${fd}`;
      // Sockets, pipes and the like have no path; there are many of them.
      if (!readlinkSync(path).startsWith('/')) continue;
      const info = readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1');
      if (!isForWriting(info)) continue;
      const { birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
      yield timesOf({ birthNs: birthtimeNs, ctimeNs });
      const inode = inodeIn(info);
      if (inode !== null) yield inode;
    } catch {
      // Closed meanwhile.
    }
  }
}

/** A shared mapping is written to without a descriptor: that may be closed. */
function mapped(pid: number): string[] {
  try {
    const maps = readFileSync(`/proc/${pid}/maps`, 'latin1');
    return [...maps.matchAll(SHARED)].flatMap(([, inode]) => inode ?? []);
  } catch {
    // Ended meanwhile.
    return [];
  }
}

/** `from-to rw-s offset device inode path`. */
const SHARED = /^\S+ .w.s \S+ \S+ (\d+)/gm;

function timesOf({ birthNs, ctimeNs }: Pick<Stat, 'birthNs' | 'ctimeNs'>): string {
  return `${birthNs} ${ctimeNs}`;
}

function descriptors(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

function inodeIn(info: string): string | null {
  return /^ino:\t(\d+)$/m.exec(info)?.[1] ?? null;
}

/** O_WRONLY or O_RDWR. */
function isForWriting(info: string): boolean {
  const flags = Number.parseInt(/^flags:\t(\d+)$/m.exec(info)?.[1] ?? '0', 8);
  return (flags & 3) !== 0;
}
