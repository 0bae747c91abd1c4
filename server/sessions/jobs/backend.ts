/**
 * What tabs ask and request: a method for each row of shared/api/contract.ts.
 *
 *     rows that run as a `job`     the job of that name in the worker. An action reports progress, may be
 *                                  cancelled, and is followed by a new scan
 *     rows about a `list`          the question of that name, about the list of the row's age, in the worker
 *     all others                   here, from the session index (../index/)
 */

import { boxNotes } from '../../../core/box/check.ts';
import { instanceNames } from '../../../core/box/instance.ts';
import { whyCall } from '../../../core/jobs/calls.ts';
import { contextsOf, diskUse } from '../../../core/jobs/disk.ts';
import { endAndLog } from '../../../core/jobs/door/outcome.ts';
import type { JobName, Jobs, Progress } from '../../../core/jobs/jobs.ts';
import { isHealthy, runDoctor } from '../../../core/sandbox/doctor/doctor.ts';
import { liveProcesses } from '../../../core/sandbox/live.ts';
import type { Fingerprints } from '../../../core/scan/cache/fingerprints.ts';
import { configFiles, loadConfig } from '../../../core/session/config-file.ts';
import { readMeta } from '../../../core/session/meta-file.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import { VERSION } from '../../../core/session/version.ts';
import {
  API,
  API_NAMES,
  type ApiJob,
  type ApiQuestion,
  type Handlers,
  type Input,
  type ListAge,
} from '../../../shared/api/contract.ts';
import type { PackedList } from '../../../shared/api/packed-changes.ts';
import type { CommitPreview, DiskUse, Health } from '../../../shared/api/types.ts';
import { type BytePath, bytePath, toDisplay } from '../../../shared/bytes.ts';
import { DEFAULT_CONFIG } from '../../../shared/config/config.ts';
import { configRows } from '../../../shared/config/config-rows.ts';
import { TraiError } from '../../../shared/errors.ts';
import { setNewest } from '../../../shared/maps.ts';
import type { ProcessKey } from '../../../shared/model/process.ts';
import { contentBackend } from '../../content/contents.ts';
import type { ServerBackend } from '../../http/deps.ts';
import { refusal } from '../../messages/refusals.ts';
import { previewHost } from '../../questions/answer-host.ts';
import { previewRule } from '../../questions/answer-rule.ts';
import type { Desk } from '../../questions/desk.ts';
import { questionDiff } from '../../questions/diff.ts';
import { recordedDecisions } from '../../rules/audit.ts';
import { rulePages } from '../../rules/rule-pages.ts';
import { type SettingsStore, settingsBackend } from '../../settings/store.ts';
import type { QuestionName, Questions } from '../../worker/questions.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { detail, type SummaryParts, summaries } from '../index/summary.ts';
import type { WatchedSession } from '../index/watched-session.ts';
import { testedOf } from './tested.ts';

interface BackendParts extends SummaryParts {
  runner: JobRunner;
  settings: SettingsStore;
  desk: Desk;
}

/** Answers before a session's first call; all other rows fail with `not-found`. */
const BEFORE_FIRST_CALL: Partial<Record<ApiJob | ApiQuestion, unknown>> = {
  history: [],
  hiddenTexts: { hidden: [], unread: 0, left: 0 },
  effects: { marks: [], unknown: [] },
  viewed: { viewed: [], updated: [] },
};

/** Fingerprints of lists that were shown before a request: only what changed since becomes stale. */
const REVIEWS = 8;

type WorkerRows = Pick<
  Handlers,
  Exclude<ApiJob | ApiQuestion, 'commit' | 'preview' | 'undoCommit' | 'historyPaths'>
>;

