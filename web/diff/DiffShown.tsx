/** The differences of an entry as far as they are there: what went wrong, what stands in their place, or they themselves. */
import type { VNode } from 'preact';
import type { Change } from '../../shared/model/change.ts';
import { ErrorPanel } from '../ui/Notice.tsx';
import { DiffBody } from './DiffBody.tsx';
import type { Diff } from './use-diff.ts';

interface Props {
  diff: Diff;
  change: Change;
  session: string;
  /** Line of the pending file that is to be in sight. */
  line: number | null;
  /** False where several stand below one another: then the keys are not this one's. */
  keys: boolean;
  /** Until the first answer. */
  waiting: VNode;
}

export function DiffShown({ diff: { resource, loadLarge, loadWhole }, waiting, ...body }: Props) {
  const model = resource.data.value;
  const error = resource.error.value;
  return (
    <>
      {error === null ? null : <ErrorPanel error={error} retry={() => void resource.load()} />}
      {model === null && error === null ? waiting : null}
      {model === null ? null : (
        <DiffBody {...{ model, loadWhole, ...body }} loading={resource.loading.value} onLoad={loadLarge} />
      )}
    </>
  );
}
