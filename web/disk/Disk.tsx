/**
 * What the sessions take on disk, and making room.
 *
 *     disk        sums by kind (disk.ts), a row for each session
 *     gcPreview   on request: what `trai gc` would remove; the user may keep some
 *     gc          removes exactly the entries chosen from the preview
 */
import { type Signal, useSignal } from '@preact/signals';
import type { DiskUse, GarbageItem, GcReport, SessionDisk } from '../../shared/api/types.ts';
import { messageWithPath } from '../../shared/errors.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { toggled } from '../lists/lists.ts';
import { useApp } from '../state/app.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import * as format from '../text/format.ts';
import { displayPath } from '../text/paths.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, Check } from '../ui/Button.tsx';
import { Banner, ErrorPanel, Loaded, Unread } from '../ui/Notice.tsx';
import { type Column, FoldedTable, Page, Section } from '../ui/Panel.tsx';
import { diskParts, garbageKey, garbageName, gcRequest } from './disk.ts';

export function Disk() {
  const { backend } = useApp();
  const disk = useResource((abort) => backend.disk(abort), [backend]);
  const again = (): void => void disk.load();
  useShortcuts({ refresh: again });
  const use = disk.data.value;
  return (
    <Page
      title="Disk"
      about={use === null ? null : `${format.bytes(use.total)} in all sessions`}
      busy={disk.loading.value}
    >
      <Loaded resource={disk}>
        {(found) => (
          <>
            <Unread
              boxed
              what={format.plural(found.problems.length, 'session')}
              problems={found.problems.map((one) => ({
                name: one.session,
                text: `${messageWithPath(one)}. ${one.hint}`,
              }))}
            />
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
    </Page>
  );
}

function Use({ use }: { use: DiskUse }) {
  const { now } = useApp();
  return (
    <>
      {use.low ? (
        <Banner boxed tone="warning" icon="warning">
          <strong>The disk is nearly full:</strong> {format.bytes(use.free)} free, below your limit of{' '}
          {format.bytes(use.warnFreeBytes)}.
        </Banner>
      ) : null}
      <dl class="disk-parts">
        {diskParts(use).map((part) => (
          <div key={part.name} class="boxed">
            <dt class="muted small">{part.name}</dt>
            <dd class="num">{format.bytes(part.bytes)}</dd>
          </div>
        ))}
      </dl>
      <p class="muted section-about">Counted {format.ago(use.at, now.value)}.</p>
    </>
  );
}

const sizeColumn = (
  title: string,
  part: 'upper' | 'images' | 'trash' | 'other' | 'total',
): Column<SessionDisk> => ({
  title,
  class: 'num',
  cell: (row) => (row[part] === 0 ? '' : format.bytes(row[part])),
});

const COLUMNS: readonly Column<SessionDisk>[] = [
  {
    title: 'Session',
    plain: true,
    cell: ({ session, projectGone, projectRoot }) => (
      <>
        <a class="mono" href={formatRoute({ view: 'changes', session, path: null })}>
          {session}
        </a>{' '}
        {projectGone ? <Badge tone="warning">project is gone</Badge> : null}
        <span class="own-line mono muted">{displayPath(projectRoot)}</span>
      </>
    ),
  },
  sizeColumn('Pending', 'upper'),
  sizeColumn('Commits', 'images'),
  sizeColumn('Discards', 'trash'),
  sizeColumn('Rest', 'other'),
  sizeColumn('In all', 'total'),
];

function Sessions({ sessions }: { sessions: readonly SessionDisk[] }) {
  if (sessions.length === 0) return null;
  return (
    <Section title="Sessions">
      <FoldedTable
        class="disk-table"
        columns={COLUMNS}
        rows={sessions}
        keyOf={({ session }) => session}
        more={['session', 'sessions']}
      />
    </Section>
  );
}

function Collect({ onDone }: { onDone: () => void }) {
  const { backend, status, announcement } = useApp();
  const found = useSignal<readonly GarbageItem[] | null>(null);
  const report = useSignal<GcReport | null>(null);
  /** Keys of previewed entries that the user keeps. */
  const left = useSignal<ReadonlySet<string>>(new Set());
  const { running, error, run } = useWork();
  const off = running.value || status.value !== 'connected';
  const { request, bytes } = gcRequest(found.value ?? [], left.value);

  const preview = (): Promise<void> =>
    run(async () => {
      report.value = null;
      left.value = new Set();
      found.value = (await backend.gcPreview()).found;
    });
  const remove = (): Promise<void> =>
    run(async () => {
      const done = await backend.gc(request);
      found.value = null;
      report.value = done;
      announcement.value = `Removed ${format.plural(done.removed.length, 'item')}.`;
      onDone();
    });

  return (
    <>
      <ErrorPanel error={error.value} />
      {report.value === null ? null : <Report report={report.value} />}
      {found.value === null ? (
        <Button icon="search" disabled={off} onClick={() => void preview()}>
          {running.value ? 'Loading…' : 'Show what can be removed'}
        </Button>
      ) : found.value.length === 0 ? (
        <p>There is nothing to remove.</p>
      ) : (
        <>
          <ul class="garbage plain boxed" aria-label="What can be removed">
            {found.value.map((item) => (
              <Garbage key={garbageKey(item)} item={item} left={left} />
            ))}
          </ul>
          <Button
            kind="danger"
            icon="trash"
            disabled={off || request.items.length === 0}
            onClick={() => void remove()}
          >
            Remove {format.plural(request.items.length, 'item')}, {format.bytes(bytes)}
          </Button>
        </>
      )}
    </>
  );
}

function Garbage({ item, left }: { item: GarbageItem; left: Signal<ReadonlySet<string>> }) {
  const key = garbageKey(item);
  return (
    <li>
      <Check checked={!left.value.has(key)} onChange={() => set(left, toggled(left.value, key))}>
        <span class="garbage-text grow path">
          <span>
            <span class="mono">{item.session}</span>: {garbageName(item)}
            {item.at === '' ? '' : `, ${format.dateTime(item.at)}`}
          </span>
          <span class="muted">{visibleText(item.why)}</span>
        </span>
        <span class="num">{format.bytes(item.bytes)}</span>
      </Check>
    </li>
  );
}

function Report({ report }: { report: GcReport }) {
  return (
    <Banner boxed role="status" tone={report.kept.length === 0 ? 'added' : 'warning'} icon="check">
      Removed {format.plural(report.removed.length, 'item')}, {format.bytes(report.freed)}.
      {report.kept.map((item) => (
        <span key={garbageKey(item)} class="own-line">
          Kept from session {item.session}: {visibleText(item.why)}
        </span>
      ))}
    </Banner>
  );
}
