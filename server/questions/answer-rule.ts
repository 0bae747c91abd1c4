/** The rule of an answer: what it would mean, for the call that is asked about and for those of the last days; writing it. */
import { statSync } from 'node:fs';
import { orNull } from '../../core/kernel/fs/port.ts';
import { readTail } from '../../core/kernel/fs/state-file.ts';
import { loadRules, type RuleSet } from '../../core/rules/files/rule-set.ts';
import { judge } from '../../core/rules/judge/judge.ts';
import type { JudgeFacts } from '../../core/rules/judge/judge-facts.ts';
import { judgeFacts } from '../../core/rules/judge/judge-facts.ts';
import { addRule, type Edit } from '../../core/rules/manage/edit.ts';
import { type CompiledRule, compileRules } from '../../core/rules/model/model.ts';
import { logPath } from '../../core/session/log/append.ts';
import { bytePath } from '../../shared/bytes.ts';
import { messageOf, TraiError } from '../../shared/errors.ts';
import { isObject, jsonLines } from '../../shared/json-lines.ts';
import type { Answer, Answered, NewRule, RuleDraft, RulePreview } from '../../shared/model/question.ts';
import { RULE_SCOPES, type Rule, type RuleList, type Verdict } from '../../shared/model/rule.ts';
import { text } from '../hooks/world/input.ts';
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
  const home = world.env['HOME'] ?? '/';
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
  const { verdict } = withRule(held, compiled.rule, draft.scope);
  return decides(verdict, compiled.rule) ? '' : message('rule-no-match');
}

/** Days of recorded calls, bytes of their newest logs, and ms, within which a rule is tried on them. */
const HISTORY_DAYS = 30;
const HISTORY_BYTES = 16 * 1024 * 1024;
const LOG_BYTES = 2 * 1024 * 1024;
const HISTORY_MS = 400;
const MAX_EXAMPLES = 8;

/** @param dirs of all sessions */
export function previewRule(
  held: Held,
  list: 'allow' | 'deny',
  draft: NewRule,
  dirs: readonly string[],
): RulePreview {
  const none = { looked: 0, decides: 0, denied: 0, allowed: 0, examples: [] };
  const compiled = compiledOf(draft, list);
  if ('problem' in compiled)
    return { problem: compiled.problem, matches: false, decision: 'pass', why: '', ...none };
  const { rule } = compiled;
  const { verdict, set, facts } = withRule(held, rule, draft.scope);
  const matches = decides(verdict, rule);
  return {
    problem: matches ? '' : message('rule-no-match'),
    matches,
    decision: verdict.decision,
    why: verdict.why,
    ...tried({ rule, set: alone(set, rule), facts, field: draft.field, cwd: held.question.cwd }, dirs),
  };
}

function compiledOf(draft: RuleDraft, list: RuleList): { rule: CompiledRule } | { problem: string } {
  const { file, problems } = compileRules(
    { version: 2, [list]: [ruleOf(draft)] },
    { scope: 'session', file: '' },
  );
  const rule = list === 'deny' ? file?.deny[0] : file?.ordered[0];
  // The place in the file that does not exist yet says nothing to the user.
  if (rule === undefined) return { problem: (problems[0] ?? '').replace(/^\w+\[0\]\.?/, '').trim() };
  return { rule };
}

/** All rules with it, at the place that it will have. */
function withRule(
  { session, question }: Held,
  rule: CompiledRule,
  scope: NewRule['scope'],
): { verdict: Verdict; set: RuleSet; facts: JudgeFacts } {
  const { request } = editOf(session, scope);
  const before = loadRules(request);
  const rank = RULE_SCOPES.indexOf(scope);
  const after = before.ordered.filter(({ ref }) => RULE_SCOPES.indexOf(ref.scope) > rank);
  const first = before.ordered.filter(({ ref }) => RULE_SCOPES.indexOf(ref.scope) <= rank);
  const set: RuleSet =
    rule.ref.list === 'deny'
      ? { ...before, deny: [...before.deny, rule] }
      : { ...before, ordered: [...first, rule, ...after] };
  const { home, config } = { home: request.home, config: session.world.config().config };
  const facts = judgeFacts({ view: () => session.view(), home, config, runs: question.runs });
  const { tool, input, cwd, mode } = question;
  return { verdict: judge({ tool, input, cwd, mode }, set, facts), set, facts };
}

