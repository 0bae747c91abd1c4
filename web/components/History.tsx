/** What was committed, discarded and taken back in a session, with the one that can be taken back next. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { HistoryEntry } from '../../shared/commit/types.ts';
import { ApiError } from '../backend/api-error.ts';
import * as format from '../lib/format.ts';
import { formatRoute } from '../lib/router.ts';
import { useApp } from '../state/app.ts';
import { createResource } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import { Icon } from './Icon.tsx';
import { ErrorPanel } from './Notice.tsx';
import { UndoSheet } from './UndoSheet.tsx';

const STATES: Record<HistoryEntry['state'], string> = {
  'applied': '',
  'partial': 'stopped in the middle',
  'unfinished': 'not finished',
  'undone': 'taken back',
  'partly-undone': 'partly taken back',
};

export function HistoryTable({ state }: { state: SessionState }) {
  const { backend, announcement, status } = useApp();
  const list = useMemo(
    () => createResource((abort) => backend.history(state.id, abort)),
    [backend, state.id],
  );
  const undoing = useSignal<number | null>(null);
  const running = useSignal(false);
  const error = useSignal<ApiError | null>(null);
  const detail = state.detail.data.value;
  // A commit or undo makes the detail anew.
  useEffect(() => {
    void list.load();
  }, [list, detail]);

  const act = async (entry: HistoryEntry): Promise<void> => {
    if (entry.can === 'undo' && entry.trash === null) {
      undoing.value = entry.n;
      return;
    }
    running.value = true;
    error.value = null;
    try {
      if (entry.trash === null) await backend.redo(state.id);
      else await backend.undo(state.id, entry.trash);
      announcement.value = entry.trash === null ? 'Committed again.' : 'The discard was taken back.';
    } catch (thrown) {
      error.value = ApiError.from(thrown);
    } finally {
      running.value = false;
      await state.reload();
    }
  };

  const entries = list.data.value ?? [];
  return (
    <>
      {error.value === null ? null : <ErrorPanel error={error.value} />}
      {entries.length === 0 ? (
        <p class="muted">Nothing was committed or discarded yet.</p>
      ) : (
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Entries</th>
              <th scope="col">State</th>
              <th scope="col">
                <span class="sr-only">Order</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={`${entry.at} ${entry.kind} ${entry.n}`}>
                <td>
                  <time dateTime={entry.at}>{new Date(entry.at).toLocaleString()}</time>
                </td>
                <td>
                  <Name session={state.id} entry={entry} />
                </td>
                <td class="num">
                  {format.count(entry.entries)}
                  {entry.bytes > 0 ? `, ${format.bytes(entry.bytes)}` : ''}
                </td>
                <td class="muted">{STATES[entry.state] || entry.why}</td>
                <td>
                  {entry.can === null ? null : (
                    <button
                      type="button"
                      class="button"
                      disabled={running.value || status.value !== 'connected'}
                      onClick={() => void act(entry)}
                    >
                      <Icon name="undo" /> {orderOf(entry)}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {undoing.value === null ? null : (
        <UndoSheet
          state={state}
          n={undoing.value}
          onClose={() => {
            undoing.value = null;
          }}
        />
      )}
    </>
  );
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

function orderOf({ can, trash }: HistoryEntry): string {
  if (can === 'redo') return 'Commit again';
  return trash === null ? 'Undo commit' : 'Undo discard';
}
