/**
 * The history of a session: commits, discards and undos, newest first, each with its paths on request.
 *
 *     undo of a commit                   in UndoDialog: the host may have changed since
 *     undo of a discard, commit again    at once; then the session is fetched again
 *
 * The server says of each entry whether it can be undone (`can`).
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  type HistoryEntry,
  type HistoryPath,
  type HistoryPaths,
  PATH_CHANGES,
  type PathChange,
} from '../../shared/model/commit.ts';
import { UndoDialog } from '../actions/UndoDialog.tsx';
import { toggled } from '../lists/lists.ts';
import { useMore } from '../lists/use-more.ts';
import { HISTORY_ABOUT, HISTORY_STATES, ruleCommitted } from '../messages/actions.ts';
import { useApp } from '../state/app.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { displayPath } from '../text/paths.ts';
import { visibleText } from '../text/visible.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ErrorPanel, Loaded } from '../ui/Notice.tsx';
import { type Column, scrolls, Table } from '../ui/Panel.tsx';

export function History() {
  const { backend, announcement, status } = useApp();
  const state = useSession();
  // A commit or undo replaces the detail.
  const list = useResource(
    (abort) => backend.history(state.id, abort),
    [backend, state.id],
    [state.detail.data.value],
  );
  const undoing = useSignal<number | null>(null);
  const open = useSignal<ReadonlySet<string>>(new Set());
  const { running, error, run } = useWork();

  const act = async (entry: HistoryEntry): Promise<void> => {
    if (entry.can === 'undo' && entry.trash === null) {
      undoing.value = entry.n;
      return;
    }
    await run(
      async () => {
        if (entry.trash === null) await backend.redo(state.id);
        else await backend.undo(state.id, { trash: entry.trash });
        announcement.value = entry.trash === null ? 'Committed again.' : 'Discard undone.';
        await state.reload();
      },
      () => void state.reload(),
    );
  };

  const columns: Column<HistoryEntry>[] = [
    { title: 'When', plain: true, cell: ({ at }) => <time dateTime={at}>{format.dateTime(at)}</time> },
    {
      title: 'What',
      plain: true,
      // The timeline has commits and undos too; a discard has no number there.
      cell: (entry) =>
        entry.n === 0 ? (
          nameOf(entry)
        ) : (
          <>
            <a href={formatRoute({ view: 'calls', session: state.id, call: `commit-${entry.n}` })}>
              {nameOf(entry)}
            </a>
            {entry.auto === '' ? null : (
              <>
                {' '}
                <Badge tone="accent">auto</Badge>
                <p class="muted small history-rule">{ruleCommitted(entry.auto)}</p>
              </>
            )}
          </>
        ),
    },
    {
      title: 'Entries',
      plain: true,
      class: 'num',
      cell: (entry) => (
        <Entries
          entry={entry}
          open={open.value.has(keyOf(entry))}
          onToggle={() => set(open, toggled(open.value, keyOf(entry)))}
        />
      ),
    },
    {
      title: 'State',
      plain: true,
      class: 'muted',
      cell: (entry) => HISTORY_STATES[entry.state] || entry.why,
    },
    {
      title: 'Actions',
      silent: true,
      cell: (entry) =>
        entry.can === null ? null : (
          <Button
            icon="undo"
            disabled={running.value || status.value !== 'connected'}
            onClick={() => void act(entry)}
          >
            {entry.can === 'redo' ? 'Commit again' : entry.trash === null ? 'Undo commit' : 'Undo discard'}
          </Button>
        ),
    },
  ];

  return (
    <section class="page" {...scrolls} aria-label="History">
      <h2>History</h2>
      <p class="muted history-about">{HISTORY_ABOUT}</p>
      <ErrorPanel error={error.value} />
      <Loaded resource={list}>
        {(entries) =>
          entries.length === 0 ? (
            <p class="muted">Nothing was committed or discarded yet.</p>
          ) : (
            <Table
              columns={columns}
              rows={entries}
              keyOf={keyOf}
              below={(entry) => (open.value.has(keyOf(entry)) ? <PathsOfEntry entry={entry} /> : null)}
            />
          )
        }
      </Loaded>
      {undoing.value === null ? null : <UndoDialog n={undoing.value} onClose={() => set(undoing, null)} />}
    </section>
  );
}

const keyOf = ({ at, kind, n }: HistoryEntry): string => `${at} ${kind} ${n}`;

/** The key that its paths are fetched by. Null for an undone discard: its paths are not recorded any more. */
function pathsKey({ n, trash }: HistoryEntry): number | string | null {
  return n > 0 ? n : trash;
}

