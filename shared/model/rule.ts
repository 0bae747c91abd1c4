/**
 * Permission rules: the file format (versions 1 and 2 of the passthru plugin, with optional keys of trai), and the
 * verdict about a tool call. The guard is written by hand, since the Node path reads rule files at every call and a
 * schema library takes longer to load; a test holds it equal to a schema.
 */
import { isObject } from '../json-lines.ts';
import type { AnsweredBy, QuestionEnd } from './question.ts';

export const RULE_LISTS = ['deny', 'ask', 'allow'] as const;
export type RuleList = (typeof RULE_LISTS)[number];

/** In the order in which rules are tried. */
export const RULE_SCOPES = ['user', 'project', 'session', 'built-in'] as const;
export type RuleScope = (typeof RULE_SCOPES)[number];

/** A call of a rule's `tests`: the text of a Bash call, or a tool with its input. */
export type TestCall = string | { tool: string; input: Readonly<Record<string, unknown>> };

/** Patterns are unanchored. `tool` or a field of `match` at least. Unknown keys are allowed and kept. */
export interface Rule {
  tool?: string;
  /** A field of the tool's input and its pattern; all must match. */
  match?: Readonly<Record<string, string>>;
  reason?: string;
  /** SHA-256 of the settings entry that it was imported from. */
  _source_hash?: string;
  /** Calls that must and must not match. */
  tests?: { yes?: readonly TestCall[]; no?: readonly TestCall[] };
  /** Permission modes of the client in which the rule counts; missing = in all. */
  modes?: readonly string[];
  /** ISO time after which it no longer counts. */
  until?: string;
  /** It stays in the file and does not count. */
  disabled?: boolean;
}

export const EFFECT_KINDS = ['added', 'modified', 'deleted'] as const;
export const EFFECT_DOES = ['flag', 'confirm', 'never', 'auto'] as const;

/**
 * What a commit does with a change, whoever wrote it: names it as worth a look, wants a confirmation, or leaves it out
 * unless ignored entries are included. `auto`, in the user's own file alone: it is committed after a call.
 */
export interface Effect {
  /** As in `ignore` of the config; also `project:x`. */
  paths: readonly string[];
  /** Missing = all. `modified`: also replaced by another type, other mode or owner. */
  kinds?: readonly (typeof EFFECT_KINDS)[number][];
  do: (typeof EFFECT_DOES)[number];
  reason?: string;
}

export const EFFECT_KEYS = ['paths', 'kinds', 'do', 'reason'] as const;

/** An effect rule that is about a change. */
export interface NamedEffect {
  do: Effect['do'];
  /** Its place and reason. */
  text: string;
}

/** All of `Rule` but what an import writes. */
export const RULE_KEYS = ['tool', 'match', 'reason', 'tests', 'modes', 'until', 'disabled'] as const;

export interface RuleFile {
  version: 1 | 2;
  allowed_dirs?: readonly string[];
  allow?: readonly Rule[];
  /** Ignored in version 1. */
  ask?: readonly Rule[];
  deny?: readonly Rule[];
  effects?: readonly Effect[];
}

/** The client's permission modes. */
export const MODES = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;

/** A tool call as PreToolUse announces it. `input` is unchecked. */
export interface ToolCall {
  tool: string;
  input: unknown;
  cwd: string;
  /** One of MODES, or one of a newer client. */
  mode: string;
}

/** Which rule decided. */
export interface RuleRef {
  scope: RuleScope;
  /** Empty for a built-in rule. */
  file: string;
  list: RuleList;
  /** In its list of the file, from 0. */
  index: number;
  /** SHA-256 (hex) of tool, match, modes and until. */
  hash: string;
  /** The rule in one line, for display. */
  text: string;
  reason: string;
}

/** `pass`: no rule says anything; the client goes on as without trai. */
export type RuleDecision = 'allow' | 'ask' | 'deny' | 'pass';

/**
 * `rule`: one of a file. `read-only`, `built-in`: trai's own rules. `sandboxed`: its writes are pending. `broken`: a rule
 * file that was never good. `none`: nothing decided.
 */
export type DecidedBy = 'rule' | 'read-only' | 'built-in' | 'sandboxed' | 'broken' | 'none';

export type Spelling = 'written' | 'dequoted' | 'unwrapped' | 'whole';

/** What became of one command of a Bash text. */
export interface SegmentVerdict {
  text: string;
  /** The spelling that the rule matched; null when none did. */
  spelling: Spelling | null;
  decision: RuleDecision;
  by: DecidedBy;
  rule: RuleRef | null;
  /** Why no rule may allow it; empty when one may. */
  why: string;
}

export interface Verdict {
  decision: RuleDecision;
  by: DecidedBy;
  /** The rule that decided; null when none did, or several of them allowed parts of the call. */
  rule: RuleRef | null;
  /** One sentence for the user. */
  why: string;
  /** Of Bash and Monitor only. */
  segments: readonly SegmentVerdict[];
  /** Patterns that took too long: no match for allow, a match for deny and ask. */
  slow: readonly RuleRef[];
}

