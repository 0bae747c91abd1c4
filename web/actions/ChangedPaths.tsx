/** Which files a request is about, before the click: directories with what happens in them, and single files. */
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import type { PlaceOfChanges, Places } from '../../shared/model/change-places.ts';
import * as format from '../text/format.ts';
import { Counts } from '../ui/Badge.tsx';
import { Icon } from '../ui/Icon.tsx';

export function ChangedPaths({ places }: { places: Places }) {
  const { root, shown, more } = places;
  if (shown.length === 0) return null;
  const lines = (where: PlaceOfChanges['where']) =>
    shown
      .filter((place) => place.where === where)
      .map((place) => <Place key={place.path} place={place} root={root} />);
  const inside = lines('project');
  return (
    <section class="places" aria-label="Where">
      {inside.length === 0 ? null : (
        <>
          <p class="mono path muted">{toDisplay(root)}</p>
          <ul class="plain">
            {inside}
            <More count={more.project} where="in the project" />
          </ul>
        </>
      )}
      <ul class="plain">
        {lines('outside')}
        <More count={more.outside} where="outside the project" />
        {lines('cache')}
        <More count={more.cache} where="in caches" />
      </ul>
    </section>
  );
}

function More({ count, where }: { count: number; where: string }) {
  if (count === 0) return null;
  return (
    <li class="muted">
      + {format.count(count)} more {where}
    </li>
  );
}

const NOTES = { project: '', outside: ' outside the project', cache: ' cache' } as const;

function Place({ place, root }: { place: PlaceOfChanges; root: BytePath }) {
  const pending = Object.values(place.counts).reduce((sum, count) => sum + count, 0);
  const ignored = place.total - pending;
  return (
    <li class={place.where === 'outside' ? 'path-outside' : ''}>
      <Icon name={iconOf(place)} />
      <span class="path">
        <span class="mono">{nameOf(place, root)}</span>
        {NOTES[place.where]}
      </span>
      {pending === 0 ? null : <Counts counts={place.counts} />}
      {ignored === 0 ? null : <span class="muted">{ignored} ignored</span>}
    </li>
  );
}

function iconOf({ isDir, where }: PlaceOfChanges): 'flag' | 'folder' | 'file' {
  if (where === 'outside') return 'flag';
  return isDir ? 'folder' : 'file';
}

/** Below the project's directory, which stands above; a whole path elsewhere. */
function nameOf({ path, isDir, where }: PlaceOfChanges, root: BytePath): string {
  if (path === root) return './';
  const from = where !== 'project' || root === '/' ? 0 : root.length + 1;
  return `${toDisplay(path.slice(from) as BytePath)}${isDir ? '/' : ''}`;
}
