/** The table of a text diff. Rows are drawn in batches; gaps open on request. */

import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/api/api-error.ts';
import type { TextDiff } from '../../../shared/model/diff.ts';
import { useMore } from '../../lists/use-more.ts';
import { NOTES } from '../../messages/diff.ts';
import { useApp } from '../../state/app.ts';
import * as format from '../../text/format.ts';
import { visibleText } from '../../text/visible.ts';
import { Button } from '../../ui/Button.tsx';
import { DiffNotes } from './DiffNotes.tsx';
import { expand, gapsOf, openGap, type Range } from './expand.ts';
import { diffColours, type Highlights } from './highlighter.ts';
import { useChangeKeys, useLineAddress, useLineInSight } from './position.ts';
import { Columns, Header, Rows } from './Rows.tsx';
import { BATCH_ROWS, batchesOf, linesOf } from './rows.ts';

interface Props {
  diff: TextDiff;
  label: string;
  line: number | null;
  /** The change keys and the page's address are about this diff. */
  keys: boolean;
  loadWhole(): Promise<TextDiff>;
}

export function DiffText({ diff, label, line, keys, loadWhole }: Props) {
  const { settings } = useApp();
  const [cut, setCut] = useState(true);
  const [shown, setShown] = useState(1);
  const [more, setMore] = useState<{ of: TextDiff; whole: TextDiff; opened: readonly Range[] } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const layout = settings.layout.value;
  const now = more?.of === diff ? more : null;
  const visible = useMemo(() => (now === null ? diff : expand(diff, now.whole, now.opened)), [diff, now]);
  const gaps = useMemo(() => gapsOf(visible), [visible]);
  const batches = useMemo(() => batchesOf(visible, cut), [visible, cut]);
  const highlights = useColours(visible);
  const { box: table, more: drawMore } = useMore<HTMLTableElement>('tbody > tr');
  const pressed = useRef<number | null>(null);
  const wanted = Math.min(shown, batches.length);
  const { from = 0, to = 0 } = gaps.at(-1) ?? {};
  const total = linesOf(visible).length;
  const left = total - Math.min(total, shown * BATCH_ROWS);

  const open = async (range: Range): Promise<void> => {
    try {
      const whole = now?.whole ?? (await loadWhole());
      setMore((last) => ({ of: diff, whole, opened: [...(last?.of === diff ? last.opened : []), range] }));
      setProblem(null);
    } catch (thrown) {
      setProblem(ApiError.from(thrown).message);
    }
  };
  const draw = (rows: number): void => setShown(Math.ceil(rows / BATCH_ROWS));
  useLineInSight(table, { line, diff: visible, drawn: wanted, draw, open });
  useChangeKeys(table, keys);
  const setLine = useLineAddress();
  const onClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element)) return;
    const { gap: index, how } = target.closest<HTMLElement>('[data-gap]')?.dataset ?? {};
    const gap = gaps[Number(index)];
    if (gap !== undefined && (how === 'top' || how === 'bottom' || how === 'all')) {
      pressed.current = Number(index);
      void open(openGap(gap, how));
    }
    const number = target.closest('td.number');
    const at = number?.closest('tr')?.dataset['line'];
    if (keys && at !== undefined && number?.textContent !== '') setLine(Number(at));
  };
  useEffect(() => {
    const box = table.current;
    box?.addEventListener('click', onClick);
    return () => box?.removeEventListener('click', onClick);
  });
  useLayoutEffect(() => {
    if (pressed.current !== null && document.activeElement === document.body)
      focusGap(table.current, pressed.current);
    pressed.current = null;
  }, [visible]);

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
        data-rows={total}
      >
        {/* Drawn anew: the marks of useChangeKeys and useLineInSight are not the component's. */}
        <Fragment key={layout}>
          <Columns layout={layout} />
          {batches.slice(0, wanted).map((batch) => (
            <Rows key={batch} batch={batch} layout={layout} gaps={gaps} highlights={highlights} />
          ))}
          {wanted < batches.length || from === to ? null : (
            <tfoot>
              <Header text="" layout={layout} gaps={gaps} index={gaps.length - 1} />
            </tfoot>
          )}
        </Fragment>
      </table>
      {left > 0 ? (
        <div class="more flex">
          <Button onClick={() => drawMore(() => setShown(shown + 1))}>
            Show {format.count(Math.min(left, BATCH_ROWS))} more rows
          </Button>
          <span class="muted">{format.plural(left, 'row')} left</span>
        </div>
      ) : null}
    </>
  );
}

/** The pressed button was replaced: focus goes to what is left of its gap, else to the next gap. */
function focusGap(table: HTMLTableElement | null, gap: number): void {
  const buttons = [...(table?.querySelectorAll<HTMLElement>('[data-gap]') ?? [])];
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
