/**
 * What became of a call that a permission rule, trai or the client decided, in the words of the audit:
 *
 *     answerOf     of one that the user was asked about: allowed or denied, once, always (with a rule), or not known which
 *     eventOf      the decision with that answer: `allow`, `ask_allowed_always`, `pass_denied_unknown` ...
 *     errorOfTool, errorOfCommand    the type of a failure: `exit 2`, `signal 9`, `InputValidationError` ...
 */
import type { QuestionEnd } from './question.ts';
import type { DecidedCall } from './rule.ts';

export const CALL_ANSWERS = [
  'allowed_once',
  'allowed_always',
  'allowed_unknown',
  'denied_once',
  'denied_always',
  'denied_unknown',
] as const;
export type CallAnswer = (typeof CALL_ANSWERS)[number];

/** `ran`, `refused`, `ended`: in the client's own dialog, which may have added a rule of the client's. */
const ANSWERS: Readonly<Record<QuestionEnd, CallAnswer | null>> = {
  once: 'allowed_once',
  session: 'allowed_always',
  always: 'allowed_always',
  no: 'denied_once',
  never: 'denied_always',
  ran: 'allowed_unknown',
  refused: 'denied_unknown',
  ended: 'denied_unknown',
  leave: null,
  late: null,
  gone: null,
};

type Decided = Pick<DecidedCall, 'decision' | 'outcome' | 'answered'>;

/** Null where nobody was asked, as far as it is known. */
export function answerOf({ decision, outcome, answered }: Decided): CallAnswer | null {
  if (decision === 'allow' || decision === 'deny') return null;
  const said = answered === null ? null : ANSWERS[answered.end];
  if (said !== null) return said;
  if (outcome === 'denied') return 'denied_unknown';
  // What was left to the client it may have allowed by its own settings.
  const wasAsked = decision === 'ask' || answered !== null;
  return wasAsked && outcome !== 'unknown' ? 'allowed_unknown' : null;
}

/** In one word, for a column and a filter. */
export function eventOf(call: Decided): string {
  const answer = answerOf(call);
  return answer === null ? call.decision : `${call.decision}_${answer}`;
}

/** `timed-out` and `interrupted` are words of the outcome; of a failure the type. Empty = neither. */
export function endingOf({ outcome, error }: Pick<DecidedCall, 'outcome' | 'error'>): string {
  if (outcome === 'failed') return error === '' ? 'failed' : `failed: ${error}`;
  return outcome === 'timed-out' || outcome === 'interrupted' ? outcome : '';
}

export function errorOfCommand(rc: number | null): string {
  if (rc === null || rc === 0) return '';
  return rc > 128 ? `signal ${rc - 128}` : `exit ${rc}`;
}

/** @param text the first words of what the model reads */
export function errorOfTool(text: string): string {
  const [, name, mcp] =
    /^(?:<tool_use_error>)?\s*(?:(\w{1,60}Error)\b|(MCP error -?\d{1,9}))/.exec(text) ?? [];
  return name ?? mcp ?? 'error';
}

const TIMED_OUT = /\btimed out\b|\btimeout\b/i;

export function isTimeout(text: string): boolean {
  return TIMED_OUT.test(text);
}

/** The client's words about a command that it ended at its time limit (2.1.330), with the exit status of a signal. */
export function isCommandTimeout(head: string): boolean {
  return /^Exit code (137|143)\nCommand timed out after \d/.test(head);
}
