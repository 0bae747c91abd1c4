/** Discard: moves pending changes to the trash, from where an undo restores them. */

import { type Signal, useSignal } from '@preact/signals';
import type { CommitPreview } from '../../shared/api/types.ts';
import { toDisplay } from '../../shared/bytes.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { DISCARD, entries, OBSTACLES, scopeText } from '../messages/actions.ts';
import { EndProcesses } from '../processes/Processes.tsx';
import { useApp } from '../state/app.ts';
import { useResource, useWork } from '../state/resource.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { totalOf } from '../text/kinds.ts';
import { Counts } from '../ui/Badge.tsx';
import { FactList } from '../ui/Panel.tsx';
import { ActionDialog } from './ActionDialog.tsx';
import { ChangedPaths, PreviewNotes } from './plan.tsx';

function droppedBy({ counts, ignored }: CommitPreview): number {
  return totalOf(counts) + ignored.count;
}

export function DiscardDialog({ scope, onClose }: { scope: Scope; onClose: () => void }) {
  const { backend } = useApp();
  const { id } = useSession();
  const preview = useResource(
    // Ignored entries are dropped too: they could not stay in a directory that goes.
    () => backend.preview(id, { scope, action: 'discard', includeIgnored: true }),
    [backend, id, scope],
  );
  const ends = useSignal(false);
  const isAll = scope.kind === 'all';
  return (
    <ActionDialog
      onClose={onClose}
      revision={preview.data.value?.revision}
      action={{
        title: isAll ? 'Discard what is pending' : `Discard ${scopeText(scope)}`,
        loading: 'Loading the changes…',
        doing: 'Discarding',
        preview,
        work: useWork(),
        obstacle: (plan) => (droppedBy(plan) === 0 ? OBSTACLES.nothingToDiscard : null),
        guard: (plan) => {
          const count = droppedBy(plan);
          const what = `This drops everything that is pending: ${entries(count)}.`;
          return isAll && count > 0 ? { count, what } : null;
        },
        stoppable: !isAll,
        button: { text: ends.value ? 'End them and discard' : 'Discard', kind: 'danger' },
        body: (plan) => <Plan plan={plan} ends={ends} />,
        request: async ({ revision }) => {
          const request = { scope, revision, endProcesses: ends.value };
          const { entries: count, left = [] } = await backend.discard(id, request);
          const others = left.map(({ path, why }) => `${toDisplay(path)}: ${why}`);
          return {
            text: `${DISCARD.done(count)}${left.length > 0 ? ` ${DISCARD.left(left.length)}` : ''}`,
            others,
          };
        },
      }}
    />
  );
}

function Plan({ plan, ends }: { plan: CommitPreview; ends: Signal<boolean> }) {
  const { count, bytes } = plan.ignored;
  return (
    <>
      <FactList
        facts={[
          ['Drops', <Counts counts={plan.counts} words />],
          ['Where', <ChangedPaths places={plan.places} />],
          ['Size', plan.bytes > 0 ? format.bytes(plan.bytes) : null],
          ['And ignored', count > 0 ? `${entries(count)}, ${format.bytes(bytes)}` : null],
        ]}
      />
      <PreviewNotes preview={plan} />
      <p class="muted">{DISCARD.effect}</p>
      {plan.processes.length > 0 ? (
        <EndProcesses why={DISCARD.whyEnd} processes={plan.processes} ends={ends} />
      ) : null}
    </>
  );
}
