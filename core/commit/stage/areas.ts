/** Staging directories: where copies wait for their rename, on the same mount as their targets. */
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { type Dirs, relativeTo } from '../../kernel/fs/dir-handles.ts';
import { at, type FsPort } from '../../kernel/fs/port.ts';
import { type CoveredDir, coveringDir, type SessionContext } from '../../session/session-context.ts';

export interface Area {
  /** Index of its `stage` line in the journal. */
  index: number;
  /** The host directory that holds it, and its name there. */
  base: BytePath;
  name: BytePath;
  covered: CoveredDir;
  /** Holds the staging directory. */
  fd: number;
}

/**
 * Chooses, for directories of targets, where to stage: the topmost writable directory of the same file system in the
 * place, so that one directory serves a whole home and no file watcher of a project sees the copies come and go.
 */
export class Areas {
  readonly #port: FsPort;
  readonly #ctx: SessionContext;
  readonly #dirs: Dirs;
  readonly #name: BytePath;
  readonly #bases = new Map<BytePath, BytePath | null>();
  readonly all: Area[] = [];

  constructor(port: FsPort, ctx: SessionContext, dirs: Dirs, n: number) {
    this.#port = port;
    this.#ctx = ctx;
    this.#dirs = dirs;
    this.#name = stageName(ctx.session, n);
  }

  /** The directory to stage in for targets in `parent`; null when no directory above it can be written. */
  baseFor(parent: BytePath): BytePath | null {
    const known = this.#bases.get(parent);
    if (known !== undefined) return known;
    const found = this.#find(parent);
    this.#bases.set(parent, found);
    return found;
  }

  /** The area of a base, made at need; `announce` writes the journal before the directory is made. */
  areaAt(base: BytePath, announce: (base: BytePath, name: BytePath) => void): Area {
    const found = this.all.find((area) => area.base === base);
    if (found !== undefined) return found;
    const covered = coveringDir(this.#ctx.coveredDirs, base);
    if (covered === null) throw new RangeError('expected a covered directory');
    announce(base, this.#name);
    const dir = this.#dirs.openToWrite(base);
    this.#port.mkdir(at(dir, this.#name), 0o700);
    const fd = this.#port.openDir(at(dir, this.#name));
    const area: Area = { index: this.all.length, base, name: this.#name, covered, fd };
    this.all.push(area);
    return area;
  }

  close(): void {
    for (const area of this.all.splice(0)) this.#port.close(area.fd);
  }

  #find(parent: BytePath): BytePath | null {
    const covered = coveringDir(this.#ctx.coveredDirs, parent);
    const target = this.#dirs.lstat(parent);
    if (covered === null || target?.type !== 'dir') return null;
    const mine = !this.#ctx.root && target.uid === this.#ctx.uid;
    if (!mine && !this.#port.writable(at(this.#dirs.open(parent)))) return null;
    const names = parent.slice(covered.path.length).split('/').filter(Boolean);
    let dir = covered.path;
    for (;;) {
      const fd = this.#dirs.open(dir);
      // A sticky directory of somebody else lets us rename into it but is no place to leave things.
      if (this.#port.fstat(fd).dev === target.dev && this.#port.writable(at(fd))) return dir;
      const name = names.shift();
      if (name === undefined) break;
      dir = joinPath(dir, name);
    }
    // An own directory without a write bit can be opened up for the moment.
    return mine ? parent : null;
  }
}

export function stageName(session: string, n: number): BytePath {
  return `.trai-commit.${session}.${n}` as BytePath;
}

/** Name that the old entry of unit `i` gets while a new one of another type takes its place. */
export function asideName(session: string, n: number, i: number): BytePath {
  return `.trai-old.${session}.${n}.${i}` as BytePath;
}

export const BACK = 'back' as BytePath;

/** Where a copy of `path` waits below `back/`. */
export function waitingAt(back: BytePath, covered: CoveredDir, path: BytePath): BytePath {
  return joinPath(back, joinPath(String(covered.n) as BytePath, relativeTo(covered.path, path)));
}
