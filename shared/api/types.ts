/** Outputs of the rows of ./contract.ts. Their inputs are the schemas of ./inputs.ts. */

import type { BytePath } from '../bytes.ts';
import type { ConfigRow } from '../config/config-rows.ts';
import type { TimelineNews } from '../log/fold.ts';
import type { RawLine } from '../log/lines.ts';
import type { Tested } from '../log/tested.ts';
import type { ChangeCounts, ChangeList } from '../model/change.ts';
import type { Places } from '../model/change-places.ts';
import type { LiveProcess, MassGuard, Scope, Told } from '../model/commit.ts';
import type { SessionOverlap, SharedPaths } from '../model/overlap-paths.ts';
import type { SessionProcess } from '../model/process.ts';
import type { RiskCount } from '../model/risk.ts';
import type { NamedEffect } from '../model/rule.ts';
import type { FoundLine } from '../text/search-text.ts';

export interface SessionSummary {
  id: string;
  projectId: string;
  projectRoot: BytePath;
  cwd: string;
  createdAt: string;
  lastCallAt: string | null;
  calls: number;
  counts: ChangeCounts | null;
  bytes: number;
  conflicts: number;
  ignored: number;
  live: boolean;
  off: string | null;
  caught: boolean;
  /** The newest discard that `undo` would restore. */
  undo: { trash: string; entries: number; at: string } | null;
  unfinished: boolean;
  /** Of the project's directory; null outside git. For display. */
  git: { branch: string | null; commit: string | null; worktree: string | null } | null;
  /** `none`: it never had a client (`trai exec`). */
  client: 'here' | 'gone' | 'none';
  /** What of its newest client is in the session: its calls (plugin), all of it (`trai claude`), and in a box besides. */
  level: 'plugin' | 'claude' | 'box';
  /** ISO time; null while there is a client, and where there never was. */
  ended: string | null;
  /** Sessions of the project with pending changes of the same paths, most first; as far as known. */
  shares: SharedPaths[];
}

export interface SessionDetail extends SessionSummary {
  claudeIds: string[];
  home: BytePath;
  configFile: string | null;
  configProblems: string[];
  processes: SessionProcess[];
  places: { path: string; kind: 'covered' | 'read-only' | 'direct' | 'masked'; why: string }[];
  notices: { at: string; code: string; text: string }[];
  overlaps: SessionOverlap[];
  others: { id: string; changes: number }[];
  /** The session that adopted the pending changes. */
  wentOnIn: string | null;
}

export interface CallList extends TimelineNews {
  raw: RawLine[];
  /** Log size in bytes. SSE `log` events carry it, so that a tab knows whether it is behind. */
  size: number;
  /** Changes of the last list that each call may have written last (`Change.by`); missing before a list. */
  wrote?: Record<string, number> | undefined;
}

/** `since`: the list may be old; a question with this number gets the next. Null = current. */
export interface ListOrLast {
  list: ChangeList;
  since: number | null;
}

export interface CommitPreview {
  /** Of the whole list; a request for a selection names it too. */
  revision: string;
  /** As asked; all that follows is about exactly this. */
  scope: Scope;
  action: 'commit' | 'discard';
  counts: ChangeCounts;
  /** Files of which only the modification time differs; counted nowhere else. Missing = none. */
  times?: number | undefined;
  places: Places;
  bytes: number;
  /** Dependencies that the selection closure adds; they are counted. */
  along: Told[];
  /** Selected, but cannot be committed without what is named. */
  cannot: Told[];
  /** Of a commit: who has the host's file open for writing; of a discard: which processes of the session use it. */
  writers: { path: BytePath; pid: number; command: string }[];
  /** Targets with several hard links: the other names keep the old content. */
  linked: { path: BytePath; links: number }[];
  /**
   * By effect rules, each with the rule's place. `never`: left out unless ignored entries are included; counted among
   * `ignored` only.
   */
  effects: { flagged: Told[]; confirm: Told[]; never: Told[] };
  /** Full counts: the lists are cut at MAX_PREVIEW_NAMED. */
  totals: Record<'along' | 'cannot' | 'writers' | 'linked' | 'flagged' | 'confirm' | 'never', number>;
  /** Bytes for copies and before-images, by directory. */
  space: { path: BytePath; needed: number; free: number }[];
  /** `merge`: the merge base was kept, so a three-way merge is possible. */
  conflicts: { id: string; path: string; reason: string; merge?: true | undefined }[];
  ignored: { count: number; bytes: number };
  guard: MassGuard | null;
  /** Sentences about rule files that may have effects, and cannot be read. Missing = none. */
  unknownEffects?: string[] | undefined;
  risks: RiskCount[];
  /** Texts that were not scanned for hidden characters: too large, unreadable or too many. */
  unread: number;
  /** Bytes of the before-images. Above `maxBytes` the user decides. */
  undo: { bytes: number; maxBytes: number };
  /** Of a discard: those that it can end. */
  processes: LiveProcess[];
  live: boolean;
  /** Missing for a discard. */
  tested?: Tested | undefined;
}

