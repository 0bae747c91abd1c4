/** Keeps window and zoom in the address, so that Back restores them. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useApp } from '../state/app.ts';
import { type SessionState, timeOnShow } from '../state/session.ts';
import type { Span } from './model/axis.ts';

/** `live`: a drag or wheel goes on; `step`: small steps share a history entry; `done`: one of its own. */
type How = 'live' | 'step' | 'done';

export interface TimeAddress {
  setWindow(window: Span | null, how: How): void;
  setZoom(zoom: Span | null, how: How): void;
}

/** A wheel that rests this long is done (ms). */
const REST_MS = 250;

interface Shown {
  call: string | null;
  window: Span | null;
  zoom: Span | null;
}

/** `shown`: as in the address. */
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
