/**
 * Follows the host while sessions are live: host-watch.ts watches the project's directories, HostHeads
 * compares recorded entries, and the hooks report Claude's edits and host commands. Changes are replayed into
 * the session (core/live-sync/replay.ts).
 */

import { statSync } from 'node:fs';
import { identityOf, lstatOrNone } from '../../../core/kernel/fs/entry.ts';
import { movedOn, type ReplayReport } from '../../../core/live-sync/replay.ts';
import { readBaseFile } from '../../../core/overlay/base-file.ts';
import { liveProcesses } from '../../../core/sandbox/live.ts';
import { type SessionContext, upperPathIn } from '../../../core/session/session-context.ts';
import type { BytePath } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { REPLAY_KEPT_MS, WATCHED_DIRECTORIES } from '../../../shared/limits.ts';
import type { NewEvent } from '../../../shared/log/events.ts';
import type { CallChange } from '../../../shared/log/fold.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import { savedNotice } from '../../hooks/world/world.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { HostWatch, type WatchLimit } from './host-watch.ts';

/** A call that ends sooner is not followed (ms). */
const STAYS_MS = 1_000;
/** Delays a look: changes of the host come in groups, and a prompt is followed by the client's hooks (ms). */
const LOOK_MS = 200;
/** Delay before a failed replay (lock held by a commit, host still writing) is repeated (ms). */
const RETRY_MS = 300;
const RETRIES = 20;
/** Replaying a host file that never rests (a log) takes at most a fifth of the time. */
const REST = 4;

interface FollowerParts {
  runner: JobRunner;
  context: (session: string) => Promise<SessionContext | null>;
  /** Never throws. */
  log: (session: string, event: NewEvent) => void;
  report: (thrown: unknown) => void;
  /** A followed session is not live any more: its replayed copies should leave the uppers. */
  quiet: (session: string) => void;
  limit?: number;
}

interface Followed {
  watch: HostWatch | null;
  paths: Set<BytePath>;
  everything: boolean;
  running: Promise<void> | null;
  retries: number;
  /** Events of the watch are replayed from then on (performance.now()). */
  notBefore: number;
  /** A look is to come. */
  isLooking: boolean;
  /** The same for looks. */
  noLookBefore: number;
}

