/**
 * All sessions of the server: finds them in the state directory, watches their logs, and starts the work that
 * follows.
 *
 *     a log has grown        -> WatchedSession folds the news, tabs get an event, the list becomes dirty
 *     a call has ended       -> AfterCalls runs `tidy` (base records, reaping) once calls have paused; AutoCommits
 *                               then commits what effect rules say
 *     a session is live      -> LiveScan repeats its scan while a tab watches; ../live/ follows the host
 *     a tab wants a list     -> session-list.ts scans in the worker, one scan a session at a time
 *     the server starts      -> interrupted transactions are rolled forward or back
 */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import path from 'node:path';
import { callProcesses } from '../../../core/attribution/processes.ts';
import { noteOverlaps } from '../../../core/jobs/overlaps.ts';
import { liveSources } from '../../../core/sandbox/live.ts';
import { type Env, isSessionId } from '../../../core/session/dirs.ts';
import { LOG_NAME, logTo } from '../../../core/session/log/append.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import { messageOf } from '../../../shared/errors.ts';
import type { Span } from '../../../shared/log/call-times.ts';
import type { LogEvent, NewEvent } from '../../../shared/log/events.ts';
import type { CallProcess } from '../../../shared/model/process.ts';
import type { EventHub } from '../../events/hub.ts';
import { within } from '../../hooks/world/within.ts';
import { refusal } from '../../messages/refusals.ts';
import { RuleWatch } from '../../rules/rule-watch.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { HostFollower } from '../live/host-follower.ts';
import { AutoCommits } from './auto-commits.ts';
import { WatchedSession } from './watched-session.ts';

export interface ManagerParts {
  stateDir: string;
  hub: EventHub;
  runner: JobRunner;
  /** Null before the first call of a session. */
  context: (session: string) => Promise<SessionContext | null>;
  report: (thrown: unknown) => void;
  env: Env;
}

/** On some file systems watching misses events; polling makes up for it (ms). */
const POLL_MS = 2_000;
/** A list that was not used for so long is dropped (ms). */
const UNUSED_MS = 10 * 60_000;
/** A call's longest wait for the work after the previous one (ms). */
const SETTLE_MS = 3_000;
/** Delays the work after a call, so as not to compete with the client's hooks (ms). */
const AFTER_CALL_MS = 100;
/** A live session's processes write without a call that ends: interval of scans for open tabs (ms). */
const LIVE_SCAN_MS = 5_000;

export class SessionManager {
  readonly #parts: ManagerParts;
  readonly #dir: string;
  readonly #sessions = new Map<string, WatchedSession>();
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | null = null;
  #polling: Promise<void> | null = null;
  #closed = false;
  /** The first poll is over: what is read from now on is news, not history. */
  #started = false;
  #noting: Promise<void> = Promise.resolve();
  readonly #afterCalls = new AfterCalls((session, events) => this.#tidy(session, events));
  readonly #liveScan: LiveScan;
  readonly #autoCommits: AutoCommits;
  readonly #rules: RuleWatch;
  readonly follower: HostFollower;

