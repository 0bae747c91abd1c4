/** Test support: events of calls with the fields that matter. */

import type { LogEvent } from '../../shared/log/events.ts';
import { foldLog } from '../../shared/log/fold.ts';
import type { TimelineMark } from '../../shared/log/marks.ts';
import type { Mode, Reason } from '../../shared/model/decision.ts';

/** All marks of a log, in the order in which they first appear. */
export function marksOf(events: Iterable<LogEvent>): TimelineMark[] {
  return foldLog(events).marks();
}

let second = 0;
export const base = () => ({
  v: 1 as const,
  at: new Date(Date.UTC(2026, 0, 1) + 1000 * second++).toISOString(),
});

export const requested = (request: string, mode: Mode = 'sandbox', reason: Reason = 'default'): LogEvent => ({
  ...base(),
  t: 'call.requested',
  request,
  claude: 'cl',
  tool: 'Bash',
  command: 'make',
  cwd: '/p',
  agent: 'ag',
  background: false,
  mode,
  reason,
  text: 'hook',
  twins: 0,
});
export const decided = (
  call: string,
  request: string,
  mode: Mode = 'sandbox',
  command = 'make',
): LogEvent => ({
  ...base(),
  t: 'call.decided',
  call,
  request,
  matched: request === '' ? 'none' : 'exact',
  origin: 'claude',
  command,
  cwd: '/p',
  mode,
  reason: 'default',
  text: '',
});
export const started = (call: string, mode: Mode = 'sandbox'): LogEvent => ({
  ...base(),
  t: 'call.started',
  call,
  pid: 7,
  mode,
  overlay: mode === 'sandbox' ? 'mounted' : 'none',
});
export const ended = (call: string, rc = 0): LogEvent => ({ ...base(), t: 'call.ended', call, rc, ms: 12.4 });
export const failed = (call: string): LogEvent => ({ ...base(), t: 'call.failed', call, step: 3 });
export const outcome = (request: string, more: object = {}): LogEvent => ({
  ...base(),
  t: 'call.outcome',
  request,
  ok: true,
  interrupted: false,
  background: '',
  head: 'out',
  tail: '',
  cut: 0,
  ms: 20,
  unsandboxed: false,
  ...more,
});
export const closed = (call: string, request: string, why: 'launcher-gone' | 'not-run'): LogEvent => ({
  ...base(),
  t: 'call.closed',
  call,
  request,
  why,
});
