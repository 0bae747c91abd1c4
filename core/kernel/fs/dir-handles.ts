/**
 * Directories by held descriptors, reached component by component and never through a link. An entry is named
 * `/proc/self/fd/N/name`, so replacing a directory on its path redirects nothing.
 */
import { type BytePath, isWithin, joinPath, nameOf, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { NEW_ENTRIES } from '../messages/reasons.ts';
import { NotApplied } from './entry-errors.ts';
import { birthOf } from './fingerprint.ts';
import type { Pace } from './pace.ts';
import { at, errorCode, type FsPort, type Stat, withHandle } from './port.ts';
import type { XattrChange } from './xattr-text.ts';

interface Held {
  path: BytePath;
  fd: number;
  stat: Stat;
}

export type OnLoosen = (path: BytePath, mode: number, id: string) => void;

const SEARCH = 0o100;
const LIST = 0o500;
const WRITE = 0o300;

export class Dirs {
  readonly #port: FsPort;
  readonly #root: BytePath;
  readonly #uid: number;
  readonly #onLoosen: OnLoosen | null;
  /** Modes of directories before trai loosened them, by `birthOf`. */
  readonly loosened = new Map<string, number>();
  #held: Held[] = [];
  /** As /proc names it: links above the root are followed once. */
  #realRoot: BytePath | null = null;

  /**
   * @param root where the walk starts; links above it are followed
   * @param uid directories of this owner may be loosened (`chmod u+wx`); 0 needs no loosening
   * @param onLoosen null = never loosen; called before each chmod
   */
  constructor(port: FsPort, root: BytePath, uid: number, onLoosen: OnLoosen | null) {
    this.#port = port;
    this.#root = root;
    this.#uid = uid;
    this.#onLoosen = onLoosen;
  }

  /** Valid until the next call of `open` or `close`. Throws ENOENT, ENOTDIR (also for a link) or EACCES. */
  open(path: BytePath): number {
    return this.#open(path).fd;
  }

  openOrNone(path: BytePath): number | null {
    try {
      return this.open(path);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error))) return null;
      throw error;
    }
  }

  openToWrite(path: BytePath): number {
    return this.#loosen(this.#open(path), WRITE);
  }

  /** Names the entry to change it, in its directory opened to write. Valid as long as `open`. */
  target(path: BytePath): BytePath {
    return at(this.openToWrite(parentOf(path)), nameOf(path));
  }

  /** `target`, in the directory that the caller has just looked into. */
  targetHere(path: BytePath): BytePath {
    const dir = parentOf(path);
    const last = this.#held.at(-1);
    return at(this.#loosen(last?.path === dir ? last : this.#open(dir), WRITE), nameOf(path));
  }

  /** `target`; null when its directory is gone. */
  targetOrNone(path: BytePath): BytePath | null {
    try {
      return this.target(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  openToList(path: BytePath): number {
    return this.#loosen(this.#open(path), LIST);
  }

  /** With the mode before trai loosened it, which is what the list shows. */
  asFound(now: Stat): Stat {
    const mode = now.type === 'dir' && this.loosened.size > 0 ? this.loosened.get(birthOf(now)) : undefined;
    return mode !== undefined && now.mode === (mode | 0o700) ? { ...now, mode } : now;
  }

  /** Null also when a directory above it is missing. */
  lstat(path: BytePath): Stat | null {
    const isRoot = path === this.#root;
    const fd = this.openOrNone(isRoot ? path : parentOf(path));
    if (fd === null) return null;
    return isRoot ? this.#port.fstat(fd) : this.#port.lstat(at(fd, nameOf(path)));
  }

  /**
   * `lstat`, without asking whether a directory that is held already is still where it was: for a look that is
   * repeated before anything is changed, and for one right after a change through that directory.
   */
  lstatHere(path: BytePath): Stat | null {
    const last = this.#held.at(-1);
    if (last === undefined || !isIn(path, last.path)) return this.lstat(path);
    return this.#port.lstat(at(last.fd, nameOf(path)));
  }

  /** `open`, as `lstatHere` looks: for an entry that is identified wherever it is by now. */
  openHere(path: BytePath): number {
    const last = this.#held.at(-1);
    return last?.path === path ? last.fd : this.open(path);
  }

  close(): void {
    for (const held of this.#held.splice(0)) this.#port.close(held.fd);
  }

  #open(path: BytePath): Held {
    this.#keepCommon(path);
    let last = this.#held.at(-1) ?? this.#openRoot();
    for (const name of relativeTo(last.path, path).split('/')) {
      if (name === '') continue;
      this.#loosen(last, SEARCH);
      const fd = this.#port.openDir(at(last.fd, name));
      last = { path: joinPath(last.path, name), fd, stat: this.#port.fstat(fd) };
      this.#held.push(last);
    }
    return last;
  }

  #openRoot(): Held {
    const fd = this.#port.openDir(this.#root === '/' ? this.#root : joinPath(this.#root, '.'));
    const held: Held = { path: this.#root, fd, stat: this.#port.fstat(fd) };
    this.#held.push(held);
    this.#realRoot = this.#port.readlink(at(fd));
    return held;
  }

  /** Also closes all handles when a held directory was moved or removed. */
  #keepCommon(path: BytePath): void {
    // Each lies in the one before: those from the end that do not hold the path go.
    let last = this.#held.at(-1);
    for (; last !== undefined && !isWithin(path, last.path); last = this.#held.at(-1)) {
      this.#held.pop();
      this.#port.close(last.fd);
    }
    // The kernel keeps this link at the directory's current path.
    if (last !== undefined && this.#port.readlink(at(last.fd)) !== this.#realOf(last.path)) this.close();
  }

  #realOf(path: BytePath): BytePath {
    const root = this.#realRoot ?? this.#root;
    return path === this.#root ? root : joinPath(root, relativeTo(this.#root, path));
  }

  #loosen(held: Held, bits: number): number {
    const { mode, uid } = held.stat;
    if (this.#uid === 0 || uid !== this.#uid || (mode & bits) === bits || this.#onLoosen === null)
      return held.fd;
    const id = birthOf(held.stat);
    this.#onLoosen(held.path, mode, id);
    this.loosened.set(id, mode);
    this.#port.chmod(at(held.fd), mode | 0o700);
    held.stat = { ...held.stat, mode: mode | 0o700 };
    return held.fd;
  }
}

/** False for entries of `/`. */
function isIn(path: BytePath, dir: BytePath): boolean {
  return path.lastIndexOf('/') === dir.length && path.startsWith(dir);
}

export function byParent(paths: readonly BytePath[]): Map<BytePath, BytePath[]> {
  const found = new Map<BytePath, BytePath[]>();
  for (const path of paths) {
    const dir = parentOf(path);
    const known = found.get(dir);
    if (known === undefined) found.set(dir, [path]);
    else known.push(path);
  }
  return found;
}

/** Missing entries are left out. */
export async function lstatEach(
  port: FsPort,
  dirs: Dirs,
  paths: readonly BytePath[],
  pace: Pace,
): Promise<Map<BytePath, Stat>> {
  const found = new Map<BytePath, Stat>();
  for (const [dir, inside] of byParent(paths)) {
    await pace.breathe();
    const fd = dirs.openOrNone(dir);
    if (fd === null) continue;
    for (const path of inside) {
      const now = port.lstat(at(fd, nameOf(path)));
      if (now !== null) found.set(path, now);
    }
  }
  return found;
}

export function relativeTo(dir: BytePath, path: BytePath): BytePath {
  if (!isWithin(path, dir)) {
    throw new TraiError('internal', `expected a path below ${toDisplay(dir)}, got ${toDisplay(path)}`);
  }
  return (path === dir ? '' : path.slice(dir === '/' ? 1 : dir.length + 1)) as BytePath;
}

/** A program adds an entry to a directory while it is emptied: more often, and it will not end. */
const EMPTYING_ROUNDS = 1_000;

/**
 * Removes an entry and everything below it, without following links; returns how many. Adds missing write
 * permission. Only for what trai made (staging directories), never for anything of the user's. A program that has outlived a
 * killed run of trai may still write there: what it adds goes as well.
 */
export function removeTree(port: FsPort, dir: number, name: BytePath): number {
  const entry = port.lstat(at(dir, name));
  if (entry === null) return 0;
  if (entry.type !== 'dir') {
    port.unlink(at(dir, name));
    return 1;
  }
  let count = 1;
  for (let round = 1; ; round++) {
    count += withHandle(port, port.openDir(at(dir, name)), (fd) => {
      if ((entry.mode & 0o700) !== 0o700) port.chmod(at(fd), 0o700);
      return port.readdir(at(fd)).reduce((sum, child) => sum + removeTree(port, fd, child), 0);
    });
    try {
      port.rmdir(at(dir, name));
      return count;
    } catch (error) {
      if (errorCode(error) !== 'ENOTEMPTY' || round === EMPTYING_ROUNDS) throw error;
    }
  }
}

export function removePath(port: FsPort, parent: BytePath, name: BytePath): number {
  return withHandle(port, port.openDir(joinPath(parent, '.')), (fd) => removeTree(port, fd, name));
}

/** Gives a directory that trai has made its owner, attributes, time and mode; the mode last. */
export function dressDir(
  port: FsPort,
  path: BytePath,
  like: { mode: number; uid?: number | undefined; gid?: number | undefined; mtimeNs: bigint },
  xattrs: readonly XattrChange[] = [],
): void {
  const now = port.lstat(path);
  if (now?.type !== 'dir') return;
  const { uid = now.uid, gid = now.gid } = like;
  if (now.uid !== uid || now.gid !== gid) port.lchown(path, uid, gid);
  withHandle(port, port.openDir(path), (fd) => {
    if (xattrs.length > 0) port.setXattrs(fd, xattrs);
    port.utimes(at(fd), like.mtimeNs);
    port.chmod(at(fd), like.mode);
  });
}

export function chmodEntry(port: FsPort, path: BytePath, mode: number): void {
  withHandle(port, port.openEntry(path), (fd) => port.chmod(at(fd), mode));
}

export function moveOut(port: FsPort, dirs: Dirs, path: BytePath, image: BytePath): void {
  // Renaming a directory writes its `..`, which needs the write bit.
  if (dirs.lstat(path)?.type === 'dir') dirs.openToWrite(path);
  port.rename(dirs.target(path), image);
}

/**
 * Moves a directory to its before-image if it is empty, to keep its ACLs and extended attributes. rename(2)
 * does not check that it is empty as rmdir(2) does, so the directory is moved back when an entry came in.
 */
export function moveOutEmpty(port: FsPort, dirs: Dirs, path: BytePath, image: BytePath): void {
  const now = dirs.lstat(path);
  const mode = now === null ? 0o700 : dirs.asFound(now).mode;
  if (port.readdir(at(dirs.openToList(path))).length === 0) {
    moveOut(port, dirs, path, image);
    if (port.readdir(image).length === 0) return;
    const target = dirs.target(path);
    port.rename(image, target);
    chmodEntry(port, target, mode);
  }
  throw new NotApplied(`${NEW_ENTRIES} (ENOTEMPTY)`);
}
