/** What one rule, alone, would have said about earlier calls. */
import type { RuleHistory } from '../../../shared/api/rules.ts';
import { isShell } from '../../../shared/log/calls.ts';
import {
  type DecidedCall,
  fieldOf,
  type Rule,
  type ToolCall,
  type Verdict,
} from '../../../shared/model/rule.ts';
import type { RuleSet } from '../files/rule-set.ts';
import { Guard } from '../judge/guarded.ts';
import { judgeAll } from '../judge/judge.ts';
import type { JudgeFacts } from '../judge/judge-facts.ts';
import { READER } from '../judge/segments.ts';
import type { CompiledRule } from '../model/model.ts';

export interface HistoryMatch {
  /** Calls whose whole text is on record. */
  looked: number;
  /** In their order. */
  matched: readonly DecidedCall[];
}

/** Only its list, patterns and modes count; with the built-in rules, since one of them may allow another part. */
export function matchHistory(
  rule: CompiledRule,
  decisions: readonly DecidedCall[],
  set: RuleSet,
  facts: JudgeFacts,
): HistoryMatch {
  const whole = decisions.filter(({ cut }) => cut === 0);
  const mayCount = mayDecide(rule);
  // The same call is made again and again.
  const open = new Map<string, ToolCall>();
  for (const call of whole) if (mayCount(call)) open.set(keyOf(call), callOf(call, rule.rule));
  const verdicts = judgeAll([...open.values()], aloneSet(rule, set), facts);
  const found = new Set([...open.keys()].filter((_key, i) => isBy(rule, verdicts[i])));
  return { looked: whole.length, matched: whole.filter((call) => found.has(keyOf(call))) };
}

/** Of two calls with the same key a rule says the same. */
export function keyOf({ tool, cwd, subject }: DecidedCall): string {
  return `${tool}\0${cwd}\0${subject}`;
}

const MOST_SHOWN = 10;

/** What is said about `matchHistory`. */
export function ruleHistory(
  rule: CompiledRule,
  decisions: readonly DecidedCall[],
  set: RuleSet,
  facts: JudgeFacts,
): RuleHistory {
  const { looked, matched } = matchHistory(rule, decisions, set, facts);
  const byText = new Map(matched.map((call) => [`${call.tool} ${call.subject}`, call]));
  return {
    looked,
    matched: matched.length,
    asked: matched.filter(({ decision }) => decision === 'ask' || decision === 'pass').length,
    denied: matched.filter(({ outcome }) => outcome === 'denied').length,
    newest: [...byText.values()].slice(-MOST_SHOWN).reverse(),
  };
}

function isBy({ ref }: CompiledRule, verdict: Verdict | undefined): boolean {
  if (verdict?.decision !== ref.list) return false;
  return verdict.rule?.hash === ref.hash || verdict.segments.some((one) => one.rule?.hash === ref.hash);
}

type Recorded = Pick<DecidedCall, 'tool' | 'subject' | 'cut'>;

/** A cheap look: a call for which it is false is none that `matchHistory` finds. */
export function mayDecide(rule: CompiledRule): (call: Recorded) => boolean {
  const tools = new Map<string, boolean>();
  const mayMatch = textsThatMayMatch(rule);
  return ({ tool, subject, cut }) => {
    const isNamed = tools.get(tool) ?? isAbout(rule, tool);
    tools.set(tool, isNamed);
    return cut === 0 && isNamed && (!isShell(tool) || mayMatch(subject));
  };
}

function isAbout({ tool: pattern }: CompiledRule, tool: string): boolean {
  const guard = new Guard();
  return pattern === null || guard.run(() => guard.test(pattern, tool)) !== false;
}

/** A shell makes other characters of these; hidden ones are left out. */
const OTHER = /\$'|\{\w\.\.|[^\t\n\x20-\x7e]/;
/** It makes other words with these, of characters that the text has. */
const SPECIAL = /[$`{*?[]/;
const QUOTES = /\\\n|["'\\]/g;
/** What xargs and find add. */
const ADDED = '$@';

/** Of a text without them, each spelling has words of the text, but for quotes. */
function textsThatMayMatch({ match }: CompiledRule): (subject: string) => boolean {
  const literals = match.find(([field]) => field === 'command')?.[1].literals ?? [];
  const parts = literals.map((literal) => {
    const words = literal.replaceAll(ADDED, ' ').replace(QUOTES, '').split(/\s+/);
    return { words, characters: [...words.join('')] };
  });
  return (subject) => {
    if (parts.length === 0 || OTHER.test(subject)) return true;
    const text = subject.replace(QUOTES, '');
    const bare = text.includes('<') ? `${text} ${READER}` : text;
    const isSpecial = SPECIAL.test(subject);
    return parts.some(({ words, characters }) =>
      (isSpecial ? characters : words).every((one) => bare.includes(one)),
    );
  };
}

/** With this rule and none of another file. */
export function aloneSet(rule: CompiledRule, set: RuleSet): RuleSet {
  const alone: CompiledRule = { ...rule, until: null };
  const isDeny = rule.ref.list === 'deny';
  return {
    ...set,
    enabled: true,
    sandboxed: 'ask',
    deny: isDeny ? [alone] : [],
    ordered: isDeny ? [] : [alone],
  };
}

/** The call as far as it is on record: one field of its input. */
export function callOf({ tool, subject, cwd }: DecidedCall, { modes }: Rule): ToolCall {
  const field = fieldOf(tool);
  const input = field === null ? recordedInput(subject) : { [field]: subject };
  return { tool, input, cwd: cwd === '' ? '/' : cwd, mode: modes?.[0] ?? 'default' };
}

/** With `logMcp` it is JSON, else names of fields. */
function recordedInput(subject: string): unknown {
  try {
    return JSON.parse(subject);
  } catch {
    return {};
  }
}
