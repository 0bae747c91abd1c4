/** A call, as the events of hooks and launcher tell it: what happened, and when it could write. */
import type { Mode, Reason } from '../model/decision.ts';
import type { Permission } from '../model/rule.ts';
import type { Span } from './call-times.ts';
import type { EventOf } from './events.ts';

export type CallState =
  | 'requested'
  | 'running'
  | 'ended'
  | 'not-entered'
  | 'refused'
  | 'not-run'
  | 'unsandboxed'
  | 'lost';

export interface CallView {
  /** The request's id when no launcher sent a claim. */
  id: string;
  /** tool_use_id; empty when no hook saw it (`!`, exec). Stays when the launcher gives it an id. */
  request: string;
  command: string;
  cwd: string;
  /** Bash, Monitor, `!` (no hook saw it), exec, explore. */
  origin: string;
  agent: string;
  mode: Mode | null;
  reason: Reason | null;
  text: string;
  state: CallState;
  requestedAt: string | null;
  startedAt: string | null;
  endedAt: string | null;
  rc: number | null;
  ms: number | null;
  background: boolean;
  interrupted: boolean;
  ok: boolean | null;
  head: string;
  tail: string;
  cut: number;
  left: number[];
  gone: number[];
  /** What it discarded on the host, saved before it ran. */
  saved: readonly Omit<EventOf<'call.saved'>, 'v' | 'at' | 't' | 'call'>[];
  twins: number;
  /** Whether it may run; null = not in the log. */
  permission: Permission | null;
}

/** A call of another tool that rules were asked about. */
export interface ToolView extends Permission {
  /** Null: not known yet. */
  outcome: EventOf<'permission.outcome'>['outcome'] | null;
  /** Whose word the outcome is. */
  outcomeBy: EventOf<'permission.outcome'>['by'] | null;
  /** The first words of a failure or denial. */
  error: string;
}

/** Tools whose calls trai runs itself. */
export function isShell(tool: string): boolean {
  return tool === 'Bash' || tool === 'Monitor';
}

/** Identifies a call for readers of a timeline's news: stays when the launcher gives the request an id. */
export function callKey({ id, request }: Pick<CallView, 'id' | 'request'>): string {
  return request === '' ? id : `request ${request}`;
}

/** A slash command runs bin/trai by its whole path; the arguments are in a permit. */
const FROM_PROMPT = /^(?:"[^"]*\/bin\/trai"|\S*\/bin\/trai) ([a-z]+) --from-prompt\s*$/;

/** A slash command is shown as typed, not as the program that it runs. */
export function shownCommand({ command, reason }: Pick<CallView, 'command' | 'reason'>): string {
  const name = reason === 'own-program' ? FROM_PROMPT.exec(command)?.[1] : undefined;
  return name === undefined ? command : `/trai:${name}`;
}

/** `request` and `outcome` come from hooks, the rest from the launcher. */
export interface CallFacts {
  request?: EventOf<'call.requested'>;
  permission?: EventOf<'permission'>;
  denied?: EventOf<'permission.outcome'>;
  answered?: Permission['answered'];
  decision?: EventOf<'call.decided'>;
  start?: EventOf<'call.started'>;
  end?: EventOf<'call.ended'>;
  failed?: EventOf<'call.failed'>;
  closed?: EventOf<'call.closed'>;
  outcome?: EventOf<'call.outcome'>;
  left?: number[];
  saved?: EventOf<'call.saved'>[];
  gone?: number[];
  /** When the last of `gone` was seen to have ended. */
  goneAt?: string;
}

/**
 * NOT SANDBOXED: a Post event shows that the command ran, and nothing shows that the launcher had it. The
 * writer of the outcome judges first (`unsandboxed`), since it also knows claims without a request. A logged
 * start contradicts it; a call decided as `sandbox` needs one in any case.
 */
function ranUnnoticed(facts: CallFacts): boolean {
  const { decision, outcome } = facts;
  const launched = facts.start ?? facts.end ?? facts.failed;
  if (outcome === undefined || launched !== undefined || decision?.mode === 'refuse') return false;
  if (outcome.unsandboxed) return true;
  return decision?.mode === 'sandbox' && !outcome.interrupted && !saysNothingRan(outcome);
}

/** The text of launcher and env line (status 125) when they could not even log. */
function saysNothingRan({ ok, head }: EventOf<'call.outcome'>): boolean {
  return !ok && head.startsWith('Exit code 125') && head.includes('Nothing of the command was run');
}

