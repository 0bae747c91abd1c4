/**
 * Directories of which nothing is the host's, as they leave the view: by one rename, instead of one entry after the other.
 * The name seals what all of it looks like, so that only a tree that nobody has changed since is removed.
 */
import { createHash } from 'node:crypto';
import { type BytePath, joinPath, parentOf } from '../../shared/bytes.ts';
import { holdsOutOfReach, lstatEntry, readNames } from '../kernel/fs/entry.ts';
import { type Mount, parseMountinfo } from '../kernel/fs/mounts.ts';
import { orIfRefused, type Stat } from '../kernel/fs/port.ts';
import { processLink, processText } from '../kernel/proc/proc.ts';
import { type Held, isHeldOpen } from './writers.ts';

interface Tree {
  at: BytePath;
  upper: BytePath;
}

interface TreeLook {
  /** Null when it must not go by one rename: it can't be read whole, has special files, or names outside lead to it. */
  seal: string | null;
  /** A process has something of it open or mapped for writing. */
  isHeld: boolean;
  /** The last change of anything in it. */
  ctimeNs: bigint;
}

/** An lstat for each entry: no content can change without its times, once nobody has it open or mapped. */
export function lookAtTree(top: Tree, held: Held): TreeLook {
  const hash = createHash('sha256');
  const look: TreeLook = { seal: null, isHeld: false, ctimeNs: 0n };
  /** Names of each file that are not found yet. */
  const missing = new Map<bigint, number>();
  const add = (tree: Tree, name: string, entry: Stat): boolean => {
    const { type, mode, uid, gid, size, ino, mtimeNs, ctimeNs, nlink } = entry;
    if (ctimeNs > look.ctimeNs) look.ctimeNs = ctimeNs;
    hash.update(`${name}\0${type} ${mode} ${uid} ${gid} ${size} ${ino} ${mtimeNs} `, 'latin1');
    // A rename changes that of the top.
    if (tree !== top) hash.update(`${ctimeNs} `);
    if (type === 'dir') return addDir(tree);
    if (type !== 'file' && type !== 'symlink') return false;
    if (nlink > 1) missing.set(ino, (missing.get(ino) ?? nlink) - 1);
    look.isHeld ||= type === 'file' && isHeldOpen(held, tree.at, entry);
    return true;
  };
  const addDir = (tree: Tree): boolean => {
    if (holdsOutOfReach(tree.upper)) return false;
    const names = readNames(tree.upper);
    hash.update(`${names.length}\n`);
    return names.every((name) => {
      const child = { at: joinPath(tree.at, name), upper: joinPath(tree.upper, name) };
      const entry = lstatEntry(child.upper);
      return entry !== null && add(child, name, entry);
    });
  };
  const entry = lstatEntry(top.upper);
  const isWhole = entry?.type === 'dir' && orIfRefused(() => add(top, '', entry), false);
  if (isWhole && [...missing.values()].every((names) => names === 0)) look.seal = hash.digest('hex');
  return look;
}

/**
 * Entries that hold a mount of one of the processes, have one on them, or are what one shows. It goes along when such a directory
 * is renamed, and what it shows would be removed with the tree: entries of the host. When another entry takes the name, the
 * kernel takes the mount on it away, in whatever namespace it is: a box would see what it hides. A mount of the entry stays,
 * also by another name where a link led to it: the box would go on with the one that is gone, and what it writes be lost.
 */
export function dirsOfMounts(pids: readonly number[]): ReadonlySet<BytePath> {
  const mounts = mountsOf(pids);
  const covered = new Map<string, Set<BytePath>>();
  for (const { source, device, root, point } of mounts)
    if (root === '/' && source.startsWith('trai:'))
      covered.set(device, (covered.get(device) ?? new Set()).add(point));
  const dirs = new Set<BytePath>();
  for (const { device, root, point } of mounts) {
    const isThere = root !== '/' && !root.endsWith('//deleted');
    const shown = isThere ? [...(covered.get(device) ?? [])].map((top) => `${top}${root}` as BytePath) : [];
    for (const path of [point, ...shown]) for (let at = path; at !== '/'; at = parentOf(at)) dirs.add(at);
  }
  return dirs;
}

/** Of all tables that the processes have. With a root of its own, one has only what is mounted below. */
export function mountsOf(pids: readonly number[]): Mount[] {
  const tables = new Map<string, string>();
  for (const pid of pids) {
    const table = `${processLink(pid, 'ns/mnt') ?? pid} ${processLink(pid, 'root')}`;
    const text = tables.has(table) ? null : processText(pid, 'mountinfo');
    if (text !== null) tables.set(table, text);
  }
  return [...tables.values()].flatMap(parseMountinfo);
}
