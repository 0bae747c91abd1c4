/** Commit: says exactly what it would do, asks what is open, shows progress and the report. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { CommitPreview } from '../../shared/api/types.ts';
import { riskText } from '../../shared/changes/risk.ts';
import * as format from '../lib/format.ts';
import { visibleText } from '../lib/visible.ts';
import { useApp } from '../state/app.ts';
import { type CommitFlow, createCommitFlow } from '../state/commit-flow.ts';
import type { SessionState } from '../state/session.ts';
import { Counts } from './Badge.tsx';
import { CommitReportView } from './CommitReportView.tsx';
import { ConflictChoices } from './ConflictChoices.tsx';
import { Icon } from './Icon.tsx';
import { Banner, ErrorPanel } from './Notice.tsx';
import { ProcessList } from './ProcessList.tsx';
import { JobProgress, Sheet } from './Sheet.tsx';
import { UndoSheet } from './UndoSheet.tsx';

export function CommitSheet({ state, onClose }: { state: SessionState; onClose: () => void }) {
  const { backend } = useApp();
  const flow = useMemo(() => createCommitFlow(backend, state), [backend, state]);
  useEffect(() => {
    void flow.preview.load();
  }, [flow]);
  const undoing = useSignal(false);
  const report = flow.report.value;
  if (report !== null && undoing.value) return <UndoSheet state={state} n={report.n} onClose={onClose} />;
  const title = report === null ? 'Commit to the host' : 'Commit report';
  return (
    <Sheet title={title} closable={!flow.running.value} onClose={onClose}>
      {report === null ? (
        <Confirm flow={flow} state={state} onClose={onClose} />
      ) : (
        <CommitReportView
          report={report}
          onUndo={() => {
            undoing.value = true;
          }}
          onClose={onClose}
        />
      )}
    </Sheet>
  );
}

function Confirm({ flow, state, onClose }: { flow: CommitFlow; state: SessionState; onClose: () => void }) {
  const { status } = useApp();
  const preview = flow.preview.data.value;
  const obstacle = flow.obstacle.value;
  const offline = status.value !== 'connected';
  if (flow.running.value) {
    const progress = state.progress.value;
    return (
      <JobProgress
        label="Committing"
        done={progress?.done ?? 0}
        total={progress?.total ?? 0}
        path={visibleText(progress?.path ?? '')}
      />
    );
  }
  return (
    <>
      {flow.error.value === null ? null : <ErrorPanel error={flow.error.value} />}
      {flow.preview.error.value === null ? null : (
        <ErrorPanel error={flow.preview.error.value} retry={() => void flow.preview.load()} />
      )}
      {preview === null ? (
        <p class="muted">Looking at what commit would do…</p>
      ) : (
        <Plan preview={preview} flow={flow} state={state} />
      )}
      <footer class="sheet-foot">
        <p class="obstacle" role="status">
          {offline ? 'The server does not answer.' : (obstacle ?? '')}
        </p>
        {preview !== null && preview.revision !== state.changes.data.value?.revision ? (
          <button
            type="button"
            class="button"
            onClick={() => void state.reload().then(() => flow.preview.load())}
          >
            <Icon name="refresh" /> Refresh
          </button>
        ) : null}
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="button button-primary"
          disabled={obstacle !== null || offline}
          onClick={() => void flow.commit()}
        >
          {buttonText(preview, flow)}
        </button>
      </footer>
    </>
  );
}

function buttonText(preview: CommitPreview | null, flow: CommitFlow): string {
  if (preview === null) return 'Commit';
  const { counts } = preview;
  const total = counts.added + counts.modified + counts.deleted + counts.replaced + counts.meta;
  const all = total + (flow.includeIgnored.value ? preview.ignored.count : 0);
  return `Commit ${format.plural(all, 'entry', 'entries')}`;
}

function Plan({ preview, flow, state }: { preview: CommitPreview; flow: CommitFlow; state: SessionState }) {
  const risks = state.riskCounts.value;
  return (
    <>
      <dl class="plan">
        <div>
          <dt>Applies to the host</dt>
          <dd>
            <Counts counts={preview.counts} />
          </dd>
        </div>
        <div>
          <dt>Writes</dt>
          <dd>{format.bytes(preview.bytes)}</dd>
        </div>
        {risks.length === 0 ? null : (
          <div>
            <dt>Worth a look</dt>
            <dd>{risks.map(riskText).join(', ')}</dd>
          </div>
        )}
      </dl>
      {preview.ignored.count > 0 ? (
        <label class="check">
          <input
            type="checkbox"
            checked={flow.includeIgnored.value}
            onChange={(event) => flow.setIncludeIgnored(event.currentTarget.checked)}
          />
          <span>
            Take along {format.plural(preview.ignored.count, 'ignored entry', 'ignored entries')} (
            {format.bytes(preview.ignored.bytes)}). They stay in the overlay otherwise.
          </span>
        </label>
      ) : null}
      {preview.live ? (
        <Banner tone="warning" icon="terminal">
          <p>
            {format.plural(preview.processes.length, 'process', 'processes')} of this session may still be
            writing: copies of what is there now are committed, and the session goes on.
          </p>
          <ProcessList processes={preview.processes} />
        </Banner>
      ) : null}
      {preview.conflicts.length > 0 ? <ConflictChoices preview={preview} flow={flow} /> : null}
      {preview.undo.bytes > preview.undo.maxBytes ? (
        <label class="check">
          <input
            type="checkbox"
            checked={flow.noUndo.value}
            onChange={(event) => {
              flow.noUndo.value = event.currentTarget.checked;
            }}
          />
          <span>
            Commit without undo. What it replaces or deletes takes {format.bytes(preview.undo.bytes)} to keep;
            up to {format.bytes(preview.undo.maxBytes)} are kept without asking.
          </span>
        </label>
      ) : null}
      {preview.guard === null ? null : <Guard preview={preview} flow={flow} />}
    </>
  );
}

function Guard({ preview, flow }: { preview: CommitPreview; flow: CommitFlow }) {
  if (preview.guard === null) return null;
  const { count, reasons } = preview.guard;
  return (
    <div class="guard">
      <p>
        <Icon name="warning" />{' '}
        <strong>This deletes or replaces {format.plural(count, 'entry', 'entries')} on the host.</strong>
      </p>
      <ul class="plain">
        {reasons.map((reason) => (
          <li key={reason}>{visibleText(reason)}</li>
        ))}
      </ul>
      <label class="field">
        <span>
          Type <strong class="mono">{count}</strong> to confirm
        </span>
        <input
          type="text"
          inputMode="numeric"
          autocomplete="off"
          value={flow.typed.value}
          onInput={(event) => {
            flow.typed.value = event.currentTarget.value;
          }}
        />
      </label>
    </div>
  );
}
