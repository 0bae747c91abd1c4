/**
 * The one table of the API. Each row gives:
 *
 *     input           the schema of the same name in ./inputs.ts, which is its type too; here is the output's
 *     route           server/http/api.ts
 *     client          web/backend/live.ts
 *     implementation  type `Handlers`; where it runs is `Runs`, and server/sessions/jobs/backend.ts makes the
 *                     handlers of the rows that the worker runs
 *
 * A new question is a row, a schema, an implementation and a caller. The browser loads this file: no zod
 * here.
 */
import type { CallView } from '../log/calls.ts';
import type { InstanceGc, InstanceList, SessionBox } from '../model/box.ts';
import type { ChangeList } from '../model/change.ts';
import type {
  CommitReport,
  DiscardReport,
  HistoryEntry,
  HistoryPaths,
  UndoPreview,
} from '../model/commit.ts';
import type { DiffModel } from '../model/diff.ts';
import type { Answered, QuestionList, RulePreview } from '../model/question.ts';
import type { Suggestion } from '../model/rule.ts';
import type { WhyCall, WhyPath } from '../model/why.ts';
import type { ConflictView, MergePreview } from '../text/merge-text.ts';
import type { Inputs } from './inputs.ts';
import type { PackedList } from './packed-changes.ts';
import type { AuditPage, RuleHistory, RulesPage, RuleTest, SandboxedEffect } from './rules.ts';
import type { SettingsAnswer } from './settings.ts';
import type {
  BackendStatus,
  CallList,
  CommitPreview,
  DiskUse,
  EffectMarks,
  GcPreview,
  GcReport,
  Health,
  HiddenTexts,
  LineCounts,
  ListOrLast,
  SearchPage,
  ServerEvent,
  SessionDetail,
  SessionSummary,
  ViewedState,
} from './types.ts';

export type None = Record<string, never>;

type About = 'all' | 'session';
/**
 * - `main`: in the thread that answers
 * - `job`: in the worker, as the job of the same name (core/jobs/jobs.ts)
 * - `list`: in the worker, as a question about a change list (server/worker/questions.ts)
 */
type Runs = 'main' | 'job' | 'list';
/** `recent`: at most a second old. */
export type ListAge = 'last' | 'recent' | 'now';

interface Row<A extends About, R extends Runs, Output> {
  /** The input is the query of a GET, the JSON body of a POST. */
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  readonly about: A;
  readonly runs: R;
  readonly list?: ListAge;
  /** An action: without an answer it may have been carried out all the same. */
  readonly order?: boolean;
  readonly bytes?: boolean;
  /** The request outlives the page: a tab may be closed right after a click. */
  readonly keepalive?: boolean;
  /** For the type only: no row has it. */
  readonly output?: Output;
}

type More = Pick<Row<About, Runs, unknown>, 'order' | 'bytes' | 'keepalive'>;
type Verb = 'GET' | 'POST';

function all<Output>(verb: Verb, path: string, more: More = {}): Row<'all', 'main', Output> {
  return { verb, path, about: 'all', runs: 'main', ...more };
}

function one<Output>(verb: Verb, path: string, more: More = {}): Row<'session', 'main', Output> {
  return { verb, path: `/sessions/:id${path}`, about: 'session', runs: 'main', ...more };
}

function job<Output>(verb: Verb, path: string, more: More = {}): Row<'session', 'job', Output> {
  return { ...one<Output>(verb, path, more), runs: 'job' };
}

function list<Output>(verb: Verb, path: string, age: ListAge = 'last'): Row<'session', 'list', Output> {
  return { ...one<Output>(verb, path), runs: 'list', list: age };
}

const ORDER = { order: true } as const;
const BYTES = { bytes: true } as const;

