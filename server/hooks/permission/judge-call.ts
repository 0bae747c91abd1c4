/**
 * Permission rules at PreToolUse: whether a tool call may run, by core/rules. Refusals and questions of trai's own come
 * first and are never answered by an allow rule; the client's own rules come after, and none of ours widens what they
 * deny or ask about (measured: docs/client.md).
 *
 *     judgeCall    loads the rules that changed, writes the hook's marker (../world/rules-marker.ts), judges (facts.ts)
 *     said         what the client is answered: deny, ask, allow, or nothing
 *     logDecision  one event `permission` for every call that gets here
 */
import { judge } from '../../../core/rules/judge/judge.ts';
import { judgeFacts } from '../../../core/rules/judge/judge-facts.ts';
import { homeDir } from '../../../core/session/dirs.ts';
import { projectOf } from '../../../core/session/project.ts';
import { fromText } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import type { EventOf, NewEvent } from '../../../shared/log/events.ts';
import type { Mode } from '../../../shared/model/decision.ts';
import type { RuleRef, Verdict } from '../../../shared/model/rule.ts';
import { message } from '../../messages/hooks.ts';
import type { PreToolUseSaid } from '../world/answer.ts';
import { type JsonObject, type ToolInput, text } from '../world/input.ts';
import type { HookSession, HookWorld } from '../world/world.ts';

export interface JudgeRequest {
  world: HookWorld;
  session: HookSession | null;
  call: ToolInput;
  config: Config;
  /** Where a command will run; null for other tools. */
  runs: Mode | null;
}

export async function judgeCall(request: JudgeRequest): Promise<{ verdict: Verdict }> {
  const { world, session, call, config, runs } = request;
  const rules =
    session === null
      ? world.rules(config, projectOf(fromText(call.cwd === '' ? '/' : call.cwd)), null)
      : session.rules(config);
  const { tool, toolInput, cwd, all } = call;
  const asked = { tool, input: toolInput, cwd, mode: text(all, 'permission_mode') };
  const facts = judgeFacts({
    view: () => session?.view() ?? null,
    home: homeDir(world.env),
    config,
    runs,
  });
  const verdict = judge(asked, rules, facts);
  for (const { file, list, index, text: rule } of verdict.slow) {
    const slow = message('rule-slow', { rule: `${file} ${list}[${index}] (${rule})` });
    await session?.log({ t: 'notice', code: 'rule-slow', text: slow });
  }
  if (session !== null && call.request !== '')
    world.server?.questions.judged(session.id, call, { request: call.request, verdict, runs, asks: '' });
  return { verdict };
}

/** What PreToolUse says for a verdict; empty = nothing. */
export function said({ decision, why }: Verdict): PreToolUseSaid {
  if (decision === 'pass') return {};
  const reason = decision === 'deny' ? message('rule-denied', { why }) : why;
  return { decision, reason: `trai: ${reason}` };
}

type Logged = Pick<EventOf<'permission'>, 'decision' | 'by' | 'why'> & {
  rule?: RuleRef | null;
  also?: readonly string[];
  segment?: string;
};

export function ofVerdict({ decision, by, why, rule, segments }: Verdict): Logged {
  const deciding = segments.find((one) => one.decision === decision && one.rule === rule) ?? segments[0];
  const segment = decision === 'pass' ? segments.find((one) => one.decision === 'pass') : deciding;
  const hashes = segments.flatMap((one) => (one.rule === null || one.rule === rule ? [] : [one.rule.hash]));
  const also = [...new Set(hashes)].filter((hash) => hash !== '');
  return { decision, by: by === 'none' ? 'client' : by, why, rule, also, segment: segment?.text ?? '' };
}

export function ofTrai(decision: 'ask' | 'deny', why: string): Logged {
  return { decision, by: 'trai', why };
}

/** A full disk must not stop what is no sandboxed call. */
export async function logDecision(
  session: HookSession,
  { request, claude, agent, tool, toolInput }: ToolInput,
  { rule = null, also = [], segment = '', ...logged }: Logged,
  since: number,
): Promise<void> {
  const whole = subjectOf(tool, toolInput, () => session.world.config().config.rules.logMcp);
  const subject = whole.slice(0, MAX_SUBJECT_CHARS);
  const ms = Math.round((performance.now() - since) * 10) / 10;
  const cut = whole.length - subject.length;
  const event: NewEvent = {
    t: 'permission',
    request,
    claude,
    agent,
    tool,
    subject,
    cut,
    ...logged,
    rule: rule === null ? '' : placeOf(rule),
    hash: rule?.hash ?? '',
    also: [...also],
    segment: segment.slice(0, MAX_SUBJECT_CHARS),
    ms,
  };
  await session.log(event).catch(() => undefined);
}

const MAX_SUBJECT_CHARS = 2_000;

function placeOf({ scope, file, list, index, text: rule }: RuleRef): string {
  return scope === 'built-in' ? rule : `${file} ${list}[${index}]`;
}

/** In the order in which one stands for its call. */
const FIELDS = 'command file_path notebook_path path url query pattern skill prompt description'.split(' ');

/** The field that rules look at. MCP inputs are data of others: only the names of their fields, unless configured. */
function subjectOf(tool: string, input: JsonObject, logMcp: () => boolean): string {
  if (tool.startsWith('mcp__')) return logMcp() ? JSON.stringify(input) : Object.keys(input).join(' ');
  const field = FIELDS.find((name) => text(input, name) !== '');
  return field === undefined ? Object.keys(input).join(' ') : text(input, field);
}
