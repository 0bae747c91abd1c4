/** Which files some process may still write to, although their names are gone. */
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** O_ACCMODE: the bits of the flags in fdinfo that say read, write or both. */
const ACCESS = 0o3;

/**
 * The inode numbers, out of `wanted`, that a process has open for writing or mapped shared and writable. Devices are
 * not told apart: one file too many is copied, none too few. Processes of other users can not be looked into;
 * what they write is noticed later, by the image's times.
 */
export function heldForWriting(wanted: ReadonlySet<bigint>): Set<bigint> {
  return new Set(holders(wanted).map(({ ino }) => ino));
}

/** A process that may write to a file. */
export interface Writer {
  pid: number;
}

/** For the preview: who has which of these files open for writing, by `DEVICE:INODE`. */
export function writersOf(files: readonly { dev: bigint; ino: bigint }[]): Map<string, Writer[]> {
  const found = new Map<string, Writer[]>();
  const wanted = new Set(files.map(({ dev, ino }) => `${dev}:${ino}`));
  for (const { pid, ino, fd } of holders(new Set(files.map(({ ino: one }) => one)))) {
    const key = `${deviceOf(pid, fd) ?? files.find((file) => file.ino === ino)?.dev}:${ino}`;
    const known = found.get(key) ?? [];
    if (!wanted.has(key) || known.some((one) => one.pid === pid)) continue;
    found.set(key, [...known, { pid }]);
  }
  return found;
}

interface Holder {
  pid: number;
  ino: bigint;
  /** Null = only mapped. */
  fd: string | null;
}

function holders(wanted: ReadonlySet<bigint>): Holder[] {
  const held: Holder[] = [];
  if (wanted.size === 0) return held;
  for (const pid of names('/proc')) {
    if (!/^[0-9]+$/.test(pid)) continue;
    for (const fd of names(`/proc/${pid}/fd`)) {
      const ino = writtenInode(pid, fd);
      if (ino !== null && wanted.has(ino)) held.push({ pid: Number(pid), ino, fd });
    }
    for (const line of text(`/proc/${pid}/maps`).split('\n')) {
      const ino = /^\S+ .w.s \S+ \S+ (\d+)/.exec(line)?.[1];
      if (ino !== undefined && wanted.has(BigInt(ino)))
        held.push({ pid: Number(pid), ino: BigInt(ino), fd: null });
    }
  }
  return held;
}

function deviceOf(pid: number, fd: string | null): bigint | null {
  try {
    return fd === null ? null : statSync(`/proc/${pid}/fd/${fd}`, { bigint: true }).dev;
  } catch {
    return null;
  }
}

function writtenInode(pid: string, fd: string): bigint | null {
  const info = text(`/proc/${pid}/fdinfo/${fd}`);
  const flags = /^flags:\s+([0-7]+)/m.exec(info)?.[1];
  if (flags === undefined || (Number.parseInt(flags, 8) & ACCESS) === 0) return null;
  const ino = /^ino:\s+(\d+)/m.exec(info)?.[1];
  if (ino !== undefined) return BigInt(ino);
  // Before Linux 5.14 fdinfo does not say it.
  try {
    return statSync(`/proc/${pid}/fd/${fd}`, { bigint: true }).ino;
  } catch {
    return null;
  }
}

/** Processes come and go while we look, and those of others are closed to us. */
function names(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
