/** The tree of changed entries: virtual rows, an ARIA tree with one tab stop. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { BytePath } from '../../shared/bytes.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useVirtual } from '../lists/use-virtual.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';
import { type Chosen, chosenOf } from './model/selection.ts';
import type { TreeRow } from './model/tree.ts';
import { TreeRowView } from './TreeRowView.tsx';

/** As `--row-height` in tokens.css says. */
const ROW_HEIGHT = { comfortable: 28, compact: 23 } as const;

interface Props {
  state: SessionState;
  /** Key of the row that holds the tab stop. */
  active: string | null;
  setActive(key: string): void;
  selected: BytePath | null;
  open(path: BytePath): void;
}

/** The entry that opening a row shows; null for directories without a change of their own. */
function rowPath(row: TreeRow): BytePath | null {
  if (row.kind === 'entry') return row.change.path;
  return row.dir.change === null ? null : row.dir.path;
}

/** @param isEntry an entry is on show, and not a directory as a whole: both may have one path */
export function isOnShow(row: TreeRow, path: BytePath, isEntry: boolean): boolean {
  return isEntry ? rowPath(row) === path : row.kind === 'dir' && row.dir.path === path;
}

function chosenAt({ choice }: SessionState, row: TreeRow): Chosen {
  if (row.kind === 'entry') return choice.selection.value.has(row.change.id) ? 'all' : 'none';
  return chosenOf(choice.below.value.get(row.dir.path) ?? 0, row.dir.stats.total);
}

function toggleRow(state: SessionState, row: TreeRow): void {
  if (row.kind !== 'dir') return;
  const next = new Map(state.expansion.value);
  next.set(row.dir.path, !row.expanded);
  state.expansion.value = next;
}

export function ChangeTree({ state, active, setActive, selected, open }: Props) {
  const { settings } = useApp();
  const rows = state.rows.value;
  const box = useRef<HTMLDivElement>(null);
  const found = rows.findIndex((row) => row.key === active);
  const at = Math.max(found, 0);
  // The active row is drawn wherever it is: a key must find it in the page, also while the box has yet to scroll.
  const virtual = useVirtual(box, rows.length, ROW_HEIGHT[settings.density.value], at);
  const wantsFocus = useRef(false);
  const { choice, lineCounts } = state;
  const drawn = virtual.items.flatMap(({ index }) => rows[index] ?? []);
  useEffect(() => lineCounts.want(drawn.flatMap((row) => (row.kind === 'entry' ? [row.change] : []))));

  function focusActive(): void {
    if (!wantsFocus.current) return;
    const element = box.current?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]');
    if (element == null) return;
    element.focus({ preventScroll: true });
    if (element.dataset['key'] === rows[at]?.key) wantsFocus.current = false;
  }

  const move = (to: number): void => {
    const index = Math.max(0, Math.min(rows.length - 1, to));
    const row = rows[index];
    if (row === undefined) return;
    wantsFocus.current = true;
    setActive(row.key);
    virtual.scrollTo(index);
    // Nothing is drawn anew when the row is the active one already.
    if (row.key === active) focusActive();
  };

  useLayoutEffect(focusActive);

  const isEntry = selected !== null && state.byPath.value.has(selected);
  const selectedKey = selected === null ? null : rows.findIndex((row) => isOnShow(row, selected, isEntry));
  const toShown = (): void => {
    if (selectedKey !== null && selectedKey >= 0) virtual.scrollTo(selectedKey);
  };
  useLayoutEffect(toShown, [selected]);

  const activate = (row: TreeRow): void => {
    const path = rowPath(row) ?? (row.kind === 'dir' && row.dir.bulk ? row.dir.path : null);
    if (path !== null) open(path);
    else toggleRow(state, row);
  };
  // A directory as a whole, with its actions and to read through.
  const openWhole = (row: TreeRow): void => open(row.kind === 'dir' ? row.dir.path : row.change.path);
  const current = rows[at];

  useShortcuts({
    'next-row': () => move(found < 0 ? 0 : at + 1),
    'previous-row': () => move(found < 0 ? rows.length - 1 : at - 1),
    open: () => current !== undefined && openWhole(current),
    toggle: () => current !== undefined && toggleRow(state, current),
    select: () => current !== undefined && choice.toggle(current, false),
    'select-range': () => current !== undefined && choice.toggle(current, true),
    'focus-tree': () => move(at),
    'to-shown': toShown,
  });

  const parentOf = (index: number): number => {
    const depth = rows[index]?.depth ?? 0;
    for (let i = index - 1; i >= 0; i--) if ((rows[i]?.depth ?? 0) < depth) return i;
    return index;
  };

  const keys: Record<string, () => void> = {
    ArrowDown: () => move(at + 1),
    ArrowUp: () => move(at - 1),
    Home: () => move(0),
    End: () => move(rows.length - 1),
    PageDown: () => move(at + 20),
    PageUp: () => move(at - 20),
    ArrowRight: () => {
      if (current?.kind !== 'dir') return;
      if (current.expanded) move(at + 1);
      else toggleRow(state, current);
    },
    ArrowLeft: () => {
      if (current?.kind === 'dir' && current.expanded) toggleRow(state, current);
      else move(parentOf(at));
    },
    Enter: () => current !== undefined && activate(current),
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === ' ' && current !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      choice.toggle(current, event.shiftKey);
      return;
    }
    const handler = keys[event.key];
    if (handler === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    handler();
  };

  // One handler for all rows; the twist opens and closes a directory whose own change a click on the row would show.
  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element)) return;
    const key = event.target.closest<HTMLElement>('[data-key]')?.dataset['key'];
    const row = rows.find((other) => other.key === key);
    if (row === undefined) return;
    setActive(row.key);
    const isTick = event.target.closest('.tick') !== null;
    if (isTick || event.shiftKey || event.ctrlKey || event.metaKey) choice.toggle(row, event.shiftKey);
    else if (event.target.closest('.row-open') !== null) openWhole(row);
    else if (event.target.closest('.twist') !== null) toggleRow(state, row);
    else activate(row);
  };

  // A screen reader or a script may put the focus on any row.
  const onFocusIn = (event: FocusEvent): void => {
    const key = event.target instanceof HTMLElement ? event.target.dataset['key'] : undefined;
    if (key !== undefined && !wantsFocus.current) setActive(key);
  };

  return (
    <div class="tree-box" ref={box}>
      <div
        class={`tree ${choice.selection.value.size > 0 ? 'tree-choosing' : ''}`}
        role="tree"
        aria-multiselectable="true"
        aria-label="Changed files"
        style={{ height: `${virtual.height}px` }}
        onClick={onClick}
        onFocusIn={onFocusIn}
        onKeyDown={onKeyDown}
      >
        {virtual.items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <TreeRowView
              key={row.key}
              row={row}
              top={item.start}
              focusable={item.index === at}
              selected={selected !== null && isOnShow(row, selected, isEntry)}
              delta={row.kind === 'entry' ? state.delta.value.get(row.change.id) : undefined}
              risks={row.kind === 'entry' ? state.risks.value.get(row.change.id) : undefined}
              mark={row.kind === 'entry' ? state.viewed.marks.value.get(row.change.id) : undefined}
              chosen={chosenAt(state, row)}
              lines={row.kind === 'entry' ? (lineCounts.counts.value.get(row.change.id) ?? null) : null}
            />
          );
        })}
      </div>
    </div>
  );
}
