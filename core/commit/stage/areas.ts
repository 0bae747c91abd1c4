/** Staging directories: new content waits there for its rename, on the same mount as its target. */
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { Dirs, relativeTo } from '../../kernel/fs/dir-handles.ts';
import { NotApplied } from '../../kernel/fs/entry-errors.ts';
import { at, type FsPort, syncFileSystems } from '../../kernel/fs/port.ts';
import { type CoveredDir, coveringDir, type SessionContext } from '../../session/session-context.ts';
import type { Journal, Transaction } from '../journal/journal.ts';
import { DIR_NOT_WRITABLE } from '../messages/reasons.ts';

/** The host's directories, for a transaction to change: a mode that it loosens is journalled first. */
export function hostDirs({ port, ctx, journal }: Transaction): Dirs {
  const dirs = new Dirs(port, '/' as BytePath, ctx.root ? 0 : ctx.uid, (path, mode, id) => {
    journal.addSynced({ t: 'loosen', path, mode, id });
  });
  for (const { id, mode } of journal.record.loosened) dirs.loosened.set(id, mode);
  return dirs;
}

export interface Area {
  index: number;
  base: BytePath;
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
  readonly #bases = new Map<BytePath, BytePath | null>();
  readonly all: Area[] = [];

  constructor(port: FsPort, ctx: SessionContext, dirs: Dirs) {
    this.#port = port;
    this.#ctx = ctx;
    this.#dirs = dirs;
  }

  /** Where what gets a name in `parent` is staged. @throws NotApplied */
  baseFor(parent: BytePath): BytePath {
    const known = this.#bases.get(parent);
    const base = known === undefined ? this.#find(parent) : known;
    this.#bases.set(parent, base);
    if (base === null) throw new NotApplied(DIR_NOT_WRITABLE);
    return base;
  }

  /** Makes the staging directory on first use, journalled before. */
  areaAt(base: BytePath, journal: Journal): Area {
    const found = this.all.find((area) => area.base === base);
    if (found !== undefined) return found;
    const name = stageName(this.#ctx.session, journal.record.n);
    journal.addSynced({ t: 'stage', base, name });
    const dir = this.#dirs.openToWrite(base);
    this.#port.mkdir(at(dir, name), 0o700);
    const area: Area = { index: this.all.length, base, fd: this.#port.openDir(at(dir, name)) };
    this.all.push(area);
    return area;
  }

  /** Syncs the file systems of what is staged, and those of the directories `more`. */
  async sync(more: readonly BytePath[]): Promise<void> {
    const fds = more.map((dir) => this.#port.openDir(joinPath(dir, '.')));
    try {
      await syncFileSystems(this.#port, [...this.all.map(({ fd }) => fd), ...fds]);
    } finally {
      for (const fd of fds) this.#port.close(fd);
    }
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

function stageName(session: string, n: number): BytePath {
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
