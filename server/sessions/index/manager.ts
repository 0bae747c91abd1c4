/**
 * All sessions of the server: finds them in the state directory, watches their logs, and starts the work that follows.
 *
 *     a log has grown        -> WatchedSession folds the news, tabs hear of them, the list becomes dirty
 *     a call has ended       -> after-calls.ts runs `tidy` (base records, reaping) once calls have paused
 *     a session is live      -> live-scan.ts repeats its list while a tab watches; ../live/ follows the host
 *     a tab wants a list     -> session-list.ts scans in the worker, one scan a session at a time
 *     the server starts      -> recover-all.ts finishes interrupted transactions
 */
import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sessionProcesses } from '../../../core/attribution/processes.ts';
import { noteOverlaps } from '../../../core/jobs/overlaps.ts';
import { isSessionId } from '../../../core/session/dirs.ts';
import { appendEvent } from '../../../core/session/log/append.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { LogEvent, NewEvent } from '../../../shared/log/events.ts';
import type { KnownCall, SessionProcess } from '../../../shared/model/process.ts';
import { within } from '../../hooks/world/within.ts';
import { HostFollower } from '../live/host-follower.ts';
import { AfterCalls } from './after-calls.ts';
import { ListNews } from './list-news.ts';
import { LiveScan } from './live-scan.ts';
import type { ManagerParts } from './manager-parts.ts';
import { recoverAll } from './recover-all.ts';
import { WatchedSession } from './watched-session.ts';

/** Watching a directory misses what happens on some file systems; looking this often makes up for it (ms). */
const POLL_MS = 2_000;
/** A list that nobody has asked for in so long is let go of (ms). */
const UNUSED_MS = 10 * 60_000;
/** How long a call waits for the work after the call before (ms). */
const SETTLE_MS = 3_000;

/** Follows every session below state/sessions, does the work after calls, and tells the tabs what changed. */
export class SessionManager {
  readonly #parts: ManagerParts;
  readonly #dir: string;
  readonly #sessions = new Map<string, WatchedSession>();
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | null = null;
  #polling: Promise<void> | null = null;
  #closed = false;
  /** The first look is over: from now on news are news, before it they are history. */
  #started = false;
  /** The looks for paths that two sessions have pending. */
  #noting: Promise<void> = Promise.resolve();
  readonly #afterCalls = new AfterCalls((session, events) => this.#tidy(session, events));
  readonly #liveScan: LiveScan;
  /** Tells live sessions of what the host changes. */
  readonly follower: HostFollower;

  constructor(parts: ManagerParts) {
    this.#parts = parts;
    this.#dir = path.join(parts.stateDir, 'sessions');
    this.#liveScan = new LiveScan(parts);
    this.follower = new HostFollower({
      ...parts,
      log: async (id, event) => await this.#logAll(this.see(id), [event]),
      quiet: (id) => this.#becameQuiet(this.#sessions.get(id)),
    });
  }

  /** Reads all sessions, finishes what a killed predecessor left, and begins to watch. */
  async start(): Promise<void> {
    await this.#poll();
    this.#started = true;
    this.#watch(this.#dir, () => void this.poll());
    this.#timer = setInterval(() => void this.poll(), POLL_MS).unref();
    void recoverAll(this.all(), this.#parts, (session, event) => this.#logAll(session, [event]));
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#afterCalls.close();
    await this.#polling;
    await this.#liveScan.settled();
    await this.follower.close();
    await Promise.all([...this.#sessions.values()].map((session) => session.settled()));
    await this.#noting;
  }

  all(): WatchedSession[] {
    return [...this.#sessions.values()];
  }

  /** Takes a session in that is known to exist, without waiting for the next look at the directory. */
  see(id: string): WatchedSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = this.#add(id);
    this.#parts.hub.emit({ type: 'sessions' });
    return session;
  }

  /** Throws `no-session` for an id that is not in the index; the id never becomes a path here. */
  get(id: string): WatchedSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new TraiError('no-session', 'there is no such session');
    return session;
  }

  /** True while a launcher of any session runs, or what it left is watched for. */
  get busy(): boolean {
    return this.follower.busy || this.all().some((session) => session.busy);
  }

  /** Before a launcher mounts (the caller knows that the session exists): sees the calls that just ended, and waits until the work after them is done. */
  async settled(id: string): Promise<void> {
    const session = this.see(id);
    await this.follow(session);
    // It may have become quiet a moment ago: what was replayed in it would hide what the host changes from now on.
    if (this.follower.isFollowed(id)) await this.follower.look(id);
    else if (session.background.some) await this.#lookAtLeft(session);
    void this.#afterCalls.now(session);
    await within(SETTLE_MS, this.#caughtUp(session));
  }

  /** What a process left in the session: the copies that hide the host from it would hide it from the next call. */
  async #caughtUp(session: WatchedSession): Promise<void> {
    await session.settled();
    const live = session.background.some || this.follower.isFollowed(session.id);
    if (live) await this.follower.catchUp(session.id);
  }

  /** Looks at everything once; calls at the same time share one round. */
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
    const names = new Set((await readdir(this.#dir)).filter(isSessionId));
    let changed = false;
    for (const id of names) {
      if (this.#sessions.has(id)) continue;
      this.#add(id);
      changed = true;
    }
    for (const id of this.#sessions.keys()) {
      if (names.has(id)) continue;
      this.#sessions.delete(id);
      this.follower.leave(id);
      this.#watchers.get(id)?.close();
      this.#watchers.delete(id);
      changed = true;
    }
    if (changed) this.#parts.hub.emit({ type: 'sessions' });
    for (const session of this.all()) {
      await this.follow(session);
      session.release(UNUSED_MS);
      await this.#lookAtLeft(session);
      if (session.busy || session.background.some || this.follower.isFollowed(session.id))
        void this.follower.look(session.id);
    }
    this.#liveScan.begin(this.all(), (session) => this.refresh(session));
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
      scanned: new ListNews(id, hub).scanned,
      spansOf: (other) => this.#sessions.get(other)?.spans ?? null,
    });
    this.#sessions.set(id, session);
    this.#watchers.set(
      id,
      this.#watch(dir, (name) => {
        if (name === 'calls.jsonl') void this.follow(session);
      }),
    );
    return session;
  }

