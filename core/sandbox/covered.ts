import type { BytePath } from '../../shared/bytes.ts';
import { isWithin } from '../../shared/bytes.ts';
import type { Place } from '../session/session-context.ts';

/** The place that covers a host path (the innermost one), or null. */
export function placeOf(places: readonly Place[], path: BytePath): Place | null {
  let found: Place | null = null;
  for (const place of places) {
    if (isWithin(path, place.path) && (found === null || place.path.length > found.path.length))
      found = place;
  }
  return found;
}

/** Where the upper of a place holds a host path. */
export function upperPath(place: Place, path: BytePath): BytePath {
  if (path === place.path) return place.upper;
  return `${place.upper}${place.path === '/' ? path : path.slice(place.path.length)}` as BytePath;
}
