/** A row of the timeline that is no call: a prompt, a file tool, a commit and their like. */
import type { TimelineMark } from '../../shared/log/mark.ts';
import { Badge } from '../ui/Badge.tsx';
import * as format from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { visibleText } from '../ui/visible.ts';
import { wordsOf } from './mark-words.ts';

interface Props {
  mark: TimelineMark;
  top: number;
  index: number;
  selected: boolean;
  size: number;
}

export function MarkRow({ mark, top, index, selected, size }: Props) {
  const words = wordsOf(mark);
  return (
    <div
      role="option"
      id={`call-${index}`}
      data-index={index}
      tabIndex={-1}
      class={`call-row mark-row mark-${mark.kind} ${selected ? 'row-selected' : ''}`}
      style={{ top: `${top}px` }}
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={size}
    >
      <time class="call-time mono" dateTime={mark.at} title={mark.at}>
        {format.clock(mark.at)}
      </time>
      <div class="call-main">
        <span class={`mark-title ${mark.kind === 'file' ? 'mono' : ''}`}>
          {visibleText(words.title.slice(0, 400)).replace(/\s+/g, ' ')}
        </span>
        <div class="call-sub">
          <Badge tone={words.tone}>
            <Icon name={words.icon} /> {visibleText(words.badge)}
          </Badge>
          {words.sub === '' ? null : <span class="muted">{visibleText(words.sub)}</span>}
        </div>
      </div>
    </div>
  );
}
