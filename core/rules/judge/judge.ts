/**
 * Whether a tool call is allowed, asked about or denied: permission rules, on the call as the client announced it. Pure
 * but for the facts that it is given. core/decide says where a command runs; the two stay apart.
 *
 *     loadRules (../files/rule-set.ts): the files of all scopes, compiled (../model/model.ts), trusted (../files/trust.ts)
 *     judge:
 *       a Bash text is cut into segments, each with its spellings (segments.ts)
 *       deny: any spelling of any segment, or the whole text, by any deny rule
 *       each segment: the first allow or ask rule in document order; then trai's own (read-only.ts)
 *       one is asked about -> ask; all are allowed -> allow; else nothing is said (pass)
 *       pass, and everything that it writes stays pending -> allow, where the config says so (leaving.ts)
 *     all patterns run below one watchdog (guarded.ts)
 *
 * ../manage/verify.ts finds mistakes in rule files, ../manage/edit.ts changes them.
 */

import { toText } from '../../../shared/bytes.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { isShell } from '../../../shared/log/calls.ts';
import type {
  DecidedBy,
  RuleDecision,
  RuleRef,
  SegmentVerdict,
  Spelling,
  ToolCall,
  Verdict,
} from '../../../shared/model/rule.ts';
import { inDirectory } from '../../decide/shell/where.ts';
import { NO_INDEX, type RuleSet } from '../files/rule-set.ts';
import {
  brokenWhy,
  builtInWhy,
  LEAVING,
  NOT_ALLOWABLE,
  notAllowable,
  ruleWhy,
  staysAsked,
  VERDICT,
} from '../messages.ts';
import type { CompiledRule } from '../model/model.ts';
import type { Pattern } from '../model/pattern.ts';
import { builtInFor, builtInRef, isInside, resolvedPaths } from './built-in.ts';
import { Guard } from './guarded.ts';
import type { JudgeFacts } from './judge-facts.ts';
import { leavingWhy, takesNames } from './leaving.ts';
import { isReadOnly } from './read-only.ts';
import { type CutText, cutText, isUnread, type Segment } from './segments.ts';

/** Never throws, whatever the input is. */
export function judge(call: ToolCall, rules: RuleSet, facts: JudgeFacts): Verdict {
  const [only] = judgeAll([call], rules, facts);
  return only ?? verdict('pass', { by: 'none', why: VERDICT.noRule });
}

/**
 * Of many calls, by few rules: the watchdog is started once for several of them, and paths are looked at once. A pattern that is slow on
 * one of them may count as slow for those beside it.
 */
export function judgeAll(calls: readonly ToolCall[], rules: RuleSet, facts: JudgeFacts): Verdict[] {
  if (!rules.enabled) return calls.map(() => verdict('pass', { by: 'none', why: VERDICT.off }));
  const known = remembering(facts);
  const hasPatterns = rules.deny.length + rules.ordered.length > 0;
  const found: Verdict[] = [];
  for (let from = 0; from < calls.length; from += AT_ONCE) {
    const guard = new Guard();
    const several = calls.slice(from, from + AT_ONCE).map((call) => {
      const command = isShell(call.tool) && isObject(call.input) ? call.input['command'] : undefined;
      const cut = typeof command === 'string' ? cutText(command, call.cwd, facts.home) : null;
      return new Judgement({ call, rules, facts: known, cut }, guard);
    });
    const verdicts = () => several.map((one) => one.verdict());
    found.push(...(hasPatterns ? guard.run(verdicts) : verdicts()));
  }
  return found;
}

/** Starting the watchdog, a thread, takes as long as judging a dozen calls by one rule. */
const AT_ONCE = 100;

/** The same paths are asked about again and again. */
function remembering(facts: JudgeFacts): JudgeFacts {
  const known = new Map<string, readonly string[] | null>();
  const resolve = (path: string) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const found = facts.resolve(path);
    known.set(path, found);
    return found;
  };
  return { ...facts, resolve };
}

interface Basis {
  by: DecidedBy;
  why: string;
  rule?: RuleRef | null;
  segments?: readonly SegmentVerdict[];
  slow?: readonly RuleRef[];
}

function verdict(decision: RuleDecision, { by, why, rule = null, segments = [], slow = [] }: Basis): Verdict {
  return { decision, by, why, rule, segments, slow };
}

/** A text that a pattern may match. */
type Texts = readonly (readonly [spelling: Spelling | null, text: string])[];

/** A rule that counts for this call, with what it asks about the command; null = nothing. */
interface Candidate {
  rule: CompiledRule;
  command: Pattern | null;
}

interface Found {
  candidate: Candidate;
  spelling: Spelling | null;
}

