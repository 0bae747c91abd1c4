/** Draws rows into the table, and adds colours later. Text becomes text nodes, never parsed as HTML. */
import { markedParts } from '../../text/visible.ts';
import { type Gap, STEP } from './expand.ts';
import type { Token } from './highlight.ts';
import type { Highlights } from './highlighter.ts';
import { type Batch, blocksOf, type Row } from './rows.ts';

export type Layout = 'unified' | 'split';

/** Colouring yields after this time (ms), so that each frame is drawn. */
const SLICE_MS = 8;

const TAGS = { added: 'ins', removed: 'del' } as const;
const SIGNS = { added: '+', removed: '−' } as const;
/** UTF-16 units of the stand-in for an invisible character. */
const STAND_IN = 2;

interface Code {
  row: Row;
  /** On the left of the split layout the old side's tokens apply. */
  side: 'old' | 'new' | null;
  tokens: readonly Token[];
}
const codes = new WeakMap<Element, Code>();

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

/** With a fixed layout the first row, a hunk's header over all columns, would set the widths. */
export function columnsOf(layout: Layout): HTMLTableColElement {
  const group = document.createElement('colgroup');
  const columns = layout === 'unified' ? ['number', 'number', 'code'] : ['number', 'code', 'number', 'code'];
  group.append(...columns.map((name) => element('col', `col-${name}`)));
  return group;
}

/** `gaps`: those above the hunks that begin in this batch. */
export function drawBatch(batch: Batch, layout: Layout, gaps: readonly Gap[]): HTMLTableSectionElement {
  const body = document.createElement('tbody');
  let hunk = 0;
  for (const { header, rows } of batch) {
    if (header !== '') {
      const gap = gaps[hunk++];
      body.append(headerRow(header, layout, gap, gap?.index === 0 ? 'first' : 'between'));
    }
    for (const block of blocksOf(rows)) {
      const { old, new: added } = block;
      const length = Math.max(old.length, added.length);
      if (layout === 'unified') body.append(...[...new Set([...old, ...added])].map(unifiedRow));
      else for (let i = 0; i < length; i++) body.append(splitRow(old[i] ?? null, added[i] ?? null));
    }
  }
  return body;
}

function unifiedRow(row: Row): HTMLTableRowElement {
  const cells = [numberCell(row.oldNumber), numberCell(row.newNumber), codeCell(row, null)];
  return lineRow(row.kind !== 'context', row.newNumber, cells);
}

function splitRow(old: Row | null, added: Row | null): HTMLTableRowElement {
  const { oldNumber = null } = old ?? {};
  const { newNumber = null } = added ?? {};
  const cells = [
    ...[numberCell(oldNumber), codeCell(old, 'old')],
    ...[numberCell(newNumber), codeCell(added, 'new')],
  ];
  return lineRow((old ?? added)?.kind !== 'context', newNumber, cells);
}

function lineRow(changed: boolean, line: number | null, cells: HTMLElement[]): HTMLTableRowElement {
  const row = element('tr', changed ? 'line changed' : 'line');
  if (line !== null) row.dataset['line'] = String(line);
  row.append(...cells);
  return row;
}

function numberCell(number: number | null): HTMLTableCellElement {
  return element('td', 'number', String(number ?? ''));
}

function codeCell(row: Row | null, side: Code['side']): HTMLTableCellElement {
  if (row === null) return element('td', 'code none');
  const cell = element('td', 'code');
  if (row.kind !== 'context') {
    const sign = element('span', 'sign', SIGNS[row.kind]);
    sign.setAttribute('aria-hidden', 'true');
    cell.classList.add(TAGS[row.kind]);
    cell.append(element('span', 'sr-only', `${row.kind} `), sign);
  }
  const text = element('span', 'text');
  const code: Code = { row, side, tokens: [] };
  codes.set(text, code);
  fill(text, code);
  cell.append(text);
  return cell;
}

type Ends = 'first' | 'between' | 'last';

