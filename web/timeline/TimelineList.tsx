/** The rows of the timeline: calls and what stands beside them, only those in sight in the page. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { CallRow } from '../calls/CallRow.tsx';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useVirtual } from '../lists/use-virtual.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';
import { MarkRow } from './MarkRow.tsx';
import { findRow, idOf, type Row } from './model/rows.ts';

/** As `--call-height` in tokens.css says. */
const ROW_HEIGHT = { comfortable: 56, compact: 46 } as const;

interface Props {
  state: SessionState;
  rows: Row[];
  /** Id in the address. */
  selected: string | null;
  onOpen(call: string): void;
  /** Changes whenever other rows pass the filter: what is selected stays in sight then. */
  filter: unknown;
}

export function TimelineList({ state, rows, selected, filter, onOpen }: Props) {
  const { settings } = useApp();
  const rowHeight = ROW_HEIGHT[settings.density.value];
  const box = useRef<HTMLDivElement>(null);
  const at = findRow(rows, selected);
  const virtual = useVirtual(box, rows.length, rowHeight);
  const wrote = state.timeline.wrote.value;
  const toShown = (): void => {
    if (at >= 0) virtual.scrollTo(at);
  };
  useLayoutEffect(toShown, [filter, selected]);
  const open = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    onOpen(idOf(row));
  };
  const step = (index: number): void => {
    box.current?.focus({ preventScroll: true });
    open(index);
  };
  useShortcuts({
    'next-row': () => step(at + 1),
    'previous-row': () => step(at < 0 ? rows.length - 1 : at - 1),
    'focus-tree': () => box.current?.focus(),
    'to-shown': toShown,
  });
  const keys: Record<string, () => void> = {
    ArrowDown: () => open(at + 1),
    ArrowUp: () => open(at < 0 ? 0 : at - 1),
    PageDown: () => open(at + pageOf(box.current, rowHeight)),
    PageUp: () => open(Math.max(0, at - pageOf(box.current, rowHeight))),
    Home: () => open(0),
    End: () => open(rows.length - 1),
  };
  return (
    <div
      class="tree-box"
      ref={box}
      role="listbox"
      aria-label="Calls"
      tabIndex={0}
      aria-activedescendant={
        at >= 0 && virtual.items.some((item) => item.index === at) ? `call-${at}` : undefined
      }
      onClick={(event) => {
        const row =
          event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
        if (row !== null) open(Number(row.dataset['index']));
      }}
      onKeyDown={(event) => {
        const handler = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
        if (handler === undefined) return;
        event.preventDefault();
        handler();
      }}
    >
      <div class="tree" role="presentation" style={{ height: `${virtual.height}px` }}>
        {virtual.items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const place = {
            index: item.index,
            top: item.start,
            selected: item.index === at,
            size: rows.length,
          };
          return row.type === 'call' ? (
            <CallRow key={row.key} call={row.call} wrote={wrote.get(row.call.id)?.length ?? 0} {...place} />
          ) : (
            <MarkRow key={row.key} mark={row.mark} {...place} />
          );
        })}
      </div>
    </div>
  );
}

function pageOf(box: HTMLElement | null, rowHeight: number): number {
  return Math.max(1, Math.floor((box?.clientHeight ?? 0) / rowHeight) - 1);
}
