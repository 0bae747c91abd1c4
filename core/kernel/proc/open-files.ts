/** Which files a process of this user may still write to although their names are gone. */
import { type BigIntStats, statSync } from 'node:fs';
import { type BytePath, innermost, isWithin, parentOf } from '../../../shared/bytes.ts';
import { unescapeMount } from '../fs/mounts.ts';
import { orNull } from '../fs/port.ts';
import { namesIn, processIds, processLink, processText } from './proc.ts';

const ACCESS = 0o3;

/**
 * Inode numbers that a process has open for writing or mapped shared and writable. Ignores devices: a false
 * match costs one copy. For other users' processes the before-image's times reveal a write later.
 */
export function heldForWriting(wanted: ReadonlySet<bigint>): Set<bigint> {
  return new Set(holders(wanted).map(({ ino }) => ino));
}

/** Pids by `DEVICE:INODE`. */
export function writersOf(files: readonly { dev: bigint; ino: bigint }[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const wanted = new Set(files.map(({ dev, ino }) => `${dev}:${ino}`));
  for (const { pid, ino, fd } of holders(new Set(files.map(({ ino: one }) => one)))) {
    const device = fd === null ? null : statOf(`/proc/${pid}/fd/${fd}`)?.dev;
    const key = `${device ?? files.find((file) => file.ino === ino)?.dev}:${ino}`;
    const known = found.get(key) ?? [];
    if (wanted.has(key) && !known.includes(pid)) found.set(key, [...known, pid]);
  }
  return found;
}

export interface InodeTree {
  /** The path without links. */
  real: BytePath;
  files: ReadonlySet<bigint>;
  dirs: ReadonlySet<bigint>;
}

/** Trees that a process may write to even after a rename: by an open or mapped file, or a directory. */
export function treesInUse(trees: readonly InodeTree[]): Set<InodeTree> {
  const used = new Set<InodeTree>();
  if (trees.length === 0) return used;
  const all = (sets: ReadonlySet<bigint>[]) => new Set(sets.flatMap((set) => [...set]));
  const dirs = all(trees.map((tree) => tree.dirs));
  const held = new Set(holders(all(trees.map(({ files }) => files)), dirs).map(({ ino }) => ino));
  const workDirs = findWorkDirs(trees);
  for (const tree of trees) {
    const { real, files, dirs: own } = tree;
    const isInside = ({ at, ino }: WorkDir) => isWithin(at, real) || (ino !== null && own.has(ino));
    if ([...held].some((ino) => files.has(ino) || own.has(ino)) || workDirs.some(isInside)) used.add(tree);
  }
  return used;
}

export interface PathUser {
  /** The one that it is at or below. */
  top: BytePath;
  path: BytePath;
  pid: number;
  /** It works in it, or has it open as a directory. */
  isDir: boolean;
}

/**
 * Which of the processes use an entry at or below `tops`: as an open or mapped file, or as their working directory. By the
 * names that /proc shows, which are those of the processes' own mounts. For texts, and for directories that must not
 * be replaced; what may be written to is found by inode (`heldForWriting`).
 */
export function usersBelow(processes: readonly { pid: number }[], tops: ReadonlySet<BytePath>): PathUser[] {
  if (tops.size === 0) return [];
  return processes.flatMap(({ pid }) => {
    const used = new Map<string, boolean>();
    // A thread may have its own.
    for (const thread of namesIn(`/proc/${pid}/task`))
      for (const name of ['cwd', 'root']) used.set(processLink(pid, `task/${thread}/${name}`) ?? '', true);
    for (const [, name = ''] of (processText(pid, 'maps') ?? '').matchAll(MAPPED)) used.set(name, false);
    for (const fd of namesIn(`/proc/${pid}/fd`)) {
      const name = processLink(pid, `fd/${fd}`) ?? '';
      if (name.startsWith('/')) used.set(name, used.get(name) === true || isOpenDir(pid, fd));
    }
    return [...used].flatMap(([name, isDir]) => {
      const path = name as BytePath;
      const top = path.startsWith('/') ? topOf(path, tops) : null;
      return top === null ? [] : [{ top, path, pid, isDir }];
    });
  });
}

function topOf(path: BytePath, tops: ReadonlySet<BytePath>): BytePath | null {
  for (let at = path; ; at = parentOf(at)) {
    if (tops.has(at)) return at;
    if (at === '/') return null;
  }
}

/** `from-to perms offset device inode path`; a line feed in the path is `\\012`. */
const MAPPED = /^\S+ \S+ \S+ \S+ [1-9]\d* +(\/.*)$/gm;

const DIRECTORY = 0o200000;

/** O_DIRECTORY, as opendir(3) sets it. */
function isOpenDir(pid: number, fd: string): boolean {
  const flags = /^flags:\s+([0-7]+)/m.exec(processText(pid, `fdinfo/${fd}`) ?? '')?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & DIRECTORY) !== 0;
}

