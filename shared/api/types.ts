/** What the dashboard asks of a server, and gets. The zod schemas of requests stand in ./schema.ts. */

import type { BytePath } from '../bytes.ts';
import type { DiffModel } from '../changes/diff-model.ts';
import type { ChangeCounts, ChangeList } from '../changes/model.ts';
import type { ViewedState } from '../changes/viewed.ts';
import type { WhyPath } from '../changes/why.ts';
import type {
  CommitReport,
  DiscardReport,
  HistoryEntry,
  LiveProcess,
  MassGuard,
  UndoConflictChoice,
  UndoPreview,
} from '../commit/types.ts';
import type { WhyCall } from '../decide/why-call.ts';
import type { CallView } from '../log/call-view.ts';
import type { RawLine } from '../log/types.ts';
import type { ProcessKey, SessionProcess } from '../sandbox/process-types.ts';

export interface SessionSummary {
  id: string;
  projectId: string;
  /** A byte path, like every path of a change. */
  projectRoot: BytePath;
  cwd: string;
  createdAt: string;
  lastCallAt: string | null;
  calls: number;
  /** Null until the first scan is done. */
  counts: ChangeCounts | null;
  bytes: number;
  conflicts: number;
  ignored: number;
  live: boolean;
  /** Why the sandbox is off for this session, or null. */
  off: string | null;
  /** A call was caught outside the sandbox. */
  caught: boolean;
  /** Newest thing in trash/ that `undo` would bring back, or null. */
  undo: { trash: string; entries: number; at: string } | null;
  /** A commit stopped in the middle and will be finished by the next run. */
  unfinished: boolean;
}

export interface SessionDetail extends SessionSummary {
  claudeIds: string[];
  home: BytePath;
  configFile: string | null;
  configProblems: string[];
  /** Processes that keep it live. */
  processes: SessionProcess[];
  /** Covered places, read-only and direct ones, for the "where do writes go" panel. */
  places: { path: string; kind: 'covered' | 'read-only' | 'direct' | 'masked'; why: string }[];
  notices: { at: string; code: string; text: string }[];
  /** Paths that other sessions of the project have pending, too. */
  overlaps: { session: string; paths: BytePath[]; more: boolean }[];
  /** Other sessions of the project with pending changes, as far as they have been counted. */
  others: { id: string; changes: number }[];
  /** The session that goes on with what was pending here (`trai adopt`), or null. */
  wentOnIn: string | null;
}

export interface CallList {
  calls: CallView[];
  raw: RawLine[];
  /** Log size in bytes: SSE `log` events name it, so that a tab knows whether it is behind. */
  size: number;
}

/** What commit would do, asked right before the inline confirmation is shown. */
export interface CommitPreview {
  revision: string;
  counts: ChangeCounts;
  bytes: number;
  conflicts: { id: string; path: string; reason: string }[];
  ignored: { count: number; bytes: number };
  guard: MassGuard | null;
  /** What is replaced or deleted takes so much to keep for an undo; above the limit the person decides. */
  undo: { bytes: number; maxBytes: number };
  processes: LiveProcess[];
  live: boolean;
}

/** Takes a commit back, as it was previewed. */
export interface UndoOrder {
  n: number;
  revision: string;
  conflicts: 'refuse' | UndoConflictChoice;
  yes: boolean;
  typedCount: number | null;
  endProcesses: boolean;
}

/** Entries that a person has looked at, or wants to look at again. */
export interface ViewedOrder {
  entries: string[];
  viewed: boolean;
  /** `DiffModel.etag` of the one entry whose diff was on show; null = the revision says what was seen. */
  etag: string | null;
  revision: string;
}

/** Server-sent events; `id:` counts up so that a client can ask for what it missed. */
export type ServerEvent =
  | { type: 'hello'; version: string }
  | { type: 'sessions' }
  | { type: 'log'; session: string; size: number }
  | { type: 'changes'; session: string; revision: string }
  | { type: 'viewed'; session: string }
  | {
      type: 'progress';
      session: string;
      job: 'commit' | 'discard';
      done: number;
      total: number;
      path: string;
    }
  | { type: 'bye'; why: string };

export interface Health {
  ok: boolean;
  checks: { id: string; ok: boolean; found: string; remedy: string }[];
  version: string;
}

/** Everything the web app needs; the live and the fake implementation stand in web/backend/. */
export interface Backend {
  sessions(signal?: AbortSignal): Promise<SessionSummary[]>;
  session(id: string, signal?: AbortSignal): Promise<SessionDetail>;
  changes(id: string, signal?: AbortSignal): Promise<ChangeList>;
  /** `load` asks for the text although it is over the automatic limit. */
  diff(id: string, entry: string, load: boolean, signal?: AbortSignal): Promise<DiffModel>;
  calls(id: string, signal?: AbortSignal): Promise<CallList>;
  preview(id: string, includeIgnored: boolean): Promise<CommitPreview>;
  commit(id: string, request: import('../commit/types.ts').CommitRequest): Promise<CommitReport>;
  discard(id: string, revision: string, endProcesses: boolean): Promise<DiscardReport>;
  undo(id: string, trash: string): Promise<DiscardReport>;
  /** What was committed, discarded and taken back, newest first. */
  history(id: string, signal?: AbortSignal): Promise<HistoryEntry[]>;
  undoPreview(id: string, n: number): Promise<UndoPreview>;
  undoCommit(id: string, order: UndoOrder): Promise<CommitReport>;
  redo(id: string): Promise<CommitReport>;
  viewed(id: string, signal?: AbortSignal): Promise<ViewedState>;
  /** Gives the marks as they are afterwards. */
  markViewed(id: string, order: ViewedOrder): Promise<ViewedState>;
  why(id: string, entry: string, signal?: AbortSignal): Promise<WhyPath>;
  whyCall(id: string, call: string, signal?: AbortSignal): Promise<WhyCall>;
  /** Ends these processes of the session; what has ended by itself meanwhile is not an error. */
  endProcesses(id: string, processes: ProcessKey[]): Promise<{ ended: number[] }>;
  doctor(): Promise<Health>;
  /** Calls back for every event until `close`; reconnects by itself, with growing pauses. */
  events(listener: (event: ServerEvent) => void, status: (state: BackendStatus) => void): { close(): void };
}

export type BackendStatus = 'connecting' | 'connected' | 'offline' | 'unauthorised';
