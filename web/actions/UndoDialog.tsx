/** Undo of a commit: previews what returns, and asks about what the host changed since. */

import { useSignal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import { toDisplay } from '../../shared/bytes.ts';
import {
  type Beside,
  UNDO_REASONS,
  type UndoConflictChoice,
  type UndoPreview,
} from '../../shared/model/commit.ts';
import { entries, OBSTACLES, UNDO } from '../messages/actions.ts';
import { EndProcesses } from '../processes/Processes.tsx';
import { useApp } from '../state/app.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import { useSession } from '../state/session.ts';
import { count } from '../text/format.ts';
import { PathList } from '../ui/Notice.tsx';
import { FactList } from '../ui/Panel.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { ActionDialog } from './ActionDialog.tsx';

const OPTIONS: { value: UndoConflictChoice | 'refuse'; text: string }[] = [
  { value: 'keep-host', text: 'Keep host' },
  { value: 'take-back', text: 'Undo too' },
];

export function UndoDialog({ n, onClose }: { n: number; onClose: () => void }) {
  const { backend } = useApp();
  const { id } = useSession();
  const preview = useResource(() => backend.undoPreview(id, { n }), [backend, id, n]);
  const conflicts = useSignal<UndoConflictChoice | 'refuse'>('refuse');
  const ends = useSignal(false);
  const work = useWork();
  return (
    <ActionDialog
      onClose={onClose}
      action={{
        title: `Undo commit ${n}`,
        loading: 'Preparing the undo…',
        doing: 'Undoing',
        preview,
        work,
        obstacle: (plan) =>
          plan.conflicts.length > 0 && conflicts.value === 'refuse' ? OBSTACLES.undo : null,
        guard: ({ guard }) =>
          guard === null
            ? null
            : { count: guard.count, what: `This removes or replaces ${entries(guard.count)} on the host.` },
        button: { text: 'Undo commit', kind: 'primary' },
        body: (plan) => (
          <>
            <Plan plan={plan} />
            {plan.conflicts.length === 0 ? null : (
              <section class="stack">
                <h3>{entries(plan.conflicts.length)} not as the commit left it</h3>
                <p class="muted">{UNDO.choices}</p>
                <Segmented
                  label="What to do with them"
                  value={conflicts.value}
                  options={OPTIONS}
                  onChange={(value) => set(conflicts, value)}
                />
                <PathList
                  paths={plan.conflicts.map(
                    ({ path, reason }) => `${toDisplay(path)}: ${UNDO_REASONS[reason]}`,
                  )}
                />
              </section>
            )}
            <Kept plan={plan} isTaken={conflicts.value === 'take-back'} />
            {work.error.value?.code === 'live' && plan.processes.length > 0 ? (
              <EndProcesses why={UNDO.whyEnd} processes={plan.processes} ends={ends} />
            ) : null}
          </>
        ),
        request: async ({ revision }, typedCount) => {
          const report = await backend.undoCommit(id, {
            n,
            revision,
            conflicts: conflicts.value,
            yes: false,
            typedCount,
            endProcesses: ends.value,
          });
          const [first] = report.failed;
          if (first !== undefined) {
            const more = report.failed.length > 1 ? ` and ${count(report.failed.length - 1)} more` : '';
            const what = `${toDisplay(first.path)}: ${first.message}${more}`;
            throw new ApiError('unfinished', UNDO.failed(what));
          }
          const others = (report.beside ?? []).map(besideText);
          return {
            text: others.length > 0 ? UNDO.beside(n, others.length) : UNDO.done(n, report.applied),
            others,
          };
        },
      }}
    />
  );
}

const besideText = ({ path, at }: Beside): string => `${toDisplay(path)}: ${toDisplay(at)}`;

/** What will not be pending again. @param isTaken conflicts are undone, too */
function Kept({ plan, isTaken }: { plan: UndoPreview; isTaken: boolean }) {
  const kept = plan.kept.filter(({ conflict }) => isTaken || !conflict);
  if (kept.length === 0) return null;
  return (
    <section class="stack">
      <h3>{entries(kept.length)} kept aside</h3>
      <p class="muted">{UNDO.kept}</p>
      <PathList paths={kept.map(besideText)} />
    </section>
  );
}

function Plan({ plan }: { plan: UndoPreview }) {
  const counted = (count: number): string | null => (count > 0 ? entries(count) : null);
  return (
    <>
      <FactList
        facts={[
          ['Restored', counted(plan.restored)],
          ['Removed from the host', counted(plan.removed)],
          ['Mode and owner restored', counted(plan.meta)],
        ]}
      />
      <p class="muted">{UNDO.effect}</p>
      {plan.unable.length === 0 ? null : (
        <section>
          <h3>{entries(plan.unable.length)} cannot be undone</h3>
          <PathList paths={plan.unable.map(({ path, message }) => `${toDisplay(path)}: ${message}`)} />
        </section>
      )}
    </>
  );
}
