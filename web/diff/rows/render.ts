/** Draws batches of a diff as rows of one table. Loaded when the first diff is opened. */
import { html } from 'diff2html/lib-esm/diff2html';
import type { DiffFile } from 'diff2html/lib-esm/types';
import { expandMarks } from '../../text/visible.ts';
import { type Gap, STEP } from './expand.ts';
import { fragmentOf } from './trusted.ts';

export { colourRow, colourTable } from './colours.ts';

const WORDS = { 'd2h-ins': 'added', 'd2h-del': 'removed' } as const;

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** A `td` with the code of one side, with words for those who cannot see the colour. */
function codeCell(from: Element): HTMLTableCellElement {
  const cell = element('td', 'code');
  const content = from.querySelector('.d2h-code-line-ctn');
  for (const [name, word] of Object.entries(WORDS)) {
    if (!from.classList.contains(name)) continue;
    cell.classList.add(name === 'd2h-ins' ? 'ins' : 'del');
    cell.append(
      element('span', 'sr-only', `${word} `),
      element('span', 'sign', name === 'd2h-ins' ? '+' : '−'),
    );
    cell.children[1]?.setAttribute('aria-hidden', 'true');
  }
  if (from.classList.contains('d2h-emptyplaceholder')) cell.classList.add('none');
  if (content === null) return cell;
  content.className = 'text';
  cell.append(content);
  return cell;
}

function numberCell(text: string): HTMLTableCellElement {
  return element('td', 'number', text);
}

/** Widths of a table's columns: with a fixed layout its first row, a hunk's header over all columns, would set them. */
export function columnsOf(layout: Layout): HTMLTableColElement {
  const group = document.createElement('colgroup');
  const classes =
    layout === 'unified'
      ? ['col-number', 'col-number', 'col-code']
      : ['col-number', 'col-code', 'col-number', 'col-code'];
  group.append(...classes.map((name) => element('col', name)));
  return group;
}

type Ends = 'first' | 'between' | 'last';

function headerRow(text: string, columns: number, gap: Gap | undefined, ends: Ends): HTMLTableRowElement {
  const row = element('tr', 'hunk');
  const cell = element('td', 'hunk-range', text);
  cell.colSpan = columns;
  if (gap !== undefined && gap.hidden > 0) cell.append(gapButtons(gap, ends));
  row.append(cell);
  return row;
}

/** What of a gap can be shown; the table's one handler reads `data-gap` and `data-how`. */
function gapButtons({ index, hidden }: Gap, ends: Ends): HTMLSpanElement {
  const all = `${hidden} unchanged ${hidden === 1 ? 'line' : 'lines'}`;
  const made = element('span', 'gap');
  const add = (how: 'top' | 'bottom' | 'all', text: string): void => {
    const button = element('button', 'gap-button', text);
    button.type = 'button';
    button.dataset['gap'] = String(index);
    button.dataset['how'] = how;
    made.append(button);
  };
  if (hidden > STEP && ends !== 'first') add('top', `↓ Show ${STEP} more`);
  if (hidden > STEP && ends !== 'last') add('bottom', `↑ Show ${STEP} more`);
  add('all', `Show ${all}`);
  return made;
}

/** Below the last hunk: the rest of the file. Null when all of it is on show. */
export function footOf(gap: Gap | undefined, layout: Layout): HTMLTableSectionElement | null {
  if (gap === undefined || gap.hidden === 0) return null;
  const foot = document.createElement('tfoot');
  foot.append(headerRow('', columnsIn(layout), gap, 'last'));
  return foot;
}

function columnsIn(layout: Layout): number {
  return layout === 'unified' ? 3 : 4;
}

function isHeader(row: Element): boolean {
  return row.querySelector(':scope > td.d2h-info') !== null;
}

function unifiedRow(from: Element): HTMLTableRowElement | null {
  const [, source] = from.children;
  if (source === undefined) return null;
  const oldNumber = from.querySelector('.line-num1')?.textContent?.trim() ?? '';
  const newNumber = from.querySelector('.line-num2')?.textContent?.trim() ?? '';
  const code = codeCell(source);
  const row = element('tr', code.className === 'code' ? 'line' : 'line changed');
  row.append(numberCell(oldNumber), numberCell(newNumber), code);
  if (newNumber !== '') row.dataset['line'] = newNumber;
  return row;
}

function splitRow(left: Element, right: Element): HTMLTableRowElement {
  const row = element('tr', 'line');
  for (const [side, cells] of [['old', left.children] as const, ['new', right.children] as const]) {
    const number = cells[0]?.textContent?.trim() ?? '';
    const source = cells[1];
    if (source === undefined) continue;
    const code = codeCell(source);
    if (code.classList.contains('ins') || code.classList.contains('del')) row.classList.add('changed');
    row.append(numberCell(number), code);
    if (side === 'new' && number !== '') row.dataset['line'] = number;
  }
  return row;
}

/**
 * The rows of one batch. Side by side, diff2html makes a table for each side; they become one, so that both sides of a
 * row have one height when lines wrap. `gaps` are those above the hunks that begin in this batch.
 */
export function renderBatch(file: DiffFile, layout: Layout, gaps: readonly Gap[]): HTMLTableSectionElement {
  const body = document.createElement('tbody');
  const fragment = fragmentOf(batchHtml(file, layout));
  const [left, right] = [...fragment.querySelectorAll('tbody')].map((part) => [...part.children]);
  let hunk = 0;
  for (const [index, row] of (left ?? []).entries()) {
    const other = right?.[index];
    if (isHeader(row)) {
      const text = (row.textContent ?? '').trim();
      // A hunk that goes on from the batch before has an empty header.
      if (text === '') continue;
      const gap = gaps[hunk++];
      body.append(headerRow(text, columnsIn(layout), gap, gap?.index === 0 ? 'first' : 'between'));
      continue;
    }
    const made = other === undefined ? unifiedRow(row) : splitRow(row, other);
    if (made !== null) body.append(made);
  }
  return body;
}

export type Layout = 'unified' | 'split';

/** Escaped by diff2html; stand-ins of invisible characters become labelled spans. */
export function batchHtml(file: DiffFile, layout: Layout): string {
  const rendered = html([file], {
    outputFormat: layout === 'split' ? 'side-by-side' : 'line-by-line',
    drawFileList: false,
    matching: 'lines',
    diffStyle: 'word',
    maxLineLengthHighlight: 2_000,
  });
  return expandMarks(rendered);
}
