/** The hook scripts' headers beside the client's JSON, and the answer: docs/protocol.md. */

import type { Caller } from '../../../core/kernel/proc/caller.ts';
import { visible } from '../../../shared/terminal/visible.ts';

export const HOOK_EVENTS = [
  'SessionStart',
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
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
  return { exit: 2, stream: 'err', text: visible(`trai: ${text}\n`, false) };
}

interface Said {
  decision?: 'block';
  reason?: string;
  systemMessage?: string | undefined;
  hookSpecificOutput?: object | undefined;
}

/** The client shows reason and message in its terminal. Nothing said = `SILENT`. */
export function json({ reason, systemMessage, ...rest }: Said): HookAnswer {
  const shown = (one: string | undefined) => (one === undefined ? undefined : visible(one, false));
  const text = JSON.stringify({ ...rest, reason: shown(reason), systemMessage: shown(systemMessage) });
  return text === '{}' ? SILENT : { exit: 0, stream: 'out', text: `${text}\n` };
}

export function contextAnswer(
  hookEventName: HookEvent,
  lines: readonly string[],
  systemMessage?: string,
): HookAnswer {
  const output = { hookEventName, additionalContext: lines.join('\n') };
  return json({ systemMessage, hookSpecificOutput: lines.length === 0 ? undefined : output });
}

export interface PreToolUseSaid {
  decision?: 'allow' | 'ask' | 'deny';
  /** For the user's dialog; of a denial, the model reads it. */
  reason?: string;
  /** Lines for the model. */
  context?: readonly string[];
  updatedInput?: object | undefined;
  systemMessage?: string | undefined;
}

export function preToolUseAnswer(said: PreToolUseSaid): HookAnswer {
  const { decision, reason = '', context = [], updatedInput, systemMessage } = said;
  const output = {
    hookEventName: 'PreToolUse',
    ...(decision === undefined
      ? {}
      : { permissionDecision: decision, permissionDecisionReason: visible(reason, false) }),
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(context.length === 0 ? {} : { additionalContext: context.join('\n') }),
  };
  return json({ systemMessage, hookSpecificOutput: Object.keys(output).length === 1 ? undefined : output });
}

/** What PermissionRequest says to the client's question; the message is for the model. */
export function permissionAnswer(
  decision: { behavior: 'allow' } | { behavior: 'deny'; message: string },
): HookAnswer {
  return json({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
}

export interface HookHeaders {
  /** trai's session id from the script, or empty. */
  session: string;
  /** Whether the env file has the line that must be in it. Empty = not checked. */
  env: 'ok' | 'missing' | 'changed' | '';
  claudePid: number | null;
  claudePidStart: string | null;
  /** How the client was started, in its words: `cli`, `sdk-cli` (`claude -p`) ... Empty = not said. */
  entry: string;
  /** From the kernel. It reads every process: only for what grants something. */
  caller: () => Caller;
  /** The session in which the client itself runs, as its credential says. */
  inside: string | null;
  /** Whether the kernel says the same: the sender is in the namespace of what that launcher started. */
  isClientOf: (launcher: number) => boolean;
  /** Of a process in the sender's box, which has other numbers there: its number here. Null = not found. */
  outside: (pid: number) => number | null;
  /** Calls back when the hook ends before it is answered. */
  whenGone: (told: () => void) => void;
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
    entry: get('entry') ?? '',
    caller,
    inside: null,
    isClientOf: () => false,
    outside: () => null,
    whenGone: () => undefined,
  };
}