export function createBackend(parts: BackendParts): ServerBackend {
  const { manager, runner, hub } = parts;
  const known = (id: string) => manager.get(id);
  /** By session and revision, newest last. Lost with the server: the list is then to be reviewed again. */
  const reviews = new Map<string, Fingerprints>();
  const stops = new Map<string, Set<AbortController>>();

  const contextOf = async (id: string): Promise<SessionContext> => {
    known(id);
    const ctx = await parts.context(id);
    if (ctx === null) throw refusal('no-call-yet');
    return ctx;
  };

  async function ask<K extends QuestionName>(
    name: K,
    id: string,
    input: Questions[K]['input'],
    age: ListAge = 'last',
  ): Promise<Questions[K]['output']> {
    const { list } = known(id);
    const ctx = await contextOf(id);
    const held = await list.get(age);
    try {
      return await runner.ask(name, ctx, held, input);
    } catch (error) {
      if (age !== 'last' || !(error instanceof TraiError && error.code === 'not-found')) throw error;
      // It may be in a new list.
      const now = await list.get('now');
      if (now.revision === held.revision) throw error;
      return await runner.ask(name, ctx, now, input);
    }
  }

  async function run<K extends JobName>(name: K, id: string, input: Jobs[K]['input']) {
    return await runner.run(name, await contextOf(id), input);
  }

  /** An action: reports progress, and scans again whatever the result. */
  async function act<K extends JobName>(name: K, id: string, input: Jobs[K]['input']) {
    const session = known(id);
    const ctx = await contextOf(id);
    const job = name === 'discard' || name === 'undo' ? 'discard' : 'commit';
    const stop = new AbortController();
    const running = stops.get(id) ?? new Set();
    if (name === 'commit' || name === 'discard') stops.set(id, running.add(stop));
    try {
      const tell: Progress = (done, total, path) =>
        hub.emit({ type: 'progress', session: id, job, done, total, path });
      return await runner.run(name, ctx, input, tell, stop.signal);
    } finally {
      running.delete(stop);
      if (running.size === 0) stops.delete(id);
      session.list.markReplaced();
      hub.emit({ type: 'sessions' });
      void manager.refresh(session);
    }
  }

  function workerRow(name: ApiJob | ApiQuestion) {
    const { runs, list, order } = API[name];
    const work = async (id: string, input: unknown) => {
      if (runs === 'list') return await ask(name as QuestionName, id, input as never, list);
      return await (order === true ? act : run)(name as JobName, id, input as never);
    };
    return async (id: string, input: unknown = null): Promise<unknown> => {
      const empty = BEFORE_FIRST_CALL[name];
      known(id);
      return empty !== undefined && (await parts.context(id)) === null ? empty : await work(id, input);
    };
  }

  /** Of the present state, not of the tab's list. */
  async function preview(id: string, order: Input<'preview'>): Promise<CommitPreview> {
    const session = known(id);
    const { head } = await session.list.get('now');
    const key = `${id} ${head.revision}`;
    const review = order.action === 'commit' && !reviews.has(key);
    const found = await ask('preview', id, { order, review });
    if (order.action !== 'commit') return found.preview;
    const reviewed = reviews.get(key) ?? found.reviewed;
    if (reviewed !== null) setNewest(reviews, key, reviewed, REVIEWS);
    const projectRoot = toDisplay(bytePath((await readMeta(session.dir)).projectRoot));
    const facts = { session, env: parts.env, projectRoot };
    return { ...found.preview, tested: testedOf(facts, head.counts, found.preview) };
  }

  /** Ends the named processes that still belong to the session; the others have ended already. */
  async function endProcesses(id: string, keys: readonly ProcessKey[]): Promise<number[]> {
    const ctx = await contextOf(id);
    const wanted = new Map(keys.map(({ pid, start }) => [pid, start]));
    const processes = (await liveProcesses(ctx.source)).filter(({ pid, start }) => wanted.get(pid) === start);
    const ended = await endAndLog(ctx, processes);
    await manager.poll();
    hub.emit({ type: 'sessions' });
    return ended;
  }

  const names = API_NAMES.filter((name): name is ApiJob | ApiQuestion => API[name].runs !== 'main');
  // `Questions` and `Jobs` take their types from the table.
  const rows = Object.fromEntries(names.map((name) => [name, workerRow(name)])) as unknown as WorkerRows;
  return {
    ...rows,
    sessions: async () => {
      await manager.poll();
      return await summaries(parts);
    },
    session: async (id) => await detail(parts, known(id)),
    changes: async (id, question) => await packedList(known(id), question),
    calls: async (id, { after = 0 }) => {
      const session = known(id);
      // Before readLog: the manager must act on the news first.
      await manager.follow(session);
      await session.readLog();
      return session.timeline(after);
    },
    call: async (id, { call }) => {
      const found = known(id).log.fold.view(call);
      if (found === null) throw refusal('no-call');
      return found;
    },
    preview,
    commit: async (id, order) =>
      await act('commit', id, { ...order, fingerprints: reviews.get(`${id} ${order.revision}`) }),
    cancel: async (id) => {
      known(id);
      const running = [...(stops.get(id) ?? [])];
      for (const stop of running) stop.abort();
      return { cancelled: running.length > 0 };
    },
    historyPaths: async (id, { of, after }) =>
      await run('historyPaths', id, { key: typeof of === 'number' ? { n: of } : { trash: of }, after }),
    undoCommit: async (id, order) => await act('undoCommit', id, { ...order, choices: {} }),
    // Further pages use the first one's list: a search does not restart because something was written.
    search: async (id, order) => await ask('search', id, order, order.after === null ? 'recent' : 'last'),
    markViewed: async (id, order) => {
      const state = await ask('markViewed', id, order, 'recent');
      hub.emit({ type: 'viewed', session: id });
      return state;
    },
    whyCall: async (id, { call }) => await whyCall({ id, dir: known(id).dir }, call, process.env),
    endProcesses: async (id, { processes }) => ({ ended: await endProcesses(id, processes) }),
    doctor: async ({ session: id }) =>
      await health(parts, id === undefined ? null : bytePath((await readMeta(known(id).dir)).projectRoot)),
    ...contentBackend({ ...parts, ask }),
    ...diskRows(parts),
    ...boxRows(parts),
    ...questionRows(parts),
    ...rulePages({ ...parts, fates: async (id) => await run('fates', id, null) }),
    ...settingsBackend(parts.settings, hub, parts.env),
  };
}

