/** The list of calls and marks; only rows in sight are in the page. */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type CallView, shownCommand } from '../../shared/log/calls.ts';
import type { TimelineMark } from '../../shared/log/marks.ts';
import { permissionText } from '../../shared/terminal/calls.ts';
import { NO_OUTCOME, outcomeOf, timeOf, whereRan } from '../calls/words.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useVirtual } from '../lists/use-virtual.ts';
import { DECISIONS } from '../rules/words.ts';
import { useApp } from '../state/app.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { oneLine, visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { MarkSub, wordsOf } from './MarkDetail.tsx';
import { findRow, idOf, type Row } from './model/rows.ts';

/** As `--call-height` in ui/styles/tokens.css. */
const ROW_HEIGHT = { comfortable: 56, compact: 46 } as const;

const MOST_TITLE = 400;

interface Props {
  rows: Row[];
  selected: string | null;
  onOpen(call: string): void;
}

export function TimelineList({ rows, selected, onOpen }: Props) {
  const { settings } = useApp();
  const { timeline } = useSession();
  const rowHeight = ROW_HEIGHT[settings.density.value];
  const box = useRef<HTMLDivElement>(null);
  const at = findRow(rows, selected);
  const virtual = useVirtual(box, rows.length, rowHeight);
  const wrote = timeline.wrote.value;
  const toShown = (): void => {
    if (at >= 0) virtual.scrollTo(at);
  };
  useLayoutEffect(toShown, [timeline.filter.value, selected]);
  const open = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row !== undefined) onOpen(idOf(row));
  };
  const step = (index: number): void => {
    box.current?.focus({ preventScroll: true });
    open(index);
  };
  useShortcuts({
    'next-row': () => step(at + 1),
    'previous-row': () => step(at < 0 ? rows.length - 1 : at - 1),
    'focus-tree': () => box.current?.focus(),
    'to-shown': toShown,
  });
  const page = (): number => Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 1);
  const keys: Record<string, () => void> = {
    ArrowDown: () => open(at + 1),
    ArrowUp: () => open(at < 0 ? 0 : at - 1),
    PageDown: () => open(at + page()),
    PageUp: () => open(at - page()),
    Home: () => open(0),
    End: () => open(rows.length - 1),
  };
  return (
    <div
      class="tree-box"
      ref={box}
      role="listbox"
      aria-label="Calls"
      tabIndex={0}
      aria-activedescendant={
        at >= 0 && virtual.items.some((item) => item.index === at) ? `call-${at}` : undefined
      }
      onClick={(event) => {
        const row =
          event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
        if (row !== null) open(Number(row.dataset['index']));
      }}
      onKeyDown={(event) => {
        const handler = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
        if (handler === undefined) return;
        event.preventDefault();
        handler();
      }}
    >
      <div class="tree" role="presentation" style={{ height: `${virtual.height}px` }}>
        {virtual.items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const isSelected = item.index === at;
          return (
            <div
              key={row.key}
              role="option"
              id={`call-${item.index}`}
              data-index={item.index}
              tabIndex={-1}
              class={`call-row flex ${classOf(row)} ${isSelected ? 'row-selected' : ''}`}
              style={{ top: `${item.start}px` }}
              aria-selected={isSelected}
              aria-posinset={item.index + 1}
              aria-setsize={rows.length}
            >
              {row.type === 'call' ? (
                <CallRow call={row.call} wrote={wrote.get(row.call.id)?.length ?? 0} />
              ) : (
                <MarkRow mark={row.mark} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function classOf(row: Row): string {
  if (row.type === 'mark') return `mark-${row.mark.kind}`;
  return row.call.state === 'unsandboxed' ? 'call-caught' : '';
}

function RowParts({ at, children }: { at: string | null; children: ComponentChildren }) {
  return (
    <>
      <time
        class="mono muted"
        dateTime={at ?? undefined}
        title={at === null ? undefined : format.dateTime(at)}
      >
        {at === null ? '–' : format.clock(at)}
      </time>
      <div class="call-main grow">{children}</div>
    </>
  );
}

/** A sandboxed call with a text passes work to a server on the host (core/decide/host-reach.ts). */
function mayActOnHost(call: CallView): boolean {
  return call.mode === 'sandbox' && call.state !== 'unsandboxed' && call.text !== '';
}

/** `wrote`: number of pending changes that the call is among the last writers of. */
function CallRow({ call, wrote }: { call: CallView; wrote: number }) {
  const place = whereRan(call);
  const outcome = outcomeOf(call);
  const left = call.left.length - call.gone.length;
  // The last of them may be cut.
  const notes = [
    call.ms === null ? '' : format.duration(call.ms),
    wrote > 0 ? format.plural(wrote, 'change') : '',
    call.background ? 'background' : '',
    left > 0 ? `${format.plural(left, 'process', 'processes')} left` : '',
  ];
  const [time, changes, background, processes] = notes;
  return (
    <RowParts at={timeOf(call)}>
      <code class="ellipsis" title={visibleText(format.cut(shownCommand(call), MOST_TITLE))}>
        {oneLine(shownCommand(call))}
      </code>
      <div class="call-sub inline small" title={notes.filter((note) => note !== '').join(', ')}>
        <Badge tone={place.tone} title={place.title}>
          {place.text}
        </Badge>
        {outcome.text === NO_OUTCOME ? null : (
          <span class={`medium tone-${outcome.tone}`} title={outcome.short && outcome.text}>
            {outcome.short ?? outcome.text}
          </span>
        )}
        {time && <span class="muted">{time}</span>}
        {changes && <span class="tone-modified medium">{changes}</span>}
        <Decided permission={call.permission} />
        {mayActOnHost(call) ? (
          <span class="warn-text" title={visibleText(call.text)}>
            may act on the host
          </span>
        ) : null}
        {background && <span class="muted">{background}</span>}
        {processes && <span class="warn-text">{processes}</span>}
      </div>
    </RowParts>
  );
}

/** Nothing for what was left to the client, or only reads: most calls. */
function Decided({ permission }: Pick<CallView, 'permission'>) {
  if (permission === null || permission.decision === 'pass' || permission.by === 'read-only') return null;
  const { word, tone } = DECISIONS[permission.decision];
  return (
    <span class={`medium tone-${tone}`} title={visibleText(permissionText(permission))}>
      {word}
    </span>
  );
}

const TITLES: Partial<Record<TimelineMark['kind'], string>> = {
  file: 'mono',
  tool: 'mono',
  prompt: 'strong',
};

function MarkRow({ mark }: { mark: TimelineMark }) {
  const words = wordsOf(mark);
  const title = visibleText(words.title.slice(0, MOST_TITLE));
  return (
    <RowParts at={mark.at}>
      <span class={`ellipsis ${TITLES[mark.kind] ?? ''}`} title={title}>
        {title.replace(/\s+/g, ' ')}
      </span>
      <MarkSub words={words} />
    </RowParts>
  );
}
