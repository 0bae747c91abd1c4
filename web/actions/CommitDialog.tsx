/** Commit: previews what it would do, asks for open decisions, reports the result. */

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { CommitPreview } from '../../shared/api/types.ts';
import { toDisplay } from '../../shared/bytes.ts';
import type { CommitReport, Scope } from '../../shared/model/commit.ts';
import { riskText, unreadText } from '../../shared/model/risk.ts';
import { ConflictChoices } from '../conflicts/ConflictChoices.tsx';
import {
  COMMIT,
  confirmTick,
  entries,
  fileTimes,
  ignoredToo,
  outcomeText,
  scopeText,
  withoutUndo,
} from '../messages/actions.ts';
import { timesText } from '../messages/changes.ts';
import { ProcessList } from '../processes/Processes.tsx';
import { useApp } from '../state/app.ts';
import { type CommitFlow, commitObstacle, createCommitFlow } from '../state/commit-flow.ts';
import { set } from '../state/resource.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { totalOf } from '../text/kinds.ts';
import { visibleText } from '../text/visible.ts';
import { Counts } from '../ui/Badge.tsx';
import { Button, Check } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Banner, PathList } from '../ui/Notice.tsx';
import { FactList, type FactRow, scrolls } from '../ui/Panel.tsx';
import { Sheet } from '../ui/Sheet.tsx';
import { ActionDialog, type Guard } from './ActionDialog.tsx';
import { ChangedPaths, PreviewNotes, Times } from './plan.tsx';
import { TestedNote } from './TestedNote.tsx';
import { UndoDialog } from './UndoDialog.tsx';

export function CommitDialog({ scope, onClose }: { scope: Scope; onClose: () => void }) {
  const { backend } = useApp();
  const { id } = useSession();
  const flow = useMemo(() => createCommitFlow(backend, id, scope), [backend, id, scope]);
  useEffect(() => {
    void flow.preview.load();
  }, [flow]);
  const report = useSignal<CommitReport | null>(null);
  const undoing = useSignal(false);
  const preview = flow.preview.data.value;
  if (report.value !== null && undoing.value) return <UndoDialog n={report.value.n} onClose={onClose} />;
  if (report.value !== null)
    return (
      <Sheet title="Commit report" closable onClose={onClose}>
        <Report report={report.value} onUndo={() => set(undoing, true)} onClose={onClose} />
      </Sheet>
    );
  return (
    <ActionDialog
      onClose={onClose}
      revision={preview?.revision}
      action={{
        title: scope.kind === 'all' ? 'Commit to the host' : `Commit ${scopeText(scope)} to the host`,
        loading: 'Preparing the commit…',
        doing: 'Committing',
        preview: flow.preview,
        work: flow.work,
        obstacle: (plan) => commitObstacle(plan, flow.choices.value, flow.noUndo.value),
        guard: guardOf,
        stoppable: true,
        button: { text: buttonText(preview, flow), kind: 'primary' },
        body: (plan) => <Plan preview={plan} flow={flow} />,
        request: async (plan, typedCount) => {
          report.value = await backend.commit(id, flow.request(plan, typedCount));
          return null;
        },
      }}
    />
  );
}

/** A tick where rules alone ask, and all that they ask about is named; else the number is typed. */
function guardOf({ guard, effects: { confirm }, totals }: CommitPreview): Guard | null {
  if (guard === null) return null;
  const { count, reasons, asked = 0 } = guard;
  const what =
    asked === count
      ? `Your rules want ${entries(count)} confirmed.`
      : `This deletes or replaces ${entries(count - asked)} on the host.`;
  if (asked === count && reasons.length === asked && totals.confirm === confirm.length)
    return {
      count,
      what,
      tick: confirmTick(count),
      more: (
        <ul class="path-list framed" {...scrolls} aria-label="To be confirmed">
          {confirm.map(({ path, why }) => (
            <li key={path}>
              <span class="mono path">{toDisplay(path)}</span> <span class="muted">{visibleText(why)}</span>
            </li>
          ))}
        </ul>
      ),
    };
  return {
    count,
    what,
    more: (
      <ul class="plain">
        {reasons.map((reason) => (
          <li key={reason}>{visibleText(reason)}</li>
        ))}
      </ul>
    ),
  };
}

