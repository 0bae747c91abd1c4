/**
 * What was committed, discarded and undone in a session, newest first, and which of it can be undone. history-paths.ts names
 * the paths of one entry.
 */
import type { HistoryEntry } from '../../../shared/model/commit.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { type CommitRecord, commitNumbers, isAborted, readJournal } from '../journal/journal.ts';
import { isReturnable, readDiscards } from '../journal/trash.ts';
import { redoable } from '../undo/redo.ts';

/** Newest first. What changed nothing on the host (refused, taken back before it began) is left out. */
export function readHistory(ctx: SessionContext, port: FsPort = nodePort): HistoryEntry[] {
  const entries = [...transactions(port, ctx), ...discards(port, ctx)];
  entries.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.n - a.n));
  const redo = redoable(port, ctx)?.n ?? null;
  const newest = entries.find(({ kind, state }) => kind !== 'undo' && state !== 'undone');
  for (const entry of entries) {
    if (entry === newest && entry.why === '' && entry.state !== 'unfinished') entry.can = 'undo';
    else if (entry.kind === 'undo' && entry.n === redo && entry === entries[0]) entry.can = 'redo';
  }
  return entries;
}

function transactions(port: FsPort, ctx: SessionContext): HistoryEntry[] {
  return commitNumbers(port, ctx).flatMap((n) => {
    const record = readJournal(port, ctx, n) ?? null;
    if (record === null || isAborted(record)) return [];
    if (record.phase === 'closed' && record.done.size === 0) return [];
    const { begin, report } = record;
    const kind =
      begin.undoes !== undefined
        ? ('undo' as const)
        : begin.redoes !== undefined
          ? ('redo' as const)
          : ('commit' as const);
    return [
      {
        ...{ n, kind, at: begin.at, state: stateOf(record) },
        ...{ entries: report?.applied ?? 0, bytes: report?.bytes ?? 0 },
        of: begin.undoes ?? begin.redoes ?? null,
        ...{ trash: null, can: null, why: kind === 'undo' ? '' : whyNot(record) },
      },
    ];
  });
}

function stateOf(record: CommitRecord): HistoryEntry['state'] {
  if (record.phase !== 'closed') return 'unfinished';
  const taken = record.undone.size;
  if (taken > 0)
    return [...record.done.keys()].every((i) => record.undone.has(i)) ? 'undone' : 'partly-undone';
  return record.report?.state ?? 'applied';
}

function whyNot({ begin, collected }: CommitRecord): string {
  if (collected) return 'what was there before is not kept any more';
  return !begin.reversible ? 'it was made without keeping what was there before' : '';
}

function discards(port: FsPort, ctx: SessionContext): HistoryEntry[] {
  return readDiscards(port, ctx).map((discard) => {
    const there = isReturnable(port, discard);
    return {
      ...{ n: 0, kind: 'discard', at: discard.record.begin.at, entries: discard.entries, bytes: 0 },
      ...{ state: there ? 'applied' : 'undone', trash: there ? discard.name : null },
      ...{ of: null, can: null, why: '' },
    };
  });
}
