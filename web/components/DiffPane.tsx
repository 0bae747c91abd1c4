/** One entry: its name, what happened to it, and its differences in whichever form they have. */
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { nameOf, parentOf, toDisplay } from '../../shared/bytes.ts';
import { type Change, CONFLICT_REASONS } from '../../shared/changes/model.ts';
import { RISKS } from '../../shared/changes/risk.ts';
import * as format from '../lib/format.ts';
import { KIND_TABLE } from '../lib/kinds.ts';
import { useActions } from '../state/actions.ts';
import { useApp } from '../state/app.ts';
import { createResource } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import { Badge } from './Badge.tsx';
import { DiffBody } from './DiffBody.tsx';
import { Icon } from './Icon.tsx';
import { Banner, ErrorPanel } from './Notice.tsx';
import { Segmented } from './Segmented.tsx';
import { scrolls } from './scrolls.ts';
import { ViewedButton } from './ViewedButton.tsx';
import { WhyButton, WhyPath } from './WhyPath.tsx';

export function DiffPane({ state, change }: { state: SessionState; change: Change }) {
  const { backend, settings } = useApp();
  const [load, setLoad] = useState(false);
  const diff = useMemo(
    () => createResource((abort) => backend.diff(state.id, change.id, load, abort)),
    [state.id, change.id, load],
  );
  const revision = state.changes.data.value?.revision;
  useEffect(() => {
    void diff.load();
    return () => diff.stop();
  }, [diff, revision]);
  useEffect(() => setLoad(false), [change.id]);
  useActions({
    layout: () => {
      settings.layout.value = settings.layout.value === 'unified' ? 'split' : 'unified';
    },
    wrap: () => {
      settings.wrap.value = !settings.wrap.value;
    },
  });
  const model = diff.data.value;
  // A mark is for what is on show, and for nothing that comes later.
  useLayoutEffect(() => {
    state.viewed.shown.value = model === null ? null : { id: change.id, etag: model.etag };
    return () => {
      state.viewed.shown.value = null;
    };
  }, [model, change.id]);
  const delta = state.delta.value.get(change.id);
  return (
    <article class="diff-pane" aria-label={`Change of ${toDisplay(change.path)}`}>
      <DiffHeader state={state} change={change} />
      {delta === undefined ? null : (
        <Banner tone="info" icon="refresh" action={<ShowNewer state={state} />}>
          {delta === 'gone'
            ? 'This entry is not pending any more.'
            : 'A newer version of this entry is there.'}
        </Banner>
      )}
      <section class="diff-scroll" {...scrolls} aria-label="Differences">
        {diff.error.value === null ? null : (
          <ErrorPanel error={diff.error.value} retry={() => void diff.load()} />
        )}
        {model === null && diff.error.value === null ? <DiffSkeleton /> : null}
        {model === null ? null : (
          <DiffBody model={model} change={change} loading={diff.loading.value} onLoad={() => setLoad(true)} />
        )}
      </section>
    </article>
  );
}

function ShowNewer({ state }: { state: SessionState }) {
  return (
    <button type="button" class="button" onClick={() => state.showNewer()}>
      Refresh
    </button>
  );
}

function DiffHeader({ state, change }: { state: SessionState; change: Change }) {
  const { settings } = useApp();
  const kind = KIND_TABLE[change.kind];
  const parent = toDisplay(parentOf(change.path));
  return (
    <header class="diff-header">
      <div class="diff-title">
        <Badge tone={kind.tone}>{kind.word}</Badge>
        <h2 class="diff-path mono" title={toDisplay(change.path)}>
          <span class="diff-dir">{parent === '/' ? '/' : `${parent}/`}</span>
          <span class="diff-name">{toDisplay(nameOf(change.path))}</span>
        </h2>
        {change.ignored === null ? null : <Badge title={`Ignore rule: ${change.ignored}`}>ignored</Badge>}
      </div>
      <div class="diff-tools">
        <WhyButton />
        <ViewedButton state={state} change={change} />
        <Segmented
          label="Layout of the diff"
          value={settings.layout.value}
          options={[
            { value: 'unified', text: 'Unified', icon: 'rows' },
            { value: 'split', text: 'Split', icon: 'split' },
          ]}
          onChange={(value) => {
            settings.layout.value = value;
          }}
        />
        <button
          type="button"
          class="button button-quiet"
          aria-pressed={settings.wrap.value}
          title="Wrap long lines (w)"
          onClick={() => {
            settings.wrap.value = !settings.wrap.value;
          }}
        >
          <Icon name="wrap" /> Wrap
        </button>
      </div>
      <RiskNotes state={state} change={change} />
      <WhyPath state={state} change={change} />
      {change.conflict === null ? null : (
        <p class="diff-conflict">
          <Icon name="warning" /> Conflict: {CONFLICT_REASONS[change.conflict]}. Commit asks what to do with
          it.
        </p>
      )}
    </header>
  );
}

function RiskNotes({ state, change }: { state: SessionState; change: Change }) {
  const risks = state.risks.value.get(change.id) ?? [];
  if (risks.length === 0) return null;
  return (
    <ul class="diff-risks plain">
      {risks.map((risk) => (
        <li key={risk}>
          <Icon name="flag" /> {format.capital(RISKS[risk].one)}: {RISKS[risk].why}
        </li>
      ))}
    </ul>
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