export class HostFollower {
  readonly #parts: FollowerParts;
  readonly #sessions = new Map<string, Followed>();
  readonly #heads = new Map<string, HostHeads>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #starting = new Set<string>();
  /** Notices about a limit or a failing refresh. */
  readonly #told = new Set<string>();
  #closed = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  saw(session: string, changes: readonly CallChange[]): void {
    for (const change of changes) {
      if (change.start === null) continue;
      const { call, mode } = change.start;
      if (change.is === 'ended') this.#starting.delete(call);
      else if (mode !== 'host') this.#lookIfItStays(session, call);
      // A host command may have changed anything.
      if (change.is === 'ended' && mode === 'host' && this.isFollowed(session))
        void this.changed(session, [], true);
    }
  }

  /** Most calls end at once; the work after them finds what they left running. */
  #lookIfItStays(session: string, call: string): void {
    this.#starting.add(call);
    this.#later(STAYS_MS, async () => {
      if (this.#starting.delete(call)) await this.look(session);
    });
  }

  isFollowed(session: string): boolean {
    return this.#sessions.has(session);
  }

  get busy(): boolean {
    return this.#sessions.size > 0;
  }

  /** Begins to follow a live session, and leaves one that is quiet. */
  async look(session: string): Promise<void> {
    try {
      const live = await this.#isLive(session);
      if (this.#closed) return;
      if (!live) this.leave(session);
      else if (!this.#sessions.has(session)) await this.#begin(session);
    } catch (error) {
      this.#parts.report(error);
    }
  }

  leave(session: string): void {
    this.#sessions.get(session)?.watch?.close();
    this.#heads.delete(session);
    if (this.#sessions.delete(session) && !this.#closed) this.#parts.quiet(session);
  }

  /** Resolves when these paths were replayed, or the session is quiet. Never rejects. */
  async changed(session: string, paths: readonly BytePath[], everything = false): Promise<void> {
    const followed = this.#sessions.get(session) ?? ((await this.#isLive(session)) ? emptyFollowed() : null);
    if (followed === null || this.#closed) return;
    for (const path of paths) followed.paths.add(path);
    followed.everything ||= everything;
    while (followed.running !== null) await followed.running;
    if (followed.paths.size === 0 && !followed.everything) return;
    followed.running = this.#replay(session, followed).finally(() => {
      followed.running = null;
    });
    await followed.running;
  }

  /**
   * Before a call joins a live session: replays all changes of the host, wherever they lie. The watch covers
   * the project only, and with a delay. Entries that the sandbox changed are not checked again until a side
   * changes.
   */
  async catchUp(session: string): Promise<void> {
    try {
      const ctx = await this.#parts.context(session);
      if (ctx === null || this.#closed) return;
      const known = this.#heads.get(session) ?? new HostHeads();
      this.#heads.set(session, known);
      const paths = await known.moved(ctx);
      if (paths.length > 0) await this.changed(session, paths);
    } catch (error) {
      this.#parts.report(error);
    }
  }

  /** When the host may have changed, also where nobody watches: a live session sees it soon (core/jobs/look.ts). */
  lookAnew(session: string): void {
    const followed = this.#sessions.get(session);
    if (followed === undefined || followed.isLooking) return;
    followed.isLooking = true;
    this.#later(Math.max(LOOK_MS, followed.noLookBefore - performance.now()), async () => {
      while (followed.running !== null) await followed.running;
      followed.isLooking = false;
      if (this.#sessions.get(session) === followed) await this.#lookNow(session, followed);
    });
  }

  async #lookNow(session: string, followed: Followed): Promise<void> {
    const began = performance.now();
    try {
      const ctx = await this.#parts.context(session);
      if (ctx !== null) await this.#parts.runner.run('look', ctx, null);
    } catch (error) {
      // Whatever has the lock mostly changes the host or the session, and another look follows.
      if (!(error instanceof TraiError && error.code === 'busy')) this.#parts.report(error);
    }
    const now = performance.now();
    followed.noLookBefore = now + REST * (now - began);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const running = [...this.#sessions.values()].map((followed) => followed.running);
    for (const session of [...this.#sessions.keys()]) this.leave(session);
    await Promise.all(running);
  }

  async #begin(session: string): Promise<void> {
    const ctx = await this.#parts.context(session);
    if (ctx === null || this.#sessions.has(session)) return;
    const followed = emptyFollowed();
    this.#sessions.set(session, followed);
    const { limit = WATCHED_DIRECTORIES } = this.#parts;
    followed.watch = new HostWatch({
      ctx,
      limit,
      changed: (paths) => {
        const wait = Math.max(0, followed.notBefore - performance.now());
        this.#later(wait, () => this.changed(session, paths));
      },
      limited: (why) =>
        this.#once('limit', session, () => {
          const text = limitText(why, limit);
          this.#parts.log(session, { t: 'notice', code: 'watch-limit', text });
        }),
    });
    await followed.watch.start();
    // Left while the directories were read: a call that runs now has mounted the present state.
    if (this.#sessions.get(session) !== followed) return;
    await this.changed(session, [], true);
  }

  async #isLive(session: string): Promise<boolean> {
    const ctx = await this.#parts.context(session);
    return ctx !== null && (await liveProcesses(ctx.source)).length > 0;
  }

  async #replay(session: string, followed: Followed): Promise<void> {
    const request = { paths: [...followed.paths], everything: followed.everything };
    followed.paths = new Set();
    followed.everything = false;
    const began = performance.now();
    try {
      const ctx = await this.#parts.context(session);
      if (ctx === null) return;
      const report = await this.#parts.runner.run('replay', ctx, request);
      if (!report.live) return this.leave(session);
      this.#heads.get(session)?.left(ctx, report);
      for (const path of report.saved) this.#parts.log(session, savedNotice(path));
      if (report.problem !== null) {
        // The process whose mounts were to be refreshed may just have ended, as the last one or not.
        if (!(await this.#isLive(session))) return this.leave(session);
        if (followed.retries < RETRIES) return this.#retry(session, followed, request);
        const text = `the overlays of session ${session} could not be refreshed: ${report.problem}`;
        this.#once('problem', session, () => this.#parts.report(new Error(text)));
      }
      if (report.kept > 0) this.#later(2 * REPLAY_KEPT_MS, () => this.changed(session, [], true));
      if (report.again.length > 0) this.#retry(session, followed, { paths: report.again });
      else followed.retries = 0;
      this.lookAnew(session);
    } catch (error) {
      if (!(error instanceof TraiError && error.code === 'busy')) this.#parts.report(error);
      this.#retry(session, followed, request);
    } finally {
      const now = performance.now();
      followed.notBefore = now + REST * (now - began);
    }
  }

  #retry(
    session: string,
    followed: Followed,
    { paths, everything }: { paths: readonly BytePath[]; everything?: boolean },
  ): void {
    if (++followed.retries > RETRIES) return;
    this.#later(RETRY_MS, () => this.changed(session, paths, everything));
  }

  /** Once a session, since both come again and again. */
  #once(about: 'limit' | 'problem', session: string, tell: () => void): void {
    const key = `${about} ${session}`;
    if (!this.#told.has(key)) tell();
    this.#told.add(key);
  }

  #later(ms: number, work: () => Promise<void>): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void work();
    }, ms).unref();
    this.#timers.add(timer);
  }
}

