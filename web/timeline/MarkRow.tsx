/** A row of the timeline that is no call: a prompt, a file tool, a commit and their like. */
import type { TimelineMark } from '../../shared/log/marks.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';

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

interface MarkWords {
  icon: IconName;
  /** Of the row and of the page. */
  title: string;
  /** Small, under the title. */
  sub: string;
  badge: string;
  tone: BadgeTone;
}

const COMMIT_STATES = {
  'started': 'not finished',
  'applied': '',
  'partial': 'stopped in the middle',
  'finished-later': 'finished later',
  'refused': 'refused',
} as const;

const FILE_OUTCOMES = {
  asked: 'let through',
  written: 'written on the host',
  failed: 'failed',
  refused: 'refused',
} as const;

const CLIENTS = {
  startup: 'Claude Code began',
  resume: 'Claude Code resumed',
  clear: 'The conversation was cleared',
  compact: 'The conversation was compacted',
  fork: 'The conversation was forked',
  exec: 'A terminal began (trai exec)',
  end: 'Claude Code left',
} as const;

const UNDONE = { discard: 'a discard', commit: 'commit', undo: 'undo' } as const;

const entries = (count: number): string => format.plural(count, 'entry', 'entries');

export function wordsOf(mark: TimelineMark): MarkWords {
  switch (mark.kind) {
    case 'prompt':
      return { icon: 'prompt', title: mark.text, sub: '', badge: 'prompt', tone: 'accent' };
    case 'file': {
      const tone = mark.outcome === 'refused' || mark.outcome === 'failed' ? 'warning' : 'modified';
      return { icon: 'edit', title: mark.path, sub: FILE_OUTCOMES[mark.outcome], badge: mark.tool, tone };
    }
    case 'commit': {
      const tone = mark.state === 'applied' || mark.state === 'finished-later' ? 'added' : 'warning';
      const title = mark.n === 0 ? 'A commit was refused' : `Commit ${mark.n}`;
      const sub = [entries(mark.entries), COMMIT_STATES[mark.state]].filter((part) => part !== '').join(', ');
      return { icon: 'check', title, sub, badge: 'commit', tone };
    }
    case 'discard':
      return {
        ...{ icon: 'trash', title: 'Discard', sub: entries(mark.entries), badge: 'discard', tone: 'deleted' },
      };
    case 'undo': {
      const of = mark.of === 0 ? '' : ` ${mark.of}`;
      const title = `${mark.what === 'undo' ? 'Redo' : 'Undo'} of ${UNDONE[mark.what]}${of}`;
      return {
        icon: 'undo',
        title,
        sub: [entries(mark.entries), COMMIT_STATES[mark.state]].filter((part) => part !== '').join(', '),
        badge: mark.what === 'undo' ? 'redo' : 'undo',
        tone: mark.state === 'applied' ? 'meta' : 'warning',
      };
    }
    case 'adopt':
      return {
        icon: 'branch',
        title: `Pending changes moved from ${mark.from} to ${mark.to}`,
        ...{ sub: entries(mark.entries), badge: 'adopt', tone: 'meta' },
      };
    case 'session':
      return { icon: 'pulse', title: CLIENTS[mark.what], sub: mark.text, badge: 'client', tone: 'neutral' };
  }
}