export const API = {
  sessions: all<SessionSummary[]>('GET', '/sessions'),
  session: one<SessionDetail>('GET', ''),
  changes: one<PackedList>('GET', '/changes'),
  diff: list<DiffModel>('GET', '/diff'),
  calls: one<CallList>('GET', '/calls'),
  call: one<CallView>('GET', '/call'),
  preview: list<CommitPreview>('POST', '/preview', 'now'),
  commit: job<CommitReport>('POST', '/commit', ORDER),
  discard: job<DiscardReport>('POST', '/discard', ORDER),
  /** Between two entries; the action itself answers what was applied. False = nothing to stop. */
  cancel: one<{ cancelled: boolean }>('POST', '/cancel'),
  undo: job<DiscardReport>('POST', '/undo', ORDER),
  history: job<HistoryEntry[]>('GET', '/history'),
  historyPaths: job<HistoryPaths>('GET', '/history-paths'),
  undoPreview: job<UndoPreview>('POST', '/undo-preview'),
  undoCommit: job<CommitReport>('POST', '/undo-commit', ORDER),
  redo: job<CommitReport>('POST', '/redo', ORDER),
  merge: list<MergePreview>('GET', '/merge'),
  conflict: list<ConflictView>('GET', '/conflict'),
  viewed: list<ViewedState>('GET', '/viewed'),
  markViewed: list<ViewedState>('POST', '/viewed', 'recent'),
  why: list<WhyPath>('GET', '/why'),
  /** For any path, pending or not. */
  whyNot: list<WhyPath>('GET', '/why-not', 'now'),
  /** By the call's id, or its request's where no launcher sent a claim. */
  whyCall: one<WhyCall>('GET', '/why-call'),
  endProcesses: one<{ ended: number[] }>('POST', '/end-processes'),
  search: list<SearchPage>('POST', '/search'),
  lineCounts: list<LineCounts>('POST', '/line-counts'),
  hiddenTexts: list<HiddenTexts>('GET', '/hidden-texts'),
  /** What effect rules say of the entries, as the rule files are now. */
  effects: list<EffectMarks>('GET', '/effects'),
  /** A read-only copy of the pending version, or of the host's where it is deleted. */
  openInEditor: one<{ editor: string }>('POST', '/open'),
  /** Raster images that cannot run anything; an error for everything else. */
  image: one<Blob>('GET', '/image', BYTES),
  download: one<Blob>('GET', '/download', BYTES),
  /** What the session's newest client sees, where it runs, or ran, in a box. */
  box: one<SessionBox>('GET', '/box'),
  /** What boxes keep, of all projects. */
  boxes: all<InstanceList>('GET', '/boxes'),
  /** Without looking into them: whether there is anything to list. */
  boxCount: all<{ boxes: number }>('GET', '/boxes/count'),
  /** Moves to the trash what is named, was shown, and belongs to no project any more. */
  collectBoxes: all<InstanceGc>('POST', '/boxes/gc', ORDER),
  disk: all<DiskUse>('GET', '/disk'),
  gcPreview: all<GcPreview>('GET', '/gc'),
  /** Removes only what is named and was shown. */
  gc: all<GcReport>('POST', '/gc', ORDER),
  /** Checks anew; with a session, in its project too. */
  doctor: all<Health>('GET', '/doctor'),
  /** Questions of the client, of all sessions. */
  questions: all<QuestionList>('GET', '/questions'),
  /** `answered` when another answer was first. */
  answerQuestion: all<Answered>('POST', '/answer', ORDER),
  /** What Edit or Write would make of the file, as it is now; an error for other tools. */
  questionDiff: all<DiffModel>('GET', '/question-diff'),
  previewRule: all<RulePreview>('POST', '/rule-preview'),
  /** A tab is in sight: subagents and `claude -p` may wait for it. */
  seen: all<{ seen: true }>('POST', '/seen'),
  /** With a session: the rules of its project too. */
  rules: all<RulesPage>('GET', '/rules'),
  testRule: all<RuleTest>('POST', '/rules/test'),
  /** What a rule, alone, would have decided about earlier calls. */
  ruleHistory: all<RuleHistory>('POST', '/rules/history'),
  changeRules: all<RulesPage>('POST', '/rules/change', ORDER),
  trustRules: all<RulesPage>('POST', '/rules/trust', ORDER),
  ruleSuggestions: all<Suggestion[]>('GET', '/rules/suggestions'),
  sandboxedEffect: all<SandboxedEffect>('GET', '/rules/sandboxed'),
  setSandboxed: all<SandboxedEffect>('POST', '/rules/sandboxed', ORDER),
  audit: all<AuditPage>('GET', '/audit'),
  settings: all<SettingsAnswer>('GET', '/settings'),
  saveSettings: all<SettingsAnswer>('POST', '/settings', { keepalive: true }),
};

export type ApiName = keyof typeof API;
export const API_NAMES = Object.keys(API) as ApiName[];

export type Input<K extends ApiName> = K extends keyof Inputs ? Inputs[K] : None;
export type SideName = Input<'image'>['side'];
export type Output<K extends ApiName> = NonNullable<(typeof API)[K]['output']>;

type RunBy<R extends Runs> = { [K in ApiName]: (typeof API)[K]['runs'] extends R ? K : never }[ApiName];
export type ApiJob = RunBy<'job'>;
export type ApiQuestion = RunBy<'list'>;
export type BytesName = 'image' | 'download';

type Args<K extends ApiName> = [
  ...((typeof API)[K]['about'] extends 'session' ? [id: string] : []),
  ...(K extends keyof Inputs ? [input: Inputs[K]] : []),
];

export type Client = { [K in ApiName]: (...args: [...Args<K>, signal?: AbortSignal]) => Promise<Output<K>> };

export type Handlers = { [K in Exclude<ApiName, BytesName>]: (...args: Args<K>) => Promise<Output<K>> };

/** All that the web app needs; implementations: web/backend/ and the recorded one of the tests. */
export interface Backend extends Omit<Client, 'changes'> {
  changes(id: string, signal?: AbortSignal): Promise<ChangeList>;
  /** The last list where a new one takes a while. */
  lastChanges(id: string, signal?: AbortSignal): Promise<ListOrLast>;
  /** Null = still this revision. `since` is that of an old list; null = a new one. */
  newerChanges(
    id: string,
    revision: string,
    since: number | null,
    signal?: AbortSignal,
  ): Promise<ChangeList | null>;
  /** Calls back for every event until `close`; reconnects with growing pauses. */
  events(listener: (event: ServerEvent) => void, status: (state: BackendStatus) => void): { close(): void };
}
