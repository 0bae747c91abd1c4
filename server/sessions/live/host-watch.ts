import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { hostEntry } from '../../../core/kernel/fs/entry.ts';
import { errorCode, fsPath } from '../../../core/kernel/fs/port.ts';
import { isExcluded } from '../../../core/sandbox/claude-files.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import { type BytePath, isWithin, joinPath, nameOf } from '../../../shared/bytes.ts';
import { compileIgnore } from '../../../shared/model/ignore.ts';

/** Changes that come close together are one: editors save in several steps, git writes many files (ms). */
const SETTLE_MS = 60;
/** Who waits for quiet for longer than this is told in between (ms). */
const AT_MOST_MS = 400;
/** Directories that are opened between two moments for others. */
const SLICE = 64;
/** What tools make by the thousand and nobody edits. Changes below are seen with the next refresh. */
const NEVER: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** Why not all directories are watched: our own limit, or the kernel's for this user. */
export type WatchLimit = 'directories' | 'kernel';

export interface HostWatchParts {
  ctx: Pick<SessionContext, 'projectRoot' | 'home' | 'ignore' | 'excluded'>;
  /** Directories to watch at most. */
  limit: number;
  /** Entries that are new, changed or gone; below a new directory none is named. */
  changed: (paths: BytePath[]) => void;
  /** Called once. */
  limited: (why: WatchLimit) => void;
}

/** Watches the directories of a project on the host, breadth first, without those that are ignored. */
export class HostWatch {
  readonly #parts: HostWatchParts;
  readonly #watchers = new Map<BytePath, { watcher: FSWatcher; ino: bigint }>();
  readonly #ignored: (path: BytePath, isDir: boolean) => string | null;
  #dev = 0n;
  #pending = new Set<BytePath>();
  #firstAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #limited = false;
  #closed = false;

  constructor(parts: HostWatchParts) {
    this.#parts = parts;
    this.#ignored = compileIgnore(parts.ctx);
  }

  /** Resolves when all directories are watched that will be. */
  async start(): Promise<void> {
    const { projectRoot } = this.#parts.ctx;
    const root = hostEntry(projectRoot);
    if (root === null || root === 'closed') return;
    this.#dev = root.dev;
    await this.#add(projectRoot);
  }

  get directories(): number {
    return this.#watchers.size;
  }

  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Watches a directory and those below it. */
  async #add(top: BytePath): Promise<void> {
    const queue: BytePath[] = [top];
    for (let i = 0; i < queue.length && !this.#closed; i++) {
      const dir = queue[i];
      // Watched first: what is made while it is read is told by an event.
      if (dir === undefined || !this.#watch(dir)) continue;
      queue.push(...this.#directoriesIn(dir));
      if (i % SLICE === SLICE - 1) await breathe();
    }
  }

  #directoriesIn(dir: BytePath): BytePath[] {
    try {
      // The type comes with the name: most are files, and need no look of their own.
      return readdirSync(fsPath(dir), { encoding: 'buffer', withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => joinPath(dir, entry.name.toString('latin1')))
        .filter((path) => this.#isOurs(path));
    } catch {
      // Closed to us, or gone again.
      return [];
    }
  }

  /** A directory of the project's file system that is not ignored. */
  #isOurs(path: BytePath): boolean {
    if (NEVER.has(nameOf(path)) || isExcluded(path, this.#parts.ctx.excluded)) return false;
    const entry = hostEntry(path);
    if (entry === null || entry === 'closed' || entry.type !== 'dir' || entry.dev !== this.#dev) return false;
    return this.#ignored(path, true) === null;
  }

  /** False when it is watched already, or can't be. */
  #watch(dir: BytePath): boolean {
    const entry = hostEntry(dir);
    if (this.#watchers.has(dir) || entry === null || entry === 'closed') return false;
    if (this.#watchers.size >= this.#parts.limit) {
      this.#limit('directories');
      return false;
    }
    try {
      const options = { persistent: false, encoding: 'buffer' } as const;
      const watcher = watch(fsPath(dir), options, (_event, name) => this.#saw(dir, name));
      watcher.on('error', () => this.#drop(dir));
      this.#watchers.set(dir, { watcher, ino: entry.ino });
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOSPC' || errorCode(error) === 'EMFILE') this.#limit('kernel');
      return false;
    }
  }

  #limit(why: WatchLimit): void {
    if (this.#limited) return;
    this.#limited = true;
    this.#parts.limited(why);
  }

  #saw(dir: BytePath, name: Buffer | null): void {
    if (this.#closed) return;
    // The directory's own end has its own name; the one above tells of it, too.
    const path = name === null ? dir : joinPath(dir, name.toString('latin1'));
    if (NEVER.has(nameOf(path)) || isExcluded(path, this.#parts.ctx.excluded)) return;
    const now = performance.now();
    if (this.#pending.size === 0) this.#firstAt = now;
    this.#pending.add(path);
    if (this.#timer !== null) clearTimeout(this.#timer);
    const wait = Math.min(SETTLE_MS, Math.max(0, this.#firstAt + AT_MOST_MS - now));
    this.#timer = setTimeout(() => void this.#flush(), wait).unref();
  }

  async #flush(): Promise<void> {
    const paths = [...this.#pending];
    this.#pending = new Set();
    this.#timer = null;
    for (const path of paths) {
      const known = this.#watchers.get(path);
      const entry = hostEntry(path);
      const isDir = entry !== null && entry !== 'closed' && entry.type === 'dir';
      // Gone, or another one by that name: a watch follows the directory, not the name.
      if (known !== undefined && !(isDir && entry.ino === known.ino)) this.#dropBelow(path);
      // Before anybody looks into it: what is made in it later has an event of its own.
      if (isDir && this.#isOurs(path)) await this.#add(path);
    }
    if (!this.#closed) this.#parts.changed(paths);
  }

  #dropBelow(top: BytePath): void {
    for (const dir of [...this.#watchers.keys()]) if (isWithin(dir, top)) this.#drop(dir);
  }

  #drop(dir: BytePath): void {
    this.#watchers.get(dir)?.watcher.close();
    this.#watchers.delete(dir);
  }
}