/** `gap`: what can be shown above. The table's one handler reads `data-gap` and `data-how`. */
function headerRow(text: string, layout: Layout, gap: Gap | undefined, ends: Ends): HTMLTableRowElement {
  const row = element('tr', 'hunk');
  const cell = element('td', 'hunk-range', text);
  cell.colSpan = layout === 'unified' ? 3 : 4;
  row.append(cell);
  if (gap === undefined || gap.hidden === 0) return row;
  const buttons = element('span', 'gap');
  const add = (how: 'top' | 'bottom' | 'all', label: string): void => {
    const button = element('button', 'gap-button', label);
    button.type = 'button';
    button.dataset['gap'] = String(gap.index);
    button.dataset['how'] = how;
    buttons.append(button);
  };
  if (gap.hidden > STEP && ends !== 'first') add('top', `↓ Show ${STEP} more`);
  if (gap.hidden > STEP && ends !== 'last') add('bottom', `↑ Show ${STEP} more`);
  add('all', `Show ${gap.hidden} unchanged ${gap.hidden === 1 ? 'line' : 'lines'}`);
  cell.append(buttons);
  return row;
}

/** The rest of the file below the last hunk; null when nothing is hidden. */
export function drawFoot(gap: Gap | undefined, layout: Layout): HTMLTableSectionElement | null {
  if (gap === undefined || gap.hidden === 0) return null;
  const foot = document.createElement('tfoot');
  foot.append(headerRow('', layout, gap, 'last'));
  return foot;
}

/** Yields between slices; the first slice is synchronous. */
export async function colourTable(
  table: HTMLTableElement,
  highlights: Highlights,
  abort: AbortSignal,
): Promise<void> {
  let from = performance.now();
  for (const row of [...table.rows]) {
    if (performance.now() - from > SLICE_MS) {
      await new Promise((next) => setTimeout(next, 0));
      from = performance.now();
    }
    if (abort.aborted) return;
    colourRow(row, highlights);
  }
}

/** A line without highlights keeps its colours. */
export function colourRow(row: HTMLTableRowElement, highlights: Highlights): void {
  for (const text of row.querySelectorAll('.text')) {
    const code = codes.get(text);
    const tokens = code === undefined ? undefined : tokensOf(code, highlights);
    if (code === undefined || tokens === undefined || isSame(code.tokens, tokens)) continue;
    code.tokens = tokens;
    fill(text, code);
  }
}

function tokensOf({ row, side }: Code, highlights: Highlights): readonly Token[] | undefined {
  const onOld = highlights.old.get(row.oldNumber ?? 0);
  return side === 'old' ? onOld : (highlights.new.get(row.newNumber ?? 0) ?? onOld);
}

function isSame(before: readonly Token[], now: readonly Token[]): boolean {
  return (
    before.length === now.length &&
    before.every((one, i) => {
      const other = now[i];
      return one.start === other?.start && one.end === other.end && one.className === other.className;
    })
  );
}

function fill(text: Element, { row, tokens }: Code): void {
  let at = 0;
  const parts = row.words.flatMap((word): (Node | string)[] => {
    const pieces = [...piecesOf(word.text, at, tokens)];
    at += word.text.length;
    if (!word.changed || row.kind === 'context') return pieces;
    const mark = document.createElement(TAGS[row.kind]);
    mark.append(...pieces);
    return [mark];
  });
  text.replaceChildren(...parts);
}

/** Invisible characters as labels, the text between them in its colours. */
function* piecesOf(text: string, start: number, tokens: readonly Token[]): Generator<Node | string> {
  let at = start;
  for (const part of markedParts(text)) {
    if (typeof part === 'string') {
      yield* colouredParts(part, at, tokens);
      at += part.length;
    } else {
      const label = element('span', part.className, part.label);
      if (part.title !== '') label.title = part.title;
      yield label;
      at += STAND_IN;
    }
  }
}

function* colouredParts(text: string, start: number, tokens: readonly Token[]): Generator<Node | string> {
  let at = 0;
  for (const token of tokens) {
    const from = Math.max(token.start - start, at);
    const to = Math.min(token.end - start, text.length);
    if (from >= to) continue;
    if (from > at) yield text.slice(at, from);
    yield element('span', token.className, text.slice(from, to));
    at = to;
  }
  if (at < text.length) yield text.slice(at);
}
