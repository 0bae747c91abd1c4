/**
 * The outcome of a transaction in the log, the agent's news and the attribution: for each job that changes a
 * session, and for what recovery completes.
 */

import { appendFileSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { type BytePath, toText } from '../../../shared/bytes.ts';
import type { NewEvent } from '../../../shared/log/events.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import type { CommitReport, DiscardReport, LiveProcess } from '../../../shared/model/commit.ts';
import { namedPaths } from '../../../shared/terminal/text.ts';
import { endThese } from '../../attribution/processes.ts';
import { writeTimes } from '../../attribution/write-times.ts';
import { historyPaths } from '../../commit/history/history.ts';
import { commitDir, readJournal } from '../../commit/journal/journal.ts';
import { trashDir } from '../../commit/journal/trash.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { readPlainFile } from '../../kernel/fs/state-file.ts';
import { keepTimes, returnTimes, TIMES } from '../../overlay/kept-times.ts';
import { logTo } from '../../session/log/append.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { manyFailed, markersWritten, NEWS, STOPPED_BETWEEN } from '../messages/texts.ts';

/** Logs an event, and adds it to the agent's news if it changes what the agent sees. */
export function log(ctx: SessionContext, event: NewEvent): void {
  logTo(ctx.sessionDir, event);
  const line = lineOf(ctx, event);
  if (line !== null) tellAgent(ctx.sessionDir, line);
}

export function logCommit(
  ctx: SessionContext,
  report: CommitReport,
  state: 'applied' | 'partial' | 'finished-later',
): void {
  const [first, ...more] = report.failed;
  const many = more.length > 0 ? manyFailed(report.failed.length) : undefined;
  const stopped = report.cancelled === true ? STOPPED_BETWEEN : '';
  const { n, applied, bytes, kept, marked = [] } = report;
  // Who works there next meets the markers.
  const markers = marked.length === 0 ? '' : markersWritten(marked);
  const failed = [many ?? first?.message ?? stopped, markers].filter(Boolean).join('; ');
  // The report may be of an interrupted undo or redo, which the next commit completes.
  const begin = readJournal(nodePort, ctx, n)?.begin;
  const of = begin?.undoes ?? begin?.redoes;
  if (of !== undefined) {
    const redo = begin?.redoes !== undefined;
    log(ctx, { t: 'commit.undone', n, of, redo, state, entries: applied, bytes, text: failed });
    return;
  }
  const auto = begin?.auto ?? '';
  log(ctx, { t: 'commit', n, state, entries: applied, bytes, conflicts: kept, text: failed, auto });
}

/**
 * `sessions/ID/agent-news` (may be absent): lines for the agent's next turn about commits and discards, which
 * change what its tools see. No event of the client says so.
 */
const AGENT_NEWS = 'agent-news';

/** When the file is larger, further news is left out; `status` has everything. */
const MAX_BYTES = 8_000;

/** Never throws: the transaction is done already. */
export function tellAgent(sessionDir: string, line: string): void {
  const file = `${sessionDir}/${AGENT_NEWS}`;
  try {
    const known = lstatSync(file, { throwIfNoEntry: false });
    // Opening a FIFO for writing would block.
    if (known !== undefined && (!known.isFile() || known.size > MAX_BYTES)) return;
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch {
    // A full disk or a removed session: the log has the event.
  }
}

/** Takes the news out of the file, so that each line is given once. */
export function takeAgentNews(sessionDir: string): string[] {
  const file = `${sessionDir}/${AGENT_NEWS}`;
  const taken = `${file}.${process.pid}`;
  try {
    renameSync(file, taken);
    const lines = (readPlainFile(taken)?.toString('utf8') ?? '').split('\n');
    rmSync(taken, { force: true, recursive: true });
    return lines.filter((line) => line !== '');
  } catch {
    return [];
  }
}

function lineOf(ctx: SessionContext, event: NewEvent): string | null {
  if (event.t === 'undo') return NEWS.discardUndone(event.entries);
  if (!('entries' in event) || event.entries === 0) return null;
  if (event.t === 'commit')
    return (event.auto === '' ? NEWS.committed : NEWS.committedByRule)(
      event.entries,
      named(ctx, { n: event.n }),
    );
  if (event.t === 'commit.undone')
    return (event.redo ? NEWS.committedAgain : NEWS.undone)(event.entries, named(ctx, { n: event.n }));
  if (event.t === 'discard') return NEWS.discarded(event.entries, named(ctx, { trash: event.trash }));
  return null;
}

function named(ctx: SessionContext, key: { n: number } | { trash: string }): string {
  try {
    const { paths, next } = historyPaths(ctx, key, 0);
    const names = paths.map(({ path: one }) => one);
    return names.length === 0 ? '' : ` (${namedPaths(names, ctx.projectRoot, next !== null)})`;
  } catch {
    return '';
  }
}

/** Runs a commit, and keeps the write times of its entries, which only the uppers have. */
export async function keepingTimes(
  ctx: SessionContext,
  list: ChangeList,
  commit: () => Promise<CommitReport>,
): Promise<CommitReport> {
  const times = await writeTimes(ctx, list.changes);
  const report = await commit();
  if (report.applied > 0) ignoring(() => keepTimes(timesFile(ctx, report.n), list.changes, times));
  return report;
}

/** Runs a discard, and keeps the write times of what it took. */
export async function keepingDiscarded(
  ctx: SessionContext,
  { changes }: ChangeList,
  discard: () => Promise<DiscardReport & { paths: ReadonlySet<BytePath> | null }>,
): Promise<DiscardReport> {
  const times = await writeTimes(ctx, changes);
  const { paths, ...report } = await discard();
  const left = new Set((report.left ?? []).map(({ path }) => path));
  ignoring(() => {
    const at = changes.map((_, i) => i);
    const taken = at.filter((i) => isTaken(changes[i], paths, left));
    const own = new Float64Array(taken.flatMap((i) => [...times.subarray(2 * i, 2 * i + 2)]));
    const file = `${toText(trashDir(ctx))}/${report.trash}/${TIMES}`;
    keepTimes(
      file,
      taken.flatMap((i) => changes[i] ?? []),
      own,
    );
  });
  return report;
}

function isTaken(
  change: Change | undefined,
  paths: ReadonlySet<BytePath> | null,
  left: ReadonlySet<BytePath>,
): boolean {
  return change !== undefined && (paths === null || paths.has(change.path)) && !left.has(change.path);
}

/** After an undo: gives what is pending again its former write times, for attribution. */
export function returnWritten(ctx: SessionContext, { n }: Pick<CommitReport, 'n'>): void {
  ignoring(() => {
    const record = readJournal(nodePort, ctx, n);
    const of = record?.begin.undoes;
    if (record === null || of === undefined) return;
    // The rename has changed the time of the directory itself, not of its entries.
    const moved = record.units.filter((unit) => unit.kind === 'move-to-store');
    const births = new Map(
      moved.flatMap(({ i, path, born }) =>
        record.done.has(i) ? [[path, born.split(':')[3] ?? ''] as const] : [],
      ),
    );
    returnTimes(ctx, timesFile(ctx, of), String(n), Date.parse(record.begin.at), births);
  });
}

function timesFile(ctx: SessionContext, n: number): string {
  return `${toText(commitDir(ctx, n))}/${TIMES}`;
}

/** A transaction that is done must not fail for lack of write times. */
function ignoring(work: () => void): void {
  try {
    work();
  } catch {
    // Mostly a full disk.
  }
}

/**
 * Ends these processes, logged before the first signal, and returns the pids signalled.
 * @throws TraiError `live` with those that could not be ended
 */
export async function endAndLog(ctx: SessionContext, processes: readonly LiveProcess[]): Promise<number[]> {
  if (processes.length === 0) return [];
  const pids = processes.map(({ pid }) => pid);
  const commands = processes.map(({ command }) => command);
  await log(ctx, { t: 'processes', state: 'ending', pids, commands, quiet: false });
  return await endThese(ctx.source, processes);
}