class Judgement {
  private readonly slow = new Set<RuleRef>();
  /** Patterns of tools that are tried already. */
  private readonly tools = new Map<Pattern, boolean>();
  private readonly call: ToolCall;
  private readonly rules: RuleSet;
  private readonly facts: JudgeFacts;
  private readonly guard: Guard;
  private readonly cut: CutText | null;
  /** All texts that command patterns are tried on: most rules are about none of them. Sorted, and as one text. */
  private texts: { sorted: readonly string[]; joined: string } | null = null;
  /** Where output of readers goes to a file, as in `{ cat a; } > b`, a rule has to allow them. */
  private readonly readersAllowed: boolean;

  constructor(
    subject: { call: ToolCall; rules: RuleSet; facts: JudgeFacts; cut: CutText | null },
    guard: Guard,
  ) {
    this.call = subject.call;
    this.rules = subject.rules;
    this.facts = subject.facts;
    this.cut = subject.cut;
    this.guard = guard;
    const redirects = this.cut?.segments.some(({ needsAllow, writes }) => !needsAllow && writes.length > 0);
    this.readersAllowed = redirects !== true && this.rules.builtIn.has('read-only');
  }

  private get root(): string {
    return toText(this.rules.projectRoot);
  }

  verdict(): Verdict {
    const made = this.cut === null ? this.ofTool() : this.ofText(this.cut);
    return { ...made, slow: [...this.slow] };
  }

  private ofTool(): Verdict {
    const [deny] = this.candidates(this.rules.deny);
    if (deny !== undefined) return decided('deny', deny.rule);
    const [first] = this.candidates(this.rules.ordered);
    if (first !== undefined) return decided(first.rule.ref.list, first.rule);
    const builtIn = builtInFor(this.call, this.rules, this.facts);
    if (builtIn !== null)
      return verdict('allow', { by: 'built-in', why: builtInWhy(builtIn.text), rule: builtIn });
    return verdict('pass', { by: 'none', why: VERDICT.noRule });
  }

  private ofText(cut: CutText): Verdict {
    const segments: SegmentVerdict[] = [];
    const denied = this.denial(cut);
    if (denied !== null) return denied;
    const ordered = this.candidates(this.rules.ordered);
    const judged = cut.segments.map((segment) => this.ofSegment(segment, ordered, cut.why));
    this.allowFed(cut, judged);
    for (const [i, { needsAllow }] of cut.segments.entries()) {
      const one = judged[i];
      if (one !== undefined && (needsAllow || one.decision === 'ask')) segments.push(one);
    }
    const asking = this.asking(segments, this.wholeAsk(cut, ordered));
    if (asking !== null) return decided('ask', asking, segments);
    const why = cut.why === '' ? this.barring(cut) : cut.why;
    if (why === '' && segments.length > 0 && segments.every(({ decision }) => decision === 'allow'))
      return allowed(segments);
    if (why === '' && segments.length === 0 && cut.segments.length > 0 && this.readersAllowed)
      return verdict('allow', { by: 'read-only', why: VERDICT.readOnly, rule: builtInRef('read-only') });
    return this.unlessPending(unsaid(segments, why), cut);
  }

  /** A rule that allows `ok` allows `ok < f`, and so `{ ok; } < f`, when such rules allow all that may read it. */
  private allowFed({ segments }: CutText, judged: SegmentVerdict[]): void {
    // What is inside stands behind, or has been judged.
    for (let i = segments.length - 1; i >= 0; i--) {
      const [segment, before] = [segments[i], judged[i]];
      if (segment?.readers === undefined || before?.decision !== 'pass' || this.barredBy(segment) !== '')
        continue;
      const [from, to] = segment.readers;
      const readers = judged.slice(from, to).filter((_, at) => segments[from + at]?.needsAllow === true);
      const isAllowed = ({ decision, by }: SegmentVerdict) => decision === 'allow' && by === 'rule';
      const [first] = readers;
      if (first !== undefined && readers.every(isAllowed)) judged[i] = { ...first, text: segment.text };
    }
  }

  /** A part that no rule need allow may keep the whole from being allowed. */
  private barring({ segments }: CutText): string {
    for (const segment of segments) {
      const why = segment.needsAllow ? '' : this.barredBy(segment);
      if (why !== '') return why;
    }
    return '';
  }

  private barredBy({ why, writes }: Segment): string {
    if (why !== '') return why;
    const isFine = (path: string) =>
      this.facts.isPending(path) || isInside(path, [this.root, ...this.rules.allowedDirs], this.facts);
    const allFine = writes.every(({ target, where }) => {
      const { dirs } = inDirectory(where, target, this.facts.home, 'links');
      return dirs?.every(isFine) === true;
    });
    return allFine ? '' : NOT_ALLOWABLE.outside;
  }

