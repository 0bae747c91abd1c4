/** What has become of a request, for the log and for the agent's next turn. */
import { appendFileSync, lstatSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { toDisplay } from '../../../shared/bytes.ts';
import type { LogEvent, NewEvent } from '../../../shared/log/events.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { namedPaths } from '../../../shared/terminal/paths.ts';
import { countText } from '../../../shared/terminal/style.ts';
import { historyPaths } from '../../commit/history/history.ts';
import { readJournal } from '../../commit/journal/journal.ts';
import { readPlainFile } from '../../kernel/fs/plain-file.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { appendEvent } from '../../session/log/append.ts';
import type { SessionContext } from '../../session/session-context.ts';

export async function log(ctx: SessionContext, event: NewEvent): Promise<void> {
  // Spread of a union loses which member it is; the guard in appendEvent checks the result.
  appendEvent(ctx.sessionDir, { v: 1, at: new Date().toISOString(), ...event } as LogEvent);
  const line = lineOf(ctx, event);
  if (line !== null) tellAgent(ctx.sessionDir, line);
}

export async function logCommit(
  ctx: SessionContext,
  report: CommitReport,
  state: 'applied' | 'partial' | 'finished-later',
): Promise<void> {
  const [first, ...more] = report.failed;
  const many = more.length > 0 ? `${report.failed.length} entries failed` : undefined;
  const stopped = report.cancelled === true ? 'it was stopped between two entries' : '';
  const failed = [many ?? first?.message ?? stopped, markedText(report)].filter(Boolean).join('; ');
  const { n, applied, bytes, kept } = report;
  // Whoever commits next finishes what was interrupted: that may have been an undo.
  const begin = readJournal(nodePort, ctx, n)?.begin;
  const of = begin?.undoes ?? begin?.redoes;
  if (of !== undefined) {
    const redo = begin?.redoes !== undefined;
    await log(ctx, { t: 'commit.undone', n, of, redo, state, entries: applied, bytes, text: failed });
    return;
  }
  await log(ctx, { t: 'commit', n, state, entries: applied, bytes, conflicts: kept, text: failed });
}

/** For the log, which the timeline shows: whoever works there next meets the markers. */
function markedText({ marked = [] }: CommitReport): string {
  if (marked.length === 0) return '';
  const named = marked.slice(0, 3).map(toDisplay).join(', ');
  const more = marked.length > 3 ? ` and ${marked.length - 3} more` : '';
  return `conflict markers were written into ${named}${more}`;
}

/**
 * What the user did to the pending changes, for the agent's next turn: a commit or discard in the client, in a terminal
 * or in the dashboard changes what the agent's tools see, and no other event of the client says so.
 * `sessions/ID/agent-news` holds a line for each; it may be absent.
 */
const FILE = 'agent-news';

/** More than this nobody reads at once: the newest are left out, and `status` has all. */
const MAX_BYTES = 8_000;

/** Never throws: what is told of is done already. */
export function tellAgent(sessionDir: string, line: string): void {
  const file = path.join(sessionDir, FILE);
  try {
    const known = lstatSync(file, { throwIfNoEntry: false });
    // Whoever opened a FIFO for writing would wait.
    if (known !== undefined && (!known.isFile() || known.size > MAX_BYTES)) return;
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch {
    // A full disk, a session that is gone: the log has the event, or nobody asks.
  }
}

/** What the agent has not been told yet; each line is given once. */
export function takeAgentNews(sessionDir: string): string[] {
  const file = path.join(sessionDir, FILE);
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

/** Of an event that changes what the agent sees. */
function lineOf(ctx: SessionContext, event: NewEvent): string | null {
  const changes = 'entries' in event ? countText(event.entries, 'change') : '';
  if (event.t === 'commit' && event.entries > 0)
    return `the user committed ${changes}${named(ctx, { n: event.n })}: they are in the user's files now, where file tools and host commands see them.`;
  if (event.t === 'commit.undone' && event.entries > 0 && event.redo)
    return `the user committed ${changes} again${named(ctx, { n: event.n })}: they are in the user's files now.`;
  if (event.t === 'commit.undone' && event.entries > 0)
    return `the user took a commit back${named(ctx, { n: event.n })}: ${changes} are pending again, and the user's files are as before the commit.`;
  if (event.t === 'discard' && event.entries > 0)
    return `the user discarded ${changes}${named(ctx, { trash: event.trash })}: Bash sees the user's own files there again.`;
  if (event.t === 'undo')
    return `the user took a discard back: ${countText(event.entries, 'change')} are pending again.`;
  return null;
}

/** The first paths, in parentheses; empty where nobody can say any more. */
function named(ctx: SessionContext, key: { n: number } | { trash: string }): string {
  try {
    const { paths, next } = historyPaths(ctx, key, 0);
    const names = paths.map(({ path: one }) => one);
    return names.length === 0 ? '' : ` (${namedPaths(names, ctx.projectRoot, { more: next !== null })})`;
  } catch {
    return '';
  }
}
