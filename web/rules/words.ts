/** Words and tones of decisions, for rules, the audit and calls. */
import { answerOf, type CallAnswer, endingOf } from '../../shared/model/call-outcome.ts';
import type { DecidedCall, Permission, RuleDecision, RuleRef } from '../../shared/model/rule.ts';
import type { BadgeTone } from '../ui/Badge.tsx';

export const DECISIONS: Readonly<Record<RuleDecision, { word: string; tone: BadgeTone }>> = {
  allow: { word: 'allowed', tone: 'added' },
  ask: { word: 'asked', tone: 'accent' },
  deny: { word: 'denied', tone: 'danger' },
  pass: { word: 'left to Claude Code', tone: 'neutral' },
};

export const LIST_TONES = { deny: 'danger', ask: 'accent', allow: 'added' } as const;

export const BY_WORDS: Readonly<Record<string, string>> = {
  'rule': 'a rule',
  'broken': 'an unusable rule file',
  'read-only': 'read-only',
  'built-in': 'a built-in rule',
  'sandboxed': 'its writes stay pending',
  'trai': 'trai itself',
  'client': 'Claude Code, or you in its terminal',
  'none': 'nobody',
} satisfies Record<Permission['by'] | 'none', string>;

export const OUTCOMES: Readonly<Record<string, string>> = {
  ran: 'ran',
  failed: 'failed',
  'timed-out': 'timed out',
  interrupted: 'interrupted',
  denied: 'did not run',
  unknown: 'not known',
};

/** `failed: exit 2; you allowed it always` */
export function outcomeWords(call: DecidedCall): string {
  const ending = endingOf(call);
  const words = OUTCOMES[call.outcome] ?? '';
  const answer = answerOf(call);
  const said = answer === null ? '' : ANSWERS[answer];
  return [call.outcome === 'failed' ? ending : words, said].filter((one) => one !== '').join('; ');
}

const ANSWERS: Readonly<Record<CallAnswer, string>> = {
  allowed_once: 'you allowed it once',
  allowed_always: 'you allowed it always',
  allowed_unknown: '',
  denied_once: 'you denied it once',
  denied_always: 'you denied it always',
  denied_unknown: '',
};

export function placeText({ scope, file, list, index, text }: RuleRef): string {
  return scope === 'built-in' ? `built-in ${text}` : `${list}[${index}] of ${file}`;
}
