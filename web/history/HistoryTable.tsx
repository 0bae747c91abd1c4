/** What was committed, discarded and taken back in a session, with the one that can be taken back next. */

import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../shared/api/api-error.ts';
import {
  type HistoryEntry,
  type HistoryKey,
  type HistoryPath,
  type HistoryPaths,
  PATH_CHANGES,
  type PathChange,
} from '../../shared/model/commit.ts';
import { UndoSheet } from '../actions/UndoSheet.tsx';
import { HISTORY_ABOUT, HISTORY_STATES } from '../messages/actions.ts';
import { useApp } from '../state/app.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { displayPath } from '../text/paths.ts';
import { visibleText } from '../text/visible.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ErrorPanel } from '../ui/Notice.tsx';
import { scrolls } from '../ui/Panel.tsx';

export function HistoryTable({ state }: { state: SessionState }) {
  const { backend, announcement, status } = useApp();
  // A commit or undo makes the detail anew.
  const list = useResource(
    (abort) => backend.history(state.id, abort),
    [backend, state.id],
    [state.detail.data.value],
  );
  const undoing = useSignal<number | null>(null);
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
      },
      { ended: () => state.reload() },
    );
  };

  const entries = list.data.value;
  const failed = list.error.value;
  return (
    <>
      {error.value === null ? null : <ErrorPanel error={error.value} />}
      {failed === null ? null : <ErrorPanel error={failed} retry={() => void list.load()} />}
      {entries?.length === 0 ? <p class="muted">Nothing was committed or discarded yet.</p> : null}
      {entries === null || entries.length === 0 ? null : (
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Entries</th>
              <th scope="col">State</th>
              <th scope="col">
                <span class="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Row
                key={`${entry.at} ${entry.kind} ${entry.n}`}
                {...{ state, entry }}
                off={running.value || status.value !== 'connected'}
                onAct={() => void act(entry)}
              />
            ))}
          </tbody>
        </table>
      )}
      {undoing.value === null ? null : (
        <UndoSheet state={state} n={undoing.value} onClose={() => set(undoing, null)} />
      )}
    </>
  );
}

interface RowProps {
  state: SessionState;
  entry: HistoryEntry;
  /** Nothing can be requested now. */
  off: boolean;
  onAct(): void;
}

function Row({ state, entry, off, onAct }: RowProps) {
  const [open, setOpen] = useState(false);
  const key = keyOf(entry);
  const entries = format.plural(entry.entries, 'entry', 'entries');
  return (
    <>
      <tr>
        <td>
          <time dateTime={entry.at}>{format.dateTime(entry.at)}</time>
        </td>
        <td>
          <Name session={state.id} entry={entry} />
        </td>
        <td class="num">
          {key === null ? (
            entries
          ) : (
            <Button
              kind="quiet"
              small
              class="history-open"
              aria-expanded={open}
              aria-label={`${entries} of ${nameOf(entry)}`}
              onClick={() => setOpen(!open)}
            >
              <span class={`twist ${open ? 'twist-open' : ''}`}>
                <Icon name="chevron" />
              </span>
              {entries}
            </Button>
          )}
          {entry.bytes > 0 ? <span class="muted"> {format.bytes(entry.bytes)}</span> : null}
        </td>
        <td class="muted">{HISTORY_STATES[entry.state] || entry.why}</td>
        <td>
          {entry.can === null ? null : (
            <Button icon="undo" disabled={off} onClick={onAct}>
              {actionOf(entry)}
            </Button>
          )}
        </td>
      </tr>
      {open && key !== null ? (
        <tr>
          <td colSpan={5} class="history-paths">
            <HistoryPathList state={state} of={key} name={nameOf(entry)} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** Null for a discard that was taken back: what it had dropped is pending again, and nothing else says what it was. */
function keyOf({ n, trash }: HistoryEntry): HistoryKey | null {
  if (n > 0) return { n };
  return trash === null ? null : { trash };
}

/** Leads to its place on the timeline, which a discard has no number for. */
function Name({ session, entry }: { session: string; entry: HistoryEntry }) {
  if (entry.n === 0) return <>{nameOf(entry)}</>;
  return <a href={formatRoute({ view: 'calls', session, call: `commit-${entry.n}` })}>{nameOf(entry)}</a>;
}

function nameOf({ kind, n, of }: HistoryEntry): string {
  switch (kind) {
    case 'commit':
      return `Commit ${n}`;
    case 'undo':
      return `Undo of ${of ?? ''}`;
    case 'redo':
      return `Commit ${n}, again`;
    case 'discard':
      return 'Discard';
  }
}

function actionOf({ can, trash }: HistoryEntry): string {
  if (can === 'redo') return 'Commit again';
  return trash === null ? 'Undo commit' : 'Undo discard';
}

const TONES: Record<PathChange, BadgeTone> = {
  added: 'added',
  changed: 'modified',
  removed: 'deleted',
  meta: 'meta',
  dropped: 'neutral',
  kept: 'neutral',
};

interface Props {
  state: SessionState;
  of: HistoryKey;
  /** What the row is called. */
  name: string;
}

function HistoryPathList({ state, of, name }: Props) {
  const { backend } = useApp();
  const paths = useSignal<readonly HistoryPath[]>([]);
  const last = useSignal<HistoryPaths | null>(null);
  const error = useSignal<ApiError | null>(null);
  const loading = useSignal(false);
  const load = async (signal?: AbortSignal): Promise<void> => {
    loading.value = true;
    error.value = null;
    try {
      const page = await backend.historyPaths(
        state.id,
        { of: 'n' in of ? of.n : of.trash, after: last.value?.next ?? 0 },
        signal,
      );
      paths.value = [...paths.value, ...page.paths];
      last.value = page;
    } catch (thrown) {
      if (signal?.aborted !== true) error.value = ApiError.from(thrown);
    } finally {
      loading.value = false;
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    void load(stop.signal);
    return () => stop.abort();
  }, []);
  const page = last.value;
  const pending = state.byPath.value;
  return (
    <>
      {error.value === null ? null : <ErrorPanel error={error.value} retry={() => void load()} />}
      {page === null && error.value === null ? <p class="muted">Loading the paths…</p> : null}
      {page === null || page.note === '' ? null : <p class="muted">{visibleText(page.note)}</p>}
      {page !== null && paths.value.length === 0 ? <p class="muted">No paths are recorded.</p> : null}
      {paths.value.length === 0 ? null : (
        <ul class="path-list" {...scrolls} aria-label={`Paths of ${name}`}>
          {paths.value.map(({ path, what }) => (
            <li key={path}>
              <Badge tone={TONES[what]}>{PATH_CHANGES[what]}</Badge>{' '}
              {pending.has(path) ? (
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
        <Button small disabled={loading.value} onClick={() => void load()}>
          Show more
        </Button>
      )}
    </>
  );
}

export function History({ state }: { state: SessionState }) {
  return (
    <section class="page history" {...scrolls} aria-label="History">
      <h2>History</h2>
      <p class="muted history-about">{HISTORY_ABOUT}</p>
      <HistoryTable state={state} />
    </section>
  );
}
