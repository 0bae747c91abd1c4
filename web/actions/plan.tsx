/** A commit or discard as its dialog previews it: directories, what the selection closure adds, notes. */
import type { CommitPreview } from '../../shared/api/types.ts';
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import type { PlaceOfChanges, Places } from '../../shared/model/change-places.ts';
import { fileTimes } from '../messages/actions.ts';
import { timesText } from '../messages/changes.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Counts } from '../ui/Badge.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { scrolls } from '../ui/Panel.tsx';

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
  const { path, isDir, where, counts, total } = place;
  const pending = Object.values(counts).reduce((sum, count) => sum + count, 0);
  // The project's directory is the heading above; other paths are shown whole.
  const below = where !== 'project' || root === '/' ? path : path.slice(root.length + 1);
  const name = path === root ? './' : `${toDisplay(below as BytePath)}${isDir ? '/' : ''}`;
  return (
    <li class={where === 'outside' ? 'lines tone-replaced' : 'lines'}>
      <Icon name={where === 'outside' ? 'flag' : isDir ? 'folder' : 'file'} />
      <span class="path">
        <span class="mono">{name}</span>
        {NOTES[where]}
      </span>
      {pending === 0 ? null : <Counts counts={counts} />}
      {total === pending ? null : <span class="muted">{format.count(total - pending)} ignored</span>}
    </li>
  );
}

interface Note {
  icon: IconName;
  title: string;
  about?: string;
  total: number;
  notes: readonly { path: BytePath; text: string }[];
}

const WRITERS = (count: number) => ({
  title: `${format.plural(count, 'file is', 'files are')} open for writing on the host`,
  about: 'Who has it open goes on writing to the old file, which is replaced.',
});
const USERS = (count: number) => ({
  title: `${format.plural(count, 'entry is', 'entries are')} in use by processes of the session`,
  about:
    'What one has open for writing stays pending. Who reads a file or works in a directory keeps the old one.',
});

function notesOf(preview: CommitPreview): Note[] {
  const { action, along, cannot, writers, linked, effects, totals, space } = preview;
  const short = space.filter(({ needed, free }) => needed > free);
  return [
    {
      icon: 'flag',
      title: `${format.plural(totals.flagged, 'entry is', 'entries are')} flagged by your rules`,
      total: totals.flagged,
      notes: effects.flagged.map(({ path, why }) => ({ path, text: why })),
    },
    {
      icon: 'off',
      title: `${format.plural(totals.never, 'entry is', 'entries are')} never committed, by your rules`,
      about: 'They stay pending, unless you include ignored entries.',
      total: totals.never,
      notes: effects.never.map(({ path, why }) => ({ path, text: why })),
    },
    {
      icon: 'folder',
      title: `${format.plural(totals.along, 'entry comes', 'entries come')} along`,
      total: totals.along,
      notes: along.map(({ path, why }) => ({ path, text: why })),
    },
    {
      icon: 'warning',
      title: `${format.plural(totals.cannot, 'chosen entry stays', 'chosen entries stay')} pending`,
      total: totals.cannot,
      notes: cannot.map(({ path, why }) => ({ path, text: why })),
    },
    {
      icon: 'terminal',
      ...(action === 'commit' ? WRITERS : USERS)(totals.writers),
      total: totals.writers,
      notes: writers.map(({ path, pid, command }) => ({ path, text: `by ${command} (process ${pid})` })),
    },
    {
      icon: 'link',
      title: `${format.plural(totals.linked, 'file has', 'files have')} other names on the host`,
      about: 'The other names keep the old content.',
      total: totals.linked,
      notes: linked.map(({ path, links }) => ({ path, text: format.plural(links, 'name') })),
    },
    {
      icon: 'disk',
      title: 'There may not be enough room',
      total: short.length,
      notes: short.map(({ path, needed, free }) => ({
        path,
        text: `needs ${format.bytes(needed)}, ${format.bytes(free)} are free`,
      })),
    },
  ];
}

export function PreviewNotes({ preview }: { preview: CommitPreview }) {
  const shown = notesOf(preview).filter(({ total }) => total > 0);
  return (
    <>
      {shown.map(({ icon, title, about, total, notes }) => (
        <details key={icon} class="preview-note" open={notes.length <= 3}>
          <summary>
            <Icon name={icon} class="faint" /> {title}
          </summary>
          {about === undefined ? null : <p class="muted">{about}</p>}
          <ul class="path-list framed" {...scrolls} aria-label={title}>
            {notes.map(({ path, text }) => (
              <li key={`${path} ${text}`}>
                <span class="mono path">{toDisplay(path)}</span>{' '}
                <span class="muted">{visibleText(text)}</span>
              </li>
            ))}
            {total > notes.length ? (
              <li class="muted">and {format.count(total - notes.length)} more</li>
            ) : null}
          </ul>
        </details>
      ))}
    </>
  );
}

/** Files of which only the modification time differs. `behind`: shown after other pending changes. */
export function Times({ times, behind }: { times: number | undefined; behind: boolean }) {
  if (times === undefined) return null;
  return (
    <span class="muted num" title={timesText(times)}>
      {behind ? '+ ' : ''}
      {fileTimes(times)}
      <span class="sr-only">: {timesText(times)}</span>
    </span>
  );
}
