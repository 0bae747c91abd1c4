/** Undo of a commit: says what would go back, asks about what the host changed since, and does it. */

import { type Signal, useSignal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import { toDisplay } from '../../shared/bytes.ts';
import type { UndoConflictChoice, UndoPreview } from '../../shared/model/commit.ts';
import { UNDO, UNDO_REASONS } from '../messages/actions.ts';
import { EndProcesses } from '../processes/Processes.tsx';
import { useApp } from '../state/app.ts';
import { parseTyped } from '../state/commit-flow.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { PathList } from '../ui/Notice.tsx';
import { Fact } from '../ui/Panel.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { TypedCount } from '../ui/Sheet.tsx';
import { JobSheet } from './JobSheet.tsx';

const OPTIONS: { value: UndoConflictChoice | 'refuse'; text: string }[] = [
  { value: 'keep-host', text: 'Keep host' },
  { value: 'take-back', text: 'Undo too' },
];
const SHOWN = 100;

interface Props {
  state: SessionState;
  n: number;
  onClose: () => void;
}

export function UndoSheet({ state, n, onClose }: Props) {
  const { backend, announcement } = useApp();
  const preview = useResource(() => backend.undoPreview(state.id, { n }), [backend, state.id, n]);
  const conflicts = useSignal<UndoConflictChoice | 'refuse'>('refuse');
  const typed = useSignal('');
  const ends = useSignal(false);
  const { running, error, run } = useWork();
  const plan = preview.data.value;
  const open = plan !== null && plan.conflicts.length > 0 && conflicts.value === 'refuse';
  const count = plan?.guard?.count ?? null;
  const ready = plan !== null && !open && (count === null || parseTyped(typed.value) === count);

  const undo = async (): Promise<void> => {
    if (plan === null || !ready) return;
    const ended = (): Promise<void> => {
      state.progress.value = null;
      return state.reload();
    };
    await run(
      async () => {
        const report = await backend.undoCommit(state.id, {
          ...{ n, revision: plan.revision, conflicts: conflicts.value, yes: false },
          ...{ typedCount: count === null ? null : parseTyped(typed.value), endProcesses: ends.value },
        });
        const [first] = report.failed;
        if (first !== undefined) {
          const more = report.failed.length > 1 ? ` and ${report.failed.length - 1} more` : '';
          const what = `${toDisplay(first.path)}: ${first.message}${more}`;
          throw new ApiError('unfinished', UNDO.failed(what));
        }
        announcement.value = UNDO.done(n, report.applied);
        onClose();
      },
      { failed: () => void preview.load(), ended },
    );
  };

  return (
    <JobSheet
      {...{ state, preview, running, error, onClose }}
      title={`Undo commit ${n}`}
      looking="Preparing the undo…"
      doing="Undoing"
      obstacle={ready ? null : ''}
      button={{ text: 'Undo commit', tone: 'primary' }}
      onConfirm={() => void undo()}
    >
      {(known) => (
        <>
          <Plan plan={known} />
          {known.conflicts.length === 0 ? null : <Conflicts plan={known} choice={conflicts} />}
          {error.value?.code === 'live' ? (
            <EndProcesses
              why={UNDO.whyEnd}
              processes={state.detail.data.value?.processes ?? []}
              ends={ends}
            />
          ) : null}
          {count === null ? null : (
            <TypedCount
              count={count}
              typed={typed}
              what={`This removes or replaces ${format.plural(count, 'entry', 'entries')} on the host.`}
            />
          )}
        </>
      )}
    </JobSheet>
  );
}

function Plan({ plan }: { plan: UndoPreview }) {
  const rows: [string, number][] = [
    ['Restored', plan.restored],
    ['Removed from the host', plan.removed],
    ['Given their old mode and owner', plan.meta],
  ];
  return (
    <>
      <dl class="fact-list">
        {rows
          .filter(([, entries]) => entries > 0)
          .map(([name, entries]) => (
            <Fact key={name} name={name}>
              {format.plural(entries, 'entry', 'entries')}
            </Fact>
          ))}
      </dl>
      <p class="muted">{UNDO.effect}</p>
      {plan.unable.length === 0 ? null : (
        <section>
          <h3>{format.plural(plan.unable.length, 'entry', 'entries')} cannot be undone</h3>
          <PathList paths={plan.unable.map(({ path, message }) => `${toDisplay(path)}: ${message}`)} />
        </section>
      )}
    </>
  );
}

function Conflicts({ plan, choice }: { plan: UndoPreview; choice: Signal<UndoConflictChoice | 'refuse'> }) {
  return (
    <section class="conflicts">
      <h3>{format.plural(plan.conflicts.length, 'entry', 'entries')} not as the commit left it</h3>
      <p class="muted">{UNDO.choices}</p>
      <Segmented
        label="What to do with them"
        value={choice.value}
        options={OPTIONS}
        onChange={(value) => set(choice, value)}
      />
      <PathList
        paths={plan.conflicts
          .slice(0, SHOWN)
          .map(({ path, reason }) => `${visibleText(toDisplay(path))}: ${UNDO_REASONS[reason]}`)}
      />
    </section>
  );
}
