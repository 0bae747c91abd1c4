/** One row of the timeline: what all events of one call say together (made by shared/log/fold.ts). */
import type { Mode, Reason } from '../model/decision.ts';
import type { SavedEvent } from './types.ts';

export type CallState =
  | 'requested'
  | 'running'
  | 'ended'
  | 'not-entered'
  | 'refused'
  | 'not-run'
  | 'unsandboxed'
  | 'lost';

/** What a host git command threw away: see the event. */
export type SavedNote = Omit<SavedEvent, 'v' | 'at' | 't' | 'call'>;

export interface CallView {
  /** Call id, or the request's id when no launcher ever asked. */
  id: string;
  /** tool_use_id of the client; empty when no hook saw it (`!`, exec). Stays the same when the launcher gives it an id. */
  request: string;
  command: string;
  cwd: string;
  /** Bash, Monitor, `!` (no hook saw it), exec, explore. */
  origin: string;
  agent: string;
  mode: Mode | null;
  reason: Reason | null;
  text: string;
  state: CallState;
  requestedAt: string | null;
  startedAt: string | null;
  endedAt: string | null;
  rc: number | null;
  ms: number | null;
  background: boolean;
  interrupted: boolean;
  ok: boolean | null;
  head: string;
  tail: string;
  cut: number;
  /** Processes that were left after it. */
  left: number[];
  /** Those of them that have ended since. */
  gone: number[];
  /** What it threw away on the host, kept before it ran. */
  saved: readonly SavedNote[];
  twins: number;
}

/** By what a reader of `CallFolder.after` tells calls apart: it stays when the launcher gives a request an id. */
export function callKey({ id, request }: Pick<CallView, 'id' | 'request'>): string {
  return request === '' ? id : `request ${request}`;
}