  /** `"sandboxed": "allow"`: a rule that denies or asks has not matched, and what it writes can be reviewed. */
  private unlessPending(passed: Verdict, cut: CutText): Verdict {
    const { rules, facts, call } = this;
    if (rules.sandboxed !== 'allow' || facts.runs !== 'sandbox' || call.mode === 'plan') return passed;
    if (isUnread(cut.why)) return passed;
    if (cut.runsUnknown) return { ...passed, why: staysAsked(LEAVING.unknown) };
    const listed = takesNames(cut);
    for (const segment of cut.segments) {
      const why = leavingWhy(segment, listed, facts);
      if (why !== null) return { ...passed, why: staysAsked(why) };
    }
    return { ...passed, decision: 'allow', by: 'sandboxed', why: VERDICT.sandboxed };
  }

  private denial(cut: CutText): Verdict | null {
    for (const candidate of this.candidates(this.rules.deny)) {
      for (const segment of cut.segments) {
        const found = this.find([candidate], this.textsOf(segment, cut));
        if (found !== null)
          return decided('deny', found.candidate.rule, [segmentVerdict(segment, 'deny', found)]);
      }
      if (this.find([candidate], [['whole', cut.whole]]) !== null) return decided('deny', candidate.rule);
    }
    return null;
  }

  /** A segment that is the whole text may be matched as such. */
  private textsOf({ spellings }: Segment, { segments, whole }: CutText): Texts {
    return segments.length === 1 ? [...spellings, ['whole', whole]] : spellings;
  }

  private ofSegment(segment: Segment, ordered: readonly Candidate[], wholeWhy: string): SegmentVerdict {
    const why = wholeWhy === '' ? this.barredBy(segment) : wholeWhy;
    const texts = this.cut === null ? segment.spellings : this.textsOf(segment, this.cut);
    for (const candidate of ordered) {
      const { list } = candidate.rule.ref;
      if (list === 'allow' && why !== '') continue;
      const found = this.find([candidate], list === 'allow' ? [['unwrapped', segment.allowed]] : texts);
      if (found !== null) return segmentVerdict(segment, list, found);
    }
    const { text, command, where } = segment;
    if (why === '' && command !== null && this.readersAllowed) {
      const dirs = [this.call.cwd, this.root, ...this.rules.allowedDirs];
      if (isReadOnly(command, where, dirs, this.facts))
        return {
          text,
          spelling: 'unwrapped',
          decision: 'allow',
          by: 'read-only',
          rule: builtInRef('read-only'),
          why,
        };
    }
    return { text, spelling: null, decision: 'pass', by: 'none', rule: null, why };
  }

  /** The first of several segments' texts may be allowed while the whole is asked about: `curl … | sh`. */
  private wholeAsk({ segments, whole }: CutText, ordered: readonly Candidate[]): CompiledRule | null {
    if (segments.length === 1) return null;
    const asks = ordered.filter(({ rule, command }) => {
      return rule.ref.list === 'ask' && (command !== null || segments.length === 0);
    });
    return this.find(asks, [['whole', whole]])?.candidate.rule ?? null;
  }

  /** The first of all asking rules, in document order. */
  private asking(segments: readonly SegmentVerdict[], whole: CompiledRule | null): CompiledRule | null {
    const refs = new Set(
      segments.flatMap(({ decision, rule }) => (decision === 'ask' && rule !== null ? [rule] : [])),
    );
    return this.rules.ordered.find((rule) => rule === whole || refs.has(rule.ref)) ?? null;
  }

  private find(candidates: readonly Candidate[], texts: Texts): Found | null {
    for (const candidate of candidates) {
      const { rule, command } = candidate;
      for (const [spelling, text] of texts) {
        if (command === null || this.matches(rule, command, text)) return { candidate, spelling };
      }
    }
    return null;
  }

  /** A pattern that takes too long is no match for allow, a match for deny and ask. */
  private matches(rule: CompiledRule, pattern: Pattern, text: string): boolean {
    const found = this.guard.test(pattern, text);
    if (found !== null) return found;
    this.slow.add(rule.ref);
    return rule.ref.list !== 'allow';
  }

  /** Rules whose mode, time, tool and fields (but a shell's command) are those of the call. */
  private candidates(rules: readonly CompiledRule[]): Candidate[] {
    return rules.flatMap((rule) => {
      const command =
        this.cut === null ? null : (rule.match.find(([field]) => field === 'command')?.[1] ?? null);
      return this.counts(rule, command) ? [{ rule, command }] : [];
    });
  }

