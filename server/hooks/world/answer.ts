/** The hook scripts' headers beside the client's JSON, and the answer: docs/protocol.md. */

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
  /** `run`: the hook script runs the typed command and answers with its output (hooks/lib/run-typed.sh). */
  stream: 'out' | 'err' | 'run';
  text: string;
}

export const SILENT: HookAnswer = { exit: 0, stream: 'out', text: '' };

/** The typed slash command runs in the hook, outside every call, and costs no model turn. */
export const RUN_TYPED: HookAnswer = { exit: 0, stream: 'run', text: '' };

export function blocked(text: string): HookAnswer {
  return { exit: 2, stream: 'err', text: `trai: ${text}\n` };
}

export function json(value: object): HookAnswer {
  return { exit: 0, stream: 'out', text: `${JSON.stringify(value)}\n` };
}

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
  /** trai's session id from the script, or empty. */
  session: string;
  /** Whether the env file has the line that must be in it. Empty = not checked. */
  env: 'ok' | 'missing' | 'changed' | '';
  claudePid: number | null;
  claudePidStart: string | null;
  /** From the kernel. It reads every process: only for what grants something. */
  caller: () => Caller;
}

/** `get` takes the part of the name after `X-Trai-`, in lower case. */
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
