/** What a hook script sends beside the client's JSON, and what it gets back: docs/protocol.md. */

import type { Caller } from '../../../core/kernel/proc/caller.ts';

export const HOOK_EVENTS = [
  'SessionStart',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'UserPromptExpansion',
  'UserPromptSubmit',
  'SessionEnd',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export function isHookEvent(name: string): name is HookEvent {
  return HOOK_EVENTS.some((event) => event === name);
}

export interface HookAnswer {
  /** 2 blocks the tool call or the prompt. */
  exit: 0 | 2;
  /** `run`: the hook script runs the command that was typed, and answers with what that says (hooks/lib/run-typed.sh). */
  stream: 'out' | 'err' | 'run';
  text: string;
}

/** Nothing to say: the client goes on. */
export const SILENT: HookAnswer = { exit: 0, stream: 'out', text: '' };

/** The slash command that was typed runs in the hook, outside every call, and costs no model turn. */
export const RUN_TYPED: HookAnswer = { exit: 0, stream: 'run', text: '' };

/** The client shows `text` to the model and does not run the tool. */
export function blocked(text: string): HookAnswer {
  return { exit: 2, stream: 'err', text: `trai: ${text}\n` };
}

/** The client's JSON form of an answer. */
export function json(value: object): HookAnswer {
  return { exit: 0, stream: 'out', text: `${JSON.stringify(value)}\n` };
}

/** Tells the agent these lines, and the user a message; SILENT where there is neither. */
export function contextAnswer(
  hookEventName: HookEvent,
  lines: readonly string[],
  systemMessage?: string,
): HookAnswer {
  const additionalContext = lines.join('\n');
  const output = lines.length === 0 ? {} : { hookSpecificOutput: { hookEventName, additionalContext } };
  if (lines.length === 0 && systemMessage === undefined) return SILENT;
  return json({ ...output, ...(systemMessage === undefined ? {} : { systemMessage }) });
}

export interface HookHeaders {
  /** Our session id as the script chose it, or empty. */
  session: string;
  /** The script compared the env file with the line that must be in it. Empty = not looked at. */
  env: 'ok' | 'missing' | 'changed' | '';
  /** The client process and its start time (field 22 of /proc/PID/stat). */
  claudePid: number | null;
  claudePidStart: string | null;
  /** Who asks, as the kernel says; it costs a look at every process, and only what grants something calls it. */
  caller: () => Caller;
}

/** Headers of a hook request; `get` takes the part of the name after `X-Trai-`, in lower case. */
export function readHookHeaders(
  get: (name: string) => string | undefined,
  caller: () => Caller,
): HookHeaders {
  const env = get('env') ?? '';
  const pid = get('claude-pid') ?? '';
  const start = get('claude-start') ?? '';
  return {
    session: get('session') ?? '',
    env: env === 'ok' || env === 'missing' || env === 'changed' ? env : '',
    claudePid: /^\d{1,10}$/.test(pid) ? Number(pid) : null,
    claudePidStart: /^\d{1,20}$/.test(start) ? start : null,
    caller,
  };
}
