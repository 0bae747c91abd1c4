/** The merged view of a live session as a replay changes it, and the directory of kept entries in it. */
import { randomBytes } from 'node:crypto';
import { type BytePath, isWithin, joinPath, nameOf, parentOf } from '../../shared/bytes.ts';
import { removeTree } from '../kernel/fs/dir-handles.ts';
import { lstatEntry, namesOrNone } from '../kernel/fs/entry.ts';
import { at, orIfRefused, orNull, nodePort as port, type Stat, withHandle } from '../kernel/fs/port.ts';
import type { Inside } from '../sandbox/inside.ts';
import { INCOMING, KEPT, noteReplayDir, REPLAY_NAME, replayDirsOf, savedIn } from '../sandbox/replay-dirs.ts';
import { type CoveredDir, type SessionContext, upperPath } from '../session/session-context.ts';
import { type Cleared, clearKept } from './kept-entries.ts';

export interface Spot {
  path: BytePath;
  /** Through a directory that is held open, so that no link leads out of the view. */
  at: BytePath;
  upper: BytePath;
}

/** Directories of the view, by path; null = none there, or on another mount. */
class HeldDirs {
  readonly #covered: CoveredDir;
  readonly #inside: Inside;
  readonly #fds = new Map<BytePath, number | null>();

  constructor(covered: CoveredDir, inside: Inside) {
    this.#covered = covered;
    this.#inside = inside;
  }

  open(path: BytePath): number | null {
    if (path === this.#covered.path) return this.#inside.fd;
    const known = this.#fds.get(path);
    if (known !== undefined) return known;
    const parent = path.length > this.#covered.path.length ? this.open(parentOf(path)) : null;
    // Refused where the sandbox replaced it, or the host has no such directory.
    const opened = parent === null ? null : orNull(() => port.openDir(at(parent, nameOf(path))));
    const isHere = opened !== null && orNull(() => port.fstat(opened).dev) === this.#inside.dev;
    if (opened !== null && !isHere) port.close(opened);
    const fd = isHere ? opened : null;
    this.#fds.set(path, fd);
    return fd;
  }

  close(isKept: (path: BytePath) => boolean = () => false): void {
    for (const [path, fd] of this.#fds) {
      if (isKept(path)) continue;
      if (fd !== null) port.close(fd);
      this.#fds.delete(path);
    }
  }
}

interface OwnDirs {
  path: BytePath;
  own: number;
  incoming: number;
}

export class Room {
  readonly covered: CoveredDir;
  readonly inside: Inside;
  /** For copies of the host's entries. */
  readonly incoming: number;
  /** Copied up to hold kept entries. */
  readonly parent: BytePath;
  readonly #path: BytePath;
  readonly #own: number;
  /** For kept files that a process wrote to. */
  readonly #saved: BytePath;
  readonly #dirs: HeldDirs;
  /** Left by an interrupted run, or kept by an earlier one. */
  readonly #before: readonly string[];
  #earlier: Map<bigint, number> | null = null;
  #count = 0;

  private constructor(
    covered: CoveredDir,
    inside: Inside,
    saved: BytePath,
    { path, own, incoming }: OwnDirs,
    dirs: HeldDirs,
  ) {
    this.covered = covered;
    this.inside = inside;
    this.incoming = incoming;
    this.parent = parentOf(path);
    this.#path = path;
    this.#own = own;
    this.#saved = saved;
    this.#dirs = dirs;
    this.#before = namesOrNone(upperPath(covered, path));
  }

  /** Null when no directory can take kept entries. `paths`: for a project and home elsewhere. */
  static open(
    ctx: SessionContext,
    covered: CoveredDir,
    inside: Inside,
    paths: readonly BytePath[] = [],
  ): Room | null {
    for (const path of replayDirsOf(ctx, covered, paths)) {
      const dirs = new HeldDirs(covered, inside);
      const saved = savedIn(ctx.projectRoot, path);
      const parent = dirs.open(parentOf(path));
      if (parent !== null && dirs.open(saved) !== null && makeDirs(ctx, path, parent)) {
        const [own, incoming] = [dirs.open(path), dirs.open(joinPath(path, INCOMING))];
        if (own !== null && incoming !== null)
          return new Room(covered, inside, saved, { path, own, incoming }, dirs);
      }
      dirs.close();
    }
    return null;
  }

