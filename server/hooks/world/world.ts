/**
 * What a hook needs of the world: sessions, log, decisions, grants, requests, change lists. `HookWorld` has two implementations:
 * server/sessions/jobs/resident-world.ts in the server, and ../file-tools/file-world.ts over files alone. input.ts parses what
 * the client sends, answer.ts writes what it gets back, requests.ts keeps the open requests.
 */
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { ClaudeIdentity, SessionMeta } from '../../../core/session/types.ts';
import type { BytePath } from '../../../shared/bytes.ts';
import type { NewEvent } from '../../../shared/log/events.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import type { Config } from '../../../shared/model/config-types.ts';
import type { Overlap } from '../../../shared/model/overlap-paths.ts';
import type { RequestFiles } from './requests.ts';

export interface LoadedConfig {
  config: Config;
  file: string | null;
  problems: string[];
}

export interface AttachRequest {
  /** Our session id as the hook script chose it. */
  session: string;
  claude: string;
  source: ClaudeIdentity['source'];
  cwd: string;
  claudePid: number | null;
  claudePidStart: string | null;
  /** The client's transcript_path, or empty: it names the parent of a fork. */
  transcript: string;
}

/** A slash command as it was typed, and where the client is. */
export interface Typed {
  name: string;
  args: string;
  cwd: string;
}

/** Another session of the project with something pending. */
export interface Earlier {
  id: string;
  /** How much, without the ignored; null = not counted. */
  changes: number | null;
}

/**
 * Everything that the hook logic touches. Two implementations run the very same functions: the resident server
 * (server/sessions/) and the Node process that answers when there is none (server/hooks/fallback/). Both keep what must
 * survive on disk; they differ in who knows the pending changes and who cleans up after a call.
 */
export interface HookWorld {
  readonly stateDir: string;
  now(): Date;
  /** The user's config as it is now. */
  config(): LoadedConfig;
  /** The session with our id, or the one that a client's id is attached to. Null = unknown. `off` is up to date. */
  session(id: string): Promise<SessionMeta | null>;
  /** Makes the session if it is new, and attaches the starting client to it. */
  attach(request: AttachRequest): Promise<SessionMeta>;
  /** Changes meta.json under its lock; gives the new value. */
  change(session: string, edit: (meta: SessionMeta) => SessionMeta): Promise<SessionMeta>;
  sessionDir(session: string): string;
  requests(session: string): RequestFiles;
  /** Runs work that reads the open requests and writes one, while no other hook of the session does. */
  alone<T>(session: string, work: () => T): Promise<T>;
  /** Appends to the log, with version and time. Throws when it could not be written. */
  log(session: string, event: NewEvent): Promise<void>;
  /** True while the session has a pending change that is not ignored; exact at the time of the call. */
  pending(session: SessionMeta): Promise<boolean>;
  /** Plan directory for a launcher. Throws when the sandbox can't be had. */
  plan(session: SessionMeta, launcher: number, config: Config): Promise<string>;
  /** Directory of the files that hide trai's own directories from a host call. Throws when that can't be had. */
  hostMask(session: SessionMeta, launcher: number): string;
  /** The directories that belong to trai alone. */
  ownDirectories(): readonly string[];
  /** A call of the session is about to ask for its plan: what can be made ready is, once the answer to this is out. */
  expectCall(session: SessionMeta): void;
  /** A turn of that client begins: what a session's first call would have to make is made, while the model thinks. */
  expectFirstCall(session: SessionMeta, claude: string): void;
  /** All that is needed to look at the session's overlay; null before the first call, when it has none. */
  context(session: string): Promise<SessionContext | null>;
  /** What is pending now, ignored entries included; costs a scan where the server has no fresh list. */
  changeList(session: SessionMeta): Promise<ChangeList>;
  /** The text that answers `/trai:NAME` at once; null where bin/trai has to be run for it, as on the Node path. */
  answer(session: SessionMeta, typed: Typed): Promise<string | null>;
  /** Waits, with a limit, until the work after the last call is done. */
  settled(session: string): Promise<void>;
  /**
   * Files of the host that one of the client's file tools has just written, with links followed: a live overlay may have
   * to be told of them. Nothing to do while the session is quiet. Never throws for a path that is gone again.
   */
  hostChanged(session: SessionMeta, paths: readonly BytePath[]): Promise<void>;
  /** Runs work that the answer must not wait for (the Node path has no "later" and waits). */
  later(work: () => Promise<void>): Promise<void>;
  /** Spellings of the plugin's own program. */
  ownPrograms(session: string): readonly string[];
  /** The doctor's verdict, cached: null = this machine can enter the sandbox, else what is wrong and the remedy. */
  unable(): Promise<string | null>;
  /** Other sessions of the same project with something pending, the last used first. */
  earlierPending(session: SessionMeta): Promise<Earlier[]>;
  /** What both sessions have pending now. */
  overlapWith(session: SessionMeta, other: string): Promise<Overlap>;
  /** Permits and the one-shot passthrough. */
  readonly grants: Grants;
}

/** What the user allowed: one use of a subcommand of bin/trai, or the next call on the host. */
export interface Grants {
  /** The user typed `/trai:NAME ARGS`; blanks in `args` are folded. */
  openPermit(session: string, name: string, args: string): Promise<void>;
  /** Is exactly this open (`commit --yes`)? Uses nothing up. */
  hasPermit(session: string, what: string): Promise<boolean>;
  /** What was typed for a subcommand, as long as its permit is open; null = there is none. */
  typed(session: string, name: string): Promise<string | null>;
  /** Uses a permit up; false when there was none (or somebody else was faster). */
  usePermit(session: string, what: string): Promise<boolean>;
  hasPassthrough(session: string): Promise<boolean>;
  usePassthrough(session: string): Promise<boolean>;
  /** Drops what has to go when a prompt is submitted. */
  expireAtPrompt(session: string): Promise<void>;
}
