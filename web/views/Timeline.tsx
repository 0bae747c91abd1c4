/** The calls of a session: a list in time order, one call at a time beside it. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { CallList } from '../../shared/api/types.ts';
import type { CallView } from '../../shared/log/call-view.ts';
import type { RawLine } from '../../shared/log/types.ts';
import { CallDetail } from '../components/CallDetail.tsx';
import { CallRow, timeOf } from '../components/CallRow.tsx';
import { Icon } from '../components/Icon.tsx';
import { Empty, ErrorPanel, NewerPill } from '../components/Notice.tsx';
import { scrolls } from '../components/scrolls.ts';
import { useVirtual } from '../components/use-virtual.ts';
import * as format from '../lib/format.ts';
import { visibleText } from '../lib/visible.ts';
import { useActions } from '../state/actions.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';

const ROW_HEIGHT = 56;

export function Timeline({ state, call }: { state: SessionState; call: string | null }) {
  const { settings } = useApp();
  const list = state.calls.data.value;
  const error = state.calls.error.value;
  const newestFirst = settings.newestFirst.value;
  const sorted = useMemo(() => sortCalls(list?.calls ?? [], newestFirst), [list, newestFirst]);
  const waiting = state.newerCalls.value;

  // Rows that come at the end move nothing, so there is nothing to wait for.
  useEffect(() => {
    if (!newestFirst && waiting !== null) {
      state.calls.data.value = waiting;
      state.newerCalls.value = null;
    }
  }, [newestFirst, waiting]);

  if (error !== null && list === null)
    return <ErrorPanel error={error} retry={() => void state.calls.load()} />;
  if (list === null) return <div class="split-view" aria-busy="true" />;
  if (list.calls.length === 0 && list.raw.length === 0) {
    return (
      <Empty icon="terminal" title="No calls yet">
        <p>
          Every command that Claude runs with Bash in this session is listed here, with where it ran and why.
        </p>
      </Empty>
    );
  }
  const shown = sorted.find((item) => item.id === call) ?? null;
  const fresh = waiting === null ? 0 : waiting.calls.length - list.calls.length;
  return (
    <div class="split-view">
      <section class="side" aria-label="Calls">
        <div class="side-tools">
          <span class="muted grow">{format.plural(list.calls.length, 'call')}</span>
          <button
            type="button"
            class="button button-quiet"
            onClick={() => {
              settings.newestFirst.value = !newestFirst;
            }}
          >
            {newestFirst ? 'Newest first' : 'Oldest first'}
          </button>
        </div>
        <div class="side-body">
          {waiting !== null && newestFirst ? (
            <NewerPill
              text={fresh > 0 ? `${format.plural(fresh, 'new call')} – show` : 'Log moved on – show'}
              onShow={() => state.showNewer()}
            />
          ) : null}
          <CallListBox state={state} calls={sorted} selected={call} />
        </div>
        <RawLines list={list} />
      </section>
      <section class="main-pane" aria-label="Selected call" {...scrolls}>
        {shown === null ? (
          <Empty icon="terminal" title={call === null ? 'Choose a call' : 'This call is not in the log'}>
            <p>Pick one on the left, or press j and k.</p>
          </Empty>
        ) : (
          <CallDetail call={shown} />
        )}
      </section>
    </div>
  );
}

function sortCalls(calls: readonly CallView[], newestFirst: boolean): CallView[] {
  const sorted = [...calls].sort((a, b) => (timeOf(a) ?? '').localeCompare(timeOf(b) ?? ''));
  return newestFirst ? sorted.reverse() : sorted;
}

function CallListBox({
  state,
  calls,
  selected,
}: {
  state: SessionState;
  calls: CallView[];
  selected: string | null;
}) {
  const { go } = useApp();
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtual(box, calls.length, ROW_HEIGHT);
  const at = calls.findIndex((item) => item.id === selected);
  const open = (index: number): void => {
    const item = calls[Math.max(0, Math.min(calls.length - 1, index))];
    if (item === undefined) return;
    go({ view: 'calls', session: state.id, call: item.id });
    virtual.scrollTo(calls.indexOf(item));
  };
  const step = (index: number): void => {
    box.current?.focus({ preventScroll: true });
    open(index);
  };
  useActions({
    'next-row': () => step(at + 1),
    'previous-row': () => step(at < 0 ? calls.length - 1 : at - 1),
    'focus-tree': () => box.current?.focus(),
  });
  const keys: Record<string, () => void> = {
    ArrowDown: () => open(at + 1),
    ArrowUp: () => open(at < 0 ? 0 : at - 1),
    Home: () => open(0),
    End: () => open(calls.length - 1),
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
          const row = calls[item.index];
          if (row === undefined) return null;
          return (
            <CallRow
              key={row.id}
              index={item.index}
              call={row}
              top={item.start}
              selected={row.id === selected}
              size={calls.length}
            />
          );
        })}
      </div>
    </div>
  );
}

const PROBLEMS: Record<RawLine['problem'], string> = {
  torn: 'torn',
  'not-json': 'not JSON',
  'unknown-type': 'unknown type',
  'unknown-version': 'unknown version',
  'bad-shape': 'unexpected shape',
  'too-long': 'too long',
};

const SHOWN_RAW = 100;

/** Lines of the log that could not be read as events: shown as they are, never dropped. */
function RawLines({ list }: { list: CallList }) {
  if (list.raw.length === 0) return null;
  return (
    <details class="raw">
      <summary>
        <Icon name="warning" /> {format.plural(list.raw.length, 'line')} of the log could not be read
      </summary>
      <ul class="plain" {...scrolls} aria-label="Lines that could not be read">
        {list.raw.slice(0, SHOWN_RAW).map((line) => (
          <li key={line.offset}>
            <span class="muted">
              byte {format.count(line.offset)}, {PROBLEMS[line.problem]}
            </span>
            <pre>{visibleText(line.raw.slice(0, 2_000))}</pre>
          </li>
        ))}
        {list.raw.length > SHOWN_RAW ? <li class="muted">and {list.raw.length - SHOWN_RAW} more</li> : null}
      </ul>
    </details>
  );
}
