import { sessionProcesses } from '../../../core/attribution/processes.ts';
import { newestTrash } from '../../../core/commit/discard/discard.ts';
import { unfinishedCommit } from '../../../core/commit/journal/journal.ts';
import { overlapsOf, projectIdOf } from '../../../core/jobs/overlaps.ts';
import { processStat } from '../../../core/kernel/proc/proc.ts';
import { liveSources } from '../../../core/sandbox/live.ts';
import { readPlan } from '../../../core/sandbox/prepare/plan-files.ts';
import { readCounts } from '../../../core/scan/cache/counts-file.ts';
import { homeDir } from '../../../core/session/dirs.ts';
import { readMeta, type SessionMeta } from '../../../core/session/meta-file.ts';
import { checkedOut } from '../../../core/session/project.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import { filePaths } from '../../../shared/api/packed-changes.ts';
import type { SessionDetail, SessionSummary } from '../../../shared/api/types.ts';
import { type BytePath, bytePath, fromText, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { addTo } from '../../../shared/maps.ts';
import { type ChangeCounts, sumCounts } from '../../../shared/model/change.ts';
import { type SharedPaths, sharedPaths } from '../../../shared/model/overlap-paths.ts';
import type { ManagerParts, SessionManager } from './manager.ts';
import type { HeldList } from './session-list.ts';
import type { WatchedSession } from './watched-session.ts';

export interface SummaryParts extends Pick<ManagerParts, 'stateDir' | 'env' | 'context' | 'hub' | 'report'> {
  manager: SessionManager;
}

/** Sessions of a project are compared up to this many entries: each costs a scan and memory. */
const COMPARED = 50_000;

/** The last used first. Sessions that are being created or have a broken meta.json are left out. */
export async function summaries(parts: SummaryParts): Promise<SessionSummary[]> {
  const sessions = parts.manager.all();
  const live = liveSources();
  const found = await Promise.all(
    sessions.map(async (session) => {
      try {
        return await summary(parts, session, await readMeta(session.dir), live);
      } catch (error) {
        if (!(error instanceof TraiError && (error.code === 'corrupt' || error.code === 'no-session')))
          parts.report(error);
        return null;
      }
    }),
  );
  const readable = found.filter((one) => one !== null);
  return withShares(parts, readable).sort((a, b) => (newest(a) < newest(b) ? 1 : -1));
}

function newest(one: SessionSummary): string {
  return one.lastCallAt ?? one.createdAt;
}

async function summary(
  parts: SummaryParts,
  session: WatchedSession,
  meta: SessionMeta,
  live: ReadonlySet<string>,
): Promise<SessionSummary> {
  const ctx = await parts.context(session.id);
  const isLive = ctx !== null && live.has(ctx.source);
  // From the last list, or from anyone's last scan if no call has run since.
  const known = session.list.last?.head ?? (ctx === null || isLive ? null : readCounts(ctx));
  if (known === null) scanLater(parts, session);
  const { fold } = session.log;
  return {
    id: meta.id,
    projectId: meta.projectId,
    projectRoot: bytePath(meta.projectRoot),
    cwd: toDisplay(bytePath(meta.cwd)),
    createdAt: meta.createdAt,
    lastCallAt: fold.lastCallAt,
    calls: fold.views().length,
    counts: known?.counts ?? null,
    bytes: known?.bytes ?? 0,
    conflicts: known?.conflicts ?? 0,
    ignored: known?.ignored.count ?? 0,
    live: isLive,
    off: meta.off,
    caught: meta.caught !== null,
    ...(await journalFacts(ctx)),
    git: gitOf(bytePath(meta.projectRoot)),
    ...clientOf(session, meta),
    level: meta.levels?.at(-1) ?? 'plugin',
    shares: [],
  };
}

function scanLater({ hub, report }: SummaryParts, session: WatchedSession): void {
  void session.list.get('recent').then(() => hub.emit({ type: 'sessions' }), report);
}

function clientOf(
  { log: { fold } }: WatchedSession,
  meta: SessionMeta,
): Pick<SessionSummary, 'client' | 'ended'> {
  const clients = meta.claude.filter(({ source }) => source !== 'exec');
  if (clients.length === 0) return { client: 'none', ended: null };
  // A killed client has logged no end. The kernel reuses pids.
  const killed = clients.every(
    ({ pid, pidStart }) => pid !== null && pidStart !== null && processStat(pid)?.start !== pidStart,
  );
  const ended = fold.ended ?? (killed ? (fold.lastCallAt ?? meta.createdAt) : null);
  return { client: ended === null ? 'here' : 'gone', ended };
}

function gitOf(root: BytePath): SessionSummary['git'] {
  const found = checkedOut(root);
  if (found === null) return null;
  const shown = (name: string | null): string | null => (name === null ? null : toDisplay(bytePath(name)));
  return { branch: shown(found.branch), commit: found.commit, worktree: shown(found.worktree) };
}

/** What its journals say; nothing where they are of another version, which a notice in the log says. */
async function journalFacts(
  ctx: SessionContext | null,
): Promise<Pick<SessionSummary, 'undo' | 'unfinished'>> {
  try {
    if (ctx !== null) return { undo: await newestTrash(ctx), unfinished: unfinishedCommit(ctx) !== null };
  } catch (error) {
    if (!(error instanceof TraiError)) throw error;
  }
  return { undo: null, unfinished: false };
}

/** By project: the last result and its lists, since a page asks at every event. */
const compared = new Map<string, { of: string; shares: Map<string, SharedPaths[]> }>();

/** Adds the paths shared with other sessions, from the lists at hand; missing ones are scanned for later. */
function withShares(parts: SummaryParts, found: readonly SessionSummary[]): SessionSummary[] {
  const byId = new Map(parts.manager.all().map((session) => [session.id, session]));
  const entriesOf = (one: SessionSummary) => pendingIn(one.counts) + one.ignored;
  const projects = new Map<string, SessionSummary[]>();
  for (const one of found) if (entriesOf(one) > 0) addTo(projects, one.projectId, one);
  const shares = new Map<string, SharedPaths[]>();
  for (const [project, pending] of projects) {
    if (pending.length < 2) continue;
    const entries = pending.reduce((sum, one) => sum + entriesOf(one), 0);
    const sessions = pending.flatMap(({ id }) => byId.get(id) ?? []);
    const listed = sessions.flatMap(({ id, list: { last } }) => (last === null ? [] : [{ id, last }]));
    if (entries <= COMPARED)
      for (const session of sessions) if (session.list.last === null) scanLater(parts, session);
    if (listed.length > 1) for (const [id, of] of sharesIn(project, listed)) shares.set(id, of);
  }
  return found.map((one) => ({ ...one, shares: shares.get(one.id) ?? [] }));
}

function sharesIn(
  project: string,
  listed: readonly { id: string; last: HeldList }[],
): Map<string, SharedPaths[]> {
  const of = listed.map(({ id, last }) => `${id} ${last.revision}`).join('\n');
  const before = compared.get(project);
  if (before?.of === of) return before.shares;
  const shares = sharedPaths(listed.map(({ id, last }) => ({ id, paths: filePaths(last.found.packed) })));
  compared.set(project, { of, shares });
  return shares;
}

function pendingIn(counts: ChangeCounts | null | undefined): number {
  return counts == null ? 0 : sumCounts(counts);
}

export async function detail(parts: SummaryParts, session: WatchedSession): Promise<SessionDetail> {
  const ctx = await parts.context(session.id);
  const meta = await readMeta(session.dir);
  const plan = readPlan(session.dir);
  const covered =
    plan?.coveredDirs.map(({ path }) => ({ path: toDisplay(path), kind: 'covered' as const, why: '' })) ?? [];
  const notes = plan?.notes.map(({ path, kind, why }) => ({ path: toDisplay(path), kind, why })) ?? [];
  return {
    ...(await summary(parts, session, meta, liveSources())),
    claudeIds: meta.claude.map((identity) => identity.id),
    home: ctx?.home ?? fromText(homeDir(process.env)),
    configFile: meta.configFile,
    configProblems: meta.configProblems,
    processes: ctx === null ? [] : await sessionProcesses(ctx.source, () => parts.manager.callsOf(session)),
    places: [...covered, ...notes],
    notices: [...session.log.fold.notices],
    // A failing comparison is reported in the session that it is about.
    overlaps: await overlapsOf(parts.stateDir, parts.env, session.id).catch((error) => {
      parts.report(error);
      return [];
    }),
    others: await othersPending(parts, session, meta),
    wentOnIn: meta.wentOnIn ?? null,
  };
}

async function othersPending(
  { manager, stateDir }: SummaryParts,
  session: WatchedSession,
  meta: SessionMeta,
): Promise<SessionDetail['others']> {
  const found = await Promise.all(
    manager.all().map(async ({ id, list, log }) => {
      const changes = pendingIn(list.last?.head.counts);
      if (id === session.id || changes === 0) return [];
      if ((await projectIdOf(stateDir, id)) !== meta.projectId) return [];
      return [{ id, changes, at: log.fold.lastCallAt ?? '' }];
    }),
  );
  const newestFirst = found.flat().sort((a, b) => (a.at < b.at ? 1 : -1));
  return newestFirst.map(({ id, changes }) => ({ id, changes }));
}
