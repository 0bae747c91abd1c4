/** The conflicts of a commit: each with its reason, and a choice for one or for all. */

import type { CommitPreview } from '../../shared/api/types.ts';
import type { ConflictChoice } from '../../shared/model/commit.ts';
import type { MergePreview } from '../../shared/text/merge-text.ts';
import { DiffText } from '../diff/rows/DiffText.tsx';
import { overlapText, reasonText } from '../messages/conflicts.ts';
import type { CommitFlow } from '../state/commit-flow.ts';
import { set } from '../state/resource.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { scrolls } from '../ui/Panel.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { ConflictPanes } from './ConflictPanes.tsx';

const SHOWN = 200;

const OPTIONS: { value: ConflictChoice | 'open'; text: string }[] = [
  { value: 'keep-host', text: 'Keep host' },
  { value: 'take-sandbox', text: 'Take sandbox' },
];

function mergeOption(choice: ConflictChoice | undefined): (typeof OPTIONS)[number] {
  if (choice === 'merge-markers') return { value: choice, text: 'Merge, with markers' };
  return { value: 'merge', text: 'Merge' };
}

/** The merge as it would land on the host, shown before it can be chosen. */
function MergeResult({ merge, path, flow }: { merge: MergePreview; path: string; flow: CommitFlow }) {
  const { diff, conflicts, refused } = merge;
  return (
    <div class="merge-result">
      {refused === null ? null : <p>{refused}</p>}
      {conflicts > 0 ? <p>{overlapText(conflicts)}</p> : null}
      {diff === null ? null : (
        <DiffText
          diff={diff}
          label={`What the merge changes in ${path} on the host`}
          line={null}
          keys
          loadWhole={() => Promise.resolve(diff)}
        />
      )}
      {diff === null ? null : (
        <Button onClick={() => flow.chooseMerge(merge)}>
          {conflicts > 0 ? 'Insert conflict markers' : 'Use this merge'}
        </Button>
      )}
      <Button onClick={() => set(flow.merging, null)}>Close</Button>
    </div>
  );
}

/** Relative to the project, which the heading names. */
function nameBelow(path: string, { places: { root } }: CommitPreview): string {
  return visibleText(path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
}

export function ConflictChoices({ preview, flow }: { preview: CommitPreview; flow: CommitFlow }) {
  const { conflicts } = preview;
  const choices = flow.choices.value;
  const merging = flow.merging.value;
  const comparing = flow.comparing.value;
  return (
    <div class="stack">
      <div class="conflicts-head flex">
        <h3 class="grow">{format.plural(conflicts.length, 'conflict')}</h3>
        <span class="muted">For all:</span>
        <Button onClick={() => flow.chooseAll('keep-host')}>Keep host</Button>
        <Button onClick={() => flow.chooseAll('take-sandbox')}>Take sandbox</Button>
      </div>
      <dl class="conflict-words muted">
        <dt>Keep host</dt>
        <dd>Your file stays as it is. The sandbox’s version stays pending.</dd>
        <dt>Take sandbox</dt>
        <dd>The sandbox’s version replaces your file.</dd>
        {conflicts.some(({ merge }) => merge === true) ? (
          <>
            <dt>Merge</dt>
            <dd>Both changes are put together. You see the result first.</dd>
          </>
        ) : null}
      </dl>
      <ul class="conflict-list framed plain" {...scrolls} aria-label="Conflicts">
        {conflicts.slice(0, SHOWN).map((conflict) => (
          <li key={conflict.id} class="flex wrap">
            <div class="conflict-what">
              <span class="mono path" title={visibleText(conflict.path)}>
                {nameBelow(conflict.path, preview)}
              </span>
              <span class="muted">{reasonText(conflict.reason)}</span>
            </div>
            <Button
              small
              aria-expanded={comparing?.id === conflict.id}
              aria-label={`Compare ${visibleText(conflict.path)}`}
              onClick={() => void flow.compare(conflict.id)}
            >
              Compare
            </Button>
            <Segmented
              label={`What to do with ${visibleText(conflict.path)}`}
              value={choices[conflict.id] ?? 'open'}
              options={conflict.merge === true ? [...OPTIONS, mergeOption(choices[conflict.id])] : OPTIONS}
              onChange={(value) => {
                if (value === 'merge' || value === 'merge-markers') void flow.previewMerge(conflict.id);
                else if (value !== 'open') flow.choices.value = { ...choices, [conflict.id]: value };
              }}
            />
            {comparing?.id === conflict.id ? (
              <ConflictPanes view={comparing} path={visibleText(conflict.path)} />
            ) : null}
            {merging?.id === conflict.id ? (
              <MergeResult merge={merging} path={visibleText(conflict.path)} flow={flow} />
            ) : null}
          </li>
        ))}
      </ul>
      {conflicts.length > SHOWN ? (
        <p class="muted">
          and {format.count(conflicts.length - SHOWN)} more: choose for all, or see them in the tree.
        </p>
      ) : null}
    </div>
  );
}
