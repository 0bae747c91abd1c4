/** The decisions about all sessions' calls, from the logs that the session index holds in memory. */
import { setImmediate as breathe } from 'node:timers/promises';
import { byTime, decisionsOf } from '../../core/rules/history/decisions.ts';
import type { Input } from '../../shared/api/contract.ts';
import type { AuditPage } from '../../shared/api/rules.ts';
import type { LogFold } from '../../shared/log/fold.ts';
import type { DecidedCall } from '../../shared/model/rule.ts';

export interface LoggedSession {
  id: string;
  log: { fold: Pick<LogFold, 'views' | 'tools' | 'version'> };
}

type Fold = LoggedSession['log']['fold'];

/** Of one log, sorted, as of a version of its fold. */
const ofLogs = new WeakMap<Fold, { version: number; decisions: readonly DecidedCall[] }>();
/** The last answer with the logs that it was made from: with a hundred thousand, merging them takes most of a question. */
let merged: { logs: readonly (readonly DecidedCall[])[]; all: readonly DecidedCall[] } = {
  logs: [],
  all: [],
};

/** Oldest first. The same array as long as nothing was logged. */
export function recordedDecisions(sessions: readonly LoggedSession[]): readonly DecidedCall[] {
  const logs = sessions.map(decisionsOfLog);
  const isSame = logs.length === merged.logs.length && logs.every((log, i) => log === merged.logs[i]);
  if (!isSame) merged = { logs, all: logs.flat().sort(byTime) };
  return merged.all;
}

/**
 * Ahead of the first question: of a hundred thousand decisions it would take eight times as long as each later one. Log by
 * log, so that hooks are answered in between.
 */
export async function prepareDecisions(sessions: () => readonly LoggedSession[]): Promise<void> {
  for (const session of sessions()) {
    decisionsOfLog(session);
    await breathe();
  }
  recordedDecisions(sessions());
}

function decisionsOfLog({ id, log: { fold } }: LoggedSession): readonly DecidedCall[] {
  const { version } = fold;
  const known = ofLogs.get(fold);
  if (known?.version === version) return known.decisions;
  const decisions = decisionsOf(id, fold).sort(byTime);
  ofLogs.set(fold, { version, decisions });
  return decisions;
}

/** Groups on the page. */
const MOST_GROUPS = 20;
/** Names to choose from; a model may call tools of any name. */
const MOST_TOOLS = 200;
/** Fewer questions are no habit. */
const LEAST_ASKED = 3;

/** One pass: there may be a hundred thousand. */
export function auditPage(decisions: readonly DecidedCall[], asked: Input<'audit'>): AuditPage {
  const isKept = filterOf(asked);
  const kept = isKept === null ? decisions : decisions.filter(isKept);
  const byWhom = new Map<DecidedCall['by'], number>();
  const said = new Map<DecidedCall['decision'], number>();
  const groups = new Map<string, Group>();
  for (const one of kept) {
    byWhom.set(one.by, (byWhom.get(one.by) ?? 0) + 1);
    said.set(one.decision, (said.get(one.decision) ?? 0) + 1);
    if (one.decision === 'ask') addAsked(groups, one);
  }
  const tools = new Set<string>();
  for (const { tool } of decisions) if (tools.size < MOST_TOOLS) tools.add(tool);
  const end = Math.max(0, kept.length - asked.from);
  return {
    all: decisions.length,
    total: kept.length,
    rows: kept.slice(Math.max(0, end - asked.count), end).reverse(),
    byWhom: mostFirst(byWhom).map(([by, count]) => ({ by, count })),
    tools: [...tools].sort(),
    decisions: mostFirst(said).map(([decision, count]) => ({ decision, count })),
    alwaysAllowed: [...groups.values()]
      .filter(({ count, denied }) => count >= LEAST_ASKED && !denied)
      .sort((a, b) => b.count - a.count)
      .slice(0, MOST_GROUPS)
      .map(({ tool, subject, count, last }) => ({ tool, subject, count, last })),
  };
}

/** Null = all are kept. */
function filterOf(asked: Input<'audit'>): ((one: DecidedCall) => boolean) | null {
  const { session, tool, decision, by, outcome, since } = asked;
  const text = asked.text.toLowerCase();
  if ([session, tool, decision, by, outcome, since, text].every((one) => one === '')) return null;
  const is = (wanted: string, found: string) => wanted === '' || wanted === found;
  return (one) =>
    one.at >= since &&
    is(session, one.session) &&
    is(tool, one.tool) &&
    is(decision, one.decision) &&
    is(by, one.by) &&
    is(outcome, one.outcome) &&
    (text === '' || one.subject.toLowerCase().includes(text));
}

/** The same call, asked about by a rule or by trai; what was left to the client it may have allowed by itself. */
interface Group {
  tool: string;
  subject: string;
  count: number;
  denied: boolean;
  last: string;
}

function addAsked(groups: Map<string, Group>, { tool, subject, outcome, at }: DecidedCall): void {
  const key = `${tool} ${subject}`;
  const group = groups.get(key);
  const denied = outcome === 'denied';
  if (group === undefined) {
    groups.set(key, { tool, subject, count: 1, denied, last: at });
    return;
  }
  group.count += 1;
  group.denied ||= denied;
  group.last = at;
}

function mostFirst<T>(counts: ReadonlyMap<T, number>): [T, number][] {
  return [...counts].sort(([, a], [, b]) => b - a);
}