  private counts(rule: CompiledRule, command: Pattern | null): boolean {
    if (rule.rule.disabled === true) return false;
    if (rule.until !== null && rule.until < this.facts.now) return false;
    if (rule.rule.modes !== undefined && !rule.rule.modes.includes(this.call.mode)) return false;
    if (rule.tool !== null && !this.isAboutTool(rule, rule.tool)) return false;
    if (command !== null && !this.mayOccur(command)) return false;
    return rule.match.every(
      ([field, pattern]) => pattern === command || this.fieldMatches(rule, field, pattern),
    );
  }

  private isAboutTool(rule: CompiledRule, pattern: Pattern): boolean {
    const known = this.tools.get(pattern);
    if (known !== undefined) return known;
    const found = this.guard.test(pattern, this.call.tool);
    // What takes too long means another thing for each list.
    if (found === null) return this.matches(rule, pattern, this.call.tool);
    this.tools.set(pattern, found);
    return found;
  }

  private mayOccur({ literals, atStart }: Pattern): boolean {
    if (
      literals.length === 0 ||
      this.cut === null ||
      this.rules.deny.length + this.rules.ordered.length < FEW
    )
      return true;
    // In one step: the watchdog may end the work anywhere, which is then repeated.
    this.texts ??= textsOf(this.cut);
    const { sorted, joined } = this.texts;
    return literals.some((one) => (atStart ? anyStartsWith(sorted, one) : joined.includes(one)));
  }

  private fieldMatches(rule: CompiledRule, field: string, pattern: Pattern): boolean {
    const texts = fieldTexts(this.call, field, this.facts);
    const test = (text: string) => this.matches(rule, pattern, text);
    return texts.length > 0 && (rule.ref.list === 'allow' ? texts.every(test) : texts.some(test));
  }
}

/** Each of fewer rules is tried sooner than the texts are sorted. */
const FEW = 4;

function textsOf({ segments, whole }: CutText): { sorted: string[]; joined: string } {
  const texts = segments.flatMap(({ spellings, allowed }) => [allowed, ...spellings.map(([, text]) => text)]);
  const sorted = [...new Set([...texts, whole])].sort();
  return { sorted, joined: sorted.join('\n') };
}

/** Of a sorted list: the first text that is not before the prefix begins with it, if any does. */
function anyStartsWith(texts: readonly string[], prefix: string): boolean {
  let [low, high] = [0, texts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((texts[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  return texts[low]?.startsWith(prefix) === true;
}

const PATH_FIELDS = ['file_path', 'path', 'notebook_path'];

/** The texts of an input's field; of a path as given, and as it is resolved. Empty where there is none. */
function fieldTexts({ input, cwd }: ToolCall, field: string, facts: JudgeFacts): string[] {
  if (!isObject(input) || !Object.hasOwn(input, field)) return [];
  const value = input[field];
  if (typeof value === 'number' || typeof value === 'boolean') return [JSON.stringify(value)];
  if (typeof value !== 'string') return [];
  if (!PATH_FIELDS.includes(field)) return [value];
  return [...new Set([value, ...resolvedPaths(value, cwd, facts)])];
}

function decided(
  decision: RuleDecision,
  { ref }: CompiledRule,
  segments: readonly SegmentVerdict[] = [],
): Verdict {
  if (ref.index === NO_INDEX)
    return verdict('ask', { by: 'broken', why: brokenWhy(ref.file, ref.reason), rule: ref, segments });
  const text = segments.find((one) => one.rule === ref)?.text ?? '';
  return verdict(decision, { by: 'rule', why: ruleWhy(decision, ref, text), rule: ref, segments });
}

function segmentVerdict({ text }: Segment, decision: RuleDecision, found: Found): SegmentVerdict {
  const { ref } = found.candidate.rule;
  const by = ref.index === NO_INDEX ? 'broken' : 'rule';
  return { text, spelling: found.spelling, decision, by, rule: ref, why: '' };
}

function allowed(segments: readonly SegmentVerdict[]): Verdict {
  const refs = new Set(segments.flatMap(({ rule }) => (rule === null ? [] : [rule])));
  const [rule = null] = refs.size === 1 ? refs : [];
  const by = segments.find((one) => one.by === 'rule')?.by ?? segments[0]?.by ?? 'none';
  return verdict('allow', { by, why: by === 'rule' ? VERDICT.allowed : VERDICT.readOnly, rule, segments });
}

function unsaid(segments: readonly SegmentVerdict[], why: string): Verdict {
  return verdict('pass', { by: 'none', why: why === '' ? VERDICT.noRule : notAllowable(why), segments });
}