function decides({ rule, segments }: Verdict, { ref }: CompiledRule): boolean {
  return rule === ref || segments.some((segment) => segment.rule === ref);
}

function alone(set: RuleSet, rule: CompiledRule): RuleSet {
  const isDeny = rule.ref.list === 'deny';
  return {
    ...set,
    sandboxed: 'ask',
    builtIn: new Set(),
    deny: isDeny ? [rule] : [],
    ordered: isDeny ? [] : [rule],
  };
}

interface Trial {
  rule: CompiledRule;
  set: RuleSet;
  facts: JudgeFacts;
  field: string;
  cwd: string;
}

/** A field of a recorded call is what rules look at; of an MCP call only the tool is known. */
function tried(
  { rule, set, facts, field, cwd }: Trial,
  dirs: readonly string[],
): Pick<RulePreview, 'looked' | 'decides' | 'denied' | 'allowed' | 'examples'> {
  const until = performance.now() + HISTORY_MS;
  const found = { looked: 0, decides: 0, denied: 0, allowed: 0 };
  const examples: RulePreview['examples'] = [];
  const known = new Map<string, boolean>();
  for (const { tool, subject, denied } of recorded(dirs)) {
    if (performance.now() > until) break;
    found.looked++;
    const key = `${tool}\0${subject}`;
    let isIt = known.get(key);
    if (isIt === undefined) {
      const input = field === '' ? {} : { [field]: subject };
      isIt = decides(judge({ tool, input, cwd, mode: 'default' }, set, facts), rule);
      known.set(key, isIt);
      if (isIt && examples.length < MAX_EXAMPLES) examples.push({ tool, subject, denied });
    }
    if (!isIt) continue;
    found.decides++;
    if (denied) found.denied++;
    else found.allowed++;
  }
  return { ...found, examples };
}

interface Recorded {
  at: string;
  tool: string;
  subject: string;
  denied: boolean;
}

/** Newest sessions first, in each the newest call. */
function* recorded(dirs: readonly string[]): Generator<Recorded> {
  const since = Date.now() - HISTORY_DAYS * 86_400_000;
  const logs = dirs.flatMap((dir) => {
    const found = orNull(() => statSync(logPath(dir)));
    return found === null || found.mtimeMs < since ? [] : [{ dir, at: found.mtimeMs }];
  });
  let left = HISTORY_BYTES;
  for (const { dir } of logs.sort((a, b) => b.at - a.at)) {
    const tail = left <= 0 ? null : orNull(() => readTail(logPath(dir), LOG_BYTES));
    if (tail === null) continue;
    left -= tail.length;
    yield* callsOf(tail.toString('utf8'), new Date(since).toISOString());
  }
}

function callsOf(log: string, since: string): Recorded[] {
  const calls = new Map<string, Recorded>();
  const lines = log
    .split('\n')
    .filter((line) => /"t":"(permission|permission\.outcome|call\.closed)"/.test(line));
  for (const event of jsonLines(lines.join('\n'))) {
    if (!isObject(event)) continue;
    const request = text(event, 'request');
    const known = calls.get(request);
    if (text(event, 't') === 'permission') {
      const at = text(event, 'at');
      const denied = text(event, 'decision') === 'deny';
      if (at >= since)
        calls.set(request, { at, tool: text(event, 'tool'), subject: text(event, 'subject'), denied });
    } else if (
      known !== undefined &&
      (text(event, 'outcome') === 'denied' || text(event, 'why') === 'not-run')
    ) {
      known.denied = true;
    }
  }
  return [...calls.values()].reverse();
}
