/** What the log says about one call, and what follows from it. */
import type { Mode } from '../model/decision.ts';
import type { CallState, CallView } from './call-view.ts';
import type {
  ClosedEvent,
  DecisionEvent,
  EndEvent,
  FailedEvent,
  OutcomeEvent,
  RequestEvent,
  SavedEvent,
  StartEvent,
} from './types.ts';

/** The events of one call, whichever there are. `request` and `outcome` come from hooks, the rest from the launcher. */
export interface CallFacts {
  request?: RequestEvent;
  decision?: DecisionEvent;
  start?: StartEvent;
  end?: EndEvent;
  failed?: FailedEvent;
  closed?: ClosedEvent;
  outcome?: OutcomeEvent;
  left?: number[];
  saved?: SavedEvent[];
  gone?: number[];
}

/**
 * NOT SANDBOXED: a Post event shows that the command ran, and nothing shows that the launcher had it. Whoever writes
 * the outcome judges that first (it also knows of claims that could not be joined to a request) and says so in
 * `unsandboxed`; a start in the log contradicts it, and a call that was to be sandboxed needs one in any case.
 */
export function ranUnnoticed(facts: CallFacts): boolean {
  const { decision, outcome } = facts;
  const launched = facts.start ?? facts.end ?? facts.failed;
  if (outcome === undefined || launched !== undefined || decision?.mode === 'refuse') return false;
  if (outcome.unsandboxed) return true;
  return decision?.mode === 'sandbox' && !outcome.interrupted && !saysNothingRan(outcome);
}

/** The words with which launcher and env line end (status 125) when they could not even log. */
function saysNothingRan({ ok, head }: OutcomeEvent): boolean {
  return !ok && head.startsWith('Exit code 125') && head.includes('Nothing of the command was run');
}

/** The state follows from the facts alone, not from the order in which hooks and launcher came to write them. */
export function stateOf(facts: CallFacts): CallState {
  const { request, decision, start, outcome, closed } = facts;
  if (facts.failed !== undefined) return 'not-entered';
  if (facts.end !== undefined) return 'ended';
  if (start !== undefined) return closed?.why === 'launcher-gone' ? 'lost' : 'running';
  if (ranUnnoticed(facts)) return 'unsandboxed';
  if ((decision ?? request)?.mode === 'refuse') return 'refused';
  // The launcher had asked, and was stopped before its first line.
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
  return {
    id,
    request: own,
    command: decided?.command ?? '',
    cwd: decided?.cwd ?? '',
    origin: originOf(facts),
    agent: request?.agent ?? '',
    mode: modeOf(facts),
    reason: decided?.reason ?? null,
    text: decision?.text || request?.text || '',
    state,
    requestedAt: request?.at ?? decision?.at ?? null,
    startedAt: start?.at ?? null,
    endedAt: endedAt(state, end ?? failed ?? outcome ?? closed),
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
    saved: (facts.saved ?? []).map(({ what, dir, restore, untracked, count, text }) => ({
      what,
      dir,
      restore,
      untracked,
      count,
      text,
    })),
    twins: request?.twins ?? 0,
  };
}

/** What the launcher did counts more than what it was told, and that more than what the hook expected. */
function modeOf({ start, decision, request }: CallFacts): Mode | null {
  return (start ?? decision ?? request)?.mode ?? null;
}

function originOf({ request, decision, outcome }: CallFacts): string {
  if (request !== undefined) return request.tool;
  if (decision === undefined) return outcome === undefined ? '' : 'Bash';
  if (decision.origin !== 'claude') return decision.origin;
  return decision.request === '' ? '!' : 'Bash';
}

function endedAt(state: CallState, last: { at: string } | undefined): string | null {
  return state === 'running' || state === 'requested' ? null : (last?.at ?? null);
}
