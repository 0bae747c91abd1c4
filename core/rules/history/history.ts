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
  return (call) => {
    const isNamed = tools.get(call.tool) ?? isAbout(rule, call.tool);
    tools.set(call.tool, isNamed);
    return call.cut === 0 && isNamed && mayMatch(rule, call);
  };
}

function isAbout({ tool: pattern }: CompiledRule, tool: string): boolean {
  const guard = new Guard();
  return pattern === null || guard.run(() => guard.test(pattern, tool)) !== false;
}

/** A shell makes other words with these, all but the first of characters that the text has. */
const ESCAPES = /\$'/;
const SPECIAL = /[$`{]/;
const QUOTES = /\\\n|["'\\]/g;

/** Of a text without them, each spelling has words of the text, perhaps without quotes. */
function mayMatch({ match }: CompiledRule, { tool, subject }: Recorded): boolean {
  if (!isShell(tool) || ESCAPES.test(subject)) return true;
  const literals = match.find(([field]) => field === 'command')?.[1].literals ?? [];
  if (literals.length === 0) return true;
  let bare = '';
  const has = (part: string) => {
    if (subject.includes(part)) return true;
    bare ||= subject.replace(QUOTES, '');
    return bare.includes(part);
  };
  const isSpecial = SPECIAL.test(subject);
  return literals.some((literal) =>
    (isSpecial ? [...literal.replace(/\s/g, '')] : literal.split(/\s+/)).every(has),
  );
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