  /** Null when its directory is none in the merged view, or on another mount. */
  spot(path: BytePath): Spot | null {
    const dir = this.#dirs.open(parentOf(path));
    return dir === null ? null : { path, at: at(dir, nameOf(path)), upper: upperPath(this.covered, path) };
  }

  /** Before a refresh: an open directory keeps what it has cached. */
  letGo(): void {
    this.#dirs.close((path) => isWithin(path, this.#path) || isWithin(this.#path, path));
  }

  /** How many names an entry of the upper has here since before this run: an interrupted one may have left some. */
  earlierNamesOf({ ino }: Stat): number {
    this.#earlier ??= this.#namesBefore();
    return this.#earlier.get(ino) ?? 0;
  }

  #namesBefore(): Map<bigint, number> {
    const names = new Map<bigint, number>();
    for (const name of this.#before) {
      const ino = lstatEntry(joinPath(upperPath(this.covered, this.#path), name))?.ino ?? 0n;
      names.set(ino, (names.get(ino) ?? 0) + 1);
    }
    return names;
  }

  fresh(): Spot {
    return this.named(`${KEPT}${process.pid}-${++this.#count}-${randomBytes(4).toString('hex')}` as BytePath);
  }

  named(name: BytePath): Spot {
    const path = joinPath(this.#path, name);
    return { path, at: at(this.#own, name), upper: upperPath(this.covered, path) };
  }

  /** Removed with the room, at the latest by the next one. */
  mark(): Spot {
    return this.copied(`mark-${randomBytes(4).toString('hex')}` as BytePath);
  }

  /** `name` is relative to the covered directory. */
  copied(name: BytePath): Spot {
    return this.named(joinPath(INCOMING, name));
  }

  clear(pids: readonly number[]): Cleared {
    const saved = this.#dirs.open(this.#saved);
    if (saved === null) return { saved: [], waiting: 0 };
    const upper = upperPath(this.covered, this.#path);
    const cleared = clearKept({ path: this.#path, own: at(this.#own), upper, saved: at(saved) }, pids);
    return { ...cleared, saved: cleared.saved.map((name) => joinPath(this.#saved, name)) };
  }

  /** What an earlier room has kept in `dir`, which goes. */
  takeKept(dir: BytePath): void {
    const [fd, parent] = [this.#dirs.open(dir), this.#dirs.open(parentOf(dir))];
    if (fd === null || parent === null) return;
    removeTree(port, fd, INCOMING);
    for (const name of port.readdir(at(fd))) port.rename(at(fd, name), this.named(name).at);
    port.rmdir(at(parent, REPLAY_NAME));
  }

  /** Kept entries stay for a later replay. */
  close(): void {
    const parent = this.#dirs.open(this.parent);
    orNull(() => {
      removeTree(port, this.#own, INCOMING);
      if (parent !== null) port.rmdir(at(parent, REPLAY_NAME));
    });
    this.#dirs.close();
  }
}

/** False where it is not writable. */
function makeDirs(ctx: SessionContext, path: BytePath, parent: number): boolean {
  const own = at(parent, REPLAY_NAME);
  return orIfRefused(() => {
    noteReplayDir(ctx, path, () => {
      if (port.lstat(own) === null) port.mkdir(own, 0o700);
    });
    withHandle(port, port.openDir(own), (fd) => {
      removeTree(port, fd, INCOMING);
      port.mkdir(at(fd, INCOMING), 0o700);
    });
    return true;
  }, false);
}

export function isSameEntry(a: Spot, b: Spot): boolean {
  const [first, second] = [lookUpper(a), lookUpper(b)];
  return first !== null && second !== null && first.ino === second.ino && first.dev === second.dev;
}

export function lookUpper(spot: Spot): Stat | null {
  return lstatEntry(spot.upper);
}
