/**
 * What tabs ask and request: one method a row of shared/api/contract.ts, over the session index and the worker. Questions about lists are answered from
 * the index, heavy work is a job of core/jobs/jobs.ts. A job that changes a session reports progress, can be cancelled, and
 * makes the list dirty. ../typed/ answers slash commands that were typed, without starting a program.
 */
import { sessionProcesses } from '../../../core/attribution/processes.ts';
import { newestTrash } from '../../../core/commit/discard/discard.ts';
import type { JobName, Jobs, Progress } from '../../../core/jobs/jobs.ts';
import { overlapsOf, projectIdOf } from '../../../core/jobs/overlaps.ts';
import { resultOf } from '../../../core/kernel/fs/slices.ts';
import { liveSources } from '../../../core/sandbox/live.ts';
import { readPlan } from '../../../core/sandbox/prepare/plan-files.ts';
import type { Env } from '../../../core/session/dirs.ts';
import { readMeta } from '../../../core/session/meta-file.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { SessionMeta } from '../../../core/session/types.ts';
import type { ListQuestion, WorkerName } from '../../../shared/api/contract.ts';
import { type PackedList, packing } from '../../../shared/api/packed-changes.ts';
import type { Health, SessionDetail, SessionSummary } from '../../../shared/api/types.ts';
import { type BytePath, bytePath, fromText, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { type ChangeList, sumCounts } from '../../../shared/model/change.ts';
import { contentBackend } from '../../content/contents.ts';
import { TextLooks } from '../../content/text-looks.ts';
import type { EventHub } from '../../events/hub.ts';
import type { ServerBackend } from '../../http/deps.ts';
import { settingsBackend } from '../../settings/backend.ts';
import type { SettingsStore } from '../../settings/store.ts';
import type { ListJobs } from '../../worker/list-jobs.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { contextOrThrow, heldOrThrow } from '../index/expect.ts';
import type { SessionManager } from '../index/manager.ts';
import { Reviews } from '../index/reviewed.ts';
import { knownCounts, sessionFacts, unlisted, withShares } from '../index/session-facts.ts';
import { isUnfinished } from '../index/unfinished.ts';
import type { WatchedSession } from '../index/watched-session.ts';
import { diskBackend } from './disk-backend.ts';
import { endNamed, explainCall, explainEntry, explainPath } from './explain.ts';
import { preview } from './preview.ts';
import { markViewed, viewedState } from './viewed.ts';

export interface BackendParts {
  manager: SessionManager;
  runner: JobRunner;
  hub: EventHub;
  context: (session: string) => Promise<SessionContext | null>;
  doctor: (project: BytePath | null) => Promise<Health>;
  settings: SettingsStore;
  report: (thrown: unknown) => void;
  stateDir: string;
  env: Env;
}

/** What the dashboard asks, answered from the manager; every id is looked up in its index first. */
export function createBackend(parts: BackendParts): ServerBackend {
  const { manager } = parts;
  const known = (id: string) => manager.get(id);
  const askOfEntry = async <K extends 'diff' | 'merge' | 'conflict'>(
    name: K,
    id: string,
    question: ListJobs[K]['input'],
  ): Promise<ListJobs[K]['output']> => {
    const session = known(id);
    const ctx = await contextOrThrow(parts, id);
    const held = await heldOrThrow(session);
    try {
      return await parts.runner.ask(name, ctx, held, question);
    } catch (error) {
      if (!(error instanceof TraiError && error.code === 'not-found')) throw error;
      // It may be in a list of now.
      await session.changesNow();
      const now = await heldOrThrow(session);
      if (now.key === held.key) throw error;
      return await parts.runner.ask(name, ctx, now, question);
    }
  };
  const inWorker = async <K extends WorkerName & JobName>(name: K, id: string, input: Jobs[K]['input']) => {
    known(id);
    return await parts.runner.run(name, await contextOrThrow(parts, id), input);
  };
  const stops: Stops = new Map();
  const texts = new TextLooks(parts.runner);
  const reviews = new Reviews();
  return {
    sessions: async () => {
      await manager.poll();
      // One look at /proc for all of them.
      const live = liveSources();
      const found = await Promise.all(manager.all().map((session) => summaryOrNull(parts, session, live)));
      const readable = found.filter((summary) => summary !== null);
      for (const session of unlisted(manager.all(), readable)) scanLater(parts, session);
      return withShares(manager.all(), readable).sort((a, b) => (newest(a) < newest(b) ? 1 : -1));
    },
    session: async (id) => await detail(parts, known(id)),
    changes: async (id, question) => await packedList(known(id), question),
    calls: async (id, { after = 0 }) => {
      const session = known(id);
      // First what follows from news in the log: who only reads them would keep it from happening.
      await manager.follow(session);
      await session.readLog();
      return session.timeline(after);
    },
    call: async (id, { call }) => {
      const found = known(id).log.call(call);
      if (found === null) throw new TraiError('not-found', 'there is no such call in the log');
      return found;
    },
    diff: async (id, question) => await askOfEntry('diff', id, question),
    preview: async (id, order) => await preview(parts, { texts, reviews }, known(id), order),
    commit: async (id, order) => {
      const fingerprints = reviews.find(id, order.revision);
      return await act(parts, stops, known(id), 'commit', { ...order, fingerprints });
    },
    discard: async (id, order) => await act(parts, stops, known(id), 'discard', order),
    cancel: async (id) => {
      known(id);
      const running = stops.get(id) ?? [];
      for (const stop of running) stop.abort();
      return { cancelled: running.length > 0 };
    },
    undo: async (id, order) => await act(parts, stops, known(id), 'undo', order),
    history: async (id) => {
      known(id);
      const ctx = await parts.context(id);
      return ctx === null ? [] : await parts.runner.run('history', ctx, null);
    },
    historyPaths: async (id, { of, after }) => {
      const key = typeof of === 'number' ? { n: of } : { trash: of };
      return await inWorker('historyPaths', id, { key, after });
    },
    undoPreview: async (id, order) => await inWorker('undoPreview', id, order),
    undoCommit: async (id, order) =>
      await act(parts, stops, known(id), 'undoCommit', { ...order, choices: {} }),
    redo: async (id) => await act(parts, stops, known(id), 'redo', null),
    viewed: async (id) => {
      const session = known(id);
      const ctx = await parts.context(id);
      return ctx === null ? { viewed: [], updated: [] } : await viewedState({ session, ctx });
    },
    markViewed: async (id, order) => {
      const session = known(id);
      const reviewed = { session, ctx: await contextOrThrow(parts, id) };
      await markViewed(reviewed, order);
      parts.hub.emit({ type: 'viewed', session: id });
      return await viewedState(reviewed);
    },
    merge: async (id, question) => await askOfEntry('merge', id, question),
    conflict: async (id, question) => await askOfEntry('conflict', id, question),
    why: async (id, { entry }) =>
      await explainEntry({ session: known(id), ctx: await contextOrThrow(parts, id) }, entry, parts.runner),
    whyNot: async (id, { path }) =>
      await explainPath({ session: known(id), ctx: await contextOrThrow(parts, id) }, path, parts.runner),
    whyCall: async (id, { call }) => await explainCall(known(id), call),
    endProcesses: async (id, { processes }) => {
      known(id);
      const ended = await endNamed(await contextOrThrow(parts, id), processes);
      await manager.poll();
      parts.hub.emit({ type: 'sessions' });
      return { ended };
    },
    doctor: async ({ session: id }) =>
      await parts.doctor(id === undefined ? null : bytePath((await readMeta(known(id).dir)).projectRoot)),
    ...contentBackend({ ...parts, texts }),
    ...diskBackend(parts),
    ...settingsBackend(parts.settings, parts.hub, parts.env),
  };
}

/** A list that the tab has already is not sent once more. */
async function packedList(
  session: WatchedSession,
  { unless, last, since: asked }: ListQuestion,
): Promise<PackedList> {
  const { list, since } =
    last === true
      ? await session.changesOrLast()
      : {
          list: await (asked === undefined ? session.changesNow() : session.changesSince(asked)),
          since: null,
        };
  // Of one that may be old it is not known whether it is the same.
  if (since === null && unless === list.revision) return { same: true };
  if (session.held?.list === list) return session.held.forTab(since);
  // Before the first call, or another scan has just replaced it.
  const { changes, timed: _, ...rest } = list;
  return { ...rest, since, same: false, packed: await resultOf(packing(changes)) };
}

function newest(summary: SessionSummary): string {
  return summary.lastCallAt ?? summary.createdAt;
}

/** How to stop the commits and discards of a session: one runs, others may wait for it. */
type Stops = Map<string, AbortController[]>;

type Act = Extract<WorkerName, 'commit' | 'discard' | 'undo' | 'undoCommit' | 'redo'>;

/** Runs what changes the session, tells the tabs how far it is, and makes the list anew whatever came out. */
async function act<K extends Act>(
  parts: BackendParts,
  stops: Stops,
  session: WatchedSession,
  name: K,
  input: Jobs[K]['input'],
): Promise<Jobs[K]['output']> {
  const ctx = await contextOrThrow(parts, session.id);
  const job = name === 'discard' || name === 'undo' ? 'discard' : 'commit';
  const stop = new AbortController();
  if (name === 'commit' || name === 'discard')
    stops.set(session.id, [...(stops.get(session.id) ?? []), stop]);
  try {
    const tell: Progress = (done, total, path) =>
      parts.hub.emit({ type: 'progress', session: session.id, job, done, total, path });
    return await parts.runner.run(name, ctx, input, tell, stop.signal);
  } finally {
    const others = (stops.get(session.id) ?? []).filter((one) => one !== stop);
    if (others.length > 0) stops.set(session.id, others);
    else stops.delete(session.id);
    session.markOrdered();
    parts.hub.emit({ type: 'sessions' });
    void parts.manager.refresh(session);
  }
}

function scanLater(parts: BackendParts, session: WatchedSession): void {
  void session.changes().then(() => parts.hub.emit({ type: 'sessions' }), parts.report);
}

/** Null for a directory without a usable meta.json (a session that is just being made, or one that is broken). */
async function summaryOrNull(
  parts: BackendParts,
  session: WatchedSession,
  live: ReadonlySet<string>,
): Promise<SessionSummary | null> {
  try {
    const ctx = await parts.context(session.id);
    return await summary(parts, session, { meta: await readMeta(session.dir), ctx, live });
  } catch (error) {
    if (!(error instanceof TraiError && (error.code === 'corrupt' || error.code === 'no-session')))
      parts.report(error);
    return null;
  }
}

async function summary(
  parts: BackendParts,
  session: WatchedSession,
  { meta, ctx, live }: { meta: SessionMeta; ctx: SessionContext | null; live: ReadonlySet<string> },
): Promise<SessionSummary> {
  const isLive = ctx !== null && live.has(ctx.source);
  const known = knownCounts(session, ctx, isLive);
  if (known === null) scanLater(parts, session);
  return {
    id: meta.id,
    projectId: meta.projectId,
    projectRoot: bytePath(meta.projectRoot),
    cwd: toDisplay(bytePath(meta.cwd)),
    createdAt: meta.createdAt,
    lastCallAt: session.lastCallAt,
    calls: session.log.calls().length,
    counts: known?.counts ?? null,
    bytes: known?.bytes ?? 0,
    conflicts: known?.conflicts ?? 0,
    ignored: known?.ignored.count ?? 0,
    live: isLive,
    off: meta.off,
    caught: meta.caught !== null,
    undo: ctx === null ? null : await newestTrash(ctx),
    unfinished: ctx !== null && (await isUnfinished(ctx)),
    ...sessionFacts(session, meta),
  };
}

/** What can't be compared is the business of those who look at that session. */
async function overlaps(parts: BackendParts, session: WatchedSession): Promise<SessionDetail['overlaps']> {
  try {
    return await overlapsOf(parts.stateDir, parts.env, session.id);
  } catch (error) {
    parts.report(error);
    return [];
  }
}

/** The newest first, like the list of sessions; counted from the lists that are known. */
async function othersPending(
  parts: BackendParts,
  session: WatchedSession,
  meta: SessionMeta,
): Promise<SessionDetail['others']> {
  const others = parts.manager.all().filter(({ id, list }) => id !== session.id && countOf(list) > 0);
  const found = await Promise.all(
    others.map(async ({ id, list, lastCallAt }) => {
      const same = (await projectIdOf(parts.stateDir, id)) === meta.projectId;
      return same ? [{ id, changes: countOf(list), at: lastCallAt ?? '' }] : [];
    }),
  );
  const newestFirst = found.flat().sort((a, b) => (a.at < b.at ? 1 : -1));
  return newestFirst.map(({ id, changes }) => ({ id, changes }));
}

function countOf(list: ChangeList | null): number {
  return list === null ? 0 : sumCounts(list.counts);
}

async function detail(parts: BackendParts, session: WatchedSession): Promise<SessionDetail> {
  const ctx = await parts.context(session.id);
  const meta = await readMeta(session.dir);
  const plan = readPlan(session.dir);
  const processes =
    ctx === null ? [] : await sessionProcesses(ctx.source, () => parts.manager.callsOf(session));
  const covered =
    plan?.coveredDirs.map(({ path }) => ({ path: toDisplay(path), kind: 'covered' as const, why: '' })) ?? [];
  const notes = plan?.notes.map(({ path, kind, why }) => ({ path: toDisplay(path), kind, why })) ?? [];
  return {
    ...(await summary(parts, session, { meta, ctx, live: liveSources() })),
    claudeIds: meta.claude.map((identity) => identity.id),
    home: ctx?.home ?? fromText(process.env['HOME'] ?? '/'),
    configFile: meta.configFile,
    configProblems: meta.configProblems,
    processes,
    places: [...covered, ...notes],
    notices: [...session.notices],
    overlaps: await overlaps(parts, session),
    others: await othersPending(parts, session, meta),
    wentOnIn: meta.wentOnIn ?? null,
  };
}
