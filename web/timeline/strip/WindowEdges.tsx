/** The window on the strip and its two edges, which are sliders: by pointer, and by keys from call to call. */
import * as format from '../../ui/format.ts';
import { type Axis, type Span, toX } from '../model/axis.ts';
import { type Edge, stepped, withEdge } from '../model/window.ts';

interface Props {
  axis: Axis;
  window: Span | null;
  /** Begins and ends of calls, in order. */
  stops: readonly number[];
  onStep(window: Span | null): void;
  onDown(event: PointerEvent, edge: Edge): void;
}

const NAMES: Record<Edge, string> = { from: 'Shown from', to: 'Shown until' };

export function WindowEdges({ axis, window, stops, onStep, onDown }: Props) {
  const [left, right] = window === null ? [0, 1] : [toX(axis, window.from), toX(axis, window.to)];
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
          class={`strip-edge strip-edge-${edge}`}
          style={{ left: `${(edge === 'from' ? left : right) * 100}%` }}
          aria-label={NAMES[edge]}
          aria-valuemin={0}
          aria-valuemax={Math.round(axis.to - axis.from)}
          aria-valuenow={Math.round(at[edge] - axis.from)}
          aria-valuetext={format.clock(new Date(at[edge]).toISOString())}
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