function buttonText(preview: CommitPreview | null, flow: CommitFlow): string {
  if (preview === null) return 'Commit';
  const all = totalOf(preview.counts) + (flow.includeIgnored.value ? preview.ignored.count : 0);
  if (all === 0 && preview.times !== undefined) return `Commit ${fileTimes(preview.times)}`;
  return `Commit ${entries(all)}`;
}

function Plan({ preview, flow }: { preview: CommitPreview; flow: CommitFlow }) {
  const { times, undo, ignored } = preview;
  const looks = preview.risks.map(riskText);
  const changes = totalOf(preview.counts);
  if (preview.unread > 0) looks.push(unreadText(preview.unread));
  return (
    <>
      <p>
        {COMMIT.effect}
        {flow.noUndo.value ? '' : COMMIT.undoable}
      </p>
      <FactList
        facts={[
          [
            'Changes',
            <>
              {changes === 0 && times !== undefined ? null : <Counts counts={preview.counts} words />}{' '}
              <Times times={times} behind={changes > 0} />
            </>,
          ],
          ['Where', preview.places.shown.length === 0 ? null : <ChangedPaths places={preview.places} />],
          ['Size', format.bytes(preview.bytes)],
          ['Worth a look', looks.length === 0 ? null : looks.join(', ')],
          [
            'Rules',
            preview.unknownEffects === undefined ? null : visibleText(preview.unknownEffects.join('; ')),
          ],
        ]}
      />
      {times === undefined ? null : <p class="muted">{timesText(times)}</p>}
      {preview.conflicts.length > 0 ? <ConflictChoices preview={preview} flow={flow} /> : null}
      <PreviewNotes preview={preview} />
      {preview.tested === undefined ? null : (
        <TestedNote tested={preview.tested} again={() => void flow.preview.load()} />
      )}
      {ignored.count > 0 ? (
        <Check checked={flow.includeIgnored} onChange={flow.setIncludeIgnored}>
          <span>{ignoredToo(ignored.count, ignored.bytes)}</span>
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
      {undo.bytes > undo.maxBytes ? (
        <Check checked={flow.noUndo}>
          <span>{withoutUndo(undo.bytes, undo.maxBytes)}</span>
        </Check>
      ) : null}
    </>
  );
}

function Report({ report, onUndo, onClose }: { report: CommitReport; onUndo(): void; onClose(): void }) {
  const { applied, times, kept, ignored, marked = [], failed, notApplied } = report;
  const done = report.state === 'applied';
  const facts: FactRow[] = [
    ['Applied', `${entries(applied)}, ${format.bytes(report.bytes)}`],
    ['Only the time', times === undefined ? null : `+ ${fileTimes(times)}`],
    ['Took', format.duration(report.ms)],
    ['Left as on the host, still pending', kept > 0 ? format.count(kept) : null],
    ['Ignored, still pending', ignored > 0 ? format.count(ignored) : null],
  ];
  const lists: { title: string; paths: string[]; about?: string }[] = [
    {
      title: `Conflict markers were written into ${format.plural(marked.length, 'file')}`,
      paths: marked.map((path) => toDisplay(path)),
      about: 'Resolve them in your editor before you build or commit these files.',
    },
    {
      title: `${entries(failed.length)} failed`,
      paths: failed.map(({ path, message }) => `${toDisplay(path)}: ${message}`),
    },
    { title: `${entries(notApplied.length)} not applied`, paths: notApplied.map((path) => toDisplay(path)) },
  ];
  return (
    <div class="report" role="status">
      <p class={`lines strong tone-${done ? 'added' : 'danger'}`}>
        <Icon name={done ? 'check' : 'warning'} />
        {outcomeText(report)}
      </p>
      <FactList facts={facts} />
      {report.copies ? <p class="muted">{COMMIT.copies}</p> : null}
      {lists
        .filter(({ paths }) => paths.length > 0)
        .map(({ title, paths, about }) => (
          <section key={title}>
            <h3>{title}</h3>
            <PathList paths={paths} />
            {about === undefined ? null : <p class="muted">{about}</p>}
          </section>
        ))}
      <footer class="sheet-foot flex">
        {done && (applied > 0 || times !== undefined) ? (
          <Button icon="undo" onClick={onUndo}>
            Undo commit…
          </Button>
        ) : null}
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </div>
  );
}
