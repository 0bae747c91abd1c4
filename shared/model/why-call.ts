/** Why a call ran where it ran, in words. Pure. */

import type { Mode, Reason } from './decision.ts';

/** One simple command of the call's text. */
export interface WhyPart {
  /** Name of its program; empty when it has no literal one. */
  program: string;
  kind: 'passthrough' | 'asked' | 'companion' | 'reader' | 'sandboxed';
  /** Which list or rule it falls under, a sentence without its subject. */
  why: string;
}

export interface WhyCall {
  session: string;
  /** Call id, or the request's id when no launcher ever asked. */
  call: string;
  command: string;
  cwd: string;
  /** Bash, Monitor, `!`, exec, explore. */
  origin: string;
  /** Null when nothing of it is on record. */
  mode: Mode | null;
  reason: Reason | null;
  /** What model or person were shown, or empty. */
  text: string;
  /** When it was decided, ISO time; null = not on record. */
  at: string | null;
  /** Was something pending when it was decided? Null = not on record. */
  pending: 'yes' | 'no' | 'unasked' | null;
  /** The config file that was used, empty = the defaults, null = not on record. */
  config: string | null;
  /** That file was changed since, so `parts` may speak of other lists than the decision did. */
  configChanged: boolean;
  /** By the rules and lists of now. Empty when the text has no commands. */
  parts: WhyPart[];
  /** Every construct of the text was understood. */
  plain: boolean;
}

/** The decision in one sentence: what happened, and the reason beyond the rule's name. */
export function concludeWhy(why: Pick<WhyCall, 'mode' | 'reason' | 'pending' | 'parts'>): string {
  const onlyLooks =
    why.parts.length > 0 && why.parts.every((part) => part.kind === 'reader' || part.kind === 'companion');
  if (why.mode === 'sandbox' && why.reason === 'default' && onlyLooks && why.pending === 'yes')
    return 'It only reads, but something was pending: it had to see the files as the sandbox has them.';
  const first = why.parts.find((part) => part.kind === 'sandboxed');
  if (why.mode === 'sandbox' && why.reason === 'default' && first !== undefined)
    return `What is not known to be harmless runs in the sandbox: ${first.program === '' ? 'a part of it' : `\`${first.program}\``} ${first.why}.`;
  return '';
}
