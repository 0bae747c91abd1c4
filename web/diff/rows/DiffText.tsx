/** The rows of a text diff, drawn in batches, with what lies between its hunks on request. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/api/api-error.ts';
import type { TextDiff } from '../../../shared/model/diff.ts';
import { NOTES } from '../../messages/diff.ts';
import { useApp } from '../../state/app.ts';
import * as format from '../../text/format.ts';
import { visibleText } from '../../text/visible.ts';
import { Button } from '../../ui/Button.tsx';
import { DiffNotes } from './DiffNotes.tsx';
import { type Expanded, expand, type Gaps, gapsOf, gapWith, openGap, openTo } from './expand.ts';
import { BATCH_ROWS, diffBatches, rowCount } from './to-diff2html.ts';
import { useChangeKeys } from './use-change-keys.ts';
import { useDrawnRows } from './use-drawn-rows.ts';
import { useLineLink } from './use-line-link.ts';

interface Props {
  diff: TextDiff;
  label: string;
  /** Line of the pending file that is to be in sight. */
  line: number | null;
  /** Answers to the keys that go from change to change. */
  keys: boolean;
  /** The same comparison with all lines of the file. */
  loadWhole(): Promise<TextDiff>;
}

/** How much of a diff's gaps is open. It holds for that one diff. */
interface More {
  of: TextDiff;
  whole: TextDiff;
  opened: Gaps;
}

export function DiffText({ diff, label, line, keys, loadWhole }: Props) {
  const { settings } = useApp();
  const [cut, setCut] = useState(true);
  const [shown, setShown] = useState(1);
  const [more, setMore] = useState<More | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const layout = settings.layout.value;
  const now = more?.of === diff ? more : null;
  const expanded = useMemo(
    () => (now === null ? { diff, gaps: gapsOf(diff) } : expand(diff, now.whole, now.opened)),
    [diff, now],
  );
  const { diff: visible, gaps } = expanded;
  const batches = useMemo(() => diffBatches(visible, { rows: BATCH_ROWS, cut }), [visible, cut]);
  const table = useRef<HTMLTableElement>(null);
  const wanted = Math.min(shown, batches.length);
  const drawn = useDrawnRows(table, { diff: visible, gaps, batches, wanted, layout });
  const total = rowCount(visible);
  const left = total - Math.min(total, shown * BATCH_ROWS);
  useChangeKeys(table, keys);
  useLineLink(table, keys);

  const open = async (press: (opened: Gaps) => Gaps): Promise<void> => {
    try {
      const whole = now?.whole ?? (await loadWhole());
      setMore((last) => ({ of: diff, whole, opened: press(last?.of === diff ? last.opened : new Map()) }));
      setProblem(null);
    } catch (thrown) {
      setProblem(ApiError.from(thrown).message);
    }
  };
  useGapButtons(table, (gap, how) => void open((opened) => openGap(opened, gap, how)));
  const draw = (rows: number): void => setShown(Math.ceil(rows / BATCH_ROWS));
  useLineInSight(table, { line, expanded, drawn, draw, open });

  return (
    <>
      <DiffNotes diff={diff} cut={cut} showAll={() => setCut(false)} />
      {problem === null ? null : (
        <p class="diff-notes" role="alert">
          {NOTES.gapFailed(visibleText(problem))}
        </p>
      )}
      <table
        ref={table}
        class={`diff ${keys ? 'diff-linked ' : ''}diff-${layout} ${settings.wrap.value ? 'diff-wrap' : 'diff-scroll-x'}`}
        aria-label={`Differences in ${label}`}
        aria-busy={!drawn}
        data-rows={total}
      />
      {left > 0 ? (
        <div class="more">
          <Button onClick={() => setShown(shown + 1)}>
            Show {format.count(Math.min(left, BATCH_ROWS))} more rows
          </Button>
          <span class="muted">{format.plural(left, 'row')} left</span>
        </div>
      ) : null}
    </>
  );
}

type How = 'top' | 'bottom' | 'all';

/** The rows are no components: one listener on their table answers for all buttons in them. */
function useGapButtons(
  table: { current: HTMLTableElement | null },
  press: (gap: number, how: How) => void,
): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const onClick = ({ target }: MouseEvent): void => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-gap]') : null;
      const { gap, how } = button?.dataset ?? {};
      if (gap !== undefined && (how === 'top' || how === 'bottom' || how === 'all'))
        latest.current(Number(gap), how);
    };
    table.current?.addEventListener('click', onClick);
  }, []);
}

interface InSight {
  line: number | null;
  expanded: Expanded;
  drawn: boolean;
  /** So many rows must be drawn. */
  draw(rows: number): void;
  open(press: (opened: Gaps) => Gaps): Promise<void>;
}

/** Brings a line into sight once: opens the gap that hides it, draws the batch that it is in, scrolls, and marks it. */
function useLineInSight(table: { current: HTMLTableElement | null }, sight: InSight): void {
  const { line, expanded, drawn } = sight;
  const { diff: visible } = expanded;
  const done = useRef<number | null>(null);
  useEffect(() => {
    if (line === null || !drawn || done.current === line) return;
    if (gapWith(visible, line) !== null) return void sight.open((opened) => openTo(expanded, opened, line));
    const row = table.current?.querySelector(`tr[data-line="${line}"]`);
    if (row == null) {
      const rows = visible.hunks.flatMap((hunk) => hunk.lines);
      const at = rows.findIndex(({ newNumber }) => newNumber === line);
      if (at >= 0) sight.draw(at + 1);
      return;
    }
    for (const other of table.current?.querySelectorAll('tr.target') ?? []) other.classList.remove('target');
    row.classList.add('target');
    // Who clicked on it sees it already: then nothing moves.
    row.scrollIntoView({ block: isInSight(row) ? 'nearest' : 'center' });
    done.current = line;
  }, [line, expanded, drawn]);
}

function isInSight(row: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  const box = row.closest('.diff-scroll')?.getBoundingClientRect();
  return box !== undefined && top >= box.top && bottom <= box.bottom;
}
