/**
 * The one table of the API. Each row gives:
 *
 *     route           server/http/api.ts, with the schema of the same name in ./inputs.ts
 *     client          web/backend/live.ts
 *     implementation  type `Handlers`; where it runs is `Runs`, and server/sessions/jobs/backend.ts makes the
 *                     handlers of the rows that the worker runs
 *
 * A new question is a row, a schema, an implementation and a caller. The browser loads this file: no zod
 * here.
 */
import type { BytePath } from '../bytes.ts';
import type { CallView } from '../log/calls.ts';
import type { ChangeList } from '../model/change.ts';
import type {
  CommitReport,
  DiscardReport,
  DiscardRequest,
  HistoryEntry,
  HistoryPaths,
  ScopedCommitRequest,
  UndoPreview,
} from '../model/commit.ts';
import type { DiffModel, DiffView } from '../model/diff.ts';
import type { ProcessKey } from '../model/process.ts';
import type { ViewedState } from '../model/viewed.ts';
import type { WhyCall, WhyPath } from '../model/why.ts';
import type { ConflictView, MergePreview } from '../text/merge-text.ts';
import type { PackedList } from './packed-changes.ts';
import type { SettingsAnswer, SettingsPatch } from './settings.ts';
import type {
  BackendStatus,
  CallList,
  CommitPreview,
  DiskUse,
  GcPreview,
  GcReport,
  GcRequest,
  Health,
  HiddenTexts,
  LineCounts,
  ListOrLast,
  OpenOrder,
  PreviewRequest,
  SearchPage,
  SearchRequest,
  ServerEvent,
  SessionDetail,
  SessionSummary,
  SideName,
  UndoOrder,
  ViewedRequest,
} from './types.ts';

export type None = Record<string, never>;

interface Entry {
  entry: string;
}

/** Sent unless its revision is `unless`. `last`: the last list will do. `since`: see `ListOrLast`. */
export interface ListQuestion {
  unless?: string | undefined;
  last?: true | undefined;
  since?: number | undefined;
}

type About = 'all' | 'session';
/**
 * - `main`: in the thread that answers
 * - `job`: in the worker, as the job of the same name (core/jobs/jobs.ts)
 * - `list`: in the worker, as a question about a change list (server/worker/questions.ts)
 */
type Runs = 'main' | 'job' | 'list';
/** `recent`: at most a second old. */
export type ListAge = 'last' | 'recent' | 'now';

interface Row<A extends About, R extends Runs, Input, Output> {
  /** Input: the query of a GET, the JSON body of a POST. */
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
  /** For the types only: no row has it. */
  readonly types?: { input: Input; output: Output };
}

type More = Pick<Row<About, Runs, unknown, unknown>, 'order' | 'bytes' | 'keepalive'>;
type Verb = 'GET' | 'POST';

function all<I, O>(verb: Verb, path: string, more: More = {}): Row<'all', 'main', I, O> {
  return { verb, path, about: 'all', runs: 'main', ...more };
}

function one<I, O>(verb: Verb, path: string, more: More = {}): Row<'session', 'main', I, O> {
  return { verb, path: `/sessions/:id${path}`, about: 'session', runs: 'main', ...more };
}

function job<I, O>(verb: Verb, path: string, more: More = {}): Row<'session', 'job', I, O> {
  return { ...one<I, O>(verb, path, more), runs: 'job' };
}

function list<I, O>(verb: Verb, path: string, age: ListAge = 'last'): Row<'session', 'list', I, O> {
  return { ...one<I, O>(verb, path), runs: 'list', list: age };
}

const ORDER = { order: true } as const;
const BYTES = { bytes: true } as const;

