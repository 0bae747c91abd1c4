/** What the dashboard asks of a server, and gets: the shapes behind the table of ./contract.ts. */

import type { BytePath } from '../bytes.ts';
import type { ConfigRow } from '../config/config-rows.ts';
import type { RawLine } from '../log/lines.ts';
import type { TimelineNews } from '../log/marks.ts';
import type { Tested } from '../log/tested.ts';
import type { ChangeCounts, ChangeList } from '../model/change.ts';
import type { Places } from '../model/change-places.ts';
import type { LiveProcess, MassGuard, Scope, Told, UndoConflictChoice } from '../model/commit.ts';
import type { SharedPaths } from '../model/overlap-paths.ts';
import type { SessionProcess } from '../model/process.ts';
import type { RiskCount } from '../model/risk.ts';

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
  /** What is checked out in the project's directory now; null outside git. Texts for people. */
  git: { branch: string | null; commit: string | null; worktree: string | null } | null;
  /** Whether a Claude Code client works in it; `none` = it never had one (`trai exec`). */
  client: 'here' | 'gone' | 'none';
  /** Since when its client is gone (ISO time); null while it is there, and where there never was one. */
  ended: string | null;
  /** Sessions of the project with pending changes of the same paths, the most paths first; as far as lists are known. */
  shares: SharedPaths[];
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

/** web/timeline/model/rows.ts puts it together with what a tab has. */
export interface CallList extends TimelineNews {
  /** All lines that could not be read, also when the rest is only news. */
  raw: RawLine[];
  /** Log size in bytes: SSE `log` events name it, so that a tab knows whether it is behind. */
  size: number;
  /**
   * How many changes of the last list each call is among the last writers of (`Change.by`), of all calls whatever was asked
   * for. Missing before the first list; it moves with the list: also after a `changes` event.
   */
  wrote?: Record<string, number> | undefined;
}

/**
 * `since`: the list may be old. A new one is on its way at the server, and who asks for one with this number gets it.
 * Null = the list was true when it was sent.
 */
export interface ListOrLast {
  list: ChangeList;
  since: number | null;
}

/** What commit or discard of a scope would do is asked with this. */
export interface PreviewRequest {
  scope: Scope;
  action: 'commit' | 'discard';
  includeIgnored: boolean;
}

