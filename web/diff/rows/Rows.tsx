/** The rows of a text diff. Text becomes text nodes, never parsed as HTML. */
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { UiSettings } from '../../../shared/api/settings.ts';
import { plural } from '../../text/format.ts';
import { markedParts } from '../../text/visible.ts';
import { type How, type Range, STEP } from './expand.ts';
import type { Token } from './highlight.ts';
import type { Highlights } from './highlighter.ts';
import { type Batch, type Block, blocksOf, type Row } from './rows.ts';

type Layout = UiSettings['layout'];
type Piece = VNode | string;

const TAGS = { added: 'ins', removed: 'del' } as const;
const SIGNS = { added: '+', removed: '−' } as const;
/** UTF-16 units of the stand-in for an invisible character. */
const STAND_IN = 2;
const NO_TOKENS: readonly Token[] = [];

/** With a fixed layout the first row, a hunk's header over all columns, would set the widths. */
export function Columns({ layout }: { layout: Layout }) {
  const columns = layout === 'unified' ? ['number', 'number', 'code'] : ['number', 'code', 'number', 'code'];
  return (
    <colgroup>
      {columns.map((name, i) => (
        <col key={i} class={`col-${name}`} />
      ))}
    </colgroup>
  );
}

interface RowsProps {
  batch: Batch;
  layout: Layout;
  /** Of the whole diff. */
  gaps: readonly Range[];
  highlights: Highlights | null;
}

export function Rows({ batch, layout, gaps, highlights }: RowsProps) {
  const parts = useMemo(
    () => batch.map((part) => ({ ...part, slices: slicesOf(part.rows, layout) })),
    [batch, layout],
  );
  return (
    <tbody>
      {parts.flatMap(({ header, hunk, slices }) => [
        header === '' ? null : <Header text={header} layout={layout} index={hunk} gaps={gaps} />,
        ...slices.map((lines, i) => <Slice key={i} lines={lines} highlights={highlights} />),
      ])}
    </tbody>
  );
}

type DrawLine = (highlights: Highlights | null) => VNode;

/** Lines drawn in one task when their colours arrive. */
const SLICE_LINES = 100;

function slicesOf(rows: readonly Row[], layout: Layout): DrawLine[][] {
  const lines = blocksOf(rows).flatMap((block) => linesIn(block, layout));
  const count = Math.ceil(lines.length / SLICE_LINES);
  return Array.from({ length: count }, (_, i) => lines.slice(i * SLICE_LINES, (i + 1) * SLICE_LINES));
}

function linesIn({ old, new: added }: Block, layout: Layout): DrawLine[] {
  if (layout === 'unified')
    return [...new Set([...old, ...added])].map((row) => (highlights) => unifiedRow(row, highlights));
  const length = Math.max(old.length, added.length);
  return Array.from(
    { length },
    (_, i) => (highlights) => splitRow(old[i] ?? null, added[i] ?? null, highlights),
  );
}

/** Draws known colours at once, later ones in a task of its own: all lines together would block the page. */
function Slice({ lines, highlights }: Pick<RowsProps, 'highlights'> & { lines: readonly DrawLine[] }) {
  const [colours, setColours] = useState(highlights);
  useEffect(() => {
    const timer = setTimeout(() => setColours(highlights));
    return () => clearTimeout(timer);
  }, [highlights]);
  return useMemo(() => <>{lines.map((draw) => draw(colours))}</>, [lines, colours]);
}

function unifiedRow(row: Row, highlights: Highlights | null): VNode {
  const { kind, oldNumber, newNumber } = row;
  const tokens = highlights?.new.get(newNumber ?? 0) ?? highlights?.old.get(oldNumber ?? 0);
  return (
    <tr class={kind === 'context' ? 'line' : 'line changed'} data-line={newNumber ?? undefined}>
      <td class="number">{oldNumber}</td>
      <td class="number">{newNumber}</td>
      {codeCell(row, tokens)}
    </tr>
  );
}

function splitRow(old: Row | null, added: Row | null, highlights: Highlights | null): VNode {
  const { oldNumber = null } = old ?? {};
  const { newNumber = null } = added ?? {};
  return (
    <tr
      class={(old ?? added)?.kind === 'context' ? 'line' : 'line changed'}
      data-line={newNumber ?? undefined}
    >
      <td class="number">{oldNumber}</td>
      {codeCell(old, highlights?.old.get(oldNumber ?? 0))}
      <td class="number">{newNumber}</td>
      {codeCell(added, highlights?.new.get(newNumber ?? 0))}
    </tr>
  );
}

function codeCell(row: Row | null, tokens: readonly Token[] = NO_TOKENS): VNode {
  if (row === null) return <td class="code none" />;
  const { kind, words } = row;
  let at = 0;
  const texts = words.flatMap(({ text, changed }): Piece[] => {
    const parts = markedText(text, at, tokens);
    at += text.length;
    if (kind === 'context' || !changed) return parts;
    const Tag = TAGS[kind];
    return [<Tag>{parts}</Tag>];
  });
  // Made anew for other colours: a text node that was reused would count as moved.
  const code = (
    <span key={tokens} class="text">
      {texts}
    </span>
  );
  if (kind === 'context') return <td class="code">{code}</td>;
  return (
    <td class={`code ${TAGS[kind]}`}>
      <span class="sr-only">{kind} </span>
      <span class="sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      {code}
    </td>
  );
}

/**
 * Invisible characters as labels, the text between them in its colours.
 * @param text as `shownText` returns it, or the part of that from `start` on
 */
export function markedText(text: string, start = 0, tokens = NO_TOKENS): Piece[] {
  let at = start;
  return markedParts(text).flatMap((part): Piece[] => {
    const from = at;
    if (typeof part === 'string') {
      at += part.length;
      return [...colouredParts(part, from, tokens)];
    }
    at += STAND_IN;
    const { className, title, label } = part;
    return [
      <span class={className} title={title === '' ? undefined : title}>
        {label}
      </span>,
    ];
  });
}

function* colouredParts(text: string, start: number, tokens: readonly Token[]): Generator<Piece> {
  let at = 0;
  for (const token of tokens) {
    const from = Math.max(token.start - start, at);
    const to = Math.min(token.end - start, text.length);
    if (from >= to) continue;
    if (from > at) yield text.slice(at, from);
    yield <span class={token.className}>{text.slice(from, to)}</span>;
    at = to;
  }
  if (at < text.length) yield text.slice(at);
}

interface HeaderProps extends Pick<RowsProps, 'layout' | 'gaps'> {
  text: string;
  /** Of the gap above. */
  index: number;
}

/** The table's one handler reads `data-gap` and `data-how`. */
export function Header({ text, layout, gaps, index }: HeaderProps) {
  const { from = 0, to = 0 } = gaps[index] ?? {};
  const hidden = to - from;
  const button = (how: How, label: string): VNode => (
    <button type="button" class="gap-button" data-gap={index} data-how={how}>
      {label}
    </button>
  );
  return (
    <tr class="hunk">
      <td class="hunk-range" colSpan={layout === 'unified' ? 3 : 4}>
        {text}
        {hidden === 0 ? null : (
          <span class="gap">
            {hidden > STEP && index > 0 ? button('top', `↓ Show ${STEP} more`) : null}
            {hidden > STEP && index < gaps.length - 1 ? button('bottom', `↑ Show ${STEP} more`) : null}
            {button('all', `Show ${plural(hidden, 'unchanged line')}`)}
          </span>
        )}
      </td>
    </tr>
  );
}
