import { toDisplay } from '../../../shared/bytes.ts';
import type { LogEvent, NewEvent } from '../../../shared/log/events.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { readJournal } from '../../commit/journal/journal.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { appendEvent } from '../../session/log/append.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { tellAgentOf } from './agent-news.ts';

export async function log(ctx: SessionContext, event: NewEvent): Promise<void> {
  // Spread of a union loses which member it is; the guard in appendEvent checks the result.
  appendEvent(ctx.sessionDir, { v: 1, at: new Date().toISOString(), ...event } as LogEvent);
  tellAgentOf(ctx, event);
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
export function markedText({ marked = [] }: CommitReport): string {
  if (marked.length === 0) return '';
  const named = marked.slice(0, 3).map(toDisplay).join(', ');
  const more = marked.length > 3 ? ` and ${marked.length - 3} more` : '';
  return `conflict markers were written into ${named}${more}`;
}
