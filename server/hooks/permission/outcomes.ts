/**
 * What became of the tool calls of a batch, for those that reached a rule and that the client or the user decided. Shells
 * have outcomes of their own (`call.outcome`, `call.closed`).
 */
import { isObject } from '../../../shared/json-lines.ts';
import { isShell } from '../../../shared/log/calls.ts';
import type { EventOf } from '../../../shared/log/events.ts';
import { isTimeout } from '../../../shared/model/call-outcome.ts';
import { flag, type HookInput, list, type ToolInput, text } from '../world/input.ts';
import { eventsNaming, requestsWithoutOutcome } from '../world/session-files.ts';
import type { HookSession } from '../world/world.ts';

type Outcome = EventOf<'permission.outcome'>['outcome'];
type Logged = Omit<EventOf<'permission.outcome'>, 'v' | 'at' | 't'>;

/** The client's words for a call that did not run (2.1.330), and those of a hook whose question nobody could be asked. */
const DENIED = [
  /^Permission to use \S+ .*\bhas been denied\b/,
  /^Claude requested permissions to /,
  /^The user doesn't want to (proceed|take this action)/,
  /^This \S+ requires approval/,
  /^Auto mode is unavailable/,
  /^PreToolUse:\S+ hook error: /,
  /^trai: /,
];
const LOOKED_AT_CHARS = 1_000;
const MAX_ERROR_CHARS = 200;

export async function logOutcomes(session: HookSession, input: HookInput): Promise<void> {
  const calls = list(input.all, 'tool_calls').filter(isObject);
  const others = calls.filter((call) => !isShell(text(call, 'tool_name')));
  if (others.length === 0) return;
  // A tool that no rule is about was not seen.
  const seen = requestsWithoutOutcome(session.dir);
  for (const call of others) {
    const request = text(call, 'tool_use_id');
    if (!seen.has(request)) continue;
    const response = text(call, 'tool_response');
    const outcome = outcomeOf(response);
    const error = outcome === 'ran' ? '' : response.slice(0, MAX_ERROR_CHARS);
    await log(session, { request, outcome, by: 'client', error });
  }
}

/** Of another tool. The event comes beside that of its batch, before or after it, and knows more. */
export async function logFailure(session: HookSession, call: ToolInput): Promise<void> {
  const { request, tool, all } = call;
  if (isShell(tool) || !eventsNaming(session.dir, request).includes('permission')) return;
  const error = text(all, 'error').slice(0, MAX_ERROR_CHARS);
  const outcome = flag(all, 'is_interrupt')
    ? 'interrupted'
    : flag(all, 'is_timeout') || isTimeout(error)
      ? 'timed-out'
      : 'failed';
  await log(session, { request, outcome, by: 'client', error });
}

/** Of any tool. Before its batch, whose denial says the same to the model. */
export async function logClassifierDenial(session: HookSession, input: HookInput): Promise<void> {
  const error = text(input.all, 'reason').slice(0, MAX_ERROR_CHARS);
  const request = text(input.all, 'tool_use_id');
  await log(session, { request, outcome: 'denied', by: 'classifier', error });
}

/** A full disk must not stop what is no sandboxed call. */
async function log(session: HookSession, outcome: Logged): Promise<void> {
  await session.log({ t: 'permission.outcome', ...outcome }).catch(() => undefined);
}

/** The event has no flag: a failure in words of the tool's own counts as `ran`, which is what rules ask about. */
export function outcomeOf(response: string): Outcome {
  const start = response.slice(0, LOOKED_AT_CHARS);
  if (DENIED.some((pattern) => pattern.test(start))) return 'denied';
  if (!/^(<tool_use_error>|MCP error )/.test(start)) return 'ran';
  return isTimeout(start) ? 'timed-out' : 'failed';
}