  constructor(parts: ManagerParts) {
    this.#parts = parts;
    this.#dir = path.join(parts.stateDir, 'sessions');
    this.#liveScan = new LiveScan(parts);
    this.#rules = new RuleWatch(parts.env);
    this.#autoCommits = new AutoCommits({
      ...parts,
      follow: async (session) => await this.follow(session),
      log: (session, event) => this.#log(session, event),
      committed: (session) => this.#autoCommitted(session),
    });
    this.follower = new HostFollower({
      ...parts,
      log: (id, event) => this.#log(this.see(id), event),
      quiet: (id) => this.#becameQuiet(this.#sessions.get(id)),
    });
  }

  /** Polls once, begins to watch, and starts to roll interrupted transactions forward or back. */
  async start(): Promise<void> {
    await this.#poll();
    this.#started = true;
    this.#watch(this.#dir, () => this.#lookForSessions());
    this.#timer = setInterval(() => void this.poll(), POLL_MS).unref();
    void this.#recoverAll();
  }

  async #recoverAll(): Promise<void> {
    const { context, runner, report } = this.#parts;
    for (const session of this.all()) {
      try {
        const ctx = await context(session.id);
        if (ctx !== null && (await runner.run('recover', ctx, null)) !== null) session.list.markReplaced();
      } catch (error) {
        report(error);
        const text = `an unfinished commit could not be finished: ${messageOf(error)}`;
        this.#log(session, { t: 'notice', code: 'unfinished', text });
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#afterCalls.close();
    await this.#polling;
    await this.#autoCommits.close();
    await this.#liveScan.settled();
    await this.follower.close();
    await Promise.all(this.all().map((session) => session.settled()));
    await this.#noting;
  }

  all(): WatchedSession[] {
    return [...this.#sessions.values()];
  }

  /** A session that is known to exist, before the next poll finds it. */
  see(id: string): WatchedSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = this.#add(id);
    this.#parts.hub.emit({ type: 'sessions' });
    return session;
  }

  /** @throws TraiError `no-session`; the id never becomes a path here */
  get(id: string): WatchedSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw refusal('no-session');
    return session;
  }

  get busy(): boolean {
    return this.follower.busy || this.all().some((session) => session.busy);
  }

  /** Before a launcher mounts: waits for the work after the calls that just ended. */
  async settled(id: string): Promise<{ live: boolean }> {
    const session = this.see(id);
    this.#autoCommits.cancel(id);
    await this.follow(session);
    // It may just have become quiet: what was replayed would hide later changes of the host.
    if (this.follower.isFollowed(id)) await this.follower.look(id);
    else if (session.log.fold.left.some) await this.#lookAtLeft(session);
    void this.#afterCalls.now(session);
    await within(SETTLE_MS, this.#caughtUp(session));
    return { live: this.#isLive(session) };
  }

  /** In a live session, copy-ups that hide the host's changes would hide them from the next call too. */
  async #caughtUp(session: WatchedSession): Promise<void> {
    await session.settled();
    if (this.#isLive(session)) await this.follower.catchUp(session.id);
  }

  /** As last looked: processes that earlier calls left, or that stay. */
  #isLive({ id, log, leftAny }: WatchedSession): boolean {
    return leftAny || log.fold.left.some || this.follower.isFollowed(id);
  }

  /** Concurrent callers share one round. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll()
      .catch((error) => this.#parts.report(error))
      .finally(() => {
        this.#polling = null;
      });
    return this.#polling;
  }

  async #poll(): Promise<void> {
    if (this.#closed) return;
    this.#findSessions();
    for (const session of this.all()) {
      await this.follow(session);
      session.list.release(UNUSED_MS);
      await this.#lookAtLeft(session);
      if (session.busy || session.log.fold.left.some || this.follower.isFollowed(session.id))
        void this.follower.look(session.id);
    }
    await this.#lookAtRules();
    this.#liveScan.begin(this.all(), (session) => this.refresh(session));
  }

  /** Returns those that were not known. Synchronous: what `see` adds meanwhile would seem to be gone. */
  #findSessions(): WatchedSession[] {
    const names = new Set(readdirSync(this.#dir).filter(isSessionId));
    const added = [...names].filter((id) => !this.#sessions.has(id)).map((id) => this.#add(id));
    const gone = [...this.#sessions.keys()].filter((id) => !names.has(id));
    for (const id of gone) {
      this.#sessions.delete(id);
      this.follower.leave(id);
      this.#watchers.get(id)?.close();
      this.#watchers.delete(id);
    }
    if (added.length + gone.length > 0) this.#parts.hub.emit({ type: 'sessions' });
    return added;
  }

  #lookForSessions(): void {
    if (this.#closed) return;
    try {
      for (const session of this.#findSessions()) void this.follow(session);
    } catch (error) {
      this.#parts.report(error);
    }
  }

  /** For tabs: of the sessions whose list one may show. */
  async #lookAtRules(): Promise<void> {
    const { hub, context, report } = this.#parts;
    if (hub.listeners === 0) return;
    const shown: SessionContext[] = [];
    for (const { id, list } of this.all()) {
      if (list.last === null) continue;
      try {
        const ctx = await context(id);
        if (ctx !== null) shown.push(ctx);
      } catch (error) {
        report(error);
      }
    }
    if (this.#rules.changed(shown)) hub.emit({ type: 'rules' });
  }

  #add(id: string): WatchedSession {
    const dir = path.join(this.#dir, id);
    const { runner, context, hub } = this.#parts;
    const session = new WatchedSession({
      id,
      dir,
      runner,
      context: () => context(id),
      now: () => performance.now(),
      scanned: listNews(id, hub),
      spansOf: (other) => this.#sessions.get(other)?.log.fold ?? null,
    });
    this.#sessions.set(id, session);
    this.#watchers.set(
      id,
      this.#watch(dir, (name) => {
        if (name === LOG_NAME) void this.follow(session);
      }),
    );
    return session;
  }

  #watch(dir: string, changed: (name: string) => void): FSWatcher {
    const watcher = watch(dir, { persistent: false }, (_event, name) => changed(name ?? ''));
    watcher.on('error', () => watcher.close());
    return watcher;
  }

  async follow(session: WatchedSession): Promise<void> {
    try {
      const news = await session.readLog();
      for (const call of session.lostCalls()) {
        this.#log(session, { t: 'call.closed', call, request: '', why: 'launcher-gone' });
      }
      if (news.length === 0) return;
      const events = news.map(({ event }) => event);
      this.#parts.hub.emit({ type: 'log', session: session.id, size: session.log.size });
      if (events.some(({ t }) => t === 'session' || t === 'session.end'))
        this.#parts.hub.emit({ type: 'sessions' });
      // Not awaited: the next launcher uses settled(), also for calls that ended before this start.
      if (!this.#started) return;
      this.follower.saw(
        session.id,
        news.flatMap(({ change }) => change ?? []),
      );
      if (events.some(({ t }) => t === 'prompt' || t === 'commit' || t === 'commit.undone'))
        this.follower.lookAnew(session.id);
      this.#afterCalls.saw(session, events);
    } catch (error) {
      this.#parts.report(error);
    }
  }

  async #tidy(session: WatchedSession, events: readonly LogEvent[]): Promise<void> {
    try {
      const left = await session.tidy();
      if (left !== null && left.length > 0) {
        const processes = await this.#processesOf(session);
        const ended = events.findLast((event) => event.t === 'call.ended');
        const { left: known, running } = session.log.fold;
        this.#log(session, ...known.found(processes, ended?.call ?? null, running));
      }
      if (left === null) return;
      this.#noteOverlaps(session.id);
      this.#autoCommits.begin(session);
    } catch (error) {
      this.#parts.report(error);
    } finally {
      if (session.list.dirty) await this.refresh(session);
    }
  }

  #autoCommitted(session: WatchedSession): void {
    session.list.markReplaced();
    this.#parts.hub.emit({ type: 'sessions' });
    void this.refresh(session);
  }

  /** One at a time, not awaited: news are reported after the next call. */
  #noteOverlaps(id: string): void {
    const { stateDir, env, hub, report } = this.#parts;
    this.#noting = this.#noting
      .then(async () => {
        if (!this.#closed && (await noteOverlaps(stateDir, env, id))) hub.emit({ type: 'sessions' });
      })
      .catch(report);
  }

  /** Processes end without a log line: logs that, and does what waited for a quiet session. */
  async #lookAtLeft(session: WatchedSession): Promise<void> {
    try {
      const { left, running } = session.log.fold;
      const events = await left.ended(() => this.#processesOf(session), running);
      this.#log(session, ...events);
      const ended = events.find((event) => event.t === 'processes');
      if (ended === undefined) return;
      this.#parts.hub.emit({ type: 'sessions' });
      if (ended.quiet) this.#becameQuiet(session);
    } catch (error) {
      this.#parts.report(error);
    }
  }

  async callsOf(session: WatchedSession): Promise<readonly Span[]> {
    await this.follow(session);
    return session.log.fold.spans();
  }

  #becameQuiet(session: WatchedSession | undefined): void {
    session?.becameQuiet();
    if (session !== undefined) void this.#tidy(session, []);
  }

  async #processesOf(session: WatchedSession): Promise<CallProcess[]> {
    const ctx = await this.#parts.context(session.id);
    return ctx === null ? [] : await callProcesses(ctx.source, () => this.callsOf(session));
  }

  /** Scans while a tab is still being opened: its own question then finds that nothing has changed since. */
  async prepare(id: string): Promise<void> {
    try {
      if (!this.#closed) await this.#sessions.get(id)?.list.get('recent');
    } catch {
      // The tab's question has the same error.
    }
  }

  async refresh(session: WatchedSession): Promise<void> {
    if (this.#parts.hub.listeners === 0 || this.#closed) return;
    try {
      await session.list.get('recent');
    } catch (error) {
      this.#parts.report(error);
    }
  }

  #log({ dir }: WatchedSession, ...events: NewEvent[]): void {
    try {
      for (const event of events) logTo(dir, event);
    } catch (error) {
      this.#parts.report(error);
    }
  }
}

