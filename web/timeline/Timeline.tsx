/**
 * The timeline of a session: a strip over time, a list in time order, and one call or mark beside it.
 *
 *     CallList ── makeRows ──▶ rows: calls and marks, each with its span
 *                                ├─ makeLanes, stripAxis ──▶ TimelineStrip: a drag makes the window
 *                                ├─ filterRows ──▶ TimelineList: the rows in sight
 *                                └─ findRow ──▶ CallDetail or MarkDetail
 *
 * The window (the rows listed) and the zoom (the part of the strip) are in the address; Back restores them.
 */
import { useEffect, useMemo } from 'preact/hooks';
import type { CallList } from '../../shared/api/types.ts';
import { CallDetail } from '../calls/CallDetail.tsx';
import { useApp } from '../state/app.ts';
import { formatRoute, type RouteOf } from '../state/router.ts';
import { timeOnShow, useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Icon } from '../ui/Icon.tsx';
import { Empty, ErrorPanel, Pill } from '../ui/Notice.tsx';
import { scrolls } from '../ui/Panel.tsx';
import { MarkDetail } from './MarkDetail.tsx';
import {
  filterRows,
  findRow,
  hasRow,
  isEmptyTimeline,
  isFiltered,
  makeRows,
  type Row,
} from './model/rows.ts';
import { TimelineFilterBar } from './TimelineFilterBar.tsx';
import { TimelineList } from './TimelineList.tsx';
import { TimelineStrip } from './TimelineStrip.tsx';
import { useTimeAddress } from './use-time-address.ts';

export function Timeline({ route }: { route: RouteOf<'calls'> }) {
  const state = useSession();
  const { settings } = useApp();
  const list = state.calls.data.value;
  const error = state.calls.error.value;
  const newestFirst = settings.newestFirst.value;
  const waiting = state.calls.newer.value;

  // New rows come last in this order and move nothing, so they need not wait; nor does what the address names.
  const isNamed = hasRow(waiting, route.call) && !hasRow(list, route.call);
  const comes = isNamed || (!newestFirst && waiting !== null);
  useEffect(() => {
    if (comes) state.calls.showNewer();
  }, [comes, waiting]);

  if (error !== null && list === null)
    return <ErrorPanel error={error} retry={() => void state.calls.load()} />;
  if (list === null)
    return <div class="split-view" role="status" aria-label="Loading the calls" aria-busy="true" />;
  if (isEmptyTimeline(list)) {
    return (
      <Empty icon="terminal" title="No calls yet">
        <p>
          Every command that Claude runs with Bash in this session is listed here, with where it ran and why.
        </p>
      </Empty>
    );
  }
  return <Loaded route={route} list={list} />;
}

function Loaded({ route, list }: { route: RouteOf<'calls'>; list: CallList }) {
  const { settings, now, go } = useApp();
  const state = useSession();
  const { filter, wroteIds } = state.timeline;
  const newestFirst = settings.newestFirst.value;
  // Only running calls grow with time: without one the rows need no redraw.
  const time = list.calls.some((one) => one.state === 'running') ? Math.max(now.value, newestOf(list)) : 0;
  const rows = useMemo(() => makeRows(list, time), [list, time]);
  const passing = useMemo(
    () => filterRows(rows, filter.value, wroteIds.value),
    [rows, filter.value, wroteIds.value],
  );
  const ordered = useMemo(() => (newestFirst ? passing.toReversed() : passing), [passing, newestFirst]);
  const { call } = route;
  const shown = rows[findRow(rows, call)] ?? null;
  const address = useTimeAddress(route);
  const to = (id: string | null) =>
    ({ view: 'calls', session: state.id, call: id, ...timeOnShow(state.timeline) }) as const;
  const open = (id: string): void => go(to(id));
  return (
    <div class={`timeline column grow ${call === null ? '' : 'timeline-chosen'}`}>
      <TimelineStrip rows={rows} selected={call} address={address} onOpen={open} />
      <div class="split-view">
        <section class="side column" aria-label="Calls">
          <TimelineFilterBar
            list={list}
            shown={passing.filter(({ type }) => type === 'call').length}
            onAllTime={() => address.setWindow(null, 'done')}
          />
          <div class="side-body">
            {newestFirst ? <Newer list={list} /> : null}
            {ordered.length === 0 && isFiltered(filter.value) ? (
              <p class="muted timeline-none">No matches.</p>
            ) : (
              <TimelineList rows={ordered} selected={call} onOpen={open} />
            )}
          </div>
          <RawLines list={list} />
        </section>
        <section class="main-pane" aria-label="Selected call" {...scrolls}>
          {call === null ? null : (
            <a class="back-link" href={formatRoute(to(null))}>
              <Icon name="back" /> All calls
            </a>
          )}
          <Chosen row={shown} named={call !== null} rows={rows} />
        </section>
      </div>
    </div>
  );
}

function Chosen({ row, named, rows }: { row: Row | null; named: boolean; rows: readonly Row[] }) {
  if (row === null) {
    return (
      <Empty icon="terminal" title={named ? 'This call is not in the log' : 'Choose a call'}>
        <p>
          Pick one on the left or on the strip, or press <kbd>j</kbd> and <kbd>k</kbd>.
        </p>
      </Empty>
    );
  }
  return row.type === 'call' ? (
    <CallDetail key={row.key} call={row.call} />
  ) : (
    <MarkDetail key={row.key} mark={row.mark} rows={rows} />
  );
}

function Newer({ list }: { list: CallList }) {
  const { calls, showNewer } = useSession();
  const waiting = calls.newer.value;
  if (waiting === null) return null;
  const fresh = waiting.calls.length - list.calls.length;
  return (
    <Pill
      text={fresh > 0 ? `${format.plural(fresh, 'new call')} – show` : 'Log updated – show'}
      onShow={showNewer}
    />
  );
}

/** A call that runs began before now, even if the clocks of server and tab differ. */
function newestOf({ calls }: CallList): number {
  const last = calls.at(-1);
  return Date.parse(last?.startedAt ?? last?.requestedAt ?? '') || 0;
}

const SHOWN_RAW = 100;

function RawLines({ list }: { list: CallList }) {
  if (list.raw.length === 0) return null;
  return (
    <details class="raw">
      <summary class="lines">
        <Icon name="warning" /> {format.plural(list.raw.length, 'line')} of the log could not be read
      </summary>
      <ul class="plain" {...scrolls} aria-label="Lines that could not be read">
        {list.raw.slice(0, SHOWN_RAW).map((line) => (
          <li key={line.offset}>
            <span class="muted">
              byte {format.count(line.offset)}, {line.problem.replace('-', ' ')}
            </span>
            <pre class="excerpt">{visibleText(line.raw.slice(0, 2_000))}</pre>
          </li>
        ))}
        {list.raw.length > SHOWN_RAW ? (
          <li class="muted">and {format.count(list.raw.length - SHOWN_RAW)} more</li>
        ) : null}
      </ul>
    </details>
  );
}
