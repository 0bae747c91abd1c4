/** The rows of a text diff, drawn in batches. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TextDiff } from '../../shared/changes/diff-model.ts';
import { MAX_LINE_CHARS } from '../../shared/limits.ts';
import { BATCH_ROWS, diffBatches, lineEndings, longLines, rowCount } from '../lib/diff-json.ts';
import * as format from '../lib/format.ts';
import { hasBidi } from '../lib/visible.ts';
import { useActions } from '../state/actions.ts';
import { useApp } from '../state/app.ts';
import { Icon } from './Icon.tsx';

const ENDINGS = {
  lf: '',
  crlf: 'Lines end with CR LF.',
  cr: 'Lines end with a bare CR.',
  mixed: 'Line endings differ: CR is marked.',
};

export function DiffText({ diff, label }: { diff: TextDiff; label: string }) {
  const { settings } = useApp();
  const [cut, setCut] = useState(true);
  const [shown, setShown] = useState(1);
  const layout = settings.layout.value;
  const batches = useMemo(() => diffBatches(diff, { rows: BATCH_ROWS, cut }), [diff, cut]);
  const table = useRef<HTMLTableElement>(null);
  const drawn = useDrawnRows(table, diff, batches, Math.min(shown, batches.length), layout);
  const total = rowCount(diff);
  const left = total - Math.min(total, shown * BATCH_ROWS);
  useChangeKeys(table);

  return (
    <>
      <DiffNotes diff={diff} cut={cut} showAll={() => setCut(false)} />
      <table
        ref={table}
        class={`diff diff-${layout} ${settings.wrap.value ? 'diff-wrap' : 'diff-scroll-x'}`}
        aria-label={`Differences in ${label}`}
        aria-busy={!drawn}
        data-rows={total}
      />
      {left > 0 ? (
        <div class="more">
          <button type="button" class="button" onClick={() => setShown(shown + 1)}>
            Show {format.count(Math.min(left, BATCH_ROWS))} more rows
          </button>
          <span class="muted">{format.plural(left, 'row')} left</span>
        </div>
      ) : null}
    </>
  );
}

/** Draws what is not drawn yet; starts anew when the diff or the layout is another. True when all is drawn. */
function useDrawnRows(
  table: { current: HTMLTableElement | null },
  diff: TextDiff,
  batches: ReturnType<typeof diffBatches>,
  wanted: number,
  layout: 'unified' | 'split',
): boolean {
  const [done, setDone] = useState(false);
  const drawnFrom = useRef<{ batches: unknown; layout: string } | null>(null);
  useEffect(() => {
    let stopped = false;
    setDone(false);
    void import('../lib/diff-render.ts').then(({ columnsOf, renderBatch, highlightDiff }) => {
      const { current } = table;
      if (stopped || current === null) return;
      const highlights = highlightDiff(diff);
      // Rows of another diff or layout stay until now: replaced in one step, so that nothing flickers.
      const same = drawnFrom.current?.batches === batches && drawnFrom.current.layout === layout;
      const keep = same ? current.tBodies.length : 0;
      const bodies = batches.slice(keep, wanted).map((batch) => renderBatch(batch, layout, highlights));
      if (keep === 0) current.replaceChildren(columnsOf(layout), ...bodies);
      else current.append(...bodies);
      drawnFrom.current = { batches, layout };
      setDone(true);
    });
    return () => {
      stopped = true;
    };
  }, [batches, wanted, layout]);
  return done;
}

/** `n` and `p`: scroll to the next and previous group of changed rows. */
function useChangeKeys(table: { current: HTMLTableElement | null }): void {
  const go = (direction: 1 | -1): void => {
    const rows = [...(table.current?.querySelectorAll<HTMLElement>('tr.changed') ?? [])];
    const starts = rows.filter((row) => row.previousElementSibling?.classList.contains('changed') !== true);
    const marked = starts.findIndex((row) => row.classList.contains('here'));
    const next = starts[marked < 0 ? (direction > 0 ? 0 : starts.length - 1) : marked + direction];
    if (next === undefined) return;
    for (const row of starts) row.classList.toggle('here', row === next);
    next.scrollIntoView({ block: 'center' });
  };
  useActions({ 'next-change': () => go(1), 'previous-change': () => go(-1) });
}

function DiffNotes({ diff, cut, showAll }: { diff: TextDiff; cut: boolean; showAll: () => void }) {
  const long = longLines(diff);
  const bidi = useMemo(
    () => diff.hunks.some((hunk) => hunk.lines.some((line) => hasBidi(line.text))),
    [diff],
  );
  const endings = ENDINGS[lineEndings(diff)];
  const empty = diff.hunks.length === 0;
  if (!bidi && long === 0 && endings === '' && !diff.approximate && !empty) return null;
  return (
    <div class="diff-notes">
      {bidi ? (
        <p class="note-warning">
          <Icon name="warning" /> Holds characters that change the direction of text. They are shown by name
          here; an editor may show these lines in another order.
        </p>
      ) : null}
      {diff.approximate ? (
        <p>Comparing was cut short: every line is shown, but some may count as changed that are not.</p>
      ) : null}
      {endings === '' ? null : <p>{endings}</p>}
      {empty ? <p>{emptyText(diff)}</p> : null}
      {long > 0 && cut ? (
        <p>
          {format.plural(long, 'line')} longer than {format.count(MAX_LINE_CHARS)} characters cut.{' '}
          <button type="button" class="link" onClick={showAll}>
            Show whole lines
          </button>
        </p>
      ) : null}
    </div>
  );
}

function emptyText(diff: TextDiff): string {
  if (diff.oldTotal === 0 && diff.newTotal === 0) return 'The file is empty: it has no lines.';
  return 'The text is the same on both sides; what differs is listed above.';
}