/** Emits an event when a session's list changed, whoever asked for the scan. */
export function listNews(session: string, hub: EventHub): (revision: string) => void {
  /** Null before the first scan: no tab can have a list of this server yet. */
  let last: string | null = null;
  return (revision) => {
    if (last === revision) return;
    if (last !== null) hub.emit({ type: 'changes', session, revision });
    last = revision;
    // For the counts.
    hub.emit({ type: 'sessions' });
  };
}

/** Schedules the work after a call: soon, or at once where the next call waits for it. */
export class AfterCalls {
  readonly #work: (session: WatchedSession, events: readonly LogEvent[]) => Promise<void>;
  readonly #soon = new Map<WatchedSession, { timer: NodeJS.Timeout; events: LogEvent[] }>();

  /** `work` never rejects. */
  constructor(work: (session: WatchedSession, events: readonly LogEvent[]) => Promise<void>) {
    this.#work = work;
  }

  saw(session: WatchedSession, events: readonly LogEvent[]): void {
    const soon = this.#soon.get(session);
    if (soon !== undefined) for (const event of events) soon.events.push(event);
    else if (!events.some(({ t }) => t === 'call.ended')) void this.#work(session, events);
    else {
      const timer = setTimeout(() => void this.now(session), AFTER_CALL_MS).unref();
      this.#soon.set(session, { timer, events: [...events] });
    }
  }

