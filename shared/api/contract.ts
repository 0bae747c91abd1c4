/**
 * The one table of the API. From a row follow its route (server/http/api.ts, with the schema of the same name in ./inputs.ts),
 * its client (web/backend/live.ts), the type of its implementation (`Handlers`), and where it runs: server/sessions/jobs/backend.ts
 * makes the handlers of the rows that the worker runs. A new question is a row, a schema, an implementation and a caller.
 * The browser loads this file: no zod here.
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

/** A question without an input. */
export type None = Record<string, never>;

interface Entry {
  /** `Change.id`. */
  entry: string;
}

/**
 * The list is sent unless it is the one of the revision `unless`. `last`: the last one will do where a new one takes a while.
 * `since`: as `ListOrLast` says; without it a list of now.
 */
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
/** The change list that a question is about: the last one, one that is at most a second old, or a new one. */
export type ListAge = 'last' | 'recent' | 'now';

interface Row<A extends About, R extends Runs, Input, Output> {
  /** Inputs of a GET are its query, of a POST its JSON body. */
  readonly verb: 'GET' | 'POST';
  /** Below /api. */
  readonly path: string;
  readonly about: A;
  readonly runs: R;
  /** Of a question about a list. */
  readonly list?: ListAge;
  /** When no answer comes it may have been carried out all the same. */
  readonly order?: boolean;
  /** The answer is not JSON. */
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

/** About one session. */
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
  /** `after`: `CallList.size` of the list that is at hand; without it all of it, which is never wrong. */
  calls: one<{ after?: number | undefined }, CallList>('GET', '/calls'),
  /** One call with its output, by its id or its request's. */
  call: one<{ call: string }, CallView>('GET', '/call'),
  preview: list<PreviewRequest, CommitPreview>('POST', '/preview', 'now'),
  commit: job<ScopedCommitRequest, CommitReport>('POST', '/commit', ORDER),
  discard: job<DiscardRequest, DiscardReport>('POST', '/discard', ORDER),
  /**
   * Stops the running commit or discard of the session between two entries. The order itself answers what is applied and
   * what is not; `cancelled` is false when nothing was running that could be stopped.
   */
  cancel: one<None, { cancelled: boolean }>('POST', '/cancel'),
  /** Brings a discard back. */
  undo: job<{ trash: string }, DiscardReport>('POST', '/undo', ORDER),
  /** What was committed, discarded and taken back, newest first. */
  history: job<None, HistoryEntry[]>('GET', '/history'),
  /** The paths of one row of it, from `after` on: the number of a commit or undo, or the name of a discard in the trash. */
  historyPaths: job<{ of: number | string; after: number }, HistoryPaths>('GET', '/history-paths'),
  undoPreview: job<{ n: number }, UndoPreview>('POST', '/undo-preview'),
  undoCommit: job<UndoOrder, CommitReport>('POST', '/undo-commit', ORDER),
  redo: job<None, CommitReport>('POST', '/redo', ORDER),
  /** What merging an entry in conflict would put on the host. */
  merge: list<Entry, MergePreview>('GET', '/merge'),
  /** The sides of an entry in conflict, with what both began with. */
  conflict: list<Entry, ConflictView>('GET', '/conflict'),
  viewed: list<None, ViewedState>('GET', '/viewed'),
  /** Gives the marks as they are afterwards. */
  markViewed: list<ViewedRequest, ViewedState>('POST', '/viewed', 'recent'),
  why: list<Entry, WhyPath>('GET', '/why'),
  /** The same of any path, also of one that is not pending. */
  whyNot: list<{ path: BytePath }, WhyPath>('GET', '/why-not', 'now'),
  /** Why a call ran where it ran: its id, or its request's where no launcher ever asked. */
  whyCall: one<{ call: string }, WhyCall>('GET', '/why-call'),
  /** Ends these processes of the session; what has ended by itself meanwhile is not an error. */
  endProcesses: one<{ processes: ProcessKey[] }, { ended: number[] }>('POST', '/end-processes'),
  search: list<SearchRequest, SearchPage>('POST', '/search'),
  lineCounts: list<{ entries: string[] }, LineCounts>('POST', '/line-counts'),
  hiddenTexts: list<None, HiddenTexts>('GET', '/hidden-texts'),
  /**
   * Opens a copy of the pending version (of the host's, where it is deleted) in the editor of the settings. The copy can't
   * be written to: what is pending is changed by the session only.
   */
  openInEditor: one<OpenOrder, { editor: string }>('POST', '/open'),
  /** A raster image of a kind that browsers draw without running anything; an error for everything else. */
  image: one<Entry & { side: SideName }, Blob>('GET', '/image', BYTES),
  /** The file as it is. */
  download: one<Entry & { side: SideName }, Blob>('GET', '/download', BYTES),
  /** What the sessions take, and what is free. */
  disk: all<None, DiskUse>('GET', '/disk'),
  /** What could be removed to make room; removes nothing. */
  gcPreview: all<None, GcPreview>('GET', '/gc'),
  /** Removes exactly what is named, of what was shown. */
  gc: all<GcRequest, GcReport>('POST', '/gc', ORDER),
  /** Whether the sandbox works here, looked at now; with a session, in its project too. */
  doctor: all<{ session?: string | undefined }, Health>('GET', '/doctor'),
  settings: all<None, SettingsAnswer>('GET', '/settings'),
  /** Changes these fields; gives all of them as they are then. */
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
/** Those with an input. */
export type AskedName = { [K in ApiName]: Input<K> extends None ? never : K }[ApiName];
/** Those whose answer is a file. */
export type BytesName = 'image' | 'download';

type Args<K extends ApiName> = [
  ...((typeof API)[K]['about'] extends 'session' ? [id: string] : []),
  ...(K extends AskedName ? [input: Input<K>] : []),
];

/** The table as functions: a session's id, the input, and for who asks a way to stop waiting. */
export type Client = { [K in ApiName]: (...args: [...Args<K>, signal?: AbortSignal]) => Promise<Output<K>> };

/** What a server has to implement; it answers with files in its own way. */
export type Handlers = { [K in Exclude<ApiName, BytesName>]: (...args: Args<K>) => Promise<Output<K>> };

/** Everything the web app needs; the live and the recorded implementation stand in web/backend/. */
export interface Backend extends Omit<Client, 'changes'> {
  changes(id: string, signal?: AbortSignal): Promise<ChangeList>;
  /** The same, or the last list where a new one takes a while: so that something is on show. */
  lastChanges(id: string, signal?: AbortSignal): Promise<ListOrLast>;
  /**
   * The list, when it is not the one of this revision any more; null = it still is.
   * @param since of a list that may be old; null = a list of now
   */
  newerChanges(
    id: string,
    revision: string,
    since: number | null,
    signal?: AbortSignal,
  ): Promise<ChangeList | null>;
  /** Calls back for every event until `close`; reconnects by itself, with growing pauses. */
  events(listener: (event: ServerEvent) => void, status: (state: BackendStatus) => void): { close(): void };
}