async function packedList(
  { list }: WatchedSession,
  { unless, last, since: asked }: Input<'changes'>,
): Promise<PackedList> {
  if (last === true) {
    const { list: held, since } = await list.nowOrLast();
    // For a list that may be old, equality is not known.
    return since === null && unless === held.revision ? { same: true } : held.forTab(since);
  }
  const held = await (asked === undefined ? list.get('now') : list.since(asked));
  return unless === held.revision ? { same: true } : held.forTab(null);
}

type QuestionRows = 'questions' | 'answerQuestion' | 'questionDiff' | 'previewRule' | 'seen';

function questionRows({ desk, manager }: BackendParts): Pick<Handlers, QuestionRows> {
  return {
    questions: async () => desk.list(),
    answerQuestion: async (given) => await desk.answer(given, 'tab'),
    questionDiff: async ({ question }) => questionDiff(desk.held(question)),
    previewRule: async ({ question, list, rule }) => {
      const held = desk.held(question);
      if (held.target !== null) return previewHost(held, list, rule);
      return previewRule(held, list, rule, recordedDecisions(manager.all()));
    },
    seen: async () => {
      desk.seen();
      return { seen: true };
    },
  };
}

function diskRows({ stateDir, env, runner, hub }: BackendParts): Pick<Handlers, 'disk' | 'gcPreview' | 'gc'> {
  /** Shared by concurrent callers: counting visits every session. */
  let counting: Promise<DiskUse> | null = null;
  const contexts = async () => await contextsOf(stateDir, env);
  const count = async (): Promise<DiskUse> => {
    const sizes = (ctx: SessionContext, live: boolean) => runner.run('disk', ctx, { live });
    const { warnFreeBytes } = loadConfig(env).config.disk;
    return await diskUse({ stateDir, found: await contexts(), warnFreeBytes, sizes });
  };
  return {
    disk: async () => {
      counting ??= count().finally(() => {
        counting = null;
      });
      return await counting;
    },
    gcPreview: async () => await runner.runOnState('garbage', await contexts()),
    gc: async (order) => {
      const all = (await contexts()).sessions.map(({ ctx }) => ctx);
      const report = await runner.runOnState('collect', { stateDir, contexts: all, order });
      hub.emit({ type: 'sessions' });
      return report;
    },
  };
}

type BoxRows = 'box' | 'boxes' | 'boxCount' | 'collectBoxes';

/** In the worker: a walk of their caches takes long. */
function boxRows({ stateDir, env, runner, hub, manager }: BackendParts): Pick<Handlers, BoxRows> {
  // A copy: the process's own environment cannot be sent to a thread.
  const at = { stateDir, env: { ...env } };
  return {
    box: async (id) => await runner.runOnState('box', { ...at, session: manager.get(id).id }),
    boxes: async () => await runner.runOnState('boxes', at),
    boxCount: async () => ({ boxes: instanceNames(stateDir).length }),
    collectBoxes: async ({ ids }) => {
      const report = await runner.runOnState('collectBoxes', { ...at, ids });
      hub.emit({ type: 'sessions' });
      return report;
    },
  };
}

async function health({ stateDir, env }: BackendParts, project: BytePath | null): Promise<Health> {
  const dir = project === null ? {} : { project };
  const checks = [...(await runDoctor({ stateDir, env, ...dir })), ...(await boxNotes(env))];
  const { config, file, problems } = loadConfig(env);
  return {
    ok: isHealthy(checks),
    checks: checks.map(({ id, ok, level, found, remedy }) => ({ id, ok, level, found, remedy })),
    version: VERSION,
    server: {
      pid: process.pid,
      startedAt: new Date(Date.now() - Math.round(process.uptime() * 1000)).toISOString(),
      memory: process.memoryUsage.rss(),
      stateDir,
    },
    config: {
      file,
      candidates: configFiles(env),
      problems: problems.map(({ text }) => text),
      rows: configRows(config, DEFAULT_CONFIG),
    },
  };
}
