/** What is wrong with rule files, and what is probably a mistake. */
import { fromText, toDisplay } from '../../../shared/bytes.ts';
import type { Roots } from '../../../shared/model/change.ts';
import {
  type Finding,
  type FindingCode,
  MODES,
  type Rule,
  type RuleHits,
  type RuleRef,
  type TestCall,
  type ToolCall,
  type Verdict,
} from '../../../shared/model/rule.ts';
import { lstat, orNull } from '../../kernel/fs/port.ts';
import { matchEffects } from '../effects/matching.ts';
import { countingIn, mayCommit, problemsOf, type RuleSet, type SetFile } from '../files/rule-set.ts';
import { hitsKey } from '../history/decisions.ts';
import { aloneSet } from '../history/history.ts';
import { Guard } from '../judge/guarded.ts';
import { judge } from '../judge/judge.ts';
import type { JudgeFacts } from '../judge/judge-facts.ts';
import { FINDING } from '../messages.ts';
import type { CompiledRule } from '../model/model.ts';
import type { Pattern } from '../model/pattern.ts';

const ERRORS: ReadonlySet<FindingCode> = new Set(['unusable', 'conflict', 'test']);

/** What the logs say about rules. */
export interface RuleUse {
  /** By `hitsKey`. */
  hits: ReadonlyMap<string, RuleHits>;
  /** Time of the oldest decision on record; empty without any. */
  oldest: string;
}

/** A rule that decided nothing for so long is probably not needed. */
const UNUSED_MS = 90 * 24 * 3600_000;

/**
 * Of the files of `set`, merged. Runs the rules' own tests with `facts`.
 * @param use null = the logs are not asked
 */
export function verifyRules(set: RuleSet, facts: JudgeFacts, use: RuleUse | null = null): Finding[] {
  const rules = set.files.flatMap(rulesOf);
  return [
    ...(use === null ? [] : set.files.flatMap((file) => unusedIn(file, use, facts.now))),
    ...set.files.flatMap(fileFindings),
    ...repeated(set.files.flatMap(countingIn)),
    ...shadowed(set),
    ...testFindings(rules, set, facts),
    ...rules.flatMap((rule) => expired(rule, facts)),
    ...rules.flatMap(unknownModes),
    ...slowRules(rules),
    ...set.files.flatMap((file) =>
      slowEffects(file, { home: fromText(facts.home), projectRoot: set.projectRoot }),
    ),
  ];
}

function rulesOf({ rules }: SetFile): CompiledRule[] {
  const found = rules === null ? [] : [...rules.deny, ...rules.ordered];
  return found.filter(({ rule }) => rule.disabled !== true);
}

function finding(code: FindingCode, { file, list, index }: RuleRef, text: string): Finding {
  return { level: ERRORS.has(code) ? 'error' : 'warning', code, file, at: `${list}[${index}]`, text };
}

function fileFindings(own: SetFile): Finding[] {
  const { path, trusted, rules } = own;
  const file = toDisplay(path);
  const found = problemsOf(own).map((text): Finding => {
    return { level: 'error', code: 'unusable', file, at: '', text };
  });
  const dirs = (rules?.allowedDirs ?? []).filter((dir) => !/^(\/|~\/|~$)/.test(dir));
  for (const dir of dirs)
    found.push({
      level: 'warning',
      code: 'directory',
      file,
      at: 'allowed_dirs',
      text: FINDING.relative(dir),
    });
  for (const [i, { do: does }] of (mayCommit(own) ? [] : (rules?.effects ?? [])).entries())
    if (does === 'auto')
      found.push({ level: 'warning', code: 'effect', file, at: `effects[${i}]`, text: FINDING.auto });
  const waits =
    rules !== null && (rules.allowedDirs.length > 0 || rules.ordered.some(({ ref }) => ref.list === 'allow'));
  if (!trusted && waits)
    found.push({ level: 'warning', code: 'untrusted', file, at: '', text: FINDING.untrusted });
  return found;
}

/** The same rule twice: in two lists it is a contradiction. */
function repeated(rules: readonly CompiledRule[]): Finding[] {
  const first = new Map<string, CompiledRule>();
  return rules.flatMap((rule): Finding[] => {
    const before = first.get(rule.ref.hash);
    if (before === undefined) {
      first.set(rule.ref.hash, rule);
      return [];
    }
    const code = before.ref.list === rule.ref.list ? 'duplicate' : 'conflict';
    return [finding(code, rule.ref, FINDING[code](placeOf(before.ref)))];
  });
}

/** Behind a rule about all calls of the same tools none is ever the first to match. */
function shadowed({ deny, ordered }: RuleSet): Finding[] {
  const all = new Map<string, RuleRef>();
  const counting = [...deny, ...ordered].filter(({ rule }) => rule.disabled !== true);
  return counting.flatMap(({ ref, rule, until }): Finding[] => {
    const before = all.get(rule.tool ?? '');
    const isBehind = before !== undefined && (before.list !== 'allow' || ref.list === 'allow');
    if (isBehind && before.hash !== ref.hash)
      return [finding('shadowed', ref, FINDING.shadowed(placeOf(before)))];
    const isAboutAll =
      Object.keys(rule.match ?? {}).length === 0 && rule.modes === undefined && until === null;
    // An allow rule never allows what is not understood, so that a later one may still ask.
    if (isAboutAll && rule.tool !== undefined && !isBehind) all.set(rule.tool, ref);
    return [];
  });
}

