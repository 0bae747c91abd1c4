/** What time is on show, and what part of it is looked at: in the address, so that the browser's way back leads there. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useApp } from '../state/app.ts';
import { type SessionState, timeOnShow } from '../state/session.ts';
import type { Span } from './model/axis.ts';

/**
 * How far a change is: still going on (a drag, a wheel), one of several small steps (an arrow key), which share an entry in
 * the browser's history, or an end of its own.
 */
type How = 'live' | 'step' | 'done';

export interface TimeAddress {
  setWindow(window: Span | null, how: How): void;
  setZoom(zoom: Span | null, how: How): void;
}

/** A wheel that stood still for so long has come to its end (ms). */
const REST_MS = 250;

interface Shown {
  call: string | null;
  window: Span | null;
  zoom: Span | null;
}

/** @param shown as the address says it */
export function useTimeAddress(state: SessionState, shown: Shown): TimeAddress {
  const { go, replace } = useApp();
  const { filter, zoom } = state.timeline;
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  useLayoutEffect(() => {
    clearTimeout(rest.current);
    filter.value = { ...filter.value, window: shown.window };
    zoom.value = shown.zoom;
  }, [state, keyOf(shown.window), keyOf(shown.zoom)]);

  const write = (how: How): void => {
    clearTimeout(rest.current);
    const to = {
      ...({ view: 'calls', session: state.id, call: shown.call } as const),
      ...timeOnShow(state.timeline),
    };
    if (how === 'step' && (shown.window !== null || shown.zoom !== null)) replace(to);
    else go(to);
  };
  const latest = useRef(write);
  latest.current = write;

  return {
    setWindow: (window, how) => {
      filter.value = { ...filter.value, window };
      if (how !== 'live') write(how);
    },
    setZoom: (next, how) => {
      zoom.value = next;
      if (how !== 'live') return write(how);
      clearTimeout(rest.current);
      rest.current = setTimeout(() => latest.current('step'), REST_MS);
    },
  };
}

function keyOf(span: Span | null): string {
  return span === null ? '' : `${span.from}-${span.to}`;
}
