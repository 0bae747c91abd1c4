/** Pointer on the strip: a drag makes, moves or resizes the window, a click is a click. */
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

/** Less than this is a click (px). */
const SLACK = 4;
/** The ruler above the lanes, by which a window is moved (px); the stylesheet knows it as well. */
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
  /** Where it began, from 0 to 1. */
  x: number;
  began: Span | null;
  /** It has moved far enough to be no click; an edge never is one. */
  far: boolean;
  moved: boolean;
}

const boxOf = (event: PointerEvent): Element =>
  (event.currentTarget instanceof Element && event.currentTarget.closest('.strip-box')) || document.body;

/** `x` from 0 to 1, `y` px below the ruler. */
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
    /** Gives the place under the pointer while nothing is dragged. */
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
