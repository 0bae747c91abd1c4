/** What a commit or discard needs, leaves out or disturbs: shown before the click. */
import type { CommitPreview } from '../../shared/api/types.ts';
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { scrolls } from '../ui/Panel.tsx';

interface Note {
  path: BytePath;
  text: string;
}

export function PreviewNotes({ preview }: { preview: CommitPreview }) {
  const { along, cannot, writers, linked, totals, space } = preview;
  const short = space.filter(({ needed, free }) => needed > free);
  return (
    <>
      <Notes
        icon="folder"
        title={`${format.plural(totals.along, 'entry comes', 'entries come')} along`}
        total={totals.along}
        notes={along.map(({ path, why }) => ({ path, text: why }))}
      />
      <Notes
        icon="warning"
        title={`${format.plural(totals.cannot, 'chosen entry stays', 'chosen entries stay')} pending`}
        total={totals.cannot}
        notes={cannot.map(({ path, why }) => ({ path, text: why }))}
      />
      <Notes
        icon="terminal"
        title={`${format.plural(totals.writers, 'file is', 'files are')} open for writing on the host`}
        about="Who has it open goes on writing to the old file, which is replaced."
        total={totals.writers}
        notes={writers.map(({ path, pid, command }) => ({ path, text: `by ${command} (process ${pid})` }))}
      />
      <Notes
        icon="link"
        title={`${format.plural(totals.linked, 'file has', 'files have')} other names on the host`}
        about="The other names keep the old content."
        total={totals.linked}
        notes={linked.map(({ path, links }) => ({ path, text: `${links} names` }))}
      />
      <Notes
        icon="disk"
        title="There may not be enough room"
        total={short.length}
        notes={short.map(({ path, needed, free }) => ({
          path,
          text: `needs ${format.bytes(needed)}, ${format.bytes(free)} are free`,
        }))}
      />
    </>
  );
}

interface Props {
  icon: IconName;
  title: string;
  about?: string;
  total: number;
  notes: readonly Note[];
}

function Notes({ icon, title, about, total, notes }: Props) {
  if (total === 0) return null;
  return (
    <details class="preview-note" open={notes.length <= 3}>
      <summary>
        <Icon name={icon} /> {title}
      </summary>
      {about === undefined ? null : <p class="muted">{about}</p>}
      <ul class="path-list" {...scrolls} aria-label={title}>
        {notes.map(({ path, text }) => (
          <li key={`${path} ${text}`}>
            <span class="mono path">{toDisplay(path)}</span> <span class="muted">{visibleText(text)}</span>
          </li>
        ))}
        {total > notes.length ? <li class="muted">and {format.count(total - notes.length)} more</li> : null}
      </ul>
    </details>
  );
}
