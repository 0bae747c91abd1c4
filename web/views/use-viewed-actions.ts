/** The keys that mark what was looked at. */
import type { BytePath } from '../../shared/bytes.ts';
import { rowPath } from '../components/ChangeTree.tsx';
import { idsBelow } from '../lib/marks.ts';
import type { TreeRow } from '../lib/tree.ts';
import { useActions } from '../state/actions.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';

interface Looking {
  state: SessionState;
  /** The entry on show. */
  path: BytePath | null;
  /** Key of the row that holds the tab stop. */
  active: string | null;
  goTo(path: BytePath): void;
}

/** Ids that a mark is for: all below the directory whose row is active, else the entry on show. */
function target({ state, path, active }: Looking): string[] {
  const row = state.rows.value.find((one) => one.key === active);
  if (row?.kind === 'dir') return idsBelow(row.dir);
  const entry = path === null ? undefined : state.byPath.value.get(path);
  if (entry !== undefined) return [entry.id];
  return row?.kind === 'entry' ? [row.change.id] : [];
}

function idOf(row: TreeRow): string | null {
  return row.kind === 'entry' ? row.change.id : (row.dir.change?.id ?? null);
}

export function useViewedActions(looking: Looking): void {
  const { state } = looking;
  const app = useApp();

  async function mark(ids: readonly string[], viewed: boolean): Promise<void> {
    const revision = state.changes.data.value?.revision;
    if (revision === undefined || ids.length === 0) return;
    if (app.status.peek() !== 'connected') {
      state.viewed.problem.value = 'Not marked: the server does not answer.';
      return;
    }
    const shown = state.viewed.shown.value;
    const etag = ids.length === 1 && shown !== null && shown.id === ids[0] ? shown.etag : null;
    if (await state.viewed.mark(ids, viewed, { etag, revision }))
      app.announcement.value = viewed ? 'Marked as viewed.' : 'Not marked any more.';
  }

  /** The next row with an entry that is not viewed, from the one on show on, and round. */
  function next(besides: ReadonlySet<string>): BytePath | null {
    const rows = state.rows.value;
    const marks = state.viewed.marks.value;
    const at = rows.findIndex((row) => looking.path !== null && rowPath(row) === looking.path);
    for (let step = 1; step <= rows.length; step++) {
      const row = rows[(at + step) % rows.length];
      const id = row === undefined ? null : idOf(row);
      if (row !== undefined && id !== null && marks.get(id) !== 'viewed' && !besides.has(id))
        return rowPath(row);
    }
    return null;
  }

  useActions({
    viewed: () => {
      const ids = target(looking);
      const marks = state.viewed.marks.value;
      void mark(
        ids,
        ids.some((id) => marks.get(id) !== 'viewed'),
      );
    },
    'viewed-next': () => {
      const ids = target(looking);
      const following = next(new Set(ids));
      void mark(ids, true);
      if (following !== null) looking.goTo(following);
    },
  });
}
