/** What the user has chosen in the tree, for a commit or discard of its own. */
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
  /** Key of the row that was chosen last: where a range begins. */
  let anchor: string | null = null;
  const all = (): readonly Change[] => list.value?.changes ?? [];

  return {
    selection,
    /** Of what is still in the list. */
    sum: computed(() => sumOf(all(), selection.value)),
    /** By directory: chosen entries that the filter shows, at or below it. */
    below: computed(() => chosenBelow(tree.value, selection.value)),
    /** Chooses a row with all below it, or takes it back; with `range` all rows from the last one on. */
    toggle: (row: TreeRow, range: boolean): void => {
      const from = range ? rows.peek().findIndex(({ key }) => key === anchor) : -1;
      const to = rows.peek().indexOf(row);
      const between = from < 0 ? [row] : rows.peek().slice(Math.min(from, to), Math.max(from, to) + 1);
      const touched = [...new Set(between.flatMap(changesAt))];
      const on = from >= 0 || touched.some(({ id }) => !selection.peek().has(id));
      selection.value = choose(selection.peek(), list.peek()?.changes ?? [], touched, on);
      anchor = row.key;
    },
    /** What a request for the chosen entries names; null where that is too much to name. */
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
