/** The calls of a session over time, as bars in lanes, with window and zoom. Screen readers use the list. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../keys/shortcuts.ts';
import { set } from '../state/resource.ts';
import { timeOnShow, useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { oneLine } from '../text/visible.ts';
import { IconButton } from '../ui/Button.tsx';
import type { IconName } from '../ui/Icon.tsx';
import {
  type Axis,
  type Edge,
  endsOf,
  isIn,
  panBy,
  type Span,
  stepped,
  type TickRoom,
  ticks,
  toX,
  withEdge,
  zoomBy,
  zoomed,
  zoomTo,
} from './model/axis.ts';
import type { Row } from './model/rows.ts';
import {
  BAR_TONES,
  type Bar,
  barAt,
  barEnds,
  barPaths,
  laneHeight,
  makeLanes,
  markPaths,
  type StripSize,
  stripAxis,
} from './model/strip.ts';
import { useStripDrag } from './use-strip-drag.ts';
import type { TimeAddress } from './use-time-address.ts';

/** Of all lanes together (px); strip.css has it too. */
const HEIGHT = 56;
/** Room for one time on the ruler (px). */
const TICK_ROOM = 84;
const DATED_ROOM = 104;
/** Zoom factor of one notch of the wheel. */
const WHEEL_STEP = 1.3;
const ZOOM_STEP = 2;
/** Share of the visible part. */
const PAN = 0.5;

interface Props {
  rows: readonly Row[];
  selected: string | null;
  address: TimeAddress;
  onOpen(call: string): void;
}

