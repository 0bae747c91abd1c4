/** The keys that mark what was looked at. */
import type { BytePath } from '../../shared/bytes.ts';
import { isOnShow, rowPath } from '../components/ChangeTree.tsx';
import { idsBelow } from '../lib/marks.ts';
import { findDir, type TreeRow } from '../lib/tree.ts';
import { useActions } from '../state/actions.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';

const MARKED = 'Marked as viewed.';

interface Looking {
  state: SessionState;
  /** The entry on show. */
  path: BytePath | null;
  /** Key of the row that holds the tab stop. */
  active: string | null;
  goTo(path: BytePath): void;
}

/** Ids that a mark is for: all below the directory whose row has the focus, else what is on show, else the active row. */
function target({ state, path, active }: Looking): string[] {
  const row = state.rows.value.find((one) => one.key === active);
  const below = row?.kind === 'dir' ? idsBelow(row.dir) : null;
  // Only there: who presses the button of a file means the file, whatever row the keys were at before.
  if (below !== null && document.activeElement?.closest('[role=treeitem]') != null) return below;
  const entry = path === null ? undefined : state.byPath.value.get(path);
  if (entry !== undefined) return [entry.id];
  const dir = path === null ? null : findDir(state.tree.value, path);
  if (dir !== null) return idsBelow(dir);
  return below ?? (row?.kind === 'entry' ? [row.change.id] : []);
}

function idOf(row: TreeRow): string | null {
  return row.kind === 'entry' ? row.change.id : (row.dir.change?.id ?? null);
}

export function useViewedActions(looking: Looking): void {
  const { state } = looking;
  const app = useApp();

  async function mark(ids: readonly string[], viewed: boolean, done = MARKED): Promise<void> {
    const revision = state.changes.data.value?.revision;
    if (revision === undefined || ids.length === 0) return;
    if (app.status.peek() !== 'connected') {
      state.viewed.problem.value = 'Not marked: the server does not answer.';
      return;
    }
    const shown = state.viewed.shown.value;
    const etag = ids.length === 1 && shown !== null && shown.id === ids[0] ? shown.etag : null;
    if (await state.viewed.mark(ids, viewed, { etag, revision }))
      app.announcement.value = viewed ? done : 'Not marked any more.';
  }

  /** The next row with an entry that is not viewed, from the one on show on, and round. */
  function next(besides: ReadonlySet<string>): BytePath | null {
    const rows = state.rows.value;
    const marks = state.viewed.marks.value;
    const { path } = looking;
    const isEntry = path !== null && state.byPath.value.has(path);
    const at = rows.findIndex((row) => path !== null && isOnShow(row, path, isEntry));
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
      void mark(
        ids,
        true,
        following === null ? 'Marked as viewed. Nothing else in the list is left.' : MARKED,
      );
      if (following !== null) looking.goTo(following);
    },
  });
}
