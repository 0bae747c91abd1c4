import { processStat } from '../../../core/kernel/proc/proc.ts';
import { type Counts, readCounts } from '../../../core/scan/cache/counts-file.ts';
import { checkedOut } from '../../../core/session/project.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { ClaudeIdentity, SessionMeta } from '../../../core/session/types.ts';
import type { SessionSummary } from '../../../shared/api/types.ts';
import { type BytePath, bytePath, toDisplay } from '../../../shared/bytes.ts';
import { sumCounts } from '../../../shared/model/change.ts';
import { type SharedPaths, sharedPaths } from '../../../shared/model/overlap-paths.ts';
import type { WatchedSession } from './watched-session.ts';

/** Where a session's project stands, and whether anybody still works in it. */
export function sessionFacts(
  session: WatchedSession,
  meta: SessionMeta,
): Pick<SessionSummary, 'git' | 'client' | 'ended' | 'shares'> {
  const clients = meta.claude.filter(({ source }) => source !== 'exec');
  // A client that was killed has said no word.
  const killed = clients.length > 0 && clients.every(isGone);
  const ended = session.clients.ended ?? (killed ? (session.lastCallAt ?? meta.createdAt) : null);
  return {
    git: gitOf(bytePath(meta.projectRoot)),
    client: clients.length === 0 ? 'none' : ended === null ? 'here' : 'gone',
    ended: clients.length === 0 ? null : ended,
    shares: [],
  };
}

/** Known to be gone: a pid alone may be another process's by now. */
function isGone({ pid, pidStart }: ClaudeIdentity): boolean {
  return pid !== null && pidStart !== null && processStat(pid)?.start !== pidStart;
}

/**
 * What is known to be pending without another scan: of the last list, or of the last scan of anybody, if no call has run
 * since. Null = a scan is needed.
 */
export function knownCounts(
  { list }: WatchedSession,
  ctx: SessionContext | null,
  live: boolean,
): Omit<Counts, 'entries'> | null {
  return list ?? (ctx === null || live ? null : readCounts(ctx));
}

/** Sessions of one project are compared as long as they have no more entries together: each costs a scan and memory. */
const COMPARED = 50_000;

/**
 * Those with something pending, of projects where others have too, whose lists are not at hand: only then can be said
 * what they share.
 */
export function unlisted(
  sessions: readonly WatchedSession[],
  found: readonly SessionSummary[],
): WatchedSession[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const projects = new Map<string, SessionSummary[]>();
  for (const one of found) {
    if (countOf(one) > 0) projects.set(one.projectId, [...(projects.get(one.projectId) ?? []), one]);
  }
  return [...projects.values()].flatMap((pending) => {
    const entries = pending.reduce((sum, one) => sum + countOf(one), 0);
    if (pending.length < 2 || entries > COMPARED) return [];
    return pending.flatMap(({ id }) => byId.get(id) ?? []).filter(({ list }) => list === null);
  });
}

function countOf({ counts, ignored }: SessionSummary): number {
  return ignored + (counts === null ? 0 : sumCounts(counts));
}

/** The summaries with what each session shares with others of its project. */
export function withShares(
  sessions: readonly WatchedSession[],
  found: readonly SessionSummary[],
): SessionSummary[] {
  const shares = sharesOf(sessions, found);
  return found.map((summary) => ({ ...summary, shares: shares.get(summary.id) ?? [] }));
}

function gitOf(root: BytePath): SessionSummary['git'] {
  const found = checkedOut(root);
  if (found === null) return null;
  const shown = (name: string | null): string | null => (name === null ? null : toDisplay(bytePath(name)));
  return { branch: shown(found.branch), commit: found.commit, worktree: shown(found.worktree) };
}

/** What the last comparison of a project's lists gave, and of which lists: a page asks again at every event. */
const compared = new Map<string, { of: string; shares: Map<string, SharedPaths[]> }>();

function sharesOf(
  watched: readonly WatchedSession[],
  found: readonly SessionSummary[],
): Map<string, SharedPaths[]> {
  const projects = new Map<string, WatchedSession[]>();
  const sessions = new Map(watched.map((session) => [session.id, session]));
  for (const { id, projectId } of found) {
    const session = sessions.get(id);
    const list = session?.list ?? null;
    if (session !== undefined && list !== null && sumCounts(list.counts) + list.ignored.count > 0)
      projects.set(projectId, [...(projects.get(projectId) ?? []), session]);
  }
  const all = new Map<string, SharedPaths[]>();
  for (const [project, pending] of projects) {
    if (pending.length < 2) continue;
    for (const [id, shares] of sharesIn(project, pending)) all.set(id, shares);
  }
  return all;
}

function sharesIn(project: string, pending: readonly WatchedSession[]): Map<string, SharedPaths[]> {
  const of = pending.map(({ id, list }) => `${id} ${list?.revision}`).join('\n');
  const before = compared.get(project);
  if (before?.of === of) return before.shares;
  const shares = sharedPaths(pending.map(({ id, list }) => ({ id, changes: list?.changes ?? [] })));
  compared.set(project, { of, shares });
  return shares;
}