  #watch(dir: string, changed: (name: string) => void): FSWatcher {
    const watcher = watch(dir, { persistent: false }, (_event, name) => changed(name ?? ''));
    // Gone with its directory; the poll notices that.
    watcher.on('error', () => watcher.close());
    return watcher;
  }

  /** Takes in what the log has new and does what follows from it. */
  async follow(session: WatchedSession): Promise<void> {
    try {
      const events = await session.readLog();
      for (const call of session.lostCalls()) {
        await this.#logAll(session, [{ t: 'call.closed', call, request: '', why: 'launcher-gone' }]);
      }
      if (events.length === 0) return;
      this.#parts.hub.emit({ type: 'log', session: session.id, size: session.log.size });
      if (events.some(({ t }) => t === 'session' || t === 'session.end'))
        this.#parts.hub.emit({ type: 'sessions' });
      // Not waited for: the next launcher asks with settled(). What ended before this server began waits for it too, or
      // a start would work through all sessions there ever were.
      if (!this.#started) return;
      this.follower.saw(session.id, events);
      this.#afterCalls.saw(session, events);
    } catch (error) {
      this.#parts.report(error);
    }
  }

  async #tidy(session: WatchedSession, events: readonly LogEvent[]): Promise<void> {
    try {
      const left = await session.tidy();
      const ended = events.filter((event) => event.t === 'call.ended').at(-1);
      if (left !== null && left.length > 0) {
        const processes = await this.#processesOf(session);
        const owner = ended?.t === 'call.ended' ? ended.call : null;
        await this.#logAll(session, session.background.left(processes, owner));
      }
      if (left !== null) this.#noteOverlaps(session.id);
    } catch (error) {
      this.#parts.report(error);
    }
    if (session.dirty) await this.refresh(session);
  }

  /** One after the other, and nobody waits for it: what is news here is told after the next call. */
  #noteOverlaps(id: string): void {
    const { stateDir, env, hub, report } = this.#parts;
    this.#noting = this.#noting
      .then(async () => {
        if (!this.#closed && (await noteOverlaps(stateDir, env, id))) hub.emit({ type: 'sessions' });
      })
      .catch(report);
  }

  /** Processes outlive their calls and end without a word: the log and the tabs are told, and what waits for quiet is done. */
  async #lookAtLeft(session: WatchedSession): Promise<void> {
    try {
      const events = await session.background.look(() => this.#processesOf(session));
      await this.#logAll(session, events);
      const ended = events.find((event) => event.t === 'processes');
      if (ended === undefined) return;
      this.#parts.hub.emit({ type: 'sessions' });
      if (ended.t !== 'processes' || !ended.quiet) return;
      this.#becameQuiet(session);
    } catch (error) {
      this.#parts.report(error);
    }
  }

  /** The calls that entered the sandbox, up to the log's end. */
  async callsOf(session: WatchedSession): Promise<readonly KnownCall[]> {
    await this.follow(session);
    return session.background.calls;
  }

  #becameQuiet(session: WatchedSession | undefined): void {
    session?.becameQuiet();
    if (session !== undefined) void this.#tidy(session, []);
  }

  async #processesOf(session: WatchedSession): Promise<SessionProcess[]> {
    const ctx = await this.#parts.context(session.id);
    return ctx === null ? [] : await sessionProcesses(ctx.source, () => this.callsOf(session));
  }

  /** Scans if a tab would want to know; what the scan finds is told. */
  async refresh(session: WatchedSession): Promise<void> {
    if (this.#parts.hub.listeners === 0 || this.#closed) return;
    try {
      await session.changes();
    } catch (error) {
      this.#parts.report(error);
    }
  }

  async #logAll(session: WatchedSession, events: readonly NewEvent[]): Promise<void> {
    // Spread of a union loses which member it is; the guard in appendEvent checks the result.
    for (const event of events) appendEvent(session.dir, { v: 1, at: now(), ...event } as LogEvent);
  }
}

function now(): string {
  return new Date().toISOString();
}
