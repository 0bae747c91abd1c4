/** The position in a diff: the line in the address, the line in sight, the keys from change to change. */
import { useEffect, useRef } from 'preact/hooks';
import type { TextDiff } from '../../../shared/model/diff.ts';
import { useShortcuts } from '../../keys/shortcuts.ts';
import { useApp } from '../../state/app.ts';
import { openTo, type Range } from './expand.ts';
import { linesOf } from './rows.ts';

type Box = { current: HTMLElement | null };

/** `n` and `p` go to the next or previous group of changed rows, or block of a conflict. */
export function useChangeKeys(box: Box, on = true): void {
  const go = (direction: 1 | -1): void => {
    const places = [...(box.current?.querySelectorAll<HTMLElement>('tr.changed, .block-change') ?? [])];
    const starts = places.filter((one) => one.previousElementSibling?.classList.contains('changed') !== true);
    const marked = starts.findIndex((one) => one.classList.contains('here'));
    const next = starts[marked < 0 ? (direction > 0 ? 0 : starts.length - 1) : marked + direction];
    if (next === undefined) return;
    for (const one of starts) one.classList.toggle('here', one === next);
    // A block of a conflict takes the focus, so that a screen reader reads its name.
    if (next.tabIndex === -1 && next.hasAttribute('tabindex')) next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'center' });
  };
  useShortcuts(on ? { 'next-change': () => go(1), 'previous-change': () => go(-1) } : {}, box);
}

/** Puts a line into the address, to be passed on. Replaces the history entry: Back skips the lines. */
export function useLineAddress(): (line: number) => void {
  const { route, replace } = useApp();
  return (line) => {
    const now = route.value;
    if (now.view === 'changes' && now.path !== null) replace({ ...now, line });
  };
}

/** The change or line that the user went to, else the first line in sight; null without lines. */
export function lineInSight(): number | null {
  const top = document.querySelector('.diff-scroll')?.getBoundingClientRect().top ?? 0;
  const rows = [...document.querySelectorAll<HTMLElement>('.diff tr[data-line]')];
  const here = document.querySelector('tr.here') ?? document.querySelector('tr.target');
  // A removed line has no line of the pending file: the next one that has.
  const from = here === null ? -1 : rows.findIndex((one) => one === here || isAfter(one, here));
  const row = from < 0 ? rows.find((one) => one.getBoundingClientRect().bottom > top) : rows[from];
  const line = row?.dataset['line'];
  return line === undefined ? null : Number(line);
}

function isAfter(row: Element, other: Element): boolean {
  return (other.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

interface Target {
  line: number | null;
  diff: TextDiff;
  drawn: number;
  /** Draws at least this many rows. */
  draw(rows: number): void;
  open(range: Range): Promise<void>;
}

/** Once a line: opens the gap that hides it, draws its batch, scrolls to it and marks it. */
export function useLineInSight(table: Box, { line, diff, drawn, draw, open }: Target): void {
  const done = useRef<number | null>(null);
  useEffect(() => {
    if (line === null || done.current === line) return;
    const hidden = openTo(diff, line);
    if (hidden !== null) return void open(hidden);
    const row = table.current?.querySelector(`tr[data-line="${line}"]`);
    if (row == null) {
      const at = linesOf(diff).findIndex(({ newNumber }) => newNumber === line);
      if (at >= 0) draw(at + 1);
      return;
    }
    for (const other of table.current?.querySelectorAll('tr.target') ?? []) other.classList.remove('target');
    row.classList.add('target');
    // Nothing moves when the line is in sight, as after a click on it.
    row.scrollIntoView({ block: isInSight(row) ? 'nearest' : 'center' });
    done.current = line;
  }, [line, diff, drawn]);
}

function isInSight(row: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  const box = row.closest('.diff-scroll')?.getBoundingClientRect();
  return box !== undefined && top >= box.top && bottom <= box.bottom;
}
