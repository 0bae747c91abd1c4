/** Staging directories: new content waits there for its rename, on the same mount as its target. */
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { type Dirs, relativeTo } from '../../kernel/fs/dir-handles.ts';
import { at, type FsPort } from '../../kernel/fs/port.ts';
import { type CoveredDir, coveringDir, type SessionContext } from '../../session/session-context.ts';

export interface Area {
  index: number;
  base: BytePath;
  name: BytePath;
  covered: CoveredDir;
  fd: number;
}

/**
 * Stages in the topmost writable directory of the target's file system: one staging directory serves a whole
 * home, and no file watcher of a project sees the copies.
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

  baseFor(parent: BytePath): BytePath | null {
    const known = this.#bases.get(parent);
    if (known !== undefined) return known;
    const found = this.#find(parent);
    this.#bases.set(parent, found);
    return found;
  }

  /** Makes the staging directory on first use; `announce` journals it before. */
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
      if (this.#port.fstat(fd).dev === target.dev && this.#port.writable(at(fd))) return dir;
      const name = names.shift();
      if (name === undefined) break;
      dir = joinPath(dir, name);
    }
    // The user may loosen the mode of a directory that is their own.
    return mine ? parent : null;
  }
}

export function stageName(session: string, n: number): BytePath {
  return `.trai-commit.${session}.${n}` as BytePath;
}

/** Name of the old entry of unit `i` while a new one of another type replaces it. */
export function asideName(session: string, n: number, i: number): BytePath {
  return `.trai-old.${session}.${n}.${i}` as BytePath;
}

export const BACK = 'back' as BytePath;

export function waitingAt(back: BytePath, covered: CoveredDir, path: BytePath): BytePath {
  return joinPath(back, joinPath(String(covered.n) as BytePath, relativeTo(covered.path, path)));
}
