/**
 * The review of pending changes: the tree of entries, and beside it an entry's diff or a directory.
 *
 *     state/session.ts   change list -> filter -> tree or sorted list -> rows
 *     FilterBar          sets filter and order, or starts a content search: SearchResults replaces the tree
 *     ChangeTree         draws the rows in sight, selects entries for a commit or discard
 *     DiffPane           the entry in the address; DirPane: a directory, all its files one below another
 *     model/             the lists and trees that these show, without a browser
 *
 * A newer change list waits behind a pill until the user asks for it: rows do not move under the pointer.
 */

import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { ActionButton } from '../actions/ActionDialog.tsx';
import { runShortcut, useShortcuts } from '../keys/shortcuts.ts';
import {
  MARKS,
  NO_CHANGE_HERE,
  NOT_YET,
  NOTHING_PENDING,
  SANDBOX_OFF,
  selectedText,
  shownText,
  timesText,
} from '../messages/changes.ts';
import { useApp } from '../state/app.ts';
import { set, useResource } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { type SessionState, useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { isDirectoryChange, KIND_TABLE } from '../text/kinds.ts';
import { displayBelow } from '../text/paths.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Banner, Empty, ErrorPanel, Pill, Unread } from '../ui/Notice.tsx';
import { ChangeTree, isOnShow } from './ChangeTree.tsx';
import { DiffPane } from './DiffPane.tsx';
import { DirPane } from './DirPane.tsx';
import { FilterBar, useViewedCount } from './FilterBar.tsx';
import { isNarrowed, isSearch, NO_FILTER, showsIgnored } from './model/filter.ts';
import {
  changesBelow,
  findDir,
  nextUnviewed,
  positionOf,
  reveal,
  stepFrom,
  type TreeDir,
} from './model/tree.ts';
import { SearchResults } from './SearchResults.tsx';

interface Props {
  path: BytePath | null;
  line: number | null;
}

export function Changes({ path, line }: Props) {
  const state = useSession();
  const list = state.changes.data.value;
  const error = state.changes.error.value;
  const isOff = (state.detail.data.value?.off ?? null) !== null;
  if (error !== null && list === null)
    return <ErrorPanel error={error} retry={() => void state.changes.load()} />;
  if (list === null)
    return <div class="split-view" role="status" aria-label="Loading the changes" aria-busy="true" />;
  if (list.changes.length === 0 && list.problems.length === 0) {
    return (
      <Empty icon="check" title="Nothing is pending">
        <p>{list.times === undefined ? (isOff ? SANDBOX_OFF : NOTHING_PENDING) : timesText(list.times)}</p>
        <p>
          See <a href={formatRoute({ view: 'history', session: state.id })}>History</a> to undo a commit or
          discard.
        </p>
      </Empty>
    );
  }
  return <ChangesSplit path={path} line={line} />;
}

function ChangesSplit({ path, line }: Props) {
  const { go, announcement } = useApp();
  const state = useSession();
  const [active, setActive] = useState<string | null>(null);
  const change = state.byPath.value(path);
  const dir = path === null || change !== undefined ? null : findDir(state.tree.value, path);

  const open = (to: BytePath): void => go({ view: 'changes', session: state.id, path: to });
  // Expands the path at once: a key pressed before the next render finds its row.
  const goTo = (to: Change): void => {
    state.expansion.value = reveal(state.expansion.value, to.path, state.tree.value);
    setActive(`${isDirectoryChange(to) && state.sort.value === 'path' ? 'd' : 'e'}${to.path}`);
    open(to.path);
  };
  const step = (by: 1 | -1): void => {
    const stops = state.stops.value;
    const next = stepFrom(stops, positionOf(stops, state.tree.value, path), by, state.viewed.marks.value);
    if (next === null) return;
    goTo(next);
    announcement.value = spoken(next, state.detail.data.value?.projectRoot);
  };
  useShortcuts({
    'next-file': () => step(1),
    'previous-file': () => step(-1),
    refresh: () => state.showNewer(),
  });
  useViewedActions({ path, active, goTo });

  // A deep link may point into a folded directory. Before painting: a later effect would undo a key's work.
  useLayoutEffect(() => {
    if (path === null) return;
    state.expansion.value = reveal(state.expansion.value, path, state.tree.value);
    const isEntry = state.byPath.value(path) !== undefined;
    const row = state.rows.value.find((one) => isOnShow(one, path, isEntry));
    if (row !== undefined) setActive(row.key);
  }, [path, state.changes.data.value === null]);

  return (
    <div class="split-view">
      <section class="side column" aria-label="Files">
        <FilterBar />
        <Narrowed />
        <div class="side-body">
          <NewerChanges />
          <MarkRefused />
          <Listed>
            <ChangeTree active={active} setActive={setActive} selected={path} open={open} />
          </Listed>
        </div>
        <SelectionBar />
        <Problems />
      </section>
      <section class="main-pane" aria-label="Selected file">
        {change === undefined ? (
          <NoFile path={path} dir={dir} />
        ) : (
          <DiffPane key={change.id} change={change} line={line} />
        )}
        {change === undefined && dir === null ? null : (
          <ReviewBar whole={change === undefined || wholeAt(state, path) !== null} />
        )}
      </section>
    </div>
  );
}

function Listed({ children }: { children: VNode }) {
  const { textSearch, rows } = useSession();
  if (textSearch.open.value) return <SearchResults />;
  return rows.value.length === 0 ? <NoMatch /> : children;
}

/** A filter set anywhere shows here: the menu may be closed, and a chip be overlooked. */
function Narrowed() {
  const state = useSession();
  const filter = state.filter.value;
  const list = state.changes.data.value;
  if (list === null || state.textSearch.open.value || !isNarrowed(filter)) return null;
  const shown = state.tree.value.roots.reduce((sum, { stats }) => sum + stats.total, 0);
  const all = list.changes.length - (showsIgnored(filter) ? 0 : list.ignored.count);
  return (
    <div class="narrowed flex">
      <span role="status">{shownText(shown, all)}</span>
      {shown === 0 ? null : <ClearFilter />}
    </div>
  );
}

function ClearFilter() {
  const { filter } = useSession();
  return (
    <Button small onClick={() => set(filter, NO_FILTER)}>
      Clear the filter
    </Button>
  );
}

function NewerChanges() {
  const { changes, delta, old, showNewer } = useSession();
  if (changes.newer.value === null) return old.value ? <Pill text="Old list – looking for changes…" /> : null;
  const { size } = delta.value;
  const text = size === 0 ? 'Contents changed – refresh' : `${format.plural(size, 'change')} – refresh`;
  return <Pill text={text} onShow={showNewer} />;
}

function MarkRefused() {
  const { problem } = useSession().viewed;
  if (problem.value === null) return null;
  const dismiss = <Button onClick={() => set(problem, null)}>Dismiss</Button>;
  return (
    <Banner tone="warning" icon="warning" action={dismiss}>
      {problem.value}
    </Banner>
  );
}

function NoMatch() {
  const state = useSession();
  const filter = state.filter.value;
  const ignored = state.changes.data.value?.ignored.count ?? 0;
  if (!isNarrowed(filter)) {
    return (
      <Empty icon="check" title="Nothing to commit">
        <p>{format.plural(ignored, 'ignored entry stays', 'ignored entries stay')} in the overlay.</p>
        <Button onClick={() => set(state.filter, { ...filter, showIgnored: true })}>Show them</Button>
      </Empty>
    );
  }
  return (
    <Empty
      icon={isSearch(filter) ? 'search' : 'check'}
      title={isSearch(filter) ? 'No matches' : 'Everything is viewed'}
    >
      <ClearFilter />
    </Empty>
  );
}

function NoFile({ path, dir }: { path: BytePath | null; dir: TreeDir | null }) {
  if (dir !== null) return <DirPane key={dir.path} dir={dir} />;
  if (path === null) {
    return (
      <Empty icon="file" title="Choose a file">
        <p>{NOT_YET}</p>
        <p>
          Pick one on the left, or press <kbd>]</kbd> for the first. <kbd>?</kbd> lists every key.
        </p>
      </Empty>
    );
  }
  return <NotPending key={path} path={path} />;
}