/** Ids of pending entries. `updated`: viewed, and changed since. */
export interface ViewedState {
  viewed: string[];
  updated: string[];
}

/** `id:` counts up, so that a client can ask for those it missed. */
export type ServerEvent =
  | { type: 'hello'; version: string }
  | { type: 'sessions' }
  | { type: 'log'; session: string; size: number }
  | { type: 'changes'; session: string; revision: string }
  | { type: 'viewed'; session: string }
  | { type: 'settings' }
  /** A rule file, or what of config.json is about rules, was changed by whomever. */
  | { type: 'rules' }
  /** A question of the client was asked, or has ended. */
  | { type: 'questions' }
  | {
      type: 'progress';
      session: string;
      job: 'commit' | 'discard';
      done: number;
      total: number;
      path: string;
    }
  | { type: 'signed-out' }
  | { type: 'bye'; why: string };

export interface Health {
  ok: boolean;
  /** A `warning` does not prevent entering the sandbox. */
  checks: { id: string; ok: boolean; level: 'error' | 'warning'; found: string; remedy: string }[];
  version: string;
  server: { pid: number; startedAt: string; memory: number; stateDir: string };
  /** As read now. A session keeps the config that it began with. */
  config: { file: string | null; candidates: string[]; problems: string[]; rows: ConfigRow[] };
}

export type BackendStatus = 'connecting' | 'connected' | 'offline' | 'unauthorised';

export interface SearchHit extends FoundLine {
  entry: string;
  path: BytePath;
}

export interface SearchPage {
  hits: SearchHit[];
  /** By entry: lines that match beyond those among the hits. */
  more: Record<string, number>;
  searched: number;
  /** Too large or unreadable; binary files are not counted. */
  skipped: number;
  /** `after` for the next page; null = this was the last. */
  next: string | null;
}

/** By entry id; null where there are no lines (binary, too large, no file). */
export type LineCounts = Record<string, readonly [added: number, removed: number] | null>;

/** Hidden characters that changes of text files add, as far as known; ignored entries are left out. */
export interface HiddenTexts {
  hidden: string[];
  /** Files that could not be scanned: too large, unreadable, or being written to. */
  unread: number;
  /** Files not scanned yet: ask again. */
  left: number;
}

/** Effect rules about the entries of a list. By entry id: the list of the tab may be another one. */
export interface EffectMarks {
  /** Each set of rules once; `ids` are those of its entries, 16 digits each. */
  marks: { effects: NamedEffect[]; ids: string }[];
  /** Sentences about rule files that may have effects, and cannot be read. */
  unknown: string[];
}

/** Bytes on disk (blocks, not lengths). */
export interface SessionDisk {
  session: string;
  projectRoot: BytePath;
  projectGone: boolean;
  /** The uppers with their base records. Never collected. */
  upper: number;
  /** Before-images of commits, and what an undo took off the host and could not make pending. */
  images: number;
  trash: number;
  other: number;
  total: number;
}

/** What a list of all sessions says of one that it could not read. */
export interface UnreadSession {
  session: string;
  message: string;
  path?: string;
  hint: string;
}

export interface DiskUse {
  /** ISO time. The sizes of a session with running processes may be a minute older. */
  at: string;
  sessions: SessionDisk[];
  /** Not counted. */
  problems: UnreadSession[];
  total: number;
  /** Of the state directory's file system, for this user. */
  free: number;
  size: number;
  warnFreeBytes: number;
  low: boolean;
}

export interface GarbageItem {
  /** Before-images of a commit, a discard in the trash, or a whole abandoned session. */
  kind: 'images' | 'discard' | 'session';
  session: string;
  /** Number of the commit, or name in the trash; else empty. */
  name: string;
  /** ISO time of the commit or discard; empty for a session. */
  at: string;
  bytes: number;
  why: string;
}

export interface GcPreview {
  found: GarbageItem[];
  bytes: number;
  /** Sessions that cannot be read: nothing of them is removed. */
  problems: UnreadSession[];
}

export interface GcReport {
  removed: GarbageItem[];
  /** Requested but not removed: needed again, gone already, or failed. */
  kept: (Pick<GarbageItem, 'kind' | 'session' | 'name'> & { why: string })[];
  freed: number;
}

export type LowSpace = Pick<DiskUse, 'free' | 'warnFreeBytes'>;