/** What commit (or discard) would do, asked right before the inline confirmation is shown. */
export interface CommitPreview {
  /** Of the whole list: an order for a selection names it too. */
  revision: string;
  /** As it was asked; all that follows is about exactly what would be applied or dropped, conflicts included. */
  scope: Scope;
  action: 'commit' | 'discard';
  counts: ChangeCounts;
  /** Files that would get another modification time, and nothing else; counted nowhere else. Missing = none. */
  times?: number | undefined;
  /** Where that lies. */
  places: Places;
  bytes: number;
  /** What the selection needs and takes along, and why: it is counted, and goes with the rest. */
  along: Told[];
  /** What was selected and stays pending all the same, with what it would need. */
  cannot: Told[];
  /** Processes of the host that hold a target open for writing: they would go on writing to the replaced file. */
  writers: { path: BytePath; pid: number; command: string }[];
  /** Targets with more than one link: the other names keep the old content. */
  linked: { path: BytePath; links: number }[];
  /** How many there are of each; the lists are cut at MAX_PREVIEW_NAMED. */
  totals: { along: number; cannot: number; writers: number; linked: number };
  /** Room for the copies and the before-images, one for each directory that they are made in. */
  space: { path: BytePath; needed: number; free: number }[];
  /** `merge`: the base of the text was kept, so both changes can be put together. */
  conflicts: { id: string; path: string; reason: string; merge?: true | undefined }[];
  ignored: { count: number; bytes: number };
  guard: MassGuard | null;
  /** What of it should be looked at first. */
  risks: RiskCount[];
  /** Texts of it that were not looked into for hidden characters: too large, not to be read, or too many. */
  unread: number;
  /** What is replaced or deleted takes so much to keep for an undo; above the limit the person decides. */
  undo: { bytes: number; maxBytes: number };
  processes: LiveProcess[];
  live: boolean;
  /** Whether tests passed on it; missing for a discard. */
  tested?: Tested | undefined;
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
export interface ViewedRequest {
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
  | { type: 'settings' }
  | {
      type: 'progress';
      session: string;
      job: 'commit' | 'discard';
      done: number;
      total: number;
      path: string;
    }
  /** This tab's credential is worth nothing any more. */
  | { type: 'signed-out' }
  | { type: 'bye'; why: string };

export interface Health {
  ok: boolean;
  /** A check of level `warning` does not keep the sandbox from being entered. */
  checks: { id: string; ok: boolean; level: 'error' | 'warning'; found: string; remedy: string }[];
  version: string;
  server: { pid: number; startedAt: string; memory: number; stateDir: string };
  /** The config as it is read now. A session keeps the one that it began with. */
  config: { file: string | null; candidates: string[]; problems: string[]; rows: ConfigRow[] };
}

export type BackendStatus = 'connecting' | 'connected' | 'offline' | 'unauthorised';

/** Which version of an entry. */
export const SIDES = ['pending', 'host'] as const;
export type SideName = (typeof SIDES)[number];

/** A search for a text (never a pattern) in what is pending, page by page. */
export interface SearchRequest {
  text: string;
  matchCase: boolean;
  includeIgnored: boolean;
  /** Go on behind this entry: `next` of the page before. Null = from the first. */
  after: string | null;
}

export interface SearchHit {
  entry: string;
  path: BytePath;
  /** Of the pending version, from 1. */
  line: number;
  /** The line, or the part of it around what was found. */
  text: string;
  /** Where in `text` it was found; -1 = it can't be said in this script. */
  at: number;
  length: number;
}

export interface SearchPage {
  hits: SearchHit[];
  /** Entries whose lines are not all among the hits: how many more there are. */
  more: Record<string, number>;
  /** Entries looked at for this page, files or not. */
  searched: number;
  /** Files that were not searched: too large, or they could not be read. Binary ones are not counted. */
  skipped: number;
  /** Ask on with this; null = that was all. */
  next: string | null;
}

/** By entry id: lines added and removed; null where lines say nothing (binary, too large, no file). */
export type LineCounts = Record<string, readonly [added: number, removed: number] | null>;

/** What is known by now of hidden characters that the changes of text files add; ignored entries are not looked at. */
export interface HiddenTexts {
  /** Entry ids. */
  hidden: string[];
  /** Files that were not looked into: too large, not to be read, or written to just then. */
  unread: number;
  /** Files that nobody has looked at yet: ask again. */
  left: number;
}

export interface OpenOrder {
  entry: string;
  /** From 1. */
  line: number;
}

/** Bytes on disk (blocks, not lengths) of one session. */
export interface SessionDisk {
  session: string;
  projectRoot: BytePath;
  /** The project's directory is not there any more. */
  projectGone: boolean;
  /** What is pending: the uppers with their base records. Never removed by a collection. */
  upper: number;
  /** What commits took away from the host, kept for an undo, and what an undo took off it and could not make pending. */
  images: number;
  /** What was discarded, kept for an undo. */
  trash: number;
  /** Log, plans, what git threw away. */
  other: number;
  /** The four together. */
  total: number;
}

export interface DiskUse {
  /** When it was put together, ISO time. The sizes of a session in which something runs may be a minute older. */
  at: string;
  /** The biggest first. */
  sessions: SessionDisk[];
  /** All sessions together. */
  total: number;
  /** Of the file system that the state directory is on: free for this user, and in all. */
  free: number;
  size: number;
  /** `disk.warnFreeBytes` of the config; 0 = never warn. */
  warnFreeBytes: number;
  /** `free` is below it. */
  low: boolean;
}

/** Something that may be removed. */
export interface GarbageItem {
  /** `images` of a commit, a `discard` in the trash, or a whole forgotten `session`. */
  kind: 'images' | 'discard' | 'session';
  session: string;
  /** Number of the commit, or name in the trash; else empty. */
  name: string;
  /** ISO time of the commit or discard; of a session empty. */
  at: string;
  bytes: number;
  /** A sentence. */
  why: string;
}

/** What a collection would remove. Changes nothing. */
export interface GcPreview {
  found: GarbageItem[];
  bytes: number;
}

/** Removes exactly these, of what was shown. What is not garbage any more stays, and is not an error. */
export interface GcRequest {
  items: Pick<GarbageItem, 'kind' | 'session' | 'name'>[];
}

export interface GcReport {
  removed: GarbageItem[];
  /** Ordered, but it stayed: it is needed again, is gone already, or could not be removed. */
  kept: (Pick<GarbageItem, 'kind' | 'session' | 'name'> & { why: string })[];
  /** Bytes of what was removed. */
  freed: number;
}

export type LowSpace = Pick<DiskUse, 'free' | 'warnFreeBytes'>;
