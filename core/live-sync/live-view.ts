/** The merged view of a live session as a replay changes it, and the directory of kept entries in it. */
import { randomBytes } from 'node:crypto';
import { type BytePath, isWithin, joinPath, nameOf, parentOf } from '../../shared/bytes.ts';
import { removeTree } from '../kernel/fs/dir-handles.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import { at, errorCode, nodePort as port, type Stat } from '../kernel/fs/port.ts';
import type { Inside } from '../sandbox/inside.ts';
import { INCOMING, KEPT, noteReplayDir, REPLAY_NAME, replayDirsOf, savedIn } from '../sandbox/replay-dirs.ts';
import { type CoveredDir, type SessionContext, upperPath } from '../session/session-context.ts';
import { type Cleared, clearKept, keptDirAt } from './kept-entries.ts';

export interface Spot {
  path: BytePath;
  /** Held open, so that no link leads out of the view. */
  dir: number;
  at: BytePath;
  upper: BytePath;
}

export class Room {
  readonly covered: CoveredDir;
  readonly inside: Inside;
  /** For copies of the host's entries. */
  readonly incoming: number;
  readonly #path: BytePath;
  /** For kept files that a process wrote to. */
  readonly saved: BytePath;
  readonly #own: number;
  readonly #dirs: Map<BytePath, number | null>;
  #count = 0;

  private constructor(
    covered: CoveredDir,
    inside: Inside,
    saved: BytePath,
    path: BytePath,
    dirs: Map<BytePath, number | null>,
  ) {
    this.covered = covered;
    this.inside = inside;
    this.#path = path;
    this.saved = saved;
    this.#dirs = dirs;
    const own = openBelow(dirs, covered, inside, path);
    const incoming = openBelow(dirs, covered, inside, joinPath(path, INCOMING));
    if (own === null || incoming === null)
      throw new RangeError(`expected a directory that was just made at ${path}`);
    this.#own = own;
    this.incoming = incoming;
  }

  /** Null when no directory can take kept entries. `paths`: for a project and home elsewhere. */
  static open(
    ctx: SessionContext,
    covered: CoveredDir,
    inside: Inside,
    paths: readonly BytePath[] = [],
  ): Room | null {
    for (const path of replayDirsOf(ctx, covered, paths)) {
      const dirs = new Map<BytePath, number | null>();
      try {
        const parent = openBelow(dirs, covered, inside, parentOf(path));
        const saved = savedIn(ctx.projectRoot, path);
        if (parent !== null && openBelow(dirs, covered, inside, saved) !== null) {
          makeDirs(ctx, path, parent);
          return new Room(covered, inside, saved, path, dirs);
        }
      } catch (error) {
        if (errorCode(error) === '') throw error;
        // Not writable: try the next directory.
      }
      closeAll(dirs);
    }
    return null;
  }

  /** Null when its directory is none in the merged view, or on another mount. */
  spot(path: BytePath): Spot | null {
    const dir = openBelow(this.#dirs, this.covered, this.inside, parentOf(path));
    if (dir === null) return null;
    return { path, dir, at: at(dir, nameOf(path)), upper: upperPath(this.covered, path) };
  }

  /** Before a refresh: an open directory keeps what it has cached. */
  letGo(): void {
    for (const [path, fd] of this.#dirs) {
      if (isWithin(path, this.#path) || isWithin(this.#path, path)) continue;
      if (fd !== null) port.close(fd);
      this.#dirs.delete(path);
    }
  }

  fresh(): Spot {
    return this.named(`${KEPT}${process.pid}-${++this.#count}-${randomBytes(4).toString('hex')}` as BytePath);
  }

  named(name: BytePath): Spot {
    return this.#waiting(name);
  }

  /** Copied up to hold kept entries. */
  get parent(): BytePath {
    return parentOf(this.#path);
  }

  /** `name` is relative to the covered directory. */
  copied(name: BytePath): Spot {
    return this.#waiting(`${INCOMING}/${name}` as BytePath);
  }

  #waiting(name: BytePath): Spot {
    const path = joinPath(this.#path, name);
    return { path, dir: this.#own, at: at(this.#own, name), upper: upperPath(this.covered, path) };
  }

  clear(pids: readonly number[]): Cleared {
    const saved = openBelow(this.#dirs, this.covered, this.inside, this.saved);
    if (saved === null) return { saved: [], waiting: 0 };
    return clearKept(keptDirAt(this.#own, upperPath(this.covered, this.#path), saved), pids);
  }

  /** Kept entries stay for a later replay. */
  close(): void {
    const parent = openBelow(this.#dirs, this.covered, this.inside, parentOf(this.#path));
    try {
      removeTree(port, this.#own, INCOMING);
      if (parent !== null) port.rmdir(at(parent, REPLAY_NAME));
    } catch (error) {
      if (errorCode(error) === '') throw error;
    } finally {
      closeAll(this.#dirs);
    }
  }
}

function makeDirs(ctx: SessionContext, path: BytePath, parent: number): void {
  if (port.lstat(at(parent, REPLAY_NAME)) === null)
    noteReplayDir(ctx, path, () => port.mkdir(at(parent, REPLAY_NAME), 0o700));
  const own = port.openDir(at(parent, REPLAY_NAME));
  try {
    removeTree(port, own, INCOMING);
    port.mkdir(at(own, INCOMING), 0o700);
  } finally {
    port.close(own);
  }
}

export function isSameEntry(a: Spot, b: Spot): boolean {
  const [first, second] = [lookUpper(a), lookUpper(b)];
  return first !== null && second !== null && first.ino === second.ino && first.dev === second.dev;
}

export function lookUpper(spot: Spot): Stat | null {
  return lstatEntry(spot.upper);
}

function openBelow(
  dirs: Map<BytePath, number | null>,
  covered: CoveredDir,
  inside: Inside,
  path: BytePath,
): number | null {
  if (path === covered.path) return inside.fd;
  const known = dirs.get(path);
  if (known !== undefined) return known;
  const parent = path.length > covered.path.length ? openBelow(dirs, covered, inside, parentOf(path)) : null;
  const fd = parent === null ? null : openName(parent, nameOf(path), inside.dev);
  dirs.set(path, fd);
  return fd;
}

function openName(parent: number, name: BytePath, dev: bigint): number | null {
  let fd: number;
  try {
    fd = port.openDir(at(parent, name));
  } catch {
    // The sandbox replaced it, or the host has no such directory.
    return null;
  }
  if (port.fstat(fd).dev === dev) return fd;
  port.close(fd);
  return null;
}

function closeAll(dirs: Map<BytePath, number | null>): void {
  for (const fd of dirs.values()) if (fd !== null) port.close(fd);
  dirs.clear();
}