/** Independent of the order in which hooks and launcher wrote the facts. */
function stateOf(facts: CallFacts): CallState {
  const { request, decision, start, outcome, closed } = facts;
  if (facts.failed !== undefined) return 'not-entered';
  if (facts.end !== undefined) return 'ended';
  if (start !== undefined) return closed?.why === 'launcher-gone' ? 'lost' : 'running';
  if (ranUnnoticed(facts)) return 'unsandboxed';
  if ((decision ?? request)?.mode === 'refuse') return 'refused';
  // The launcher had sent a claim, and was stopped before its first line.
  if (outcome?.interrupted === true && decision?.mode === 'sandbox') return 'not-run';
  if (outcome !== undefined) return saysNothingRan(outcome) ? 'not-entered' : 'ended';
  if (closed !== undefined) return closed.why === 'launcher-gone' ? 'lost' : 'not-run';
  return 'requested';
}

export function viewOf(id: string, own: string, facts: CallFacts): CallView {
  const { request, decision, start, end, failed, closed, outcome } = facts;
  const decided = decision ?? request;
  const state = stateOf(facts);
  const ms = end?.ms ?? (start === undefined ? outcome?.ms : undefined);
  const isOpen = state === 'running' || state === 'requested';
  return {
    id,
    request: own,
    command: decided?.command ?? '',
    cwd: decided?.cwd ?? '',
    origin: originOf(facts),
    agent: request?.agent ?? '',
    // What the launcher did, else its decision, else what the hook expected.
    mode: (start ?? decided)?.mode ?? null,
    reason: decided?.reason ?? null,
    text: decision?.text || request?.text || facts.denied?.error || '',
    state,
    requestedAt: request?.at ?? decision?.at ?? null,
    startedAt: start?.at ?? null,
    endedAt: isOpen ? null : ((end ?? failed ?? outcome ?? closed)?.at ?? null),
    rc: end?.rc ?? null,
    ms: ms === undefined ? null : Math.max(0, Math.round(ms)),
    background: request?.background === true || (outcome?.background ?? '') !== '',
    interrupted: outcome?.interrupted ?? false,
    ok: outcome?.ok ?? null,
    head: outcome?.head ?? '',
    tail: outcome?.tail ?? '',
    cut: outcome?.cut ?? 0,
    left: facts.left ?? [],
    gone: facts.gone ?? [],
    saved: (facts.saved ?? []).map(({ v: _v, at: _at, t: _t, call: _call, ...saved }) => saved),
    twins: request?.twins ?? 0,
    permission:
      facts.permission === undefined ? null : permissionView(facts.permission, facts.answered ?? null),
  };
}

/** Field by field: of a hundred thousand calls, the rest of an object takes a second. */
export function permissionView(
  event: EventOf<'permission'>,
  answered: Permission['answered'] = null,
): Permission {
  const { at, request, agent, tool, subject, cut, decision, by, rule, hash, also, segment, why, ms } = event;
  return {
    at,
    request,
    agent,
    tool,
    subject,
    cut,
    decision,
    by,
    rule,
    hash,
    also,
    segment,
    why,
    ms,
    answered,
  };
}

function originOf({ request, decision, outcome }: CallFacts): string {
  if (request !== undefined) return request.tool;
  if (decision === undefined) return outcome === undefined ? '' : 'Bash';
  if (decision.origin !== 'claude') return decision.origin;
  return decision.request === '' ? '!' : 'Bash';
}

/** When it could write into the overlay; null = never. */
export function spanOf(
  call: string,
  { decision, start, end, failed, closed, left, gone, goneAt }: CallFacts,
): Span | null {
  if (start?.mode !== 'sandbox' || failed !== undefined) return null;
  const from = Date.parse(start.at);
  const ends = [end, closed].flatMap((event) => (event === undefined ? [] : [Date.parse(event.at)]));
  // The clock may have been set back.
  const ended = ends.length === 0 ? null : Math.max(from, ...ends);
  const leaves = (left?.length ?? 0) > (gone?.length ?? 0);
  const to =
    ended === null || leaves ? null : Math.max(ended, goneAt === undefined ? ended : Date.parse(goneAt));
  const around = decision?.origin === 'client' ? { around: true as const } : {};
  return { call, pid: start.pid, from, ended, to, ...around };
}
