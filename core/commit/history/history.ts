/** The history of a session: commits, discards, undos and redos; and the paths of one entry, page by page. */
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { MAX_HISTORY_PATHS } from '../../../shared/limits.ts';
import type { HistoryEntry, HistoryKey, HistoryPath, HistoryPaths } from '../../../shared/model/commit.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { lstatOrNone, namesOrNone } from '../../kernel/fs/entry.ts';
import { orNull, nodePort as port } from '../../kernel/fs/port.ts';
import { REPLAY_NAME } from '../../sandbox/replay-dirs.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { type CommitRecord, commitNumbers, isAborted, readJournal, redoable } from '../journal/journal.ts';
import { type Discard, isReturnable, readDiscard, readDiscards } from '../journal/trash.ts';
import { entriesOf, hostOf, replacedBelow, type Unit } from '../journal/unit.ts';
import { historyEntryGone } from '../messages/errors.ts';
import { NEVER_KEPT, NOT_KEPT_ANY_MORE } from '../messages/reasons.ts';
import { storedAt } from '../upper/drop-entries.ts';

/** Newest first, without transactions that changed nothing on the host. */
export function readHistory(ctx: SessionContext): HistoryEntry[] {
  const entries = [...transactions(ctx), ...discards(ctx)];
  entries.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.n - a.n));
  const redo = redoable(port, ctx)?.n ?? null;
  const newest = entries.find(({ kind, state }) => kind !== 'undo' && state !== 'undone');
  for (const entry of entries) {
    if (entry === newest && entry.why === '' && entry.state !== 'unfinished') entry.can = 'undo';
    else if (entry.kind === 'undo' && entry.n === redo && entry === entries[0]) entry.can = 'redo';
  }
  return entries;
}

function transactions(ctx: SessionContext): HistoryEntry[] {
  return commitNumbers(port, ctx).flatMap((n) => {
    const record = readJournal(port, ctx, n);
    if (record === null || isAborted(record)) return [];
    if (record.phase === 'closed' && record.done.size === 0) return [];
    const { begin, report } = record;
    const kind = begin.undoes !== undefined ? 'undo' : begin.redoes !== undefined ? 'redo' : 'commit';
    return [
      {
        n,
        kind,
        at: begin.at,
        state: stateOf(record),
        entries: report?.applied ?? 0,
        bytes: report?.bytes ?? 0,
        of: begin.undoes ?? begin.redoes ?? null,
        trash: null,
        auto: begin.auto ?? '',
        can: null,
        why: kind === 'undo' ? '' : whyNot(record),
      },
    ];
  });
}

function stateOf(record: CommitRecord): HistoryEntry['state'] {
  if (record.phase !== 'closed') return 'unfinished';
  const taken = record.undone.size;
  if (taken > 0) return record.standing().length === 0 ? 'undone' : 'partly-undone';
  return record.report?.state ?? 'applied';
}

function whyNot({ begin, collected }: CommitRecord): string {
  if (collected) return NOT_KEPT_ANY_MORE;
  return !begin.reversible ? NEVER_KEPT : '';
}

function discards(ctx: SessionContext): HistoryEntry[] {
  return readDiscards(port, ctx).map((discard) => {
    const there = isReturnable(port, discard);
    return {
      n: 0,
      kind: 'discard',
      at: discard.record.begin.at,
      entries: discard.entries,
      bytes: 0,
      state: there ? 'applied' : 'undone',
      trash: there ? discard.name : null,
      of: null,
      auto: '',
      can: null,
      why: '',
    };
  });
}

/** @param after `next` of the page before, or 0 @throws TraiError `not-found` when the entry is gone */
export function historyPaths(ctx: SessionContext, key: HistoryKey, after: number): HistoryPaths {
  if ('n' in key) {
    const record = readJournal(port, ctx, key.n);
    if (record === null) throw historyEntryGone();
    const note = record.phase === 'closed' ? '' : 'It was stopped in the middle; the next run finishes it.';
    return { ...pageOf(inOrder(pathsOf(record)), after), note };
  }
  const discard = readDiscard(port, ctx, key.trash);
  if (discard === null || !isReturnable(port, discard)) throw historyEntryGone();
  return { ...pageOf(dropped(discard), after), note: '' };
}

function pageOf(paths: Iterable<HistoryPath>, after: number): Pick<HistoryPaths, 'paths' | 'next'> {
  const page: HistoryPath[] = [];
  let at = 0;
  for (const path of paths) {
    if (at++ < after) continue;
    if (page.length === MAX_HISTORY_PATHS) return { paths: page, next: after + page.length };
    page.push(path);
  }
  return { paths: page, next: null };
}

function pathsOf({ units, done }: CommitRecord): Map<BytePath, HistoryPath> {
  const found = new Map<BytePath, HistoryPath>();
  for (const unit of units) {
    if (!done.has(unit.i)) continue;
    const removed = new Set(replacedBelow(unit).map(({ path }) => path));
    for (const { path } of entriesOf(unit))
      found.set(path, { path, what: removed.has(path) ? 'removed' : whatOf(unit, path) });
  }
  return found;
}

function whatOf(unit: Unit, at: BytePath): HistoryPath['what'] {
  switch (unit.kind) {
    case 'delete':
    case 'move-to-store':
      return 'removed';
    case 'meta':
      return 'meta';
    default:
      // Everything below a new tree is new.
      return at === unit.path && hostOf(unit) !== null ? 'changed' : 'added';
  }
}

function inOrder(found: ReadonlyMap<BytePath, HistoryPath>): HistoryPath[] {
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function* dropped({ kind, dir, record }: Discard): Generator<HistoryPath, void> {
  for (const n of kind === 'all' ? namesOrNone(joinPath(dir, 'overlay')) : []) {
    const path = orNull(() => port.readlink(joinPath(dir, `overlay/${n}/l`)));
    if (path !== null) yield* below(joinPath(dir, `overlay/${n}/u`), path, false);
  }
  for (const [i, unit] of record.drops.entries()) {
    if (record.failed.has(i)) continue;
    if (unit.kind === 'mode') yield { path: unit.path, what: 'meta' };
    else yield* below(storedAt(dir, i), unit.path, true);
  }
}

/**
 * An entry of a dropped upper with everything below it, in order. Directories are named only if empty or
 * chosen: most exist only for their entries.
 */
function* below(at: BytePath, path: BytePath, chosen: boolean): Generator<HistoryPath, void> {
  const stack = [{ at, path, chosen }];
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    const entry = lstatOrNone(one.at);
    if (entry === null) continue;
    const names = entry.type === 'dir' ? namesOrNone(one.at).filter((name) => name !== REPLAY_NAME) : [];
    const named = entry.type !== 'dir' || one.chosen || (names.length === 0 && one.at !== at);
    if (named) yield { path: one.path, what: isWhiteout(entry) ? 'kept' : 'dropped' };
    for (const name of names.reverse())
      stack.push({ at: joinPath(one.at, name), path: joinPath(one.path, name), chosen: false });
  }
}
