/**
 * The calls of a session over time: a bar each, side by side in lanes where they ran at the same time. Dragging makes a
 * window, a click opens a call. A few paths however many calls there are; who can't see it has the list and the edges.
 */
import type { ReadonlySignal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { CallList } from '../../../shared/api/types.ts';
import * as format from '../../lib/format.ts';
import { type Span, ticks, toX } from '../../lib/timeline/axis.ts';
import { type Bar, makeLanes } from '../../lib/timeline/lanes.ts';
import { BAR_TONES, barAt, barPaths, markPaths, stripAxis } from '../../lib/timeline/strip.ts';
import { oneLine } from '../../lib/visible.ts';
import { useWidth } from '../use-width.ts';
import { StripBar } from './StripBar.tsx';
import { useStripDrag } from './use-strip-drag.ts';
import { WindowEdges } from './WindowEdges.tsx';

/** Of all lanes together, px; the stylesheet knows it as well. */
const HEIGHT = 56;
/** Room for one time on the ruler, px. */
const TICK_ROOM = 84;

interface Props {
  list: CallList;
  now: number;
  selected: string | null;
  window: Span | null;
  onWindow(window: Span | null): void;
  onOpen(call: string): void;
}

export function TimelineStrip({ list, now, selected, window, onWindow, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const size = { width: Math.max(1, width), height: HEIGHT };
  const lanes = useMemo(() => makeLanes(list.calls, now), [list.calls, now]);
  const axis = useMemo(() => stripAxis(lanes.bars, list.marks), [lanes, list.marks]);
  const bars = useMemo(() => barPaths(axis, lanes, size), [axis, lanes, width]);
  const marks = useMemo(() => markPaths(axis, list.marks, size), [axis, list.marks, width]);
  const times = useMemo(() => ticks(axis, TICK_ROOM / size.width), [axis, width]);
  const stops = useMemo(
    () => [...new Set(lanes.bars.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b),
    [lanes],
  );
  const hovered = useSignal<Bar | null>(null);
  const drag = useStripDrag({ axis, window, onWindow }, (x, y) => {
    const bar = barAt(axis, lanes, size, x * size.width, y);
    if (bar !== null) onOpen(bar.call.id);
  });
  const shown = lanes.bars.find(({ call }) => call.id === selected) ?? null;
  return (
    <section class="strip" aria-label="Time">
      <p class="sr-only">
        {format.plural(lanes.bars.length, 'call')}, up to {lanes.count} at the same time. The list below has
        each of them; the two edges choose a time.
      </p>
      <div
        ref={box}
        class="strip-box"
        onPointerDown={drag.down}
        onPointerMove={(event) => {
          const at = drag.move(event);
          hovered.value = at === null ? null : barAt(axis, lanes, size, at.x * size.width, at.y);
        }}
        onPointerUp={drag.up}
        onPointerCancel={drag.cancel}
        onPointerLeave={() => {
          hovered.value = null;
        }}
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
            bars.has(tone) ? <path key={tone} class={`bar bar-${tone}`} d={bars.get(tone)} /> : null,
          )}
          {shown === null ? null : <StripBar axis={axis} lanes={lanes} size={size} bar={shown} />}
        </svg>
        <WindowEdges axis={axis} window={window} stops={stops} onWindow={onWindow} onDown={drag.edge} />
        <Tip bar={hovered} x={(bar) => toX(axis, bar.from)} />
      </div>
    </section>
  );
}

/** What is under the pointer. A component of its own: it changes at every move, and the paths do not. */
function Tip({ bar, x }: { bar: ReadonlySignal<Bar | null>; x: (bar: Bar) => number }) {
  const found = bar.value;
  if (found === null) return null;
  const at = x(found);
  const { call, from, to } = found;
  const side = at > 0.5 ? { right: `${(1 - at) * 100}%` } : { left: `${at * 100}%` };
  return (
    <div class="strip-tip" style={side} aria-hidden="true">
      <code>{oneLine(call.command.slice(0, 160))}</code>
      <span class="muted num">
        {format.clock(new Date(from).toISOString())}, {format.duration(call.ms ?? to - from)}
      </span>
    </div>
  );
}
