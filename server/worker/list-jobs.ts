/**
 * Questions about a list: they name its session and revision, and the worker answers them from the list that it has. The
 * main thread sends it the columns only when it has not (any more), so that no list crosses as objects.
 */

import { conflictView } from '../../core/content/conflict-view.ts';
import { diffEntry } from '../../core/content/diff.ts';
import type { TextVerdict } from '../../core/content/hidden-texts.ts';
import { lineCounts } from '../../core/content/line-counts.ts';
import { previewMerge } from '../../core/content/merge-entry.ts';
import { searchable, searchPending } from '../../core/content/search.ts';
import { JOBS } from '../../core/jobs/jobs.ts';
import { resultOf } from '../../core/kernel/fs/slices.ts';
import { type Fingerprints, fingerprints } from '../../core/scan/cache/fingerprints.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import type { Input, Output } from '../../shared/api/contract.ts';
import { type PackedChanges, unpackChanges } from '../../shared/api/packed-changes.ts';
import type { CommitPreview, PreviewOrder } from '../../shared/api/types.ts';
import { TraiError } from '../../shared/errors.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';

type OfTable<K extends 'diff' | 'merge' | 'conflict' | 'search' | 'lineCounts'> = {
  input: Input<K>;
  output: Output<K>;
};

export interface ListJobs {
  diff: OfTable<'diff'>;
  merge: OfTable<'merge'>;
  conflict: OfTable<'conflict'>;
  search: OfTable<'search'>;
  lineCounts: OfTable<'lineCounts'>;
  /** `review`: with the fingerprints of the list that was looked at. */
  preview: {
    input: { order: PreviewOrder; texts: ReadonlyMap<string, TextVerdict>; review: boolean };
    output: { preview: CommitPreview; reviewed: Fingerprints | null };
  };
}
export type ListJobName = keyof ListJobs;

/** A list as it goes to the worker. */
export interface ListColumns {
  head: Omit<ChangeList, 'changes'>;
  packed: PackedChanges;
}

/** What a question is about, as the main thread has it. */
export interface ListSource {
  readonly list: ChangeList;
  /** Another text when the list, or who wrote its changes, is another one. */
  readonly key: string;
  columns(): ListColumns;
}

export function listOf({ head, packed }: ListColumns): ChangeList {
  return { ...head, changes: unpackChanges(packed) };
}

export const LIST_JOBS: {
  readonly [K in ListJobName]: (
    ctx: SessionContext,
    list: ChangeList,
    input: ListJobs[K]['input'],
  ) => Promise<ListJobs[K]['output']>;
} = {
  diff: async (ctx, list, { entry, ...view }) => await diffEntry(ctx, changeIn(list, entry), view),
  merge: async (ctx, list, { entry }) => previewMerge(ctx, changeIn(list, entry)),
  conflict: async (ctx, list, { entry }) => conflictView(ctx, changeIn(list, entry)),
  lineCounts: async (ctx, { changes }, { entries }) => {
    const wanted = new Set(entries);
    return await lineCounts(
      ctx,
      changes.filter(({ id }) => wanted.has(id)),
    );
  },
  search: async (ctx, list, order) => {
    const changes = searchable(list.changes, order.includeIgnored);
    const at = order.after === null ? -1 : changes.findIndex(({ id }) => id === order.after);
    if (order.after !== null && at < 0)
      throw new TraiError('stale-revision', 'the changes moved on while they were searched', {
        hint: 'Search again.',
      });
    return await searchPending(ctx, changes.slice(at + 1), order);
  },
  preview: async (ctx, list, { order, texts, review }) => ({
    preview: await JOBS.preview(ctx, { list, order, texts }, () => undefined),
    reviewed: review ? await resultOf(fingerprints(list.changes)) : null,
  }),
};

/** Errors: `not-found`. */
function changeIn({ changes }: ChangeList, entry: string): Change {
  const change = changes.find(({ id }) => id === entry);
  if (change === undefined) throw new TraiError('not-found', 'there is no such entry in the list any more');
  return change;
}
