/**
 * Events of sessions/<id>/calls.jsonl, format version 1. Every line: v, t, at (ISO time, UTC, ms), and ids.
 * Who writes: L = launcher (ids and numbers only, < 1 kB), S = server or the Node fallback. Command texts and paths
 * in events are ordinary text (they come from JSON); bytes that are not UTF-8 were replaced by the client already.
 * The environment is never logged.
 */
import type { Mode, Reason } from '../model/decision.ts';

interface Base {
  v: 1;
  at: string;
}

export interface SessionEvent extends Base {
  t: 'session';
  claude: string;
  source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork' | 'exec';
  cwd: string;
  plugin: string;
}
export interface SessionEndEvent extends Base {
  t: 'session.end';
  claude: string;
  reason: string;
}
/** The person submitted a prompt: what the calls after it were made for. */
export interface PromptEvent extends Base {
  t: 'prompt';
  claude: string;
  /** Its beginning; `cut` = characters left out behind it. */
  text: string;
  cut: number;
}
/** PreToolUse saw it. */
export interface RequestEvent extends Base {
  t: 'call.requested';
  /** tool_use_id of the client. */
  request: string;
  claude: string;
  tool: string;
  command: string;
  cwd: string;
  /** Subagent id, or empty. */
  agent: string;
  background: boolean;
  mode: Mode;
  reason: Reason;
  /** Text that was shown to model or person, or empty. */
  text: string;
  /** How many equal requests were open (the attribution among twins is interchangeable). */
  twins: number;
}
/** The launcher asked; this is what counts. */
export interface DecisionEvent extends Base {
  t: 'call.decided';
  call: string;
  /** tool_use_id of the request it was matched to, or empty (`!`, slash commands, trai exec). */
  request: string;
  matched: 'exact' | 'normalised' | 'only-open' | 'none';
  origin: 'claude' | 'exec' | 'explore';
  command: string;
  cwd: string;
  mode: Mode;
  reason: Reason;
  text: string;
}
/** What a decision was founded on, beside the command's text: for `trai why-host`. */
export interface GroundsEvent extends Base {
  t: 'call.grounds';
  call: string;
  /** The program that decided it, or empty. */
  program: string;
  /** Whether something was pending; `unasked` = the decision does not turn on it. */
  pending: 'yes' | 'no' | 'unasked';
  /** The config file that was used, or empty for the defaults. */
  config: string;
}
/** L. About to run (pid of the launcher). */
export interface StartEvent extends Base {
  t: 'call.started';
  call: string;
  pid: number;
  mode: Mode;
}
/** L. The shell is gone. */
export interface EndEvent extends Base {
  t: 'call.ended';
  call: string;
  /** Exit status; 128+n for a signal. */
  rc: number;
  /** Milliseconds by the wall clock: negative when it was set back meanwhile (readers show 0). */
  ms: number;
}
/** L. The sandbox could not be entered, nothing ran. */
export interface FailedEvent extends Base {
  t: 'call.failed';
  call: string;
  /** Number of the step that failed; texts in shared/sandbox/enter-steps.ts. */
  step: number;
}
/** S. A call that can't end by itself any more: its launcher is gone, or its request never ran. */
export interface ClosedEvent extends Base {
  t: 'call.closed';
  /** Call id, or empty when only a request is closed. */
  call: string;
  request: string;
  why: 'launcher-gone' | 'not-run';
}
/** PostToolUse or PostToolUseFailure. */
export interface OutcomeEvent extends Base {
  t: 'call.outcome';
  request: string;
  ok: boolean;
  interrupted: boolean;
  /** Client's task id when it went to the background, or empty. */
  background: string;
  /** First and last 8 kB of the output; `cut` = bytes left out between them. */
  head: string;
  tail: string;
  cut: number;
  ms: number;
  /** True when nothing shows that the launcher ran it: NOT SANDBOXED. */
  unsandboxed: boolean;
}
/** S. What a host git command was about to throw away, and was kept before it ran. */
export interface SavedEvent extends Base {
  t: 'call.saved';
  call: string;
  /** `git reset`. */
  what: string;
  dir: string;
  /** Shell lines that bring it back; empty = nothing was kept. */
  restore: string[];
  /** The first untracked files, as a person reads them; `count` = how many there were. */
  untracked: string[];
  count: number;
  /** What was not kept, and why; empty = all of it was. */
  text: string;
}
/** Processes of a call that were still there after it. May come again, with more of them. */
export interface LeftEvent extends Base {
  t: 'call.left';
  call: string;
  pids: number[];
}
/** Processes that outlived their calls. */
export interface ProcessesEvent extends Base {
  t: 'processes';
  /** `ending`: the person told them to end; `ended`: they are gone, whoever ended them. */
  state: 'ending' | 'ended';
  pids: number[];
  /** Command lines, in the order of `pids`; one that is not known is empty. */
  commands: string[];
  /** Nothing of the session runs any more. */
  quiet: boolean;
}
export interface GrantEvent extends Base {
  t: 'grant';
  /** `permit`: one use of bin/trai by the person; `passthrough`: the next call runs on the host. */
  kind: 'permit' | 'passthrough';
  what: string;
  state: 'open' | 'used' | 'expired';
}
export interface CommitEvent extends Base {
  t: 'commit';
  n: number;
  state: 'started' | 'applied' | 'partial' | 'finished-later' | 'refused';
  entries: number;
  bytes: number;
  conflicts: number;
  text: string;
}
export interface DiscardEvent extends Base {
  t: 'discard';
  trash: string;
  entries: number;
  ended: number[];
}
export interface UndoEvent extends Base {
  t: 'undo';
  what: 'discard';
  trash: string;
  entries: number;
}
/** Session `to` goes on with the overlay of session `from`. Stands in the logs of both. */
export interface AdoptEvent extends Base {
  t: 'adopt';
  from: string;
  to: string;
  /** Pending changes that moved, the ignored ones included. */
  entries: number;
}
/** Commit `of` was taken back; or, with `redo`, undo `of` was, and its changes were committed again. */
export interface CommitUndoneEvent extends Base {
  t: 'commit.undone';
  n: number;
  of: number;
  redo: boolean;
  state: 'applied' | 'partial' | 'finished-later' | 'refused';
  entries: number;
  bytes: number;
  text: string;
}
export interface DoctorEvent extends Base {
  t: 'doctor';
  ok: boolean;
  /** `id: text` of each check that failed. */
  failed: string[];
}
/** What became of a use of one of the client's file tools, which work on the host beside the sandbox. */
export type FileOutcome = 'asked' | 'written' | 'failed' | 'refused';
/**
 * A file tool was used. `asked` = it was let through; of what only reads that is all there is. `failed` also stands for
 * a use that the client itself ended before any hook could see it.
 */
