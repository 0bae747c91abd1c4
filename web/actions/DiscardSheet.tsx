/** Discard: drops what is pending into the trash, from where it can be taken back. */

import { type Signal, useSignal } from '@preact/signals';
import type { CommitPreview } from '../../shared/api/types.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { DISCARD, OBSTACLES, scopeText } from '../messages/actions.ts';
import { EndProcesses } from '../processes/Processes.tsx';
import { useApp } from '../state/app.ts';
import { parseTyped } from '../state/commit-flow.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { totalOf } from '../text/kinds.ts';
import { Counts } from '../ui/Badge.tsx';
import { Fact } from '../ui/Panel.tsx';
import { TypedCount } from '../ui/Sheet.tsx';
import { ChangedPaths } from './ChangedPaths.tsx';
import { JobSheet } from './JobSheet.tsx';
import { PreviewNotes } from './PreviewNotes.tsx';

interface Props {
  state: SessionState;
  scope: Scope;
  onClose: () => void;
}

/** Entries that it drops. */
function droppedBy({ counts, ignored }: CommitPreview): number {
  return totalOf(counts) + ignored.count;
}

interface Open {
  plan: CommitPreview | null;
  moved: boolean;
  ends: boolean;
  typed: string;
}

/** The first thing that stands in the way; empty where it is plain to see, null = nothing. */
function findObstacle({ plan, moved, ends, typed }: Open): string | null {
  if (plan === null) return '';
  if (moved) return OBSTACLES.stale;
  if (droppedBy(plan) === 0) return OBSTACLES.nothingToDiscard;
  if (plan.live && !ends) return OBSTACLES.processes;
  const isAll = plan.scope.kind === 'all';
  return isAll && parseTyped(typed) !== droppedBy(plan) ? OBSTACLES.typed : null;
}

export function DiscardSheet({ state, scope, onClose }: Props) {
  const { backend, announcement } = useApp();
  const preview = useResource(
    // What is ignored is dropped too: nothing of a directory that is gone could stay.
    () => backend.preview(state.id, { scope, action: 'discard', includeIgnored: true }),
    [backend, state.id, scope],
  );
  const endProcesses = useSignal(false);
  const typed = useSignal('');
  const { running, error, run } = useWork();

  const plan = preview.data.value;
  const moved = plan !== null && plan.revision !== state.changes.data.value?.revision;
  const obstacle = findObstacle({ plan, moved, ends: endProcesses.value, typed: typed.value });

  const discard = async (): Promise<void> => {
    if (plan === null || obstacle !== null) return;
    await run(
      async () => {
        state.progress.value = null;
        const { scope: parts, revision } = plan;
        const request = { scope: parts, revision, endProcesses: endProcesses.value };
        const report = await backend.discard(state.id, request);
        announcement.value = DISCARD.done(report.entries);
        await state.reload();
        onClose();
      },
      { failed: () => void preview.load(), ended: () => set(state.progress, null) },
    );
  };

  return (
    <JobSheet
      {...{ state, preview, running, error, obstacle, moved, onClose }}
      title={scope.kind === 'all' ? 'Discard what is pending' : `Discard ${scopeText(scope)}`}
      looking="Loading the changes…"
      doing="Discarding"
      stoppable={scope.kind !== 'all'}
      button={{ text: plan?.live ? 'End them and discard' : 'Discard', tone: 'danger' }}
      onConfirm={() => void discard()}
    >
      {(known) => <Plan plan={known} ends={endProcesses} typed={typed} />}
    </JobSheet>
  );
}

function Plan({ plan, ends, typed }: { plan: CommitPreview; ends: Signal<boolean>; typed: Signal<string> }) {
  const count = droppedBy(plan);
  return (
    <>
      <dl class="fact-list">
        <Fact name="Drops">
          <Counts counts={plan.counts} words />
        </Fact>
        <Fact name="Where">
          <ChangedPaths places={plan.places} />
        </Fact>
        {plan.bytes > 0 ? <Fact name="Size">{format.bytes(plan.bytes)}</Fact> : null}
        {plan.ignored.count > 0 ? (
          <Fact name="And ignored">
            {format.plural(plan.ignored.count, 'entry', 'entries')}, {format.bytes(plan.ignored.bytes)}
          </Fact>
        ) : null}
      </dl>
      <PreviewNotes preview={plan} />
      <p class="muted">{DISCARD.effect}</p>
      {plan.live ? <EndProcesses why={DISCARD.whyEnd} processes={plan.processes} ends={ends} /> : null}
      {plan.scope.kind === 'all' && count > 0 ? (
        <TypedCount
          count={count}
          typed={typed}
          what={`This drops everything that is pending: ${format.plural(count, 'entry', 'entries')}.`}
        />
      ) : null}
    </>
  );
}
