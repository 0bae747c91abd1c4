/** The rule of an answer: what it would mean, for the call that is asked about and for those of the last days; writing it. */
import { loadRules, type RuleSet } from '../../core/rules/files/rule-set.ts';
import { aloneSet, ruleHistory } from '../../core/rules/history/history.ts';
import { judge } from '../../core/rules/judge/judge.ts';
import { judgeFacts } from '../../core/rules/judge/judge-facts.ts';
import { addRule, type Edit } from '../../core/rules/manage/edit.ts';
import { type CompiledRule, compileOne, ruleProblem } from '../../core/rules/model/model.ts';
import { homeDir } from '../../core/session/dirs.ts';
import { bytePath } from '../../shared/bytes.ts';
import { messageOf, TraiError } from '../../shared/errors.ts';
import type { Answer, Answered, NewRule, RuleDraft, RulePreview } from '../../shared/model/question.ts';
import {
  type DecidedCall,
  RULE_SCOPES,
  type Rule,
  type RuleList,
  type Verdict,
} from '../../shared/model/rule.ts';
import type { HookSession } from '../hooks/world/world.ts';
import { message } from '../messages/hooks.ts';
import type { Held } from './held.ts';

function ruleOf({ tool, field, pattern }: RuleDraft): Rule {
  return { tool, ...(field === '' ? {} : { match: { [field]: pattern } }) };
}

function editOf(session: HookSession, scope: NewRule['scope']): Edit {
  const { world, meta, id } = session;
  const { config } = world.config();
  const project = { root: bytePath(meta.projectRoot), id: meta.projectId };
  const home = homeOf(session);
  const request = { env: world.env, stateDir: world.stateDir, project, session: id, home, config };
  return { request, facts: judgeFacts({ view: () => session.view(), home, config, runs: null }), scope };
}

/** The rule of an answer. The answer counts whatever becomes of its rule, so this never throws. */
export async function writeAnswerRule(held: Held, answer: Answer, draft: NewRule): Promise<Answered['rule']> {
  const list = answer === 'never' ? 'deny' : 'allow';
  try {
    const problem = problemOf(held, list, draft);
    if (problem !== '') return { written: false, why: problem };
    const { file } = await addRule(editOf(held.session, draft.scope), list, ruleOf(draft));
    return { written: true, file, list };
  } catch (error) {
    const hint = error instanceof TraiError && error.hint !== undefined ? ` ${error.hint}` : '';
    return { written: false, why: `${messageOf(error)}.${hint}` };
  }
}

/** Why the rule is of no use for the call that is asked about; empty when it is. */
function problemOf(held: Held, list: RuleList, draft: NewRule): string {
  const compiled = compiledOf(draft, list);
  if ('problem' in compiled) return compiled.problem;
  return uselessWhy(held, compiled.rule, withRule(held, compiled.rule, draft.scope));
}

function uselessWhy(held: Held, rule: CompiledRule, { verdict, set }: WithRule): string {
  if (decides(verdict, rule)) return '';
  const isMatch = decides(judged(held, aloneSet(rule, set)), rule);
  return isMatch ? message('rule-behind', { why: verdict.why }) : message('rule-no-match');
}

/** Why a rule denies the call now: it may have been added since PreToolUse. Empty = none does. */
export function deniedNow(held: Held): string {
  const { decision, why } = judged(held, loadRules(editOf(held.session, 'user').request));
  return decision === 'deny' ? why : '';
}

const HISTORY_MS = 30 * 86_400_000;
/** Recorded calls that a rule is tried on: hooks wait meanwhile. */
const MOST_JUDGED = 2_000;
const MOST_EXAMPLES = 8;

/** @param decisions of all sessions, oldest first */
export function previewRule(
  held: Held,
  list: 'allow' | 'deny',
  draft: NewRule,
  decisions: readonly DecidedCall[],
): RulePreview {
  const compiled = compiledOf(draft, list);
  if ('problem' in compiled) {
    const none = { looked: 0, decides: 0, denied: 0, allowed: 0, examples: [] };
    return { problem: compiled.problem, matches: false, decision: 'pass', why: '', ...none };
  }
  const { rule } = compiled;
  const added = withRule(held, rule, draft.scope);
  const { verdict, set } = added;
  const { config } = held.session.world.config();
  const facts = judgeFacts({ view: 'none', home: homeOf(held.session), config, runs: null });
  const since = new Date(Date.now() - HISTORY_MS).toISOString();
  const recent = decisions.filter(({ at }) => at >= since).slice(-MOST_JUDGED);
  const { looked, matched, denied, newest } = ruleHistory(rule, recent, set, facts);
  const problem = uselessWhy(held, rule, added);
  return {
    problem,
    matches: problem === '',
    decision: verdict.decision,
    why: verdict.why,
    looked,
    decides: matched,
    denied,
    allowed: matched - denied,
    examples: newest.slice(0, MOST_EXAMPLES).map(({ tool, subject, outcome }) => {
      return { tool, subject, denied: outcome === 'denied' };
    }),
  };
}

function compiledOf(draft: RuleDraft, list: RuleList): { rule: CompiledRule } | { problem: string } {
  const problem = ruleProblem(ruleOf(draft), list);
  return problem === '' ? { rule: compileOne(ruleOf(draft), list) } : { problem };
}

interface WithRule {
  verdict: Verdict;
  set: RuleSet;
}

/** All rules with it, at the place that it will have. */
function withRule(held: Held, rule: CompiledRule, scope: NewRule['scope']): WithRule {
  const before = loadRules(editOf(held.session, scope).request);
  const rank = RULE_SCOPES.indexOf(scope);
  const after = before.ordered.filter(({ ref }) => RULE_SCOPES.indexOf(ref.scope) > rank);
  const first = before.ordered.filter(({ ref }) => RULE_SCOPES.indexOf(ref.scope) <= rank);
  const set: RuleSet =
    rule.ref.list === 'deny'
      ? { ...before, deny: [...before.deny, rule] }
      : { ...before, ordered: [...first, rule, ...after] };
  return { verdict: judged(held, set), set };
}

/** The call that is asked about. */
function judged({ session, question }: Held, set: RuleSet): Verdict {
  const { tool, input, cwd, mode, runs } = question;
  const { config } = session.world.config();
  const facts = judgeFacts({ view: () => session.view(), home: homeOf(session), config, runs });
  return judge({ tool, input, cwd, mode }, set, facts);
}

function decides({ rule, segments }: Verdict, { ref }: CompiledRule): boolean {
  return rule === ref || segments.some((segment) => segment.rule === ref);
}

function homeOf({ world }: HookSession): string {
  return homeDir(world.env);
}