export const API = {
  sessions: all<None, SessionSummary[]>('GET', '/sessions'),
  session: one<None, SessionDetail>('GET', ''),
  changes: one<ListQuestion, PackedList>('GET', '/changes'),
  diff: list<Entry & DiffView, DiffModel>('GET', '/diff'),
  /** `after`: `CallList.size` of the tab's list. */
  calls: one<{ after?: number | undefined }, CallList>('GET', '/calls'),
  call: one<{ call: string }, CallView>('GET', '/call'),
  preview: list<PreviewRequest, CommitPreview>('POST', '/preview', 'now'),
  commit: job<ScopedCommitRequest, CommitReport>('POST', '/commit', ORDER),
  discard: job<DiscardRequest, DiscardReport>('POST', '/discard', ORDER),
  /** Between two entries; the action itself answers what was applied. False = nothing to stop. */
  cancel: one<None, { cancelled: boolean }>('POST', '/cancel'),
  undo: job<{ trash: string }, DiscardReport>('POST', '/undo', ORDER),
  history: job<None, HistoryEntry[]>('GET', '/history'),
  /** `of`: number of a commit or undo, or name of a discard in the trash. */
  historyPaths: job<{ of: number | string; after: number }, HistoryPaths>('GET', '/history-paths'),
  undoPreview: job<{ n: number }, UndoPreview>('POST', '/undo-preview'),
  undoCommit: job<UndoOrder, CommitReport>('POST', '/undo-commit', ORDER),
  redo: job<None, CommitReport>('POST', '/redo', ORDER),
  merge: list<Entry, MergePreview>('GET', '/merge'),
  conflict: list<Entry, ConflictView>('GET', '/conflict'),
  viewed: list<None, ViewedState>('GET', '/viewed'),
  markViewed: list<ViewedRequest, ViewedState>('POST', '/viewed', 'recent'),
  why: list<Entry, WhyPath>('GET', '/why'),
  /** For any path, pending or not. */
  whyNot: list<{ path: BytePath }, WhyPath>('GET', '/why-not', 'now'),
  /** By the call's id, or its request's where no launcher sent a claim. */
  whyCall: one<{ call: string }, WhyCall>('GET', '/why-call'),
  endProcesses: one<{ processes: ProcessKey[] }, { ended: number[] }>('POST', '/end-processes'),
  search: list<SearchRequest, SearchPage>('POST', '/search'),
  lineCounts: list<{ entries: string[] }, LineCounts>('POST', '/line-counts'),
  hiddenTexts: list<None, HiddenTexts>('GET', '/hidden-texts'),
  /** A read-only copy of the pending version, or of the host's where it is deleted. */
  openInEditor: one<OpenOrder, { editor: string }>('POST', '/open'),
  /** Raster images that cannot run anything; an error for everything else. */
  image: one<Entry & { side: SideName }, Blob>('GET', '/image', BYTES),
  download: one<Entry & { side: SideName }, Blob>('GET', '/download', BYTES),
  disk: all<None, DiskUse>('GET', '/disk'),
  gcPreview: all<None, GcPreview>('GET', '/gc'),
  /** Removes only what is named and was shown. */
  gc: all<GcRequest, GcReport>('POST', '/gc', ORDER),
  /** Checks anew; with a session, in its project too. */
  doctor: all<{ session?: string | undefined }, Health>('GET', '/doctor'),
  settings: all<None, SettingsAnswer>('GET', '/settings'),
  saveSettings: all<SettingsPatch, SettingsAnswer>('POST', '/settings', { keepalive: true }),
};

export type ApiName = keyof typeof API;
export const API_NAMES = Object.keys(API) as ApiName[];

type Types<K extends ApiName> = NonNullable<(typeof API)[K]['types']>;
export type Input<K extends ApiName> = Types<K>['input'];
export type Output<K extends ApiName> = Types<K>['output'];

type RunBy<R extends Runs> = { [K in ApiName]: (typeof API)[K]['runs'] extends R ? K : never }[ApiName];
export type ApiJob = RunBy<'job'>;
export type ApiQuestion = RunBy<'list'>;
export type AskedName = { [K in ApiName]: Input<K> extends None ? never : K }[ApiName];
export type BytesName = 'image' | 'download';

type Args<K extends ApiName> = [
  ...((typeof API)[K]['about'] extends 'session' ? [id: string] : []),
  ...(K extends AskedName ? [input: Input<K>] : []),
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
