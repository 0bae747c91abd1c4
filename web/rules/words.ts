/** Words and tones of decisions, for rules, the audit and calls. */
import type { Permission, RuleDecision, RuleRef } from '../../shared/model/rule.ts';
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
  interrupted: 'interrupted',
  denied: 'did not run',
  unknown: 'not known',
};

export function placeText({ scope, file, list, index, text }: RuleRef): string {
  return scope === 'built-in' ? `built-in ${text}` : `${list}[${index}] of ${file}`;
}
