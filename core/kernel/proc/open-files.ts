/** Which files some process may still write to, although their names are gone. Processes of others are closed to us. */
import { statSync } from 'node:fs';
import { type BytePath, isWithin } from '../../../shared/bytes.ts';
import { type Mount, parseMountinfo } from '../mounts.ts';
import { namesIn, processLink, processText } from './proc.ts';

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
    const device = fd === null ? null : statOf(`/proc/${pid}/fd/${fd}`)?.dev;
    const key = `${device ?? files.find((file) => file.ino === ino)?.dev}:${ino}`;
    const known = found.get(key) ?? [];
    if (!wanted.has(key) || known.some((one) => one.pid === pid)) continue;
    found.set(key, [...known, { pid }]);
  }
  return found;
}

/** A directory with all in it. */
export interface InodeTree {
  /** Its path without links. */
  real: BytePath;
  files: ReadonlySet<bigint>;
  dirs: ReadonlySet<bigint>;
}

/**
 * Those of `trees` that some process could go on writing to wherever they are renamed to: it has a file of them open for
 * writing or mapped shared and writable, has one of their directories open, or works in one.
 */
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

interface WorkDir {
  /** As its own mounts have it, which may be another name than ours; '' where that is not told. */
  at: string;
  /** Null where a look might hang: it is not on the file system of a tree. */
  ino: bigint | null;
}

/** Where processes work, and what they have as their root; nothing of ourselves, who write to nothing by such a path. */
function findWorkDirs(trees: readonly InodeTree[]): WorkDir[] {
  const own = readMounts('self');
  const devices = new Set(trees.map(({ real }) => deviceAt(own, real)));
  const tables = new Map<string, Mount[]>();
  const pids = namesIn('/proc').filter((pid) => /^[0-9]+$/.test(pid) && pid !== String(process.pid));
  return pids.flatMap((pid) => {
    const namespace = processLink(pid, 'ns/mnt') ?? '';
    const mounts = tables.get(namespace) ?? readMounts(pid);
    if (namespace !== '') tables.set(namespace, mounts);
    return ['cwd', 'root'].map((name): WorkDir => {
      const at = processLink(pid, name) ?? '';
      // No name: closed to us, or longer than a path may be.
      const isNear = at === '' || devices.has(deviceAt(mounts, at));
      return { at, ino: isNear ? (statOf(`/proc/${pid}/${name}`)?.ino ?? null) : null };
    });
  });
}

const readMounts = (pid: string): Mount[] => parseMountinfo(processText(pid, 'mountinfo') ?? '');

/** The device that mountinfo names, which is not always that of stat(2); null = of no mount. */
function deviceAt(mounts: readonly Mount[], at: string): string | null {
  let found: Mount | null = null;
  for (const mount of mounts)
    if (isWithin(at, mount.point) && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  return found?.device ?? null;
}

interface Holder {
  pid: number;
  ino: bigint;
  /** Null = only mapped. */
  fd: string | null;
}

/** @param dirs counted however they are open, but for our own handles */
function holders(wanted: ReadonlySet<bigint>, dirs: ReadonlySet<bigint> = new Set()): Holder[] {
  const held: Holder[] = [];
  if (wanted.size === 0 && dirs.size === 0) return held;
  for (const pid of namesIn('/proc')) {
    if (!/^[0-9]+$/.test(pid)) continue;
    for (const fd of namesIn(`/proc/${pid}/fd`)) {
      const open = openInode(pid, fd);
      if (open === null) continue;
      const { ino, writes } = open;
      if (writes ? wanted.has(ino) : pid !== String(process.pid) && dirs.has(ino))
        held.push({ pid: Number(pid), ino, fd });
    }
    for (const line of (processText(pid, 'maps') ?? '').split('\n')) {
      const ino = /^\S+ .w.s \S+ \S+ (\d+)/.exec(line)?.[1];
      if (ino !== undefined && wanted.has(BigInt(ino)))
        held.push({ pid: Number(pid), ino: BigInt(ino), fd: null });
    }
  }
  return held;
}

function statOf(path: string): { dev: bigint; ino: bigint } | null {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
}

function openInode(pid: string, fd: string): { ino: bigint; writes: boolean } | null {
  // Most are sockets, pipes and terminals: a name is read in a fifth of the time that their flags take.
  const name = processLink(pid, `fd/${fd}`) ?? '';
  if (!name.startsWith('/') || name === '/dev/null' || name.startsWith('/dev/pts/')) return null;
  const info = processText(pid, `fdinfo/${fd}`) ?? '';
  const flags = /^flags:\s+([0-7]+)/m.exec(info)?.[1];
  if (flags === undefined) return null;
  const writes = (Number.parseInt(flags, 8) & ACCESS) !== 0;
  const ino = /^ino:\s+(\d+)/m.exec(info)?.[1];
  if (ino !== undefined) return { ino: BigInt(ino), writes };
  // Before Linux 5.14 fdinfo does not say it, and a look at what is only read may hang (a network, FUSE).
  const held = writes ? statOf(`/proc/${pid}/fd/${fd}`) : null;
  return held === null ? null : { ino: held.ino, writes };
}
