/** Puts syntax colours onto rows of a diff that are drawn already. Only spans come and go: no text moves. */
import type { Highlights } from './highlight-job.ts';
import type { Token } from './tokens.ts';

/** So long rows are coloured at a time: the page still draws each frame. */
const SLICE_MS = 8;

/** What each text was coloured with. */
const applied = new WeakMap<Element, readonly Token[]>();

/** Colours all rows, a slice at a time; the first slice at once. */
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

/** A row of either layout: numbers of both sides and one text, or number and text of each side. */
export function colourRow(row: HTMLTableRowElement, highlights: Highlights): void {
  if (!row.classList.contains('line')) return;
  const [first, second, third, fourth] = row.cells;
  if (fourth !== undefined) {
    colourCell(second, highlights.old.get(numberOf(first)));
    colourCell(fourth, highlights.new.get(numberOf(third)));
  } else {
    const onNew = highlights.new.get(numberOf(second));
    colourCell(third, onNew ?? highlights.old.get(numberOf(first)));
  }
}

/** 0, which no line has, for the side where the line is not. */
function numberOf(cell: HTMLTableCellElement | undefined): number {
  return Number(cell?.textContent ?? '');
}

function colourCell(cell: HTMLTableCellElement | undefined, tokens: readonly Token[] | undefined): void {
  const text = cell?.querySelector(':scope > .text') ?? null;
  if (text === null || tokens === undefined || isSame(applied.get(text), tokens)) return;
  for (const span of text.querySelectorAll('span[class^="hljs-"]')) span.replaceWith(...span.childNodes);
  text.normalize();
  applied.set(text, tokens);
  colour(text, tokens);
}

function isSame(before: readonly Token[] | undefined, now: readonly Token[]): boolean {
  if (before === undefined) return now.length === 0;
  return before.length === now.length && before.every((token, i) => sameToken(token, now[i]));
}

function sameToken(a: Token, b: Token | undefined): boolean {
  return a.start === b?.start && a.end === b.end && a.className === b.className;
}

/** Wraps parts of the text in coloured spans. Labels of invisible characters count as the two units they replaced. */
function colour(root: Element, tokens: readonly Token[]): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: { node: Text; start: number }[] = [];
  let offset = 0;
  let label: Element | null = null;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const owner = node.parentElement?.closest('.ctl') ?? null;
    if (owner !== null) {
      if (owner !== label) offset += 2;
      label = owner;
      continue;
    }
    texts.push({ node: node as Text, start: offset });
    offset += (node as Text).data.length;
  }
  for (const { node, start } of texts) colourText(node, start, tokens);
}

function colourText(node: Text, start: number, tokens: readonly Token[]): void {
  const end = start + node.data.length;
  const hits = tokens.filter((token) => token.start < end && token.end > start);
  if (hits.length === 0) return;
  const parts: (Node | string)[] = [];
  let at = start;
  for (const token of hits) {
    const from = Math.max(token.start, start);
    const to = Math.min(token.end, end);
    if (from > at) parts.push(node.data.slice(at - start, from - start));
    const span = document.createElement('span');
    span.className = token.className;
    span.textContent = node.data.slice(from - start, to - start);
    parts.push(span);
    at = to;
  }
  if (at < end) parts.push(node.data.slice(at - start));
  node.replaceWith(...parts);
}