export interface FileToolEvent extends Base {
  t: 'file';
  /** tool_use_id of the client. */
  request: string;
  claude: string;
  /** Subagent id, or empty. */
  agent: string;
  tool: string;
  /** Absolute, as the client gave it. */
  path: string;
  outcome: FileOutcome;
  /** What the model was told of pending changes, or empty. */
  text: string;
}
/** Anything that the person should know and no call belongs to (config invalid, plan changed, session off). */
export interface NoticeEvent extends Base {
  t: 'notice';
  code: string;
  text: string;
}

export type LogEvent =
  | SessionEvent
  | SessionEndEvent
  | PromptEvent
  | RequestEvent
  | DecisionEvent
  | GroundsEvent
  | StartEvent
  | EndEvent
  | FailedEvent
  | ClosedEvent
  | OutcomeEvent
  | SavedEvent
  | LeftEvent
  | ProcessesEvent
  | GrantEvent
  | CommitEvent
  | DiscardEvent
  | UndoEvent
  | CommitUndoneEvent
  | AdoptEvent
  | DoctorEvent
  | FileToolEvent
  | NoticeEvent;

/** `torn`: cut off in the middle (a writer was killed, the disk was full); `too-long`: over MAX_LOG_LINE_BYTES. */
export type RawProblem = 'torn' | 'too-long' | 'not-json' | 'unknown-type' | 'unknown-version' | 'bad-shape';

/** A line that is not a known event: kept, shown raw. */
export interface RawLine {
  raw: string;
  /** Byte offset of the line in the file. */
  offset: number;
  problem: RawProblem;
}

/** An event without what `HookWorld.log` fills in. */
export type NewEvent = LogEvent extends infer E ? (E extends LogEvent ? Omit<E, 'v' | 'at'> : never) : never;
