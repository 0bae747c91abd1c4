/** Discard: drops what is pending into the trash, from where it can be taken back. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { CommitPreview } from '../../shared/api/types.ts';
import { ApiError } from '../backend/api-error.ts';
import * as format from '../lib/format.ts';
import { useApp } from '../state/app.ts';
import { createResource } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import { Counts } from './Badge.tsx';
import { EndProcesses } from './EndProcesses.tsx';
import { Icon } from './Icon.tsx';
import { Banner, ErrorPanel } from './Notice.tsx';
import { JobProgress, Sheet } from './Sheet.tsx';

export function DiscardSheet({ state, onClose }: { state: SessionState; onClose: () => void }) {
  const { backend, status, announcement } = useApp();
  const preview = useMemo(
    () =>
      createResource(() =>
        backend.preview(state.id, { scope: { kind: 'all' }, action: 'discard', includeIgnored: true }),
      ),
    [backend, state.id],
  );
  const endProcesses = useSignal(false);
  const running = useSignal(false);
  const error = useSignal<ApiError | null>(null);
  useEffect(() => {
    void preview.load();
  }, [preview]);

  const plan = preview.data.value;
  const moved = plan !== null && plan.revision !== state.changes.data.value?.revision;
  const ready = plan !== null && !moved && (!plan.live || endProcesses.value) && status.value === 'connected';

  const discard = async (): Promise<void> => {
    if (plan === null || !ready || running.value) return;
    running.value = true;
    error.value = null;
    try {
      const report = await backend.discard(state.id, {
        ...{ scope: plan.scope, revision: plan.revision, endProcesses: endProcesses.value },
      });
      announcement.value = `Discarded ${format.plural(report.entries, 'entry', 'entries')}. It can be undone.`;
      await state.reload();
      onClose();
    } catch (thrown) {
      error.value = ApiError.from(thrown);
      void preview.load();
    } finally {
      running.value = false;
      state.progress.value = null;
    }
  };

  return (
    <Sheet title="Discard what is pending" closable={!running.value} onClose={onClose}>
      {error.value === null ? null : <ErrorPanel error={error.value} />}
      {preview.error.value === null ? null : (
        <ErrorPanel error={preview.error.value} retry={() => void preview.load()} />
      )}
      {running.value ? (
        <JobProgress
          label="Discarding"
          done={state.progress.value?.done ?? 0}
          total={state.progress.value?.total ?? 0}
          path=""
        />
      ) : null}
      {plan === null ? (
        <p class="muted">Looking at what is pending…</p>
      ) : (
        <Plan plan={plan} ends={endProcesses} />
      )}
      {moved ? (
        <Banner
          tone="info"
          icon="refresh"
          action={
            <button
              type="button"
              class="button"
              onClick={() => void state.reload().then(() => preview.load())}
            >
              <Icon name="refresh" /> Refresh
            </button>
          }
        >
          The changes moved on since you looked.
        </Banner>
      ) : null}
      <footer class="sheet-foot">
        <button type="button" class="button" disabled={running.value} onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="button button-danger"
          disabled={!ready || running.value}
          onClick={() => void discard()}
        >
          {plan?.live ? 'End them and discard' : 'Discard'}
        </button>
      </footer>
    </Sheet>
  );
}

function Plan({ plan, ends }: { plan: CommitPreview; ends: Signal<boolean> }) {
  return (
    <>
      <dl class="plan">
        <div>
          <dt>Drops</dt>
          <dd>
            <Counts counts={plan.counts} />
          </dd>
        </div>
        {plan.ignored.count > 0 ? (
          <div>
            <dt>And ignored</dt>
            <dd>
              {format.plural(plan.ignored.count, 'entry', 'entries')}, {format.bytes(plan.ignored.bytes)}
            </dd>
          </div>
        ) : null}
      </dl>
      <p class="muted">
        Your files on the host stay as they are. The dropped overlay goes to the trash: “Undo” brings it back.
      </p>
      {plan.live ? (
        <EndProcesses
          why="A session can only be discarded when nothing runs in it."
          processes={plan.processes}
          ends={ends}
        />
      ) : null}
    </>
  );
}
