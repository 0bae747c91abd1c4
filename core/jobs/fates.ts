/**
 * What became of what calls wrote: still pending, committed, discarded, a commit of it undone. From the times that
 * commits and discards keep (core/overlay/kept-times.ts), and the list. A path counts for a call only where no other one can
 * have written it.
 */
import { joinPath, toText } from '../../shared/bytes.ts';
import { WriterIndex } from '../../shared/log/call-times.ts';
import type { Fate } from '../../shared/model/rule.ts';
import { readOverlayLogs } from '../attribution/overlay-logs.ts';
import { commitDir, commitNumbers, readJournal } from '../commit/journal/journal.ts';
import { isReturnable, readDiscards } from '../commit/journal/trash.ts';
import { entriesOf } from '../commit/journal/unit.ts';
import { nodePort as port } from '../kernel/fs/port.ts';
import { readTimes, TIMES } from '../overlay/kept-times.ts';
import { readFold } from '../session/log/read.ts';
import type { SessionContext } from '../session/session-context.ts';
import { scanWritten, writersIn } from './lists.ts';

type Kind = keyof Fate;
type Paths = Record<Kind, Set<string>>;

/** By tool_use_id. Errors: those of a scan. */
export async function fatesJob(ctx: SessionContext): Promise<Record<string, Fate>> {
  const [fold, { spans }] = [await readFold(ctx.sessionDir), await readOverlayLogs(ctx)];
  const index = new WriterIndex(spans);
  const found = new Map<string, Paths>();
  const add = (call: string | undefined, path: string, kinds: readonly Kind[]): void => {
    const request = call === undefined ? '' : (fold.view(call)?.request ?? '');
    if (request === '') return;
    const paths = found.get(request) ?? emptyPaths();
    for (const kind of kinds) paths[kind].add(path);
    found.set(request, paths);
  };
  for (const { path, by = [] } of (await scanWritten(ctx)).changes)
    if (by.length === 1) add(by[0], path, ['written']);
  for (const { path, time, kinds } of [...committed(ctx), ...discarded(ctx)]) {
    const by = writersIn(index, time);
    if (by.length === 1) add(by[0], path, ['written', ...kinds]);
  }
  return Object.fromEntries([...found].map(([request, paths]) => [request, countsOf(paths)]));
}

interface Gone {
  path: string;
  time: readonly [number, number];
  kinds: readonly Kind[];
}

function committed(ctx: SessionContext): Gone[] {
  return commitNumbers(port, ctx).flatMap((n): Gone[] => {
    const record = readJournal(port, ctx, n);
    if (record === null || record.begin.undoes !== undefined) return [];
    const kinds = new Map<string, readonly Kind[]>();
    for (const unit of record.units) {
      if (!record.done.has(unit.i)) continue;
      const of: readonly Kind[] = record.undone.has(unit.i) ? ['committed', 'undone'] : ['committed'];
      for (const { path } of entriesOf(unit)) kinds.set(path, of);
    }
    return readTimes(`${toText(commitDir(ctx, n))}/${TIMES}`).flatMap(([path, time]) => {
      const of = kinds.get(path);
      return of === undefined ? [] : [{ path, time, kinds: of }];
    });
  });
}

/** Without those that were undone. */
function discarded(ctx: SessionContext): Gone[] {
  return readDiscards(port, ctx)
    .filter((discard) => isReturnable(port, discard))
    .flatMap(({ dir }) => readTimes(toText(joinPath(dir, TIMES))))
    .map(([path, time]) => ({ path, time, kinds: ['discarded'] }));
}

const emptyPaths = (): Paths => ({
  written: new Set(),
  committed: new Set(),
  discarded: new Set(),
  undone: new Set(),
});

function countsOf({ written, committed, discarded, undone }: Paths): Fate {
  return {
    written: written.size,
    committed: committed.size,
    discarded: discarded.size,
    undone: undone.size,
  };
}