/** Who decided about a tool call. `client`: it, or the user in its terminal, since nothing was said. */
export const PERMISSION_BY = [
  'rule',
  'broken',
  'read-only',
  'built-in',
  'sandboxed',
  'trai',
  'client',
] as const;

/** Whether a tool call may run, as it was logged. */
export interface Permission {
  at: string;
  request: string;
  agent: string;
  tool: string;
  subject: string;
  cut: number;
  decision: RuleDecision;
  by: (typeof PERMISSION_BY)[number];
  rule: string;
  hash: string;
  also: readonly string[];
  segment: string;
  why: string;
  ms: number;
  /** How the user answered the client's question about it; null where there was none, or it is open. */
  answered: { end: QuestionEnd; by: AnsweredBy } | null;
}

/** `denied`: by whomever. `unknown`: it runs, or nobody saw its end. */
export const CALL_OUTCOMES = ['ran', 'failed', 'timed-out', 'interrupted', 'denied', 'unknown'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** A decision about a call, with what became of the call. */
export interface DecidedCall extends Permission {
  session: string;
  /** Of the call; empty for tools other than shells. */
  id: string;
  /** Empty where it is not known. */
  cwd: string;
  /** Exit status of a command; null where it is not known, and of other tools. */
  rc: number | null;
  /** Type of a failure (./call-outcome.ts); empty without one. */
  error: string;
  outcome: CallOutcome;
}

/** How often a rule decided, or allowed a part of a call. */
export interface RuleHits {
  hits: number;
  /** ISO time; empty = never. */
  last: string;
}

export interface ListedRule extends RuleHits {
  ref: RuleRef;
  rule: Rule;
  source: 'authored' | 'imported' | 'built-in';
  /** False: disabled, expired, of a file that the user has not trusted, or all rules are turned off. */
  counts: boolean;
}

/** The field that rules about a tool are usually about. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^(Bash|Monitor)$/, 'command'],
  [/^(Read|Edit|MultiEdit|Write)$/, 'file_path'],
  [/^(NotebookEdit|NotebookRead)$/, 'notebook_path'],
  [/^(Grep|Glob|LS)$/, 'path'],
  [/^WebFetch$/, 'url'],
  [/^WebSearch$/, 'query'],
  [/^Skill$/, 'skill'],
];

/** @param tool a name, or the anchored pattern of one */
export function fieldOf(tool: string): string | null {
  const name = tool.replace(/^\^|\$$/g, '');
  return FIELDS.find(([tools]) => tools.test(name))?.[1] ?? null;
}

/**
 * The rule that a user means by a tool and a pattern of its field. A bare name is that tool alone: `Bash` as a pattern would
 * match `BashOutput`.
 */
export function ruleOf(tool: string, match: Rule['match'], reason: string): Rule {
  return {
    tool: /^[A-Za-z]\w*$/.test(tool) ? `^${tool}$` : tool,
    ...(match === undefined ? {} : { match }),
    ...(reason === '' ? {} : { reason }),
  };
}

/** Errors: the file cannot be used, rules contradict each other, or a rule's own tests fail. */
export type FindingCode =
  | 'unusable'
  | 'conflict'
  | 'test'
  | 'duplicate'
  | 'shadowed'
  | 'slow'
  | 'expired'
  | 'mode'
  | 'directory'
  | 'untrusted'
  | 'effect'
  | 'unused';

export interface Finding {
  level: 'error' | 'warning';
  code: FindingCode;
  file: string;
  /** `allow[3]`; empty for the file. */
  at: string;
  text: string;
}

/** Of Claude Code's own settings. */
export type SettingsScope = 'managed' | 'user' | 'project' | 'local';

export interface SettingsEntry {
  scope: SettingsScope;
  file: string;
  list: RuleList;
  /** As it is written: `Bash(npm run *)`. */
  entry: string;
}

export interface SettingsMatch extends SettingsEntry {
  /** The command that it is about; empty for other tools. */
  segment: string;
}

export interface SettingsVerdict {
  decision: RuleDecision;
  matches: readonly SettingsMatch[];
}

/** How many paths calls have written, as far as no others can have; what was committed, discarded; commits that were undone. */
export interface Fate {
  written: number;
  committed: number;
  discarded: number;
  undone: number;
}

/** An allow rule that would have saved prompts. */
export interface Suggestion {
  rule: Rule;
  /** Of the calls, the most frequent first. */
  exits: readonly { rc: number; count: number }[];
  fate: Fate;
  /** Calls that no other command would have held up. */
  saved: number;
  /** Of them. */
  failed: number;
  sessions: number;
  last: string;
  /** The newest, each text once. */
  examples: readonly string[];
}

/** A rule that an import would write. */
export interface ImportedRule {
  scope: 'user' | 'project';
  list: RuleList;
  /** With its `_source_hash`. */
  rule: Rule;
  /** As it stands where it comes from. */
  entry: string;
  file: string;
}

/** A directory that an import would add to `allowed_dirs`. */
export interface ImportedDir {
  scope: 'user' | 'project';
  dir: string;
  file: string;
}

export interface ImportPlan {
  rules: readonly ImportedRule[];
  dirs: readonly ImportedDir[];
  /** What no rule can say. */
  left: readonly { entry: string; file: string; why: string }[];
  /** Imported before. */
  known: number;
}

/** What keeps a value from being a rule file, each with its place (`allow[3].match.command`); empty when it is one. */
export function ruleFileProblems(value: unknown): string[] {
  if (!isObject(value)) return ['expected an object'];
  const problems: string[] = [];
  const { version } = value;
  if (version !== 1 && version !== 2) problems.push('version: expected 1 or 2');
  checkTexts(value['allowed_dirs'], 'allowed_dirs', problems);
  checkEffects(value['effects'], problems);
  for (const list of RULE_LISTS) {
    const rules = value[list];
    if (rules === undefined || (list === 'ask' && version === 1)) continue;
    if (!Array.isArray(rules)) problems.push(`${list}: expected an array of rules`);
    else for (const [i, rule] of rules.entries()) checkRule(rule, `${list}[${i}]`, problems);
  }
  return problems;
}

export function isRuleFile(value: unknown): value is RuleFile {
  return ruleFileProblems(value).length === 0;
}

function checkRule(rule: unknown, at: string, problems: string[]): void {
  if (!isObject(rule)) {
    problems.push(`${at}: expected an object`);
    return;
  }
  const { tool, match, reason, tests, modes, until, disabled, _source_hash: source } = rule;
  if (tool !== undefined && !isFilled(tool)) problems.push(`${at}.tool: expected a pattern`);
  if (match !== undefined) checkMatch(match, `${at}.match`, problems);
  const hasField = isObject(match) && Object.keys(match).length > 0;
  if (tool === undefined && !hasField) problems.push(`${at}: expected "tool" or a field in "match"`);
  if (reason !== undefined && typeof reason !== 'string') problems.push(`${at}.reason: expected a text`);
  if (source !== undefined && typeof source !== 'string')
    problems.push(`${at}._source_hash: expected a text`);
  if (tests !== undefined) checkTests(tests, `${at}.tests`, problems);
  checkTexts(modes, `${at}.modes`, problems);
  if (until !== undefined && !isTime(until)) problems.push(`${at}.until: expected an ISO time`);
  if (disabled !== undefined && typeof disabled !== 'boolean')
    problems.push(`${at}.disabled: expected true or false`);
}

function checkEffects(effects: unknown, problems: string[]): void {
  if (effects === undefined) return;
  if (!Array.isArray(effects)) {
    problems.push('effects: expected an array');
    return;
  }
  for (const [i, effect] of effects.entries()) {
    const at = `effects[${i}]`;
    if (!isObject(effect)) {
      problems.push(`${at}: expected an object`);
      continue;
    }
    const { paths, kinds, reason } = effect;
    if (!(Array.isArray(paths) && paths.length > 0 && paths.every(isFilled)))
      problems.push(`${at}.paths: expected patterns of paths`);
    if (kinds !== undefined && !(Array.isArray(kinds) && kinds.every(isOneOf(EFFECT_KINDS))))
      problems.push(`${at}.kinds: expected ${EFFECT_KINDS.join(', ')}`);
    if (!isOneOf(EFFECT_DOES)(effect['do'])) problems.push(`${at}.do: expected ${EFFECT_DOES.join(', ')}`);
    if (reason !== undefined && typeof reason !== 'string') problems.push(`${at}.reason: expected a text`);
  }
}

const isOneOf = (words: readonly string[]) => (value: unknown) => words.some((word) => word === value);

function checkMatch(match: unknown, at: string, problems: string[]): void {
  if (!isObject(match)) {
    problems.push(`${at}: expected an object of patterns`);
    return;
  }
  for (const [field, pattern] of Object.entries(match))
    if (typeof pattern !== 'string') problems.push(`${at}.${field}: expected a pattern`);
}

function checkTests(tests: unknown, at: string, problems: string[]): void {
  if (!isObject(tests)) {
    problems.push(`${at}: expected an object with "yes" and "no"`);
    return;
  }
  for (const key of ['yes', 'no'] as const) {
    const calls = tests[key];
    if (calls !== undefined && !(Array.isArray(calls) && calls.every(isTestCall)))
      problems.push(`${at}.${key}: expected an array of commands, or of {"tool", "input"}`);
  }
}

function checkTexts(value: unknown, at: string, problems: string[]): void {
  if (value === undefined) return;
  if (!(Array.isArray(value) && value.every(isFilled)))
    problems.push(`${at}: expected an array of texts that are not empty`);
}

function isTestCall(value: unknown): value is TestCall {
  if (typeof value === 'string') return true;
  return isObject(value) && isFilled(value['tool']) && isObject(value['input']);
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

function isTime(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}
