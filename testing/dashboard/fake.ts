/** A backend of recorded data: every action works, nothing leaves the page. */

import { ApiError } from '../../shared/api/api-error.ts';
import type { Backend, Input } from '../../shared/api/contract.ts';
import type { BackendStatus, ServerEvent, SessionDetail, SessionSummary } from '../../shared/api/types.ts';
import type { CommitReport, DiscardReport, ScopedCommitRequest } from '../../shared/model/commit.ts';
import { fakeBoxes } from './boxes.ts';
import { fakeConflict, fakeMerge } from './conflicts.ts';
import { fakeContents } from './contents.ts';
import { fakeDisk } from './disk.ts';
import { fakeHealth } from './health.ts';
import {
  type Answers,
  type FakeEffect,
  type FakeEntry,
  type FakeSession,
  makeCall,
  makeList,
} from './make.ts';
import { FakeMarks } from './marks.ts';
import type { Pace } from './pace.ts';
import { FakePast, fakeHistory } from './past.ts';
import { FakeQuestions } from './questions.ts';
import { fakeRules } from './rules.ts';
import { fakePreview, meantBy, stoppedReport } from './scope.ts';
import { callList, recording } from './sessions.ts';
import { FakeSettings } from './settings.ts';
import { fakeEnd, fakeWhy, fakeWhyCall, fakeWhyNot } from './why.ts';

export interface FakeBackend extends Backend {
  /** For tests: an event that a server would send. */
  emit(event: ServerEvent): void;
  setStatus(status: BackendStatus): void;
  /** Answers again; the tab must find out by itself. */
  revive(): void;
  /** Replaces the pending entries and sends the event. */
  setEffects(session: string, effects: readonly FakeEffect[]): void;
  setEntries(session: string, change: (entries: FakeEntry[]) => FakeEntry[]): void;
  /** A call ends with 0, another one starts, and the event is sent. */
  endCall(session: string, call: string, next: string): void;
  /** Its client leaves, without an event. */
  endClient(session: string): void;
  /** Lets the next call of a method fail. */
  failNext(
    method: keyof Backend,
    error: { code: ConstructorParameters<typeof ApiError>[0]; message: string; hint?: string },
  ): void;
  /** Bodies of the requests received. */
  orders: unknown[];
  /** Holds commits and discards half done until it is false, or they are stopped. */
  hold: boolean;
}

/** Fields that only the answer about one session has. */
const OF_DETAIL: ReadonlySet<string> = new Set<Exclude<keyof SessionDetail, keyof SessionSummary>>([
  ...(['claudeIds', 'home', 'configFile', 'configProblems', 'processes', 'places', 'notices'] as const),
  ...(['overlaps', 'others', 'wentOnIn'] as const),
]);

function summaryOf(detail: SessionDetail): SessionSummary {
  const fields = Object.entries(detail).filter(([name]) => !OF_DETAIL.has(name));
  return Object.fromEntries(fields) as unknown as SessionSummary;
}

