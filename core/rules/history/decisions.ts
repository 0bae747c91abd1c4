/**
 * What was decided about earlier calls, from the logs of all sessions (events `permission`), and what became of them.
 *
 *     readDecisions    a process that has no logs in memory: only the events that tell
 *     readCandidates   the same, where most of them only count
 *     decisionsOf      from a fold, which the server has
 *     hitsOf           how often each rule decided
 *
 * history.ts asks what another rule would have said, ../manage/suggest.ts which rule would have saved prompts.
 */

import type { CallView, ToolView } from '../../../shared/log/calls.ts';
import type { EventType, LogEvent } from '../../../shared/log/events.ts';
import type { LogFold } from '../../../shared/log/fold.ts';
import { errorOfCommand, errorOfTool, isCommandTimeout } from '../../../shared/model/call-outcome.ts';
import type { CallOutcome, DecidedCall, Permission, RuleHits, RuleRef } from '../../../shared/model/rule.ts';
import { sessionDir } from '../../session/dirs.ts';
import { readFold } from '../../session/log/read.ts';
import { listSessions } from '../../session/store.ts';

/** `call.requested` has the directory. What the launcher writes is not needed: a call's outcome says how it ended. */
const TELLING: ReadonlySet<EventType> = new Set([
  'permission',
  'permission.outcome',
  'question',
  'call.requested',
  'call.closed',
  'call.outcome',
]);

interface DecisionsRequest {
  stateDir: string;
  /** ISO time; '' = all. */
  since: string;
}

/** Of all sessions, oldest first. A log that cannot be read is left out. Errors: `io` for the state directory. */
export async function readDecisions(request: DecisionsRequest): Promise<DecidedCall[]> {
  const { decisions } = await readCandidates(request, null);
  return decisions;
}

export interface Candidates {
  decisions: DecidedCall[];
  /** Calls whose whole text is on record, and for which `mayCount` is false. */
  others: number;
}

/** Those for which `mayCount` is true (null = all): what became of the others is not even read. Errors: as above. */
export async function readCandidates(
  { stateDir, since }: DecisionsRequest,
  mayCount: ((decision: Pick<DecidedCall, 'tool' | 'subject' | 'cut'>) => boolean) | null,
): Promise<Candidates> {
  const { sessions } = await listSessions(stateDir);
  const all = await Promise.all(
    sessions.map(async ({ id }): Promise<Candidates> => {
      const counting = new Set<string>();
      const others = new Map<string, boolean>();
      const isEnough = (event: LogEvent): boolean => {
        if (mayCount === null || event.t !== 'permission') return false;
        const { request, at, cut } = event;
        if (counting.has(request)) return false;
        if (mayCount(event)) {
          counting.add(request);
          others.delete(request);
          return false;
        }
        others.set(request, cut === 0 && at >= since);
        return true;
      };
      const wanted = { types: TELLING, isEnough };
      const fold = await readFold(sessionDir(stateDir, id), wanted).catch(() => null);
      if (fold === null) return { decisions: [], others: 0 };
      const decisions = decisionsOf(id, fold).filter(({ at }) => at >= since);
      return { decisions, others: [...others.values()].filter(Boolean).length };
    }),
  );
  return {
    decisions: all.flatMap(({ decisions }) => decisions).sort(byTime),
    others: all.reduce((sum, { others }) => sum + others, 0),
  };
}

/** By first appearance, shells first. */
export function decisionsOf(session: string, fold: Pick<LogFold, 'views' | 'tools'>): DecidedCall[] {
  const found: DecidedCall[] = [];
  for (const call of fold.views()) {
    const { permission, cwd, id } = call;
    if (permission === null) continue;
    found.push(decidedCall(permission, { session, id, cwd }, endOfCall(call)));
  }
  for (const tool of fold.tools())
    found.push(decidedCall(tool, { session, id: '', cwd: '' }, endOfTool(tool)));
  return found;
}

/** Field by field: an object of so many fields that is made by spreads takes ten times as long to make and to read. */
function decidedCall(
  one: Permission,
  { session, id, cwd }: Pick<DecidedCall, 'session' | 'id' | 'cwd'>,
  { rc, error, outcome }: End,
): DecidedCall {
  return {
    session,
    id,
    cwd,
    rc,
    error,
    outcome,
    at: one.at,
    request: one.request,
    agent: one.agent,
    tool: one.tool,
    subject: one.subject,
    cut: one.cut,
    decision: one.decision,
    by: one.by,
    rule: one.rule,
    hash: one.hash,
    also: one.also,
    segment: one.segment,
    why: one.why,
    ms: one.ms,
    answered: one.answered,
  };
}

export function byTime(a: Pick<DecidedCall, 'at'>, b: Pick<DecidedCall, 'at'>): number {
  return a.at < b.at ? -1 : a.at > b.at ? 1 : 0;
}

type End = Pick<DecidedCall, 'rc' | 'error' | 'outcome'>;

function endOfCall(call: CallView): End {
  const [rc, outcome] = [exitOf(call), outcomeOfCall(call)];
  if (outcome !== 'failed') return { rc, error: '', outcome };
  if (call.state === 'not-entered') return { rc, error: 'not entered', outcome };
  return { rc, error: errorOfCommand(rc), outcome };
}

function outcomeOfCall({ state, permission, interrupted, rc, ok, head }: CallView): CallOutcome {
  if (state === 'refused' || permission?.decision === 'deny') return 'denied';
  // What was allowed and did not run was given up for another reason.
  if (state === 'not-run') return permission?.decision === 'allow' ? 'unknown' : 'denied';
  if (state === 'not-entered') return 'failed';
  if (state !== 'ended' && state !== 'unsandboxed') return 'unknown';
  if (interrupted) return 'interrupted';
  if (ok === false && isCommandTimeout(head)) return 'timed-out';
  return (rc ?? (ok === false ? 1 : 0)) === 0 ? 'ran' : 'failed';
}

/** The launcher's word, else the client's: a failed command's output begins with its status. */
function exitOf({ rc, ok, head }: CallView): number | null {
  if (rc !== null || ok === null) return rc;
  const said = ok ? '0' : /^Exit code (\d{1,3})\b/.exec(head)?.[1];
  return said === undefined ? null : Number(said);
}

function endOfTool({ decision, outcome, error }: ToolView): End {
  if (decision === 'deny') return { rc: null, error: '', outcome: 'denied' };
  return { rc: null, error: outcome === 'failed' ? errorOfTool(error) : '', outcome: outcome ?? 'unknown' };
}

/** By `hitsKey`. */
export function hitsOf(decisions: Iterable<DecidedCall>): ReadonlyMap<string, RuleHits> {
  const found = new Map<string, RuleHits>();
  for (const { at, hash, rule, also } of decisions) {
    for (const key of [hash === '' ? rule : hash, ...also]) {
      if (key === '') continue;
      const known = found.get(key);
      if (known === undefined) found.set(key, { hits: 1, last: at });
      else {
        known.hits += 1;
        if (known.last < at) known.last = at;
      }
    }
  }
  return found;
}

/** The same rule at another place is the same; one of trai's own has a name. */
export function hitsKey({ hash, text }: Pick<RuleRef, 'hash' | 'text'>): string {
  return hash === '' ? text : hash;
}
