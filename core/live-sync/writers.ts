/**
 * Which files a process of the session has open or mapped for writing. /proc shows the overlay's inode
 * number, of which a file can have several at a time: the host's if opened before its copy-up, the upper's
 * for a second name. So every number under which a file was seen counts, and the times of descriptors, which
 * are always the upper's.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { BytePath } from '../../shared/bytes.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import { nodePort as port, type Stat } from '../kernel/fs/port.ts';

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
      // Most descriptors are sockets and pipes.
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

/** A shared mapping is written to even after its descriptor is closed. */
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

function isForWriting(info: string): boolean {
  const flags = Number.parseInt(/^flags:\t(\d+)$/m.exec(info)?.[1] ?? '0', 8);
  return (flags & 3) !== 0;
}
