/** Draws the rows of a diff into its table. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TextDiff } from '../../../shared/model/diff.ts';
import type { Gap } from './expand.ts';
import type { Highlights } from './highlight-job.ts';
import { diffColours } from './highlighter-state.ts';
import { type diffBatches, hunksIn } from './to-diff2html.ts';

interface Drawing {
  diff: TextDiff;
  gaps: readonly Gap[];
  batches: ReturnType<typeof diffBatches>;
  /** So many batches. */
  wanted: number;
  layout: 'unified' | 'split';
}

/** Draws what is not drawn yet; starts anew when the diff or the layout is another. True when all is drawn. */
export function useDrawnRows(table: { current: HTMLTableElement | null }, drawing: Drawing): boolean {
  const { diff, gaps, batches, wanted, layout } = drawing;
  const [done, setDone] = useState(false);
  const highlights = useColours(diff);
  const colours = useRef(highlights);
  colours.current = highlights;
  useColouredRows(table, highlights, done);
  const drawnFrom = useRef<{ batches: unknown; layout: string } | null>(null);
  useEffect(() => {
    let stopped = false;
    setDone(false);
    void import('./render.ts').then(({ colourRow, columnsOf, footOf, renderBatch }) => {
      const { current } = table;
      if (stopped || current === null) return;
      // Rows of another diff or layout stay until now: replaced in one step, so that nothing flickers.
      const same = drawnFrom.current?.batches === batches && drawnFrom.current.layout === layout;
      const keep = same ? current.tBodies.length : 0;
      let hunk = batches.slice(0, keep).reduce((sum, batch) => sum + hunksIn(batch), 0);
      const bodies = batches.slice(keep, wanted).map((batch) => {
        const from = hunk;
        hunk += hunksIn(batch);
        const body = renderBatch(batch, layout, gaps.slice(from, hunk));
        // What is known already is there in the first frame.
        if (colours.current !== null) for (const row of body.rows) colourRow(row, colours.current);
        return body;
      });
      const foot = wanted < batches.length ? null : footOf(gaps.at(-1), layout);
      const focused = focusedGap(current);
      if (keep === 0) current.replaceChildren(columnsOf(layout), ...bodies, ...(foot === null ? [] : [foot]));
      else current.append(...bodies, ...(foot === null ? [] : [foot]));
      if (focused !== null) focusGap(current, focused);
      drawnFrom.current = { batches, layout };
      setDone(true);
    });
    return () => {
      stopped = true;
    };
  }, [batches, wanted, layout]);
  return done;
}

function focusedGap(table: HTMLTableElement): number | null {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || !table.contains(activeElement)) return null;
  return activeElement.dataset['gap'] === undefined ? null : Number(activeElement.dataset['gap']);
}

/** The button that was pressed is drawn anew: the focus goes to what is left of its gap, else to the next one. */
function focusGap(table: HTMLTableElement, gap: number): void {
  const buttons = [...table.querySelectorAll<HTMLElement>('[data-gap]')];
  const next = buttons.find((button) => Number(button.dataset['gap']) >= gap) ?? buttons.at(-1);
  next?.focus({ preventScroll: true });
}

/**
 * Null until they are known. Those of the same contents shown in another way (more context, other white space) hold
 * until new ones are there: a line has the same text, so nothing flickers.
 */
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

/** Colours what is `drawn`; what has its colours already costs nothing. */
function useColouredRows(
  table: RefObject<HTMLTableElement | null>,
  highlights: Highlights | null,
  drawn: boolean,
): void {
  useEffect(() => {
    if (highlights === null || !drawn) return;
    const abort = new AbortController();
    void import('./render.ts').then(({ colourTable }) => {
      if (table.current !== null) void colourTable(table.current, highlights, abort.signal);
    });
    return () => abort.abort();
  }, [highlights, drawn]);
}
