/** Pointer on the strip: a drag makes, moves or resizes the window, a click is a click. */
import { useRef } from 'preact/hooks';
import {
  type Axis,
  type Edge,
  moved,
  type Span,
  toTime,
  toX,
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

/** From 0 to 1, and px below the ruler. */
interface Place {
  x: number;
  y: number;
}

function placeOf(event: PointerEvent): Place {
  const box = event.currentTarget instanceof Element ? event.currentTarget.closest('.strip-box') : null;
  const { left, top, width } = (box ?? document.body).getBoundingClientRect();
  return { x: (event.clientX - left) / Math.max(1, width), y: event.clientY - top - RULER };
}

function distance(event: PointerEvent, from: number): number {
  const box = event.currentTarget instanceof Element ? event.currentTarget.clientWidth : 0;
  return Math.abs(placeOf(event).x - from) * box;
}

interface StripDrag {
  down(event: PointerEvent): void;
  /** Gives the place under the pointer while nothing is dragged. */
  move(event: PointerEvent): Place | null;
  up(event: PointerEvent): void;
  cancel(): void;
  edge(event: PointerEvent, edge: Edge): void;
}

export function useStripDrag(
  { axis, window, onWindow }: Strip,
  onClick: (x: number, y: number) => void,
): StripDrag {
  const drag = useRef<Drag | null>(null);

  const begin = (event: PointerEvent, kind: Drag['kind']): void => {
    if (event.button !== 0) return;
    drag.current = {
      kind,
      pointer: event.pointerId,
      x: placeOf(event).x,
      began: window,
      far: kind !== 'new',
      moved: false,
    };
    const box = event.currentTarget instanceof Element ? event.currentTarget.closest('.strip-box') : null;
    box?.setPointerCapture(event.pointerId);
  };

  const result = ({ kind, x, began }: Drag, at: number): Span | null => {
    if (kind === 'new') return windowBetween(axis, x, at);
    if (kind === 'move') return began === null ? null : moved(axis, began, at - x);
    return withEdge(axis, began, kind, toTime(axis, at));
  };

  return {
    down: (event) => {
      const { x, y } = placeOf(event);
      const held = window !== null && y < 0 && x >= toX(axis, window.from) && x <= toX(axis, window.to);
      begin(event, held ? 'move' : 'new');
    },
    edge: (event, edge) => {
      event.stopPropagation();
      begin(event, edge);
    },
    move: (event) => {
      const now = drag.current;
      if (now === null || now.pointer !== event.pointerId) return placeOf(event);
      if (!now.far && distance(event, now.x) < SLACK) return null;
      now.far = true;
      now.moved = true;
      onWindow(result(now, placeOf(event).x), 'live');
      return null;
    },
    up: (event) => {
      const now = drag.current;
      drag.current = null;
      if (now === null || now.pointer !== event.pointerId) return;
      const { x, y } = placeOf(event);
      if (!now.far) onClick(x, y);
      else if (now.moved) onWindow(result(now, x), 'done');
    },
    cancel: () => {
      if (drag.current !== null) onWindow(drag.current.began, 'live');
      drag.current = null;
    },
  };
}
