/** Keeps window and zoom in the address, so that Back restores them. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useApp } from '../state/app.ts';
import { formatRoute, type RouteOf } from '../state/router.ts';
import { timeOnShow, useSession } from '../state/session.ts';
import type { Span } from './model/axis.ts';

/** `live`: a drag or wheel goes on; `step`: small steps share a history entry; `done`: one of its own. */
type How = 'live' | 'step' | 'done';

export interface TimeAddress {
  setWindow(window: Span | null, how: How): void;
  setZoom(zoom: Span | null, how: How): void;
}

/** A wheel that rests this long is done (ms). */
const REST_MS = 250;

export function useTimeAddress(route: RouteOf<'calls'>): TimeAddress {
  const { go, replace } = useApp();
  const { timeline } = useSession();
  const { filter, zoom } = timeline;
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  useLayoutEffect(() => {
    clearTimeout(rest.current);
    filter.value = { ...filter.value, window: route.window ?? null };
    zoom.value = route.zoom ?? null;
  }, [timeline, formatRoute({ ...route, call: null })]);

  const write = (how: How): void => {
    clearTimeout(rest.current);
    const to = { ...route, ...timeOnShow(timeline) };
    if (how === 'step' && (route.window != null || route.zoom != null)) replace(to);
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
