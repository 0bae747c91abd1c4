/** One entry: header, risks and its diff. */
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { toDisplay } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { DiffShown } from '../diff/DiffBody.tsx';
import { DiffHeader } from '../diff/DiffHeader.tsx';
import { HiddenNote } from '../diff/rows/DiffNotes.tsx';
import { notice, useDiff } from '../diff/use-diff.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useApp } from '../state/app.ts';
import { set } from '../state/resource.ts';
import { useSession } from '../state/session.ts';
import { isDirectoryChange } from '../text/kinds.ts';
import { visibleText } from '../text/visible.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Banner } from '../ui/Notice.tsx';
import { scrolls } from '../ui/Panel.tsx';
import { DirPane } from './DirPane.tsx';
import { findDir } from './model/tree.ts';

export function DiffPane({ change, line }: { change: Change; line: number | null }) {
  const { settings } = useApp();
  const state = useSession();
  // A link to a line loads the diff however large it is.
  const diff = useDiff(change.id, { large: line !== null });
  useShortcuts({
    layout: () => set(settings.layout, settings.layout.value === 'unified' ? 'split' : 'unified'),
    wrap: () => set(settings.wrap, !settings.wrap.value),
  });
  const model = diff.resource.data.value;
  // A mark names the content that was shown, never a later one.
  useLayoutEffect(() => {
    state.viewed.shown.value = model === null ? null : { id: change.id, etag: model.etag };
    return () => {
      state.viewed.shown.value = null;
    };
  }, [model, change.id]);
  const dir = isDirectoryChange(change) ? findDir(state.tree.value, change.path) : null;
  const delta = state.delta.value.get(change.id);
  return (
    <article class="diff-pane column" aria-label={`Change of ${toDisplay(change.path)}`}>
      <DiffHeader change={change} />
      {delta === undefined ? null : (
        <Banner tone="accent" icon="refresh" action={<Button onClick={state.showNewer}>Refresh</Button>}>
          {delta === 'gone'
            ? 'This entry is no longer pending.'
            : 'A newer version of this entry is available.'}
        </Banner>
      )}
      <section class="diff-scroll" {...scrolls} aria-label="Differences">
        <DiffShown diff={diff} change={change} line={line} keys waiting={<DiffSkeleton />} />
        {model !== null && model.kind !== 'text' && state.hidden.found.value.has(change.id) ? (
          <div class="diff-notes">
            <HiddenNote />
          </div>
        ) : null}
        {dir === null || dir.stats.total < 2 ? null : <DirPane dir={dir} />}
      </section>
      <Toast />
    </article>
  );
}

function Toast() {
  useEffect(() => () => set(notice, null), []);
  return (
    <div class="toast-holder" role="status">
      {notice.value === null ? null : (
        <p class="toast flex">
          <span>{visibleText(notice.value)}</span>
          <IconButton icon="close" label="Dismiss" onClick={() => set(notice, null)} />
        </p>
      )}
    </div>
  );
}

function DiffSkeleton() {
  return (
    <div class="skeleton" role="status">
      <span class="sr-only">Loading the differences</span>
      {[72, 48, 60, 36, 66, 42, 54, 30].map((width) => (
        <div key={width} class="skeleton-line" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
