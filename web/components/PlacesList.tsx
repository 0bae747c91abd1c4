/** Which files an order is about, before the click: directories with what happens in them, and single files. */
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import type { PlaceOfChanges, Places } from '../../shared/changes/places.ts';
import * as format from '../lib/format.ts';
import { Counts } from './Badge.tsx';
import { Icon } from './Icon.tsx';

export function PlacesList({ places }: { places: Places }) {
  const { root, shown, more } = places;
  const outside = shown.filter((place) => place.outside);
  const inside = shown.filter((place) => !place.outside);
  if (shown.length === 0) return null;
  return (
    <section class="places" aria-label="Where">
      {outside.length === 0 ? null : (
        <ul class="plain">
          {outside.map((place) => (
            <Place key={place.path} place={place} root={root} />
          ))}
        </ul>
      )}
      {inside.length === 0 ? null : <p class="mono path muted">{toDisplay(root)}</p>}
      <ul class="plain">
        {inside.map((place) => (
          <Place key={place.path} place={place} root={root} />
        ))}
        {more === 0 ? null : (
          <li class="muted">and {format.plural(more, 'more entry', 'more entries')} in other places</li>
        )}
      </ul>
    </section>
  );
}

function Place({ place, root }: { place: PlaceOfChanges; root: BytePath }) {
  const pending = Object.values(place.counts).reduce((sum, count) => sum + count, 0);
  const ignored = place.total - pending;
  return (
    <li class={place.outside ? 'place-outside' : ''}>
      <Icon name={iconOf(place)} />
      <span class="path">
        <span class="mono">{nameOf(place, root)}</span>
        {place.outside ? ' outside the project' : ''}
      </span>
      {pending === 0 ? null : <Counts counts={place.counts} />}
      {ignored === 0 ? null : <span class="muted">{ignored} ignored</span>}
    </li>
  );
}

function iconOf({ isDir, outside }: PlaceOfChanges): 'flag' | 'folder' | 'file' {
  if (outside) return 'flag';
  return isDir ? 'folder' : 'file';
}

/** Below the project's directory, which stands above; a whole path elsewhere. */
function nameOf({ path, isDir, outside }: PlaceOfChanges, root: BytePath): string {
  if (path === root) return './';
  const from = outside || root === '/' ? 0 : root.length + 1;
  return `${toDisplay(path.slice(from) as BytePath)}${isDir ? '/' : ''}`;
}
