/** The selection in the tree, for a commit or discard of its own. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { MAX_SCOPE_PATHS } from '../../shared/limits.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { choose, chosenBelow, NOTHING, pathsOf, type Selection, sumOf } from '../changes/model/selection.ts';
import { changesAt, type Tree, type TreeRow } from '../changes/model/tree.ts';

export function createChoice(
  list: ReadonlySignal<ChangeList | null>,
  tree: ReadonlySignal<Tree>,
  rows: ReadonlySignal<readonly TreeRow[]>,
) {
  const selection = signal<Selection>(NOTHING);
  /** Key of the row toggled last, where a range begins. */
  let anchor: string | null = null;
  const all = (): readonly Change[] => list.value?.changes ?? [];

  return {
    selection,
    /** Counts only entries still in the list. */
    sum: computed(() => sumOf(all(), selection.value)),
    /** Selected entries at or below each directory, as the filter shows them. */
    below: computed(() => chosenBelow(tree.value, selection.value)),
    toggle: (row: TreeRow, range: boolean): void => {
      const from = range ? rows.peek().findIndex(({ key }) => key === anchor) : -1;
      const to = rows.peek().indexOf(row);
      const between = from < 0 ? [row] : rows.peek().slice(Math.min(from, to), Math.max(from, to) + 1);
      const touched = [...new Set(between.flatMap(changesAt))];
      const on = from >= 0 || touched.some(({ id }) => !selection.peek().has(id));
      selection.value = choose(selection.peek(), list.peek()?.changes ?? [], touched, on);
      anchor = row.key;
    },
    /** Null when the paths are too many to name. */
    scope: (): Scope | null => {
      const paths = pathsOf(list.peek()?.changes ?? [], selection.peek());
      return paths.length > MAX_SCOPE_PATHS ? null : { kind: 'paths', paths };
    },
    clear: (): void => {
      selection.value = NOTHING;
      anchor = null;
    },
  };
}