function emptyFollowed(): Followed {
  const at = { notBefore: 0, noLookBefore: 0 };
  return {
    watch: null,
    paths: new Set(),
    everything: false,
    running: null,
    retries: 0,
    isLooking: false,
    ...at,
  };
}

function limitText(why: WatchLimit, limit: number): string {
  const reason =
    why === 'directories'
      ? `the project has more than ${limit} directories that are not ignored`
      : 'the kernel lets this user watch no more directories (see: sysctl fs.inotify.max_user_watches)';
  return `${reason}: what you change on the host in the others reaches a running process of this session only at its next call`;
}

/** Entries whose host version is not the recorded one: one lstat a record. */
class HostHeads {
  #records: readonly BaseRecord[] = [];
  #file = '';
  /** What a replay left to the sandbox, with the fingerprints of both sides. */
  readonly #left = new Map<BytePath, string>();

  async moved(ctx: SessionContext): Promise<BytePath[]> {
    const file = stampOf(`${ctx.sessionDir}/overlay/base.jsonl`);
    if (file !== this.#file) {
      this.#records = [...readBaseFile(ctx).records.values()].filter(({ base }) => base.state === 'known');
      this.#file = file;
    }
    const moved = await movedOn(this.#records);
    const now = new Set(moved);
    for (const path of this.#left.keys()) if (!now.has(path)) this.#left.delete(path);
    return moved.filter((path) => this.#left.get(path) !== sidesOf(ctx, path));
  }

  left(ctx: SessionContext, { left, held }: Pick<ReplayReport, 'left' | 'held'>): void {
    const transient = new Set(held);
    for (const path of left) if (!transient.has(path)) this.#left.set(path, sidesOf(ctx, path));
  }
}

function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino} ${stat.size}`;
}

function sidesOf({ coveredDirs }: SessionContext, path: BytePath): string {
  const upper = upperPathIn(coveredDirs, path);
  return `${identityOf(lstatOrNone(path))} ${identityOf(upper === null ? null : lstatOrNone(upper))}`;
}