const STEP_MS = 25;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function createFakeBackend(scenario: string, pace: Pace, recorded = recording(scenario)): FakeBackend {
  const sessions = new Map(recorded.map((session) => [session.detail.id, session]));
  const failures = new Map<keyof Backend, ApiError>();
  const orders: unknown[] = [];
  const marks = new FakeMarks();
  const past = new FakePast();
  const settings = new FakeSettings();
  const questions = new FakeQuestions(scenario);
  let listening: (event: ServerEvent) => void = () => {};
  /** Events of a stopped server are lost. */
  const listener = (event: ServerEvent): void => {
    if (status === 'connected') listening(event);
  };
  let onStatus: (state: BackendStatus) => void = () => {};
  let status: BackendStatus = scenario === 'offline' || scenario === 'unauthorised' ? scenario : 'connected';
  let revision = 1;
  let running = 0;
  let stopped = false;

  /** Delays each answer as `pace` says, or fails as a test asked for. */
  function paced(answers: Answers): Omit<Backend, 'events'> {
    const all = Object.entries(answers).map(([name, work]: [string, (...args: never[]) => unknown]) => {
      // All three share one route.
      const method = name.endsWith('Changes') ? 'changes' : (name as keyof Answers);
      const ask = async (...args: never[]): Promise<unknown> => {
        await pace(method);
        const failure = failures.get(method);
        failures.delete(method);
        if (failure !== undefined) throw failure;
        if (status === 'offline') throw ApiError.offline();
        return await work(...args);
      };
      return [name, ask];
    });
    // Names and answer types are unchanged.
    return Object.fromEntries(all) as Omit<Backend, 'events'>;
  }

  function find(id: string): FakeSession {
    const session = sessions.get(id);
    if (session === undefined) throw new ApiError('no-session', `There is no session ${id}.`);
    return session;
  }

  function put(session: FakeSession, entries: readonly FakeEntry[], times = session.list.times ?? 0): void {
    revision++;
    session.list = makeList(session.detail.id, entries, `r${revision}`, times === 0 ? undefined : times);
    session.entries = new Map(entries.map((entry) => [entry.change.id, entry]));
    Object.assign(session.detail, {
      counts: session.list.counts,
      bytes: session.list.bytes,
      conflicts: session.list.conflicts,
    });
  }

  function check(session: FakeSession, seen: string): void {
    if (session.list.revision === seen) return;
    throw new ApiError('stale-revision', 'The changes are not the ones that you saw.', {
      hint: 'Refresh and look again.',
    });
  }

  /** True when it was stopped in the middle. */
  async function progress(session: string, job: 'commit' | 'discard', total: number): Promise<boolean> {
    stopped = false;
    running++;
    for (let step = 1; step <= 4; step++) {
      await pause(STEP_MS * 2);
      listener({ type: 'progress', session, job, done: Math.round((total * step) / 4), total, path: '' });
      while (step === 2 && backend.hold && !stopped) await pause(STEP_MS);
      if (stopped) break;
    }
    running--;
    return stopped;
  }

  async function commit(id: string, request: ScopedCommitRequest): Promise<CommitReport> {
    const session = find(id);
    check(session, request.revision);
    const all = [...session.entries.values()];
    const meant = new Set(meantBy(session, request.scope, 'commit').changes);
    const taken = all.filter(
      ({ change }) => meant.has(change) && (request.includeIgnored || change.ignored === null),
    );
    const stays = (entry: FakeEntry): boolean => {
      const choice = request.choices[entry.change.id] ?? request.conflicts;
      return entry.change.conflict !== null && choice === 'keep-host';
    };
    if (await progress(id, 'commit', taken.length))
      return stoppedReport(past.add(id, 'commit', null, []), taken);
    const kept = taken.filter(stays).length;
    const times = request.scope.kind === 'all' ? session.list.times : undefined;
    put(
      session,
      all.filter((entry) => !taken.includes(entry) || stays(entry)),
      (session.list.times ?? 0) - (times ?? 0),
    );
    const applied = taken.filter((entry) => !stays(entry));
    const marked = applied.filter(({ change }) => request.choices[change.id] === 'merge-markers');
    return {
      n: past.add(id, 'commit', null, applied),
      state: 'applied',
      applied: taken.length - kept,
      bytes: session.list.bytes,
      times,
      kept,
      ignored: all.filter(({ change }) => change.ignored !== null && !request.includeIgnored).length,
      failed: [],
      notApplied: [],
      copies: session.detail.live,
      ms: 412,
      ...(marked.length === 0 ? {} : { marked: marked.map(({ change }) => change.path) }),
    };
  }

  async function discard(
    id: string,
    { scope, revision: seen, endProcesses }: Input<'discard'>,
  ): Promise<DiscardReport> {
    const session = find(id);
    check(session, seen);
    const meant = new Set(meantBy(session, scope, 'discard').changes);
    const all = [...session.entries.values()];
    session.trashed = all.filter(({ change }) => meant.has(change));
    await progress(id, 'discard', session.trashed.length);
    const trash = `${id}.20260302T101500Z`;
    const undo = { trash, entries: session.trashed.length, at: new Date().toISOString() };
    Object.assign(session.detail, { undo, ...(endProcesses ? { live: false, processes: [] } : {}) });
    put(
      session,
      all.filter(({ change }) => !meant.has(change)),
    );
    return { trash, entries: session.trashed.length };
  }

  function undo(id: string, trash: string): DiscardReport {
    const session = find(id);
    put(session, [...session.entries.values(), ...session.trashed]);
    session.detail.undo = null;
    return { trash, entries: session.trashed.length };
  }

  const answers: Answers = {
    sessions: () => [...sessions.values()].map(({ detail }) => summaryOf(detail)),
    session: (id) => ({ ...find(id).detail }),
    changes: (id) => find(id).list,
    lastChanges: (id) => ({ list: find(id).list, since: null }),
    newerChanges: (id, revision) => (find(id).list.revision === revision ? null : find(id).list),
    diff: (id, { entry, ...view }) => {
      const found = find(id).entries.get(entry);
      if (found === undefined) throw new ApiError('not-found', 'The entry is not pending any more.');
      return found.diff(view);
    },
    calls: (id) => callList(find(id)),
    call: (id, { call }) => {
      const found = find(id).calls.find((one) => one.id === call);
      if (found === undefined) throw new ApiError('not-found', 'There is no such call.');
      return found;
    },
    preview: (id, order) => fakePreview(find(id), order),
    commit: (id, request) => {
      orders.push({ commit: id, ...request });
      return commit(id, request);
    },
    discard: (id, order) => {
      orders.push({ discard: id, ...order });
      return discard(id, order);
    },
    merge: (id, { entry }) => fakeMerge(find(id), entry),
    conflict: (id, { entry }) => fakeConflict(find(id), entry),
    cancel: () => {
      stopped = running > 0;
      return { cancelled: stopped };
    },
    undo: (id, { trash }) => undo(id, trash),
    ...fakeHistory(past),
    undoCommit: (id, order) => {
      orders.push({ undoCommit: id, ...order });
      const { report, back } = past.undo(id, order);
      put(find(id), [...find(id).entries.values(), ...back]);
      return report;
    },
    redo: (id) => {
      const { report, again } = past.redo(id);
      put(
        find(id),
        [...find(id).entries.values()].filter((entry) => !again.includes(entry)),
      );
      return report;
    },
    viewed: (id) => marks.state(find(id)),
    markViewed: (id, order) => {
      if (order.etag === null) check(find(id), order.revision);
      marks.set(find(id), order);
      return marks.state(find(id));
    },
    why: (id, { entry }) => fakeWhy(find(id), entry),
    whyNot: (id, { path }) => fakeWhyNot(find(id), path),
    whyCall: (id, { call }) => fakeWhyCall(find(id), call),
    endProcesses: (id, { processes }) => {
      orders.push({ endProcesses: id, processes });
      return fakeEnd(find(id), processes);
    },
    ...fakeContents(find),
    ...questions.answers(listener, orders),
    ...fakeDisk(scenario, () => [...sessions.values()].map(({ detail }) => detail)),
    ...fakeBoxes(scenario, () => [...sessions.values()], orders),
    doctor: ({ session }) => fakeHealth(scenario, session ?? null),
    ...fakeRules(scenario, orders),
    settings: () => settings.answer(),
    saveSettings: (patch) => {
      const saved = settings.change(patch);
      listener({ type: 'settings' });
      return saved;
    },
  };

  const backend: FakeBackend = {
    ...paced(answers),
    orders,
    hold: false,
    events: (onEvent, setStatus) => {
      listening = onEvent;
      onStatus = setStatus;
      setStatus('connecting');
      setTimeout(() => onStatus(status), 0);
      return { close: () => {} };
    },
    emit: (event) => listener(event),
    setStatus: (next) => {
      status = next;
      onStatus(next);
    },
    revive: () => {
      status = 'connected';
    },
    setEntries: (id, change) => {
      const session = find(id);
      put(session, change([...session.entries.values()]));
      listener({ type: 'changes', session: id, revision: session.list.revision });
    },
    setEffects: (id, effects) => {
      find(id).effects = effects;
      listener({ type: 'rules' });
    },
    endClient: (id) => {
      Object.assign(find(id).detail, {
        client: 'gone',
        ended: new Date().toISOString(),
        live: false,
        processes: [],
      });
    },
    endCall: (id, call, next) => {
      const session = find(id);
      const at = new Date().toISOString();
      session.calls = session.calls.map((one) =>
        one.id === call ? { ...one, state: 'ended', rc: 0, endedAt: at } : one,
      );
      session.calls.push(makeCall(`${call}-next`, next));
      listener({ type: 'log', session: id, size: session.calls.length + session.marks.length });
    },
    failNext: (method, error) => {
      failures.set(
        method,
        new ApiError(error.code, error.message, error.hint === undefined ? {} : { hint: error.hint }),
      );
    },
  };
  return backend;
}