export function TimelineStrip({ rows, selected, address, onOpen }: Props) {
  const { window, zoom } = timeOnShow(useSession().timeline);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const size = { width: Math.max(1, width), height: HEIGHT };
  const { all, allMarks, whole, stops } = useMemo(() => {
    const all = makeLanes(rows);
    const allMarks = rows.filter((row) => row.type === 'mark');
    const stops = [...new Set(all.bars.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
    return { all, allMarks, whole: stripAxis(all.bars, allMarks), stops };
  }, [rows]);
  const axis = useMemo(() => zoomed(whole, zoom), [whole, zoom]);
  const { lanes, bars, marks, times } = useMemo(() => {
    const lanes = { count: all.count, bars: all.bars.filter((bar) => isIn(axis, bar)) };
    const seen = allMarks.filter((mark) => isIn(axis, mark));
    const room: TickRoom = (time, before) =>
      (format.moment(time, before).includes(',') ? DATED_ROOM : TICK_ROOM) / size.width;
    return {
      lanes,
      bars: barPaths(axis, lanes, size),
      marks: markPaths(axis, seen, size),
      times: ticks(axis, TICK_ROOM / size.width, room),
    };
  }, [all, axis, width]);
  const hovered = useSignal<Bar | null>(null);
  const drag = useStripDrag({
    axis,
    window,
    onWindow: address.setWindow,
    onClick: (x, y) => {
      const bar = barAt(axis, lanes, size, x * size.width, y);
      if (bar !== null) onOpen(bar.call.id);
    },
  });
  const shown = lanes.bars.find(({ call }) => call.id === selected) ?? null;
  /** The place that a zoom keeps: the middle of the visible window, of the selected call, or of the strip. */
  const held = (): number => {
    const span = window ?? shown;
    if (span === null || !isIn(axis, span)) return 0.5;
    const [left, right] = endsOf(axis, span);
    return (left + right) / 2;
  };
  const zoomIn = (factor: number): void => address.setZoom(zoomBy(whole, zoom, factor, held()), 'done');
  const pan = (by: number): void => address.setZoom(panBy(whole, zoom, by), 'step');
  const showAll = (): void => address.setZoom(null, 'done');
  useShortcuts({
    'zoom-in': () => zoomIn(1 / ZOOM_STEP),
    'zoom-out': () => zoomIn(ZOOM_STEP),
    'zoom-all': showAll,
  });
  const isWhole = zoom === null;
  const intoWindow = (): void => {
    if (window !== null) address.setZoom(zoomTo(whole, zoom, window), 'done');
  };
  const tools: [icon: IconName, label: string, isOff: boolean, run: () => void, key?: string][] = [
    ['plus', 'Zoom in', false, () => zoomIn(1 / ZOOM_STEP), '+'],
    ['minus', 'Zoom out', isWhole, () => zoomIn(ZOOM_STEP), '-'],
    ['whole', 'Show the whole session', isWhole, showAll, '0'],
    ['back', 'Earlier', isWhole, () => pan(-PAN)],
    ['chevron', 'Later', isWhole, () => pan(PAN)],
    ['into', 'Zoom into the window', window === null, intoWindow],
  ];
  const onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { left } = box.current?.getBoundingClientRect() ?? { left: 0 };
    const at = Math.min(1, Math.max(0, (event.clientX - left) / size.width));
    address.setZoom(zoomBy(whole, zoom, WHEEL_STEP ** Math.sign(event.deltaY), at), 'live');
  };
  return (
    <section class="strip" aria-label="Time">
      <p class="sr-only">
        {format.plural(all.bars.length, 'call')}, up to {lanes.count} at the same time. The list below has
        each of them; the two edges choose a time.
      </p>
      <div
        ref={box}
        class="strip-box grow"
        onWheel={onWheel}
        onPointerDown={drag.down}
        onPointerMove={(event) => {
          const at = drag.move(event);
          hovered.value = at === null ? null : barAt(axis, lanes, size, at.x * size.width, at.y);
        }}
        onPointerUp={drag.up}
        onPointerCancel={drag.cancel}
        onPointerLeave={() => set(hovered, null)}
      >
        <div class="strip-ruler" aria-hidden="true">
          {times.map(({ x, time }, i) => (
            <span key={time} class="strip-tick num" style={{ left: `${x * 100}%` }}>
              {format.moment(time, times[i - 1]?.time ?? null)}
            </span>
          ))}
        </div>
        <svg class="strip-bars" width={size.width} height={HEIGHT} aria-hidden="true" focusable="false">
          {axis.stretches.map(({ from, x0, x1, folded }) =>
            folded ? (
              <rect
                key={from}
                class="strip-pause"
                x={x0 * size.width}
                width={(x1 - x0) * size.width}
                height={HEIGHT}
              />
            ) : null,
          )}
          {[...marks].map(([group, path]) => (
            <path key={group} class={`strip-mark strip-${group}`} d={path} />
          ))}
          {BAR_TONES.map((tone) =>
            bars.has(tone) ? <path key={tone} class={`bar tone-${tone}`} d={bars.get(tone)} /> : null,
          )}
          {shown === null || !isIn(axis, shown) ? null : (
            <StripBar axis={axis} size={size} bar={shown} lane={laneHeight(size, lanes.count)} />
          )}
        </svg>
        <WindowEdges
          axis={axis}
          window={window}
          stops={stops}
          onStep={(next) => address.setWindow(next, 'step')}
          onDown={drag.edge}
        />
        <Tip bar={hovered} x={(bar) => toX(axis, bar.from)} />
      </div>
      <fieldset class="strip-tools">
        <legend class="sr-only">Zoom</legend>
        {tools.map(([icon, label, isOff, run, key]) => (
          <IconButton
            key={label}
            icon={icon}
            label={label}
            title={key === undefined ? label : `${label} (${key})`}
            // Not `disabled`: a disabled button loses the focus.
            aria-disabled={isOff}
            onClick={() => {
              if (!isOff) run();
            }}
          />
        ))}
      </fieldset>
      <p class="sr-only" role="status">
        {zoom === null ? '' : `On show from ${momentOf(axis.from)} to ${momentOf(axis.to)}`}
      </p>
    </section>
  );
}

const momentOf = (time: number): string => format.clock(new Date(time).toISOString());

/** A component of its own: it changes at every move of the pointer, the paths do not. */
function Tip({ bar, x }: { bar: ReadonlySignal<Bar | null>; x: (bar: Bar) => number }) {
  const found = bar.value;
  if (found === null) return null;
  const at = x(found);
  const { call, from, to } = found;
  const side = at > 0.5 ? { right: `${(1 - at) * 100}%` } : { left: `${at * 100}%` };
  return (
    <div class="strip-tip inline small" style={side} aria-hidden="true">
      <code class="ellipsis">{oneLine(format.cut(call.command, 160))}</code>
      <span class="muted num">
        {momentOf(from)}, {format.duration(call.ms ?? to - from)}
      </span>
    </div>
  );
}

/** Whole px; 0 before it is mounted. */
function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

function StripBar({ axis, size, bar, lane }: { axis: Axis; size: StripSize; bar: Bar; lane: number }) {
  const [left, right] = barEnds(axis, bar, size.width);
  return (
    <>
      <line class="strip-here" x1={left} x2={left} y1={0} y2={size.height} />
      <rect
        class="strip-chosen"
        x={left - 1}
        y={Math.max(0, bar.lane * lane - 1)}
        width={right - left + 2}
        height={Math.max(3, lane)}
        rx={2}
      />
    </>
  );
}

interface WindowEdgesProps {
  axis: Axis;
  window: Span | null;
  stops: readonly number[];
  onStep(window: Span | null): void;
  onDown(event: PointerEvent, edge: Edge): void;
}

const NAMES: Record<Edge, string> = { from: 'Shown from', to: 'Shown until' };

function WindowEdges({ axis, window, stops, onStep, onDown }: WindowEdgesProps) {
  const [left, right] = endsOf(axis, window);
  const at = { from: window?.from ?? axis.from, to: window?.to ?? axis.to };
  return (
    <>
      {window === null ? null : (
        <>
          <div class="strip-shade" style={{ left: 0, width: `${left * 100}%` }} />
          <div class="strip-shade" style={{ right: 0, width: `${(1 - right) * 100}%` }} />
          <div class="strip-grip" style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }} />
        </>
      )}
      {(['from', 'to'] as const).map((edge) => (
        <div
          key={edge}
          role="slider"
          tabIndex={0}
          class="strip-edge"
          style={{ left: `${(edge === 'from' ? left : right) * 100}%` }}
          aria-label={NAMES[edge]}
          aria-valuemin={0}
          aria-valuemax={Math.round(axis.to - axis.from)}
          aria-valuenow={Math.round(at[edge] - axis.from)}
          aria-valuetext={momentOf(at[edge])}
          onPointerDown={(event) => onDown(event, edge)}
          onKeyDown={(event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const time = stepped(axis, stops, at[edge], event.key);
            if (time === null) return;
            event.preventDefault();
            event.stopPropagation();
            onStep(withEdge(axis, window, edge, time));
          }}
        />
      ))}
    </>
  );
}