/** Not in a file that was changed since: the rule may be new. */
function unusedIn(file: SetFile, { hits, oldest }: RuleUse, now: number): Finding[] {
  const before = new Date(now - UNUSED_MS).toISOString();
  const found = orNull(() => lstat(file.path));
  const changed = found === null ? now : Number(found.mtimeNs / 1_000_000n);
  if (oldest === '' || oldest > before || changed > now - UNUSED_MS) return [];
  return rulesOf(file)
    .filter(({ ref }) => (hits.get(hitsKey(ref))?.last ?? '') < before)
    .map(({ ref }) => finding('unused', ref, FINDING.unused));
}

function placeOf({ file, list, index }: RuleRef): string {
  return `${list}[${index}] of ${file}`;
}

function expired({ ref, rule, until }: CompiledRule, { now }: JudgeFacts): Finding[] {
  return until !== null && until < now ? [finding('expired', ref, FINDING.expired(rule.until ?? ''))] : [];
}

function unknownModes({ ref, rule: { modes } }: CompiledRule): Finding[] {
  const known: readonly string[] = MODES;
  const unknown = modes?.filter((mode) => !known.includes(mode)) ?? [];
  if (modes?.length === 0) return [finding('mode', ref, FINDING.noMode)];
  return unknown.length === 0 ? [] : [finding('mode', ref, FINDING.unknownMode(unknown, known))];
}

const LONG = 4_000;
/** Texts on which the usual mistakes backtrack for ever. */
const PROBES = ['a', ' ', '/', '-a ', 'a.', '0', 'ab/', '"a" '].map(
  (text) => `${text.repeat(LONG / text.length)}\n!`,
);

/** Each takes its time, in the server too, and a repository may bring thousands. */
const MOST_SLOW = 5;

function slowRules(rules: readonly CompiledRule[]): Finding[] {
  const fine = new Set<Pattern>();
  const found: Finding[] = [];
  for (const { ref, tool, match } of rules) {
    if (found.length >= MOST_SLOW) break;
    const patterns = [...(tool === null ? [] : [tool]), ...match.map(([, one]) => one)];
    const slow = patterns.find((one) => !fine.has(one) && isSlow(one));
    if (slow !== undefined) found.push(finding('slow', ref, FINDING.slow(slow.source)));
    else for (const one of patterns) fine.add(one);
  }
  return found;
}

function isSlow(pattern: Pattern): boolean {
  const guard = new Guard();
  return guard.run(() => PROBES.some((probe) => guard.test(pattern, probe) === null));
}

/** A repository may bring thousands of tests, each with a text on which patterns take long. */
const MOST_TESTS_MS = 5_000;

/** Of the rules' own tests; those that come when the time is over are counted. */
function testFindings(rules: readonly CompiledRule[], set: RuleSet, facts: JudgeFacts): Finding[] {
  const until = performance.now() + MOST_TESTS_MS;
  let slow = 0;
  return rules.flatMap((rule): Finding[] => {
    const found: Finding[] = [];
    let untried = 0;
    for (const { call, expected } of testsOf(rule)) {
      if (slow >= MOST_SLOW || performance.now() > until) {
        untried += 1;
        continue;
      }
      const verdict = verdictAlone(rule, call, set, facts);
      if (verdict.slow.length > 0) slow += 1;
      if ((verdict.decision === rule.ref.list) === expected) continue;
      const text = expected ? FINDING.noMatch(shown(call)) : FINDING.match(shown(call));
      found.push(finding('test', rule.ref, text));
    }
    return untried === 0 ? found : [...found, finding('slow', rule.ref, FINDING.untried(untried))];
  });
}

function testsOf({ rule: { tests } }: CompiledRule): { call: TestCall; expected: boolean }[] {
  return [
    ...(tests?.yes ?? []).map((call) => ({ call, expected: true })),
    ...(tests?.no ?? []).map((call) => ({ call, expected: false })),
  ];
}

/** What the rule, without any other, says about the call. */
function verdictAlone(rule: CompiledRule, test: TestCall, set: RuleSet, facts: JudgeFacts): Verdict {
  const only = aloneSet(rule, { ...set, builtIn: new Set() });
  return judge(callOf(test, rule.rule, facts.home), only, facts);
}

/** Paths on which globs with many stars backtrack for ever. */
const PATH_PROBES = [`/${'a'.repeat(200)}`, '/a'.repeat(200), `/${'a/'.repeat(100)}.env`].map((path) => {
  return { path: fromText(path), isDir: false };
});

function slowEffects({ path, rules }: SetFile, roots: Roots): Finding[] {
  const matched = matchEffects(rules?.effects ?? [], PATH_PROBES, roots);
  return matched.flatMap((found, i): Finding[] => {
    if (found !== null) return [];
    return [
      {
        level: 'warning',
        code: 'slow',
        file: toDisplay(path),
        at: `effects[${i}]`,
        text: FINDING.slowEffect,
      },
    ];
  });
}

function callOf(test: TestCall, { modes }: Rule, home: string): ToolCall {
  const mode = modes?.[0] ?? 'default';
  if (typeof test === 'string') return { tool: 'Bash', input: { command: test }, cwd: home, mode };
  return { tool: test.tool, input: test.input, cwd: home, mode };
}

function shown(call: TestCall): string {
  return typeof call === 'string' ? call : `${call.tool} ${JSON.stringify(call.input)}`;
}
