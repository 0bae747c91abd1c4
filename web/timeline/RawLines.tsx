/** Lines of the log that could not be read as events: shown as they are, never dropped. */
import type { CallList } from '../../shared/api/types.ts';
import type { RawLine } from '../../shared/log/types.ts';
import * as format from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { scrolls } from '../ui/scroll-area.ts';
import { visibleText } from '../ui/visible.ts';

const PROBLEMS: Record<RawLine['problem'], string> = {
  torn: 'torn',
  'not-json': 'not JSON',
  'unknown-type': 'unknown type',
  'unknown-version': 'unknown version',
  'bad-shape': 'unexpected shape',
  'too-long': 'too long',
};

const SHOWN_RAW = 100;

export function RawLines({ list }: { list: CallList }) {
  if (list.raw.length === 0) return null;
  return (
    <details class="raw">
      <summary>
        <Icon name="warning" /> {format.plural(list.raw.length, 'line')} of the log could not be read
      </summary>
      <ul class="plain" {...scrolls} aria-label="Lines that could not be read">
        {list.raw.slice(0, SHOWN_RAW).map((line) => (
          <li key={line.offset}>
            <span class="muted">
              byte {format.count(line.offset)}, {PROBLEMS[line.problem]}
            </span>
            <pre>{visibleText(line.raw.slice(0, 2_000))}</pre>
          </li>
        ))}
        {list.raw.length > SHOWN_RAW ? <li class="muted">and {list.raw.length - SHOWN_RAW} more</li> : null}
      </ul>
    </details>
  );
}