  /** The work has begun when this returns. */
  async now(session: WatchedSession): Promise<void> {
    const soon = this.#soon.get(session);
    if (soon !== undefined) clearTimeout(soon.timer);
    this.#soon.delete(session);
    await this.#work(session, soon?.events ?? []);
  }

  /** The next server does what is still scheduled. */
  close(): void {
    for (const { timer } of this.#soon.values()) clearTimeout(timer);
    this.#soon.clear();
  }
}

export class LiveScan {
  readonly #parts: Pick<ManagerParts, 'hub' | 'context' | 'report'>;
  /** Ids of the last round. */
  #live = '';
  #at = 0;
  #running: Promise<void> | null = null;

  constructor(parts: Pick<ManagerParts, 'hub' | 'context' | 'report'>) {
    this.#parts = parts;
  }

  /** Begins a round when one is due. Not awaited, since scans may take long. */
  begin(sessions: readonly WatchedSession[], refresh: (session: WatchedSession) => Promise<void>): void {
    if (this.#running !== null || this.#parts.hub.listeners === 0) return;
    if (Date.now() - this.#at < LIVE_SCAN_MS) return;
    this.#running = this.#run(sessions, refresh)
      .catch(this.#parts.report)
      .finally(() => {
        this.#running = null;
        this.#at = Date.now();
      });
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(
    sessions: readonly WatchedSession[],
    refresh: (session: WatchedSession) => Promise<void>,
  ): Promise<void> {
    const sources = liveSources();
    const found: WatchedSession[] = [];
    for (const session of sessions) {
      try {
        const ctx = await this.#parts.context(session.id);
        if (ctx !== null && sources.has(ctx.source)) found.push(session);
      } catch (error) {
        // A damaged session; the others are scanned.
        this.#parts.report(error);
      }
    }
    const live = found.map(({ id }) => id).join(' ');
    // Processes come and go without a log line: tabs show which sessions are live.
    if (live !== this.#live) this.#parts.hub.emit({ type: 'sessions' });
    this.#live = live;
    for (const session of found) {
      session.list.markDirty();
      await refresh(session);
    }
  }
}