function NotPending({ path }: { path: BytePath }) {
  const { backend } = useApp();
  const state = useSession();
  const list = state.changes.data.value;
  const ask = list?.times !== undefined;
  const why = useResource(
    async (abort) => (ask ? await backend.whyNot(state.id, { path }, abort) : null),
    [backend, state.id, path, ask],
    [list?.revision],
  );
  const onlyTime = why.data.value?.notPending === 'time';
  return (
    <Empty icon="file" title={NO_CHANGE_HERE.title}>
      <p class="mono path">{toDisplay(path)}</p>
      <p>{onlyTime ? NO_CHANGE_HERE.onlyTime : NO_CHANGE_HERE.gone}</p>
    </Empty>
  );
}

/** Directories that the scan could not read: changes below them may be missing from the list. */
function Problems() {
  const problems = useSession().changes.data.value?.problems ?? [];
  return (
    <Unread
      what={format.plural(problems.length, 'directory', 'directories')}
      problems={problems.map(({ path, message }) => ({ name: path, text: message }))}
    />
  );
}

function SelectionBar() {
  const { choice } = useSession();
  const { count, bytes } = choice.sum.value;
  useShortcuts(count === 0 ? {} : { escape: choice.clear });
  if (count === 0) return null;
  return (
    <section class="selection" aria-label="Selection">
      <p class="selection-sum strong num" role="status">
        {selectedText(count, bytes)}
      </p>
      <IconButton icon="close" label="Clear selection" title="Clear selection (Esc)" onClick={choice.clear} />
      <ActionButton small scope={choice.scope} action="discard">
        Discard selection…
      </ActionButton>
      <ActionButton small kind="primary" scope={choice.scope} action="commit">
        Commit selection…
      </ActionButton>
    </section>
  );
}

