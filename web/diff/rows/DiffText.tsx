/** The table of a text diff. Rows are no components: draw.ts adds them in batches; gaps open on request. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/api/api-error.ts';
import type { TextDiff } from '../../../shared/model/diff.ts';
import { NOTES } from '../../messages/diff.ts';
import { useApp } from '../../state/app.ts';
import * as format from '../../text/format.ts';
import { visibleText } from '../../text/visible.ts';
import { Button } from '../../ui/Button.tsx';
import { DiffNotes } from './DiffNotes.tsx';
import { colourRow, colourTable, columnsOf, drawBatch, drawFoot, type Layout } from './draw.ts';
import { expand, type Gap, type Gaps, gapsOf, openGap } from './expand.ts';
import { diffColours, type Highlights } from './highlighter.ts';
import { useChangeKeys, useLineAddress, useLineInSight } from './position.ts';
import { BATCH_ROWS, type Batch, batchesOf, hunksIn, linesOf } from './rows.ts';

interface Props {
  diff: TextDiff;
  label: string;
  line: number | null;
  /** The change keys and the page's address are about this diff. */
  keys: boolean;
  loadWhole(): Promise<TextDiff>;
}

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
  const batches = useMemo(() => batchesOf(visible, cut), [visible, cut]);
  const table = useRef<HTMLTableElement>(null);
  const wanted = Math.min(shown, batches.length);
  useDrawnRows(table, { diff: visible, gaps, batches, wanted, layout });
  const total = linesOf(visible).length;
  const left = total - Math.min(total, shown * BATCH_ROWS);

  const open = async (press: (opened: Gaps) => Gaps): Promise<void> => {
    try {
      const whole = now?.whole ?? (await loadWhole());
      setMore((last) => ({ of: diff, whole, opened: press(last?.of === diff ? last.opened : new Map()) }));
      setProblem(null);
    } catch (thrown) {
      setProblem(ApiError.from(thrown).message);
    }
  };
  const draw = (rows: number): void => setShown(Math.ceil(rows / BATCH_ROWS));
  useLineInSight(table, { line, expanded, drawn: wanted, draw, open });
  useChangeKeys(table, keys);
  const setLine = useLineAddress();
  // One handler: the buttons and line numbers in the rows are no components.
  const onClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element)) return;
    const { gap, how } = target.closest<HTMLElement>('[data-gap]')?.dataset ?? {};
    if (gap !== undefined && (how === 'top' || how === 'bottom' || how === 'all'))
      void open((opened) => openGap(opened, Number(gap), how));
    const number = target.closest('td.number');
    const at = number?.closest('tr')?.dataset['line'];
    if (keys && at !== undefined && number?.textContent !== '') setLine(Number(at));
  };
  useEffect(() => {
    const box = table.current;
    box?.addEventListener('click', onClick);
    return () => box?.removeEventListener('click', onClick);
  });

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
        aria-busy={false}
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

interface Drawing {
  diff: TextDiff;
  gaps: readonly Gap[];
  batches: readonly Batch[];
  wanted: number;
  layout: Layout;
}

/** Adds the batches that are missing; starts over, in one step, when diff or layout change. */
function useDrawnRows(table: { current: HTMLTableElement | null }, drawing: Drawing): void {
  const { diff, gaps, batches, wanted, layout } = drawing;
  const highlights = useColours(diff);
  const last = useRef<Pick<Drawing, 'batches' | 'layout'> | null>(null);
  useLayoutEffect(() => {
    const { current } = table;
    if (current === null) return;
    const isSame = last.current?.batches === batches && last.current.layout === layout;
    const keep = isSame ? current.tBodies.length : 0;
    last.current = { batches, layout };
    let hunk = batches.slice(0, keep).reduce((sum, batch) => sum + hunksIn(batch), 0);
    const parts: HTMLElement[] = keep === 0 ? [columnsOf(layout)] : [];
    for (const batch of batches.slice(keep, wanted)) {
      const body = drawBatch(batch, layout, gaps.slice(hunk, hunk + hunksIn(batch)));
      hunk += hunksIn(batch);
      if (highlights !== null) for (const row of body.rows) colourRow(row, highlights);
      parts.push(body);
    }
    const foot = wanted < batches.length ? null : drawFoot(gaps.at(-1), layout);
    if (foot !== null) parts.push(foot);
    const focused = focusedGap(current);
    if (keep === 0) current.replaceChildren(...parts);
    else current.append(...parts);
    if (focused !== null) focusGap(current, focused);
  }, [batches, wanted, layout]);
  useEffect(() => {
    if (highlights === null || table.current === null) return;
    const abort = new AbortController();
    void colourTable(table.current, highlights, abort.signal);
    return () => abort.abort();
  }, [highlights]);
}

function focusedGap(table: HTMLTableElement): number | null {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || !table.contains(activeElement)) return null;
  return activeElement.dataset['gap'] === undefined ? null : Number(activeElement.dataset['gap']);
}

/** The pressed button was replaced: focus goes to what is left of its gap, else to the next gap. */
function focusGap(table: HTMLTableElement, gap: number): void {
  const buttons = [...table.querySelectorAll<HTMLElement>('[data-gap]')];
  const next = buttons.find((button) => Number(button.dataset['gap']) >= gap) ?? buttons.at(-1);
  next?.focus({ preventScroll: true });
}

/** Null until known. Another view of the same contents keeps the colours it has, so that nothing flickers. */
function useColours(diff: TextDiff): Highlights | null {
  const [known, setKnown] = useState<{ etag: string; highlights: Highlights } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    void diffColours(diff, abort.signal).then((highlights) => {
      if (highlights !== null && !abort.signal.aborted) setKnown({ etag: diff.etag, highlights });
    });
    return () => abort.abort();
  }, [diff]);
  return known?.etag === diff.etag ? known.highlights : null;
}