interface WorkDir {
  /** In the process's mounts; '' when unknown. */
  at: string;
  /** Null on other file systems, where stat(2) might hang. */
  ino: bigint | null;
}

function findWorkDirs(trees: readonly InodeTree[]): WorkDir[] {
  const own = devicesByPoint('self');
  const devices = new Set(trees.map(({ real }) => deviceAt(own, real)));
  const tables = new Map<string, MountDevice[]>();
  const others = processIds().filter((pid) => pid !== process.pid);
  return others.flatMap((pid) => {
    const namespace = processLink(pid, 'ns/mnt') ?? '';
    const mounts = tables.get(namespace) ?? devicesByPoint(pid);
    if (namespace !== '') tables.set(namespace, mounts);
    return ['cwd', 'root'].map((name): WorkDir => {
      const at = processLink(pid, name) ?? '';
      // Unknown: not readable, or longer than PATH_MAX.
      const isNear = at === '' || devices.has(deviceAt(mounts, at));
      return { at, ino: isNear ? (statOf(`/proc/${pid}/${name}`)?.ino ?? null) : null };
    });
  });
}

type MountDevice = readonly [point: BytePath, device: string];

/** Only what `deviceAt` asks of a mount table: there is one for each container and sandboxed service. */
function devicesByPoint(pid: number | 'self'): MountDevice[] {
  const lines = (processText(pid, 'mountinfo') ?? '').split('\n');
  return lines.flatMap((line): MountDevice[] => {
    const [, , device = '', , point] = line.split(' ', 5);
    return point === undefined ? [] : [[unescapeMount(point) as BytePath, device]];
  });
}

/** mountinfo's device may differ from that of stat(2). */
function deviceAt(mounts: readonly MountDevice[], at: string): string | null {
  return innermost(at, mounts, ([point]) => point)?.[1] ?? null;
}

interface OpenFile {
  ino: bigint;
  /** Null for a shared mapping, which is written to even after its descriptor is closed. */
  fd: string | null;
  writes: boolean;
}

interface Holder extends OpenFile {
  pid: number;
}

/** @param dirs counted whatever the access mode, except for this process's handles */
function holders(wanted: ReadonlySet<bigint>, dirs: ReadonlySet<bigint> = new Set()): Holder[] {
  if (wanted.size === 0 && dirs.size === 0) return [];
  const isWanted = (pid: number, { ino, writes }: OpenFile) =>
    writes ? wanted.has(ino) : pid !== process.pid && dirs.has(ino);
  return processIds().flatMap((pid) =>
    [...openFiles(pid)].filter((file) => isWanted(pid, file)).map((file) => ({ ...file, pid })),
  );
}

/** Files and directories that a process has open, or mapped shared and writable. */
export function* openFiles(pid: number): Generator<OpenFile> {
  for (const fd of namesIn(`/proc/${pid}/fd`)) {
    const open = openInode(pid, fd);
    if (open !== null) yield { ...open, fd };
  }
  for (const [, ino = ''] of (processText(pid, 'maps') ?? '').matchAll(SHARED))
    yield { ino: BigInt(ino), fd: null, writes: true };
}

/** `from-to rw-s offset device inode path`. */
const SHARED = /^\S+ .w.s \S+ \S+ (\d+)/gm;

export function statOf(path: string): BigIntStats | null {
  return orNull(() => statSync(path, { bigint: true }));
}

function openInode(pid: number, fd: string): { ino: bigint; writes: boolean } | null {
  // Most are sockets, pipes and terminals: readlink takes a fifth of the time of reading fdinfo.
  const name = processLink(pid, `fd/${fd}`) ?? '';
  if (!name.startsWith('/') || name === '/dev/null' || name.startsWith('/dev/pts/')) return null;
  const info = processText(pid, `fdinfo/${fd}`) ?? '';
  const flags = /^flags:\s+([0-7]+)/m.exec(info)?.[1];
  if (flags === undefined) return null;
  const writes = (Number.parseInt(flags, 8) & ACCESS) !== 0;
  const ino = inodeIn(info);
  if (ino !== null) return { ino, writes };
  // Before Linux 5.14 fdinfo has no inode number; stat(2) of a file that is only read may hang.
  const held = writes ? statOf(`/proc/${pid}/fd/${fd}`) : null;
  return held === null ? null : { ino: held.ino, writes };
}

/** `info`: a text of /proc/PID/fdinfo. */
export function inodeIn(info: string): bigint | null {
  const ino = /^ino:\s+(\d+)/m.exec(info)?.[1];
  return ino === undefined ? null : BigInt(ino);
}