interface Looking {
  path: BytePath | null;
  active: string | null;
  goTo(change: Change): void;
}

/** The directory shown that is marked with all below it: it has no change of its own, or it starts folded. */
function wholeAt({ byPath, tree }: SessionState, path: BytePath | null): TreeDir | null {
  const entry = byPath.value(path);
  if (path === null || (entry !== undefined && !isDirectoryChange(entry))) return null;
  const dir = findDir(tree.value, path);
  return dir !== null && (entry === undefined || dir.folds) ? dir : null;
}

const idsBelow = (dir: TreeDir): string[] => changesBelow(dir).map(({ id }) => id);

/** Ids to mark: all below the directory whose row has the focus, else what is shown, else the active row. */
function target(state: SessionState, { path, active }: Looking): string[] {
  const row = state.rows.value.find((one) => one.key === active);
  const below = row?.kind === 'dir' ? idsBelow(row.dir) : null;
  // Only with the focus in the tree: the button of a file means that file, whatever row is active.
  if (below !== null && document.activeElement?.closest('[role=treeitem]') != null) return below;
  const whole = wholeAt(state, path);
  if (whole !== null) return idsBelow(whole);
  const entry = state.byPath.value(path);
  if (entry !== undefined) return [entry.id];
  return below ?? (row?.kind === 'entry' ? [row.change.id] : []);
}

/** For screen readers: where a key leads. */
function spoken({ path, kind }: Change, root: BytePath | undefined): string {
  return `${displayBelow(path, root)}, ${KIND_TABLE[kind].word}`;
}

function useViewedActions(looking: Looking): void {
  const state = useSession();
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

  useShortcuts({
    viewed: () => {
      const ids = target(state, looking);
      const marks = state.viewed.marks.value;
      void mark(
        ids,
        ids.some((id) => marks.get(id) !== 'viewed'),
      );
    },
    'viewed-next': () => {
      const ids = target(state, looking);
      const stops = state.stops.value;
      const position = positionOf(stops, state.tree.value, looking.path);
      const following = nextUnviewed(stops, position, state.viewed.marks.value, new Set(ids));
      const done =
        following === null
          ? MARKS.last
          : `${MARKS.marked} ${spoken(following, state.detail.data.value?.projectRoot)}`;
      void mark(ids, true, done);
      if (following !== null) looking.goTo(following);
    },
  });
}

function ReviewBar({ whole }: { whole: boolean }) {
  const { status } = useApp();
  const { id: session, request, choice } = useSession();
  const { viewed, total } = useViewedCount();
  const isDone = total > 0 && viewed === total && choice.sum.value.count === 0;
  return (
    <nav class="review-bar flex" aria-label="Review">
      <a class="back-link" href={formatRoute({ view: 'changes', session, path: null })}>
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
        {...(isDone
          ? {
              'kind': 'primary',
              'aria-haspopup': 'dialog',
              'onClick': () => set(request, { action: 'commit', scope: { kind: 'all' } }),
            }
          : {
              title: 'Mark as viewed and go to the next unviewed entry (V)',
              onClick: () => runShortcut('viewed-next'),
            })}
      >
        {isDone ? MARKS.done : whole ? 'Mark all viewed & next' : 'Mark viewed & next'}{' '}
        <Icon name="chevron" />
      </Button>
    </nav>
  );
}
