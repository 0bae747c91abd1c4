/**
 * Directories opened component by component, never through a symbolic link, and held: what is done in them is done
 * through `/proc/self/fd/N/name`, so a path that somebody swaps for a link in the meantime leads nowhere else.
 */
import { type BytePath, joinPath, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { at, errorCode, type FsPort, type Pace, type Stat } from './port.ts';
import { birthOf } from './stat-identity.ts';

interface Held {
  path: BytePath;
  fd: number;
  stat: Stat;
}

/** Called before the mode of a directory is changed, so that it can be written down. */
export type OnLoosen = (path: BytePath, mode: number, id: string) => void;

/** Bits that the owner needs to look up names, to list them, to make and remove them. */
const SEARCH = 0o100;
const LIST = 0o500;
const WRITE = 0o300;

export class Dirs {
  readonly #port: FsPort;
  readonly #root: BytePath;
  readonly #uid: number;
  readonly #onLoosen: OnLoosen | null;
  /** Modes of directories before they were loosened, by `birthOf`. */
  readonly loosened = new Map<string, number>();
  #held: Held[] = [];
  /** What /proc says that the root is: its links are resolved once, below it none is followed. */
  #realRoot: BytePath | null = null;

  /**
   * @param root where the walk starts; links above it are followed
   * @param uid directories of this owner may be loosened (`chmod u+wx`); 0 needs no loosening
   * @param onLoosen null = never loosen
   */
  constructor(port: FsPort, root: BytePath, uid: number, onLoosen: OnLoosen | null) {
    this.#port = port;
    this.#root = root;
    this.#uid = uid;
    this.#onLoosen = onLoosen;
  }

  /**
   * A descriptor of the directory `path`, valid until the next call of `open` or `close`.
   *
   * @throws the errno error ENOENT, ENOTDIR (also for a symbolic link) or EACCES of the component that fails.
   */
  open(path: BytePath): number {
    this.#keepCommon(path);
    let last = this.#held.at(-1) ?? this.#openRoot();
    const rest = path === last.path ? '' : path.slice(last.path === '/' ? 1 : last.path.length + 1);
    for (const name of rest === '' ? [] : rest.split('/')) {
      this.#loosen(last, SEARCH);
      const fd = this.#port.openDir(at(last.fd, name));
      last = { path: joinPath(last.path, name), fd, stat: this.#port.fstat(fd) };
      this.#held.push(last);
    }
    return last.fd;
  }

  /** Like `open`; null when there is no such directory. */
  openOrNone(path: BytePath): number | null {
    try {
      return this.open(path);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return null;
      throw error;
    }
  }

  /** Like `open`, and makes sure that entries can be made and removed there. */
  openToWrite(path: BytePath): number {
    return this.#openWith(path, WRITE);
  }

  /** Like `open`, and makes sure that its names can be read. */
  openToList(path: BytePath): number {
    return this.#openWith(path, LIST);
  }

  #openWith(path: BytePath, bits: number): number {
    const fd = this.open(path);
    const last = this.#held.at(-1);
    if (last !== undefined) this.#loosen(last, bits);
    return fd;
  }

  /** An entry as it was before we loosened it: that is what was reviewed. */
  asFound(now: Stat): Stat {
    const mode = now.type === 'dir' && this.loosened.size > 0 ? this.loosened.get(birthOf(now)) : undefined;
    return mode !== undefined && now.mode === (mode | 0o700) ? { ...now, mode } : now;
  }

  /** The entry `path`, or null; also null when a directory above it is missing. */
  lstat(path: BytePath): Stat | null {
    if (path === this.#root) {
      const own = this.openOrNone(path);
      return own === null ? null : this.#port.fstat(own);
    }
    const fd = this.openOrNone(parentOf(path));
    return fd === null ? null : this.#port.lstat(at(fd, nameBelow(path)));
  }

  close(): void {
    for (const held of this.#held.splice(0)) this.#port.close(held.fd);
  }

  #openRoot(): Held {
    const fd = this.#port.openDir(this.#root === '/' ? this.#root : joinPath(this.#root, '.'));
    const held: Held = { path: this.#root, fd, stat: this.#port.fstat(fd) };
    this.#held.push(held);
    this.#realRoot = this.#port.readlink(at(fd));
    return held;
  }

  /** Drops what is not above `path`, and everything when a held directory was moved or removed. */
  #keepCommon(path: BytePath): void {
    const keep = this.#held.findIndex((held) => !contains(held.path, path));
    if (keep !== -1) for (const held of this.#held.splice(keep)) this.#port.close(held.fd);
    if (this.#held.length > 0 && !this.#isInPlace()) this.close();
  }

  /** The kernel tells where a descriptor's directory is by now. */
  #isInPlace(): boolean {
    const last = this.#held.at(-1);
    return last !== undefined && this.#port.readlink(at(last.fd)) === this.#realOf(last.path);
  }

  #realOf(path: BytePath): BytePath {
    const root = this.#realRoot ?? this.#root;
    if (path === this.#root) return root;
    return joinPath(root, path.slice(this.#root === '/' ? 1 : this.#root.length + 1));
  }

  #loosen(held: Held, bits: number): void {
    const { mode, uid } = held.stat;
    if (this.#uid === 0 || uid !== this.#uid || (mode & bits) === bits || this.#onLoosen === null) return;
    const id = birthOf(held.stat);
    this.#onLoosen(held.path, mode, id);
    this.loosened.set(id, mode);
    this.#port.chmod(at(held.fd), mode | 0o700);
    held.stat = { ...held.stat, mode: mode | 0o700 };
  }
}

/** The paths that each directory holds. */
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

/** `lstat` of many paths, a directory at a time: what is there, by path. */
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
      const now = port.lstat(at(fd, nameBelow(path)));
      if (now !== null) found.set(path, now);
    }
  }
  return found;
}

function contains(dir: BytePath, path: BytePath): boolean {
  return dir === '/' || path === dir || (path.startsWith(dir) && path[dir.length] === '/');
}

function nameBelow(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf('/') + 1) as BytePath;
}

/** `path` below `dir`, without a leading slash. */
export function relativeTo(dir: BytePath, path: BytePath): BytePath {
  if (!contains(dir, path)) {
    throw new TraiError('internal', `expected a path below ${toDisplay(dir)}, got ${toDisplay(path)}`);
  }
  return (path === dir ? '' : path.slice(dir === '/' ? 1 : dir.length + 1)) as BytePath;
}
