/** Rules compiled for judging: a file's rules in the order in which they are tried. */
import { hash } from 'node:crypto';
import { isObject } from '../../../shared/json-lines.ts';
import {
  EFFECT_KEYS,
  type Effect,
  RULE_KEYS,
  RULE_LISTS,
  type Rule,
  type RuleList,
  type RuleRef,
  type RuleScope,
  ruleFileProblems,
} from '../../../shared/model/rule.ts';
import { jsonProblem, patternProblem, repeatedKey } from '../messages.ts';
import { compilePattern, type Pattern, PatternError } from './pattern.ts';

export interface CompiledRule {
  ref: RuleRef;
  rule: Rule;
  tool: Pattern | null;
  match: readonly (readonly [field: string, pattern: Pattern])[];
  /** Milliseconds since the epoch; null = always. */
  until: number | null;
}

export interface CompiledFile {
  deny: readonly CompiledRule[];
  /** Allow and ask rules in document order: the order of the keys, then of the rules. */
  ordered: readonly CompiledRule[];
  allowedDirs: readonly string[];
  effects: readonly Effect[];
}

export interface Origin {
  scope: RuleScope;
  file: string;
}

export type Compiled = { file: CompiledFile; problems: [] } | { file: null; problems: string[] };

/** Never throws: what is wrong with the text of a rule file is in `problems`. */
export function compileRuleText(text: string, origin: Origin): Compiled {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { file: null, problems: [jsonProblem(error)] };
  }
  const twice = repeatedKeys(text).find(({ counts }) => counts);
  return twice === undefined
    ? compileRules(value, origin)
    : { file: null, problems: [repeatedKey(twice.key)] };
}

const FILE_KEYS: ReadonlySet<string> = new Set([...RULE_LISTS, 'version', 'allowed_dirs', 'effects']);
const ENTRY_KEYS: ReadonlySet<string> = new Set([...RULE_KEYS, ...EFFECT_KEYS, '_source_hash']);

interface OpenObject {
  keys: Set<string>;
  /** The last key. */
  at: string;
  /** False: it stands below a key without a meaning. */
  counts: boolean;
}

/**
 * Of JSON: keys that an object has twice. JSON.parse takes the last value, so that rules would be lost without a word.
 * `counts`: the key has a meaning, unlike "//".
 */
export function repeatedKeys(text: string): { key: string; counts: boolean }[] {
  const found: { key: string; counts: boolean }[] = [];
  const open: OpenObject[] = [];
  const means = (key: string): boolean => {
    const known = open.length === 1 ? FILE_KEYS : open.length === 2 ? ENTRY_KEYS : null;
    return open.at(-1)?.counts !== false && known?.has(key) !== false;
  };
  for (const [token, name, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g)) {
    const inside = open.at(-1);
    if (token === '{')
      open.push({ keys: new Set(), at: '', counts: inside === undefined || means(inside.at) });
    else if (token === '}') open.pop();
    else if (name !== undefined && colon !== undefined && inside !== undefined) {
      inside.at = JSON.parse(name);
      if (inside.keys.has(inside.at)) found.push({ key: inside.at, counts: means(inside.at) });
      inside.keys.add(inside.at);
    }
  }
  return found;
}

export function compileRules(value: unknown, origin: Origin): Compiled {
  const problems = ruleFileProblems(value);
  if (!isObject(value) || problems.length > 0) return { file: null, problems };
  const lists: Record<RuleList, CompiledRule[]> = { deny: [], ask: [], allow: [] };
  const ordered: CompiledRule[] = [];
  const known = new Map<string, Pattern>();
  for (const [key, rules] of Object.entries(value)) {
    if (!isList(key) || !Array.isArray(rules) || (key === 'ask' && value['version'] === 1)) continue;
    for (const [index, rule] of rules.entries()) {
      const compiled = compileRule(rule, { ...origin, list: key, index }, { problems, known });
      if (compiled === null) continue;
      lists[key].push(compiled);
      if (key !== 'deny') ordered.push(compiled);
    }
  }
  if (problems.length > 0) return { file: null, problems };
  const dirs = value['allowed_dirs'];
  const allowedDirs = Array.isArray(dirs) ? dirs.filter((dir) => typeof dir === 'string') : [];
  // Checked above.
  const effects = Array.isArray(value['effects']) ? (value['effects'] as Effect[]) : [];
  return { file: { deny: lists.deny, ordered, allowedDirs, effects }, problems: [] };
}

function isList(key: string): key is RuleList {
  return key === 'deny' || key === 'ask' || key === 'allow';
}

export interface Position extends Origin {
  list: RuleList;
  index: number;
}

interface Compiling {
  problems: string[];
  /** Many rules have the same pattern of a tool. */
  known: Map<string, Pattern>;
}

/** Null when a pattern cannot be used, which is added to the problems. */
function compileRule(rule: Rule, position: Position, { problems, known }: Compiling): CompiledRule | null {
  const at = `${position.list}[${position.index}]`;
  const compiled = (source: string, place: string): Pattern | null => {
    try {
      const pattern = known.get(source) ?? compilePattern(source);
      known.set(source, pattern);
      return pattern;
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      problems.push(patternProblem(`${at}.${place}`, source, error.message));
      return null;
    }
  };
  const tool = rule.tool === undefined ? null : compiled(rule.tool, 'tool');
  const match: [string, Pattern][] = [];
  for (const [field, source] of Object.entries(rule.match ?? {})) {
    const pattern = compiled(source, `match.${field}`);
    if (pattern === null) return null;
    match.push([field, pattern]);
  }
  if (rule.tool !== undefined && tool === null) return null;
  const until = rule.until === undefined ? null : Date.parse(rule.until);
  return { ref: refOf(rule, position), rule, tool, match, until };
}

/** A rule that is in no file. Its patterns must compile. */
export function compileOne(rule: Rule, list: RuleList): CompiledRule {
  const { file, problems } = compileRules({ version: 2, [list]: [rule] }, { scope: 'user', file: '' });
  const [compiled] = file === null ? [] : [...file.deny, ...file.ordered];
  if (compiled === undefined) throw new PatternError(problems[0] ?? '');
  return compiled;
}

/** Why the rule, which is in no file, cannot be used; empty when it can. */
export function ruleProblem(rule: Rule, list: RuleList): string {
  try {
    compileOne(rule, list);
    return '';
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    // The place in a file that does not exist says nothing.
    return error.message.replace(/^\w+\[0\]\.?/, '').trim();
  }
}

export function refOf(rule: Rule, { scope, file, list, index }: Position): RuleRef {
  return { scope, file, list, index, hash: ruleHash(rule), text: ruleText(rule), reason: rule.reason ?? '' };
}

/** Of what decides: two rules with the same hash match the same calls. */
export function ruleHash({ tool, match = {}, modes = [], until }: Rule): string {
  const fields = Object.entries(match).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([tool ?? null, fields, [...modes].sort(), until ?? null]));
}

/** In one line: `Bash command=^npm (test|run)`. */
export function ruleText({ tool, match = {} }: Rule): string {
  const fields = Object.entries(match).map(([field, pattern]) => `${field}=${pattern}`);
  return [tool ?? '*', ...fields].join(' ');
}
