/** Processes that keep a session live. */
import type { LiveProcess } from '../../shared/model/commit.ts';
import * as format from '../ui/format.ts';
import { scrolls } from '../ui/scroll-area.ts';
import { visibleText } from '../ui/visible.ts';

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
