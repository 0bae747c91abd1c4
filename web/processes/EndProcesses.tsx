/** Asks whether the processes that are in the way may be ended. */
import type { Signal } from '@preact/signals';
import type { LiveProcess } from '../../shared/model/commit.ts';
import { Banner } from '../ui/Notice.tsx';
import { ProcessList } from './ProcessList.tsx';

interface Props {
  /** Why nothing may run. */
  why: string;
  processes: readonly LiveProcess[];
  ends: Signal<boolean>;
}

export function EndProcesses({ why, processes, ends }: Props) {
  return (
    <Banner tone="warning" icon="terminal">
      <p>{why}</p>
      <ProcessList processes={processes} />
      <label class="check">
        <input
          type="checkbox"
          checked={ends.value}
          onChange={(event) => {
            ends.value = event.currentTarget.checked;
          }}
        />
        <span>End {processes.length === 1 ? 'this process' : `these ${processes.length} processes`}</span>
      </label>
    </Banner>
  );
}
