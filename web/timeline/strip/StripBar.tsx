/** The call that is on show, made visible among all others. */
import type { Axis } from '../model/axis.ts';
import type { Bar, Lanes } from '../model/lanes.ts';
import { barEnds, laneHeight, type StripSize } from '../model/strip.ts';

interface Props {
  axis: Axis;
  lanes: Lanes;
  size: StripSize;
  bar: Bar;
}

export function StripBar({ axis, lanes, size, bar }: Props) {
  const [left, right] = barEnds(axis, bar, size.width);
  const lane = laneHeight(size, lanes.count);
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
