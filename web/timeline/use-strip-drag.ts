/** The pointer on the strip: a drag makes, moves or resizes the window; a short one is a click. */
import { useRef } from 'preact/hooks';
import {
  type Axis,
  type Edge,
  endsOf,
  moved,
  type Span,
  toTime,
  windowBetween,
  withEdge,
} from './model/axis.ts';

/** Below this a drag is a click (px). */
const SLACK = 4;
/** Height of the ruler, by which a window is moved (px); strip.css has it too. */
const RULER = 18;

interface Strip {
  axis: Axis;
  window: Span | null;
  /** `done` at the end of a drag. */
  onWindow(window: Span | null, how: 'live' | 'done'): void;
  onClick(x: number, y: number): void;
}

interface Drag {
  kind: 'new' | 'move' | Edge;
  pointer: number;
  /** Where the drag began, from 0 to 1. */
  x: number;
  began: Span | null;
  /** Moved too far to be a click; the drag of an edge never is one. */
  far: boolean;
  moved: boolean;
}

const boxOf = (event: PointerEvent): Element =>
  (event.currentTarget instanceof Element && event.currentTarget.closest('.strip-box')) || document.body;

/** `x` from 0 to 1, `y` in px below the ruler. */
function placeOf(event: PointerEvent): { x: number; y: number; width: number } {
  const { left, top, width } = boxOf(event).getBoundingClientRect();
  return { x: (event.clientX - left) / Math.max(1, width), y: event.clientY - top - RULER, width };
}

export function useStripDrag({ axis, window, onWindow, onClick }: Strip) {
  const drag = useRef<Drag | null>(null);

  const begin = (event: PointerEvent, kind: Drag['kind']): void => {
    if (event.button !== 0) return;
    const { x } = placeOf(event);
    drag.current = { kind, pointer: event.pointerId, x, began: window, far: kind !== 'new', moved: false };
    boxOf(event).setPointerCapture(event.pointerId);
  };

  const windowAt = ({ kind, x, began }: Drag, at: number): Span | null => {
    if (kind === 'new') return windowBetween(axis, x, at);
    if (kind === 'move') return began === null ? null : moved(axis, began, at - x);
    return withEdge(axis, began, kind, toTime(axis, at));
  };

  return {
    down: (event: PointerEvent): void => {
      const { x, y } = placeOf(event);
      const [left, right] = endsOf(axis, window);
      begin(event, window !== null && y < 0 && x >= left && x <= right ? 'move' : 'new');
    },
    edge: (event: PointerEvent, edge: Edge): void => {
      event.stopPropagation();
      begin(event, edge);
    },
    /** The place under the pointer; null during a drag. */
    move: (event: PointerEvent): { x: number; y: number } | null => {
      const now = drag.current;
      const place = placeOf(event);
      if (now === null || now.pointer !== event.pointerId) return place;
      if (!now.far && Math.abs(place.x - now.x) * place.width < SLACK) return null;
      now.far = true;
      now.moved = true;
      onWindow(windowAt(now, place.x), 'live');
      return null;
    },
    up: (event: PointerEvent): void => {
      const now = drag.current;
      drag.current = null;
      if (now === null || now.pointer !== event.pointerId) return;
      const { x, y } = placeOf(event);
      if (!now.far) onClick(x, y);
      else if (now.moved) onWindow(windowAt(now, x), 'done');
    },
    cancel: (): void => {
      if (drag.current !== null) onWindow(drag.current.began, 'live');
      drag.current = null;
    },
  };
}
