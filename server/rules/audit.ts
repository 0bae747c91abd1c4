/** The decisions about all sessions' calls, from the logs that the session index holds in memory. */
import { byTime, decisionsOf } from '../../core/rules/history/decisions.ts';
import type { Input } from '../../shared/api/contract.ts';
import type { AuditPage } from '../../shared/api/rules.ts';
import type { LogFold } from '../../shared/log/fold.ts';
import { addTo } from '../../shared/maps.ts';
import type { DecidedCall } from '../../shared/model/rule.ts';

export interface LoggedSession {
  id: string;
  log: { fold: Pick<LogFold, 'views' | 'tools'> };
}

/** Oldest first. */
export function recordedDecisions(sessions: readonly LoggedSession[]): DecidedCall[] {
  return sessions.flatMap(({ id, log }) => decisionsOf(id, log.fold)).sort(byTime);
}

/** Groups on the page. */
const MOST_GROUPS = 20;
/** Fewer questions are no habit. */
const LEAST_ASKED = 3;

export function auditPage(decisions: readonly DecidedCall[], asked: Input<'audit'>): AuditPage {
  const text = asked.text.toLowerCase();
  const is = (wanted: string, found: string) => wanted === '' || wanted === found;
  const kept = decisions.filter(
    (one) =>
      one.at >= asked.since &&
      is(asked.session, one.session) &&
      is(asked.tool, one.tool) &&
      is(asked.decision, one.decision) &&
      is(asked.by, one.by) &&
      is(asked.outcome, one.outcome) &&
      (text === '' || one.subject.toLowerCase().includes(text)),
  );
  const end = Math.max(0, kept.length - asked.from);
  return {
    all: decisions.length,
    total: kept.length,
    rows: kept.slice(Math.max(0, end - asked.count), end).reverse(),
    byWhom: counted(kept, ({ by }) => by).map(([by, count]) => ({ by, count })),
    decisions: counted(kept, ({ decision }) => decision).map(([decision, count]) => ({ decision, count })),
    alwaysAllowed: alwaysAllowed(kept),
  };
}

/** The most frequent first. */
function counted<T>(decisions: readonly DecidedCall[], of: (one: DecidedCall) => T): [T, number][] {
  const found = new Map<T, number>();
  for (const one of decisions) found.set(of(one), (found.get(of(one)) ?? 0) + 1);
  return [...found].sort(([, a], [, b]) => b - a);
}

/** Asked about by a rule or by trai; what was left to the client it may have allowed by itself. */
function alwaysAllowed(decisions: readonly DecidedCall[]): AuditPage['alwaysAllowed'] {
  const groups = new Map<string, DecidedCall[]>();
  for (const one of decisions) if (one.decision === 'ask') addTo(groups, `${one.tool} ${one.subject}`, one);
  return [...groups.values()]
    .filter((all) => all.length >= LEAST_ASKED && all.every(({ outcome }) => outcome !== 'denied'))
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_GROUPS)
    .flatMap((all) => {
      const last = all.at(-1);
      return last === undefined
        ? []
        : [{ tool: last.tool, subject: last.subject, count: all.length, last: last.at }];
    });
}

/** The newest first, each text once. */
export function newestOfEach(calls: readonly DecidedCall[], most: number): DecidedCall[] {
  const byText = new Map(calls.map((call) => [`${call.tool} ${call.subject}`, call]));
  return [...byText.values()].slice(-most).reverse();
}