function nameOf({ kind, n, of }: HistoryEntry): string {
  switch (kind) {
    case 'commit':
      return `Commit ${n}`;
    case 'undo':
      return of === null ? 'Undo' : `Undo of commit ${of}`;
    case 'redo':
      return `Commit ${n}, again`;
    case 'discard':
      return 'Discard';
  }
}

function Entries({ entry, open, onToggle }: { entry: HistoryEntry; open: boolean; onToggle: () => void }) {
  const entries = format.plural(entry.entries, 'entry', 'entries');
  return (
    <>
      {pathsKey(entry) === null ? (
        entries
      ) : (
        <Button
          kind="quiet"
          small
          class="history-open"
          aria-expanded={open}
          aria-label={`${entries} of ${nameOf(entry)}`}
          onClick={onToggle}
        >
          <span class="twist">
            <Icon name="chevron" class={open ? 'turned' : ''} />
          </span>
          {entries}
        </Button>
      )}
      {entry.bytes > 0 ? <span class="muted"> {format.bytes(entry.bytes)}</span> : null}
    </>
  );
}

const TONES: Record<PathChange, BadgeTone> = {
  added: 'added',
  changed: 'modified',
  removed: 'deleted',
  meta: 'meta',
  dropped: 'neutral',
  kept: 'neutral',
};

function PathsOfEntry({ entry }: { entry: HistoryEntry }) {
  const { backend } = useApp();
  const state = useSession();
  const paths = useSignal<readonly HistoryPath[]>([]);
  const last = useSignal<HistoryPaths | null>(null);
  const { box, more } = useMore<HTMLUListElement>('li');
  const { running, error, run } = useWork();
  const load = (): Promise<void> =>
    run(async () => {
      const asked = { of: pathsKey(entry) ?? '', after: last.value?.next ?? 0 };
      const page = await backend.historyPaths(state.id, asked);
      paths.value = [...paths.value, ...page.paths];
      last.value = page;
    });
  useEffect(() => void load(), []);
  const page = last.value;
  const pending = state.byPath.value;
  return (
    <div class="history-paths">
      <ErrorPanel error={error.value} retry={() => void load()} />
      {page === null && error.value === null ? <p class="muted">Loading the paths…</p> : null}
      {page === null || page.note === '' ? null : <p class="muted">{visibleText(page.note)}</p>}
      {page !== null && paths.value.length === 0 ? <p class="muted">No paths are recorded.</p> : null}
      {paths.value.length === 0 ? null : (
        <ul ref={box} class="path-list framed" {...scrolls} aria-label={`Paths of ${nameOf(entry)}`}>
          {paths.value.map(({ path, what }) => (
            <li key={path}>
              <Badge tone={TONES[what]}>{PATH_CHANGES[what]}</Badge>{' '}
              {pending(path) !== undefined ? (
                <>
                  <a class="mono path" href={formatRoute({ view: 'changes', session: state.id, path })}>
                    {displayPath(path)}
                  </a>{' '}
                  <span class="muted">pending</span>
                </>
              ) : (
                <span class="mono path">{displayPath(path)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {page === null || page.next === null ? null : (
        <Button small disabled={running.value} onClick={() => more(() => void load())}>
          Show more
        </Button>
      )}
    </div>
  );
}
