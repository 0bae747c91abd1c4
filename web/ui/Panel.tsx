/**
 * Components that all views share; none knows a session.
 *
 *     Panel     a page's frame, sections, tables, fact lists, boxes that scroll
 *     Notice    errors, empty pages, banners         Sheet    a dialog over the page
 *     Button, CopyCommand, Segmented, SearchField, Menu, Badge, Icon
 *     styles/   tokens.css (colours, sizes), base.css (elements, shared classes), forced.css (forced colours)
 *
 * A component has its CSS beside it; styles/index.ts lists all sheets in the order of the cascade.
 */
import { type ComponentChildren, Fragment, type HTMLAttributes, type Ref, type RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { useMore } from '../lists/use-more.ts';
import { plural } from '../text/format.ts';
import { LinkButton } from './Button.tsx';

interface PageProps {
  title: string;
  /** Small text after the title. */
  about?: ComponentChildren;
  tools?: ComponentChildren;
  busy?: boolean;
  children: ComponentChildren;
}

export function Page({ title, about, tools, busy = false, children }: PageProps) {
  return (
    <div class="page" aria-busy={busy}>
      <div class="page-head flex wrap">
        <h1>{title}</h1>
        {about == null ? null : <span class="muted">{about}</span>}
        {tools == null ? null : <div class="page-tools flex wrap">{tools}</div>}
      </div>
      {children}
    </div>
  );
}

interface PanelProps {
  title: string;
  wide?: boolean;
  /** One below the heading around it. */
  heading?: 'h2' | 'h3';
  children?: ComponentChildren;
}

export function Panel({ title, wide = false, heading: Heading = 'h3', children }: PanelProps) {
  return (
    <div class={wide ? 'panel panel-wide' : 'panel'}>
      <Heading>{title}</Heading>
      {children}
    </div>
  );
}

export function Section(props: { title: string; about?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="detail-section">
      <h2>{props.title}</h2>
      {props.about == null ? null : <p class="muted section-about">{props.about}</p>}
      {props.children}
    </section>
  );
}

export interface Column<T> {
  title: string;
  /** The title is for screen readers only. */
  silent?: boolean;
  /** The cell says by itself what it is: where rows are blocks, the title does not stand before it. */
  plain?: boolean;
  /** The cell is the row's header. */
  heading?: boolean;
  class?: string;
  cell(row: T): ComponentChildren;
}

interface TableProps<T> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string;
  class?: string;
  /** A row below, over all columns. */
  below?(row: T): ComponentChildren;
  box?: Ref<HTMLTableElement>;
  /** Of the row's element: its class, events of a drag. */
  rowProps?(row: T): HTMLAttributes<HTMLTableRowElement>;
}

/** In a narrow window each row is a block, with its actions in sight. */
export function Table<T>({
  columns,
  rows,
  keyOf,
  class: more = '',
  box = null,
  below,
  rowProps,
}: TableProps<T>) {
  return (
    <table ref={box} class={`facts rows ${more}`}>
      <thead>
        <tr>
          {columns.map(({ title, silent }) => (
            <th key={title} scope="col">
              {silent ? <span class="sr-only">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const found = below?.(row) ?? null;
          return (
            <Fragment key={keyOf(row)}>
              <tr {...rowProps?.(row)}>
                {columns.map(({ title, heading, silent, plain, class: name, cell }) => {
                  const Cell = heading ? 'th' : 'td';
                  return (
                    <Cell
                      key={title}
                      class={name}
                      data-title={silent || plain || heading ? undefined : title}
                      {...(heading ? { scope: 'row' } : {})}
                    >
                      {cell(row)}
                    </Cell>
                  );
                })}
              </tr>
              {found === null ? null : (
                <tr>
                  <td colSpan={columns.length}>{found}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

/** For useMore. */
export const TABLE_ROWS = 'tbody > tr';

/** Rows that are drawn at first: what a table of thousands has below it would be out of reach. */
const FIRST_ROWS = 30;

interface Folded<T, E> {
  box: RefObject<E | null>;
  shown: readonly T[];
  /** Shows the others; null = there are none. */
  button: ComponentChildren;
}

/** @param more what the rows beyond the first are, one and several of them @param selector of a row in `box` */
export function useFolded<T, E extends HTMLElement>(
  rows: readonly T[],
  [one, several]: readonly [string, string],
  selector: string,
): Folded<T, E> {
  const [all, showAll] = useState(false);
  const { box, more } = useMore<E>(selector);
  const left = all ? 0 : rows.length - FIRST_ROWS;
  if (left <= 0) return { box, shown: rows, button: null };
  const button = (
    <p class="more-rows">
      <LinkButton onClick={() => more(() => showAll(true))}>
        Show {plural(left, `more ${one}`, `more ${several}`)}
      </LinkButton>
    </p>
  );
  return { box, shown: rows.slice(0, FIRST_ROWS), button };
}

export function FoldedTable<T>({
  rows,
  more,
  ...table
}: Omit<TableProps<T>, 'box'> & { more: readonly [string, string] }) {
  const { box, shown, button } = useFolded<T, HTMLTableElement>(rows, more, TABLE_ROWS);
  return (
    <>
      <Table {...table} box={box} rows={shown} />
      {button}
    </>
  );
}

/** An item of a `dl.fact-list`. */
export function Fact(props: { name: string; mono?: boolean; children: ComponentChildren }) {
  return (
    <div>
      <dt class="muted">{props.name}</dt>
      <dd class={props.mono ? 'mono path' : 'path'}>{props.children}</dd>
    </div>
  );
}

/** A fact whose content is null is left out. */
export type FactRow = readonly [name: string, content: ComponentChildren];

export function FactList({ facts }: { facts: readonly FactRow[] }) {
  return (
    <dl class="fact-list">
      {facts.map(([name, content], i) =>
        content === null ? null : (
          <Fact key={i} name={name}>
            {content}
          </Fact>
        ),
      )}
    </dl>
  );
}

export const scrolls = { tabIndex: 0 } as const;
