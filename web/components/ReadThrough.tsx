/** The differences of all files of a directory below one another; each is fetched when it is about to come into sight. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { toDisplay } from '../../shared/bytes.ts';
import type { TextDiff } from '../../shared/changes/diff-model.ts';
import type { Change } from '../../shared/changes/model.ts';
import { ApiError } from '../backend/api-error.ts';
import * as format from '../lib/format.ts';
import { isDirectoryChange, KIND_TABLE } from '../lib/kinds.ts';
import { formatRoute } from '../lib/router.ts';
import { changesBelow, type TreeDir } from '../lib/tree.ts';
import { useApp } from '../state/app.ts';
import { spaces } from '../state/diff-view.ts';
import { createResource } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import { Badge } from './Badge.tsx';
import { DiffBody } from './DiffBody.tsx';
import { Icon } from './Icon.tsx';
import { ErrorPanel } from './Notice.tsx';
import { useChangeKeys } from './use-change-keys.ts';

/** Files that are listed at once; what is far away is only a line each. */
const STEP = 200;
/** So far outside of what is in sight a diff is fetched (px): it is there before the reader is. */
const AHEAD = '1200px';

export function ReadThrough({ state, dir }: { state: SessionState; dir: TreeDir }) {
  const [most, setMost] = useState(STEP);
  const box = useRef<HTMLDivElement>(null);
  useChangeKeys(box);
  const files = useMemo(
    () =>
      changesBelow(dir)
        .filter((change) => !isDirectoryChange(change))
        .sort(byPath),
    [dir],
  );
  return (
    <div class="read" ref={box}>
      {files.slice(0, most).map((change) => (
        <ReadFile key={change.id} state={state} change={change} />
      ))}
      {files.length > most ? (
        <div class="more">
          <button type="button" class="button" onClick={() => setMost(most + STEP)}>
            Show {format.count(Math.min(STEP, files.length - most))} more files
          </button>
        </div>
      ) : null}
    </div>
  );
}

function byPath(a: Change, b: Change): number {
  return a.path < b.path ? -1 : 1;
}

function ReadFile({ state, change }: { state: SessionState; change: Change }) {
  const [near, setNear] = useState(false);
  const [etag, setEtag] = useState<string | null>(null);
  const place = useRef<HTMLElement>(null);
  // What was drawn once stays: taking it away would move what is below it.
  useEffect(() => {
    if (place.current === null) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      root: place.current.closest('.main-pane, .diff-scroll'),
      rootMargin: AHEAD,
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const kind = KIND_TABLE[change.kind];
  const path = toDisplay(change.path);
  return (
    <section class="read-file" ref={place} aria-label={path}>
      <header class="read-head">
        <Badge tone={kind.tone}>{kind.word}</Badge>
        <h3 class="mono path">
          <a href={formatRoute({ view: 'changes', session: state.id, path: change.path })}>{path}</a>
        </h3>
        {near ? <MarkButton state={state} change={change} etag={etag} /> : null}
      </header>
      {near ? <ReadDiff state={state} change={change} onShown={setEtag} /> : <div class="read-far" />}
    </section>
  );
}

interface ReadDiffProps {
  state: SessionState;
  change: Change;
  /** What is on show was made from this. */
  onShown(etag: string | null): void;
}

function ReadDiff({ state, change, onShown }: ReadDiffProps) {
  const { backend } = useApp();
  const [load, setLoad] = useState(false);
  const view = useRef({ load, whole: false, spaces: spaces.value });
  view.current = { load, whole: false, spaces: spaces.value };
  const diff = useMemo(
    () => createResource((abort) => backend.diff(state.id, change.id, view.current, abort)),
    [state.id, change.id],
  );
  const revision = state.changes.data.value?.revision;
  useEffect(() => {
    void diff.load();
    return () => diff.stop();
  }, [diff, revision, load, spaces.value]);
  const model = diff.data.value;
  useEffect(() => onShown(model?.etag ?? null), [model]);
  const loadWhole = async (): Promise<TextDiff> => {
    const whole = await backend.diff(state.id, change.id, { ...view.current, load: true, whole: true });
    if (whole.kind === 'text' && whole.etag === model?.etag) return whole;
    throw new ApiError('stale-revision', 'the entry has just changed; refresh, and look again');
  };
  if (diff.error.value !== null)
    return <ErrorPanel error={diff.error.value} retry={() => void diff.load()} />;
  if (model === null) return <div class="read-far" role="status" aria-label="Loading the differences" />;
  return (
    <DiffBody
      {...{ model, change, loadWhole }}
      session={state.id}
      line={null}
      keys={false}
      loading={diff.loading.value}
      onLoad={() => setLoad(true)}
    />
  );
}

interface MarkProps {
  state: SessionState;
  change: Change;
  /** Null until something is on show: a mark is for what was seen. */
  etag: string | null;
}

function MarkButton({ state, change, etag }: MarkProps) {
  const { status } = useApp();
  const mark = state.viewed.marks.value.get(change.id);
  const toggle = async (): Promise<void> => {
    const revision = state.changes.data.value?.revision;
    if (revision === undefined) return;
    try {
      await state.viewed.mark([change.id], mark !== 'viewed', { etag, revision });
      state.viewed.problem.value = null;
    } catch (thrown) {
      state.viewed.problem.value = `Not marked: ${ApiError.from(thrown).message}`;
    }
  };
  return (
    <button
      type="button"
      class="button button-quiet"
      aria-pressed={mark === 'viewed'}
      disabled={status.value !== 'connected' || etag === null}
      onClick={() => void toggle()}
    >
      <Icon name="check" /> {mark === 'updated' ? 'Changed since viewed' : 'Viewed'}
    </button>
  );
}
