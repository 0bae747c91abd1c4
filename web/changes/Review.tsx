/** What is marked as viewed: the keys for it, and the bar below what is on show. */

import type { BytePath } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { runShortcut, useShortcuts } from '../keys/shortcuts.ts';
import { MARKS } from '../messages/changes.ts';
import { useApp } from '../state/app.ts';
import { formatRoute } from '../state/router.ts';
import type { SessionState } from '../state/session.ts';
import { isDirectoryChange } from '../text/kinds.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { changesBelow, findDir, nextUnviewed, positionOf, type TreeDir } from './model/tree.ts';

interface Looking {
  state: SessionState;
  /** The entry on show. */
  path: BytePath | null;
  /** Key of the row that holds the tab stop. */
  active: string | null;
  goTo(change: Change): void;
}

/** The directory on show that is marked with all below it: it has no change of its own, or starts folded, as one thing. */
export function wholeAt({ byPath, tree }: SessionState, path: BytePath | null): TreeDir | null {
  const entry = path === null ? undefined : byPath.value.get(path);
  if (path === null || (entry !== undefined && !isDirectoryChange(entry))) return null;
  const dir = findDir(tree.value, path);
  return dir !== null && (entry === undefined || dir.folds) ? dir : null;
}

/** Ids of a directory's own change and of all below it. */
const idsBelow = (dir: TreeDir): string[] => changesBelow(dir).map(({ id }) => id);

/** Ids that a mark is for: all below the directory whose row has the focus, else what is on show, else the active row. */
function target({ state, path, active }: Looking): string[] {
  const row = state.rows.value.find((one) => one.key === active);
  const below = row?.kind === 'dir' ? idsBelow(row.dir) : null;
  // Only there: who presses the button of a file means the file, whatever row the keys were at before.
  if (below !== null && document.activeElement?.closest('[role=treeitem]') != null) return below;
  const whole = wholeAt(state, path);
  if (whole !== null) return idsBelow(whole);
  const entry = path === null ? undefined : state.byPath.value.get(path);
  if (entry !== undefined) return [entry.id];
  return below ?? (row?.kind === 'entry' ? [row.change.id] : []);
}

export function useViewedActions(looking: Looking): void {
  const { state } = looking;
  const app = useApp();

  async function mark(ids: readonly string[], viewed: boolean, done: string = MARKS.marked): Promise<void> {
    const revision = state.changes.data.value?.revision;
    if (revision === undefined || ids.length === 0) return;
    if (app.status.peek() !== 'connected') {
      state.viewed.problem.value = MARKS.offline;
      return;
    }
    const shown = state.viewed.shown.value;
    const etag = ids.length === 1 && shown !== null && shown.id === ids[0] ? shown.etag : null;
    if (await state.viewed.mark(ids, viewed, { etag, revision }))
      app.announcement.value = viewed ? done : MARKS.unmarked;
  }

  /** The next entry that is not viewed, from the one on show on, and round. */
  function next(besides: ReadonlySet<string>): Change | null {
    const stops = state.stops.value;
    const position = positionOf(stops, state.tree.value, looking.path);
    return nextUnviewed(stops, position, state.viewed.marks.value, besides);
  }

  useShortcuts({
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
      void mark(ids, true, following === null ? MARKS.last : MARKS.marked);
      if (following !== null) looking.goTo(following);
    },
  });
}

interface Props {
  session: string;
  /** A directory is on show, and not one file. */
  whole: boolean;
}

export function ReviewBar({ session, whole }: Props) {
  const { status } = useApp();
  return (
    <nav class="review-bar" aria-label="Review">
      <a class="review-back" href={formatRoute({ view: 'changes', session, path: null })}>
        <Icon name="back" /> All files
      </a>
      <IconButton
        icon="back"
        label="Previous file"
        title="Previous file ([)"
        onClick={() => runShortcut('previous-file')}
      />
      <IconButton
        icon="chevron"
        label="Next file"
        title="Next file (])"
        onClick={() => runShortcut('next-file')}
      />
      <Button
        small
        class="review-next"
        disabled={status.value !== 'connected'}
        title="Mark as viewed and go to the next unviewed entry (V)"
        onClick={() => runShortcut('viewed-next')}
      >
        {whole ? 'Mark all viewed & next' : 'Mark viewed & next'} <Icon name="chevron" />
      </Button>
    </nav>
  );
}
