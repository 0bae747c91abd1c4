/** Commit: says exactly what it would do, asks what is open, shows progress and the report. */

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { CommitPreview } from '../../shared/api/types.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { riskText, unreadText } from '../../shared/model/risk.ts';
import { ConflictChoices } from '../conflicts/ConflictChoices.tsx';
import { COMMIT, ignoredToo, scopeText, withoutUndo } from '../messages/actions.ts';
import { timesText } from '../messages/changes.ts';
import { ProcessList } from '../processes/Processes.tsx';
import { useApp } from '../state/app.ts';
import { type CommitFlow, createCommitFlow } from '../state/commit-flow.ts';
import { set } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { totalOf } from '../text/kinds.ts';
import { visibleText } from '../text/visible.ts';
import { Counts } from '../ui/Badge.tsx';
import { Check } from '../ui/Button.tsx';
import { Banner } from '../ui/Notice.tsx';
import { Fact } from '../ui/Panel.tsx';
import { Sheet, TypedCount } from '../ui/Sheet.tsx';
import { ChangedPaths } from './ChangedPaths.tsx';
import { CommitReportView } from './CommitReportView.tsx';
import { JobSheet } from './JobSheet.tsx';
import { PreviewNotes } from './PreviewNotes.tsx';
import { TestedNote } from './TestedNote.tsx';
import { Times } from './Times.tsx';
import { UndoSheet } from './UndoSheet.tsx';

interface Props {
  state: SessionState;
  scope: Scope;
  onClose: () => void;
}

export function CommitSheet({ state, scope, onClose }: Props) {
  const { backend } = useApp();
  const flow = useMemo(() => createCommitFlow(backend, state, scope), [backend, state, scope]);
  useEffect(() => {
    void flow.preview.load();
  }, [flow]);
  const undoing = useSignal(false);
  const report = flow.report.value;
  if (report === null) return <Confirm flow={flow} state={state} scope={scope} onClose={onClose} />;
  if (undoing.value) return <UndoSheet state={state} n={report.n} onClose={onClose} />;
  return (
    <Sheet title="Commit report" closable onClose={onClose}>
      <CommitReportView report={report} onUndo={() => set(undoing, true)} onClose={onClose} />
    </Sheet>
  );
}

function Confirm({ flow, state, scope, onClose }: Props & { flow: CommitFlow }) {
  const preview = flow.preview.data.value;
  return (
    <JobSheet
      {...{ state, onClose }}
      title={scope.kind === 'all' ? 'Commit to the host' : `Commit ${scopeText(scope)} to the host`}
      preview={flow.preview}
      looking="Preparing the commit…"
      doing="Committing"
      running={flow.running}
      error={flow.error}
      obstacle={flow.obstacle.value}
      moved={preview !== null && preview.revision !== state.changes.data.value?.revision}
      stoppable
      button={{ text: buttonText(preview, flow), tone: 'primary' }}
      onConfirm={() => void flow.commit()}
    >
      {(plan) => <Plan preview={plan} flow={flow} state={state} />}
    </JobSheet>
  );
}

function buttonText(preview: CommitPreview | null, flow: CommitFlow): string {
  if (preview === null) return 'Commit';
  const all = totalOf(preview.counts) + (flow.includeIgnored.value ? preview.ignored.count : 0);
  if (all === 0 && preview.times !== undefined) return `Commit ${format.plural(preview.times, 'time')}`;
  return `Commit ${format.plural(all, 'entry', 'entries')}`;
}

function Plan({ preview, flow, state }: { preview: CommitPreview; flow: CommitFlow; state: SessionState }) {
  const looks = preview.risks.map(riskText);
  const changes = totalOf(preview.counts);
  if (preview.unread > 0) looks.push(unreadText(preview.unread));
  return (
    <>
      <p>
        {COMMIT.effect}
        {flow.noUndo.value ? '' : COMMIT.undoable}
      </p>
      <dl class="fact-list">
        <Fact name="Changes">
          {changes === 0 && preview.times !== undefined ? null : <Counts counts={preview.counts} words />}{' '}
          <Times times={preview.times} behind={changes > 0} />
        </Fact>
        {preview.places.shown.length === 0 ? null : (
          <Fact name="Where">
            <ChangedPaths places={preview.places} />
          </Fact>
        )}
        <Fact name="Size">{format.bytes(preview.bytes)}</Fact>
        {looks.length === 0 ? null : <Fact name="Worth a look">{looks.join(', ')}</Fact>}
      </dl>
      {preview.times === undefined ? null : <p class="muted">{timesText(preview.times)}</p>}
      {preview.conflicts.length > 0 ? <ConflictChoices preview={preview} flow={flow} /> : null}
      <PreviewNotes preview={preview} />
      {preview.tested === undefined ? null : (
        <TestedNote session={state.id} tested={preview.tested} again={() => void flow.preview.load()} />
      )}
      {preview.ignored.count > 0 ? (
        <Check checked={flow.includeIgnored} onChange={flow.setIncludeIgnored}>
          <span>{ignoredToo(preview.ignored.count, preview.ignored.bytes)}</span>
        </Check>
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
      {preview.undo.bytes > preview.undo.maxBytes ? <WithoutUndo preview={preview} flow={flow} /> : null}
      {preview.guard === null ? null : (
        <TypedCount
          count={preview.guard.count}
          typed={flow.typed}
          what={`This deletes or replaces ${format.plural(preview.guard.count, 'entry', 'entries')} on the host.`}
        >
          <ul class="plain">
            {preview.guard.reasons.map((reason) => (
              <li key={reason}>{visibleText(reason)}</li>
            ))}
          </ul>
        </TypedCount>
      )}
    </>
  );
}

function WithoutUndo({ preview, flow }: { preview: CommitPreview; flow: CommitFlow }) {
  return (
    <Check checked={flow.noUndo}>
      <span>{withoutUndo(preview.undo.bytes, preview.undo.maxBytes)}</span>
    </Check>
  );
}
