/** What the sessions take on disk, and making room. */
import { useState } from 'preact/hooks';
import type { DiskUse, SessionDisk } from '../../shared/api/disk.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useApp } from '../state/app.ts';
import { useResource } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import * as format from '../text/format.ts';
import { displayPath } from '../text/paths.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Banner, Loaded } from '../ui/Notice.tsx';
import { Section } from '../ui/Panel.tsx';
import { Collect } from './Collect.tsx';
import { diskParts } from './disk.ts';

/** Rows that are drawn unasked: the biggest ones are what one looks for. */
const FIRST_ROWS = 30;
const COLUMNS = ['upper', 'images', 'trash', 'other', 'total'] as const;

export function Disk() {
  const { backend } = useApp();
  const disk = useResource((abort) => backend.disk(abort), [backend]);
  const again = (): void => void disk.load();
  useShortcuts({ refresh: again });
  const use = disk.data.value;
  return (
    <div class="page" aria-busy={disk.loading.value}>
      <div class="page-head">
        <h1>Disk</h1>
        {use === null ? null : <span class="muted">{format.bytes(use.total)} in all sessions</span>}
      </div>
      <Loaded resource={disk}>
        {(found) => (
          <>
            <Use use={found} />
            <Section
              title="Make room"
              about="What is pending is never removed, nor is the newest commit or discard of a session."
            >
              <Collect onDone={again} />
            </Section>
            <Sessions sessions={found.sessions} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Use({ use }: { use: DiskUse }) {
  const { now } = useApp();
  return (
    <>
      {use.low ? (
        <div class="page-banner">
          <Banner tone="warning" icon="warning">
            <strong>The disk is nearly full:</strong> {format.bytes(use.free)} are free, and you want to be
            warned below {format.bytes(use.warnFreeBytes)}.
          </Banner>
        </div>
      ) : null}
      <dl class="disk-parts">
        {diskParts(use).map((part) => (
          <div key={part.name}>
            <dt class="muted">{part.name}</dt>
            <dd class="num">{format.bytes(part.bytes)}</dd>
          </div>
        ))}
        <div>
          <dt class="muted">Free, of {format.bytes(use.size)}</dt>
          <dd class="num">{format.bytes(use.free)}</dd>
        </div>
      </dl>
      <p class="muted section-about">Counted {format.ago(use.at, now.value)}.</p>
    </>
  );
}

function Sessions({ sessions }: { sessions: readonly SessionDisk[] }) {
  const [all, showAll] = useState(false);
  const rows = all ? sessions : sessions.slice(0, FIRST_ROWS);
  const more = sessions.length - rows.length;
  if (sessions.length === 0) return null;
  return (
    <Section title="Sessions">
      <div class="table-box">
        <table class="facts disk-table">
          <thead>
            <tr>
              {['Session', 'Pending', 'Commits', 'Discards', 'Rest', 'In all'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.session}>
                <td>
                  <a class="mono" href={formatRoute({ view: 'changes', session: row.session, path: null })}>
                    {row.session}
                  </a>{' '}
                  {row.projectGone ? <Badge tone="warning">project is gone</Badge> : null}
                  <span class="disk-root mono muted">{displayPath(row.projectRoot)}</span>
                </td>
                {COLUMNS.map((column) => (
                  <td key={column} class="num">
                    {row[column] === 0 ? '' : format.bytes(row[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more === 0 ? null : (
        <Button icon="rows" onClick={() => showAll(true)}>
          Show {format.plural(more, 'more session')}
        </Button>
      )}
    </Section>
  );
}
