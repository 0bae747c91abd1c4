/** Asks whether the processes that are in the way may be ended. */

import type { Signal } from '@preact/signals';
import type { LiveProcess } from '../../shared/model/commit.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Check } from '../ui/Button.tsx';
import { Banner } from '../ui/Notice.tsx';
import { scrolls } from '../ui/Panel.tsx';

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
      <Check checked={ends}>
        <span>End {processes.length === 1 ? 'this process' : `these ${processes.length} processes`}</span>
      </Check>
    </Banner>
  );
}

export function ProcessList({ processes }: { processes: readonly LiveProcess[] }) {
  if (processes.length === 0) return null;
  return (
    <ul class="processes plain" {...scrolls} aria-label="Processes">
      {processes.map((process) => (
        <li key={process.pid}>
          <span class="mono num">{process.pid}</span>
          <code>{visibleText(process.command)}</code>
          <span class="muted">{format.duration(process.seconds * 1000)}</span>
        </li>
      ))}
    </ul>
  );
}
