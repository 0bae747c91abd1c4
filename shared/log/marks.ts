/** The events that belong to no call, as marks of the timeline. */
import { isShell } from './calls.ts';
import type { EventOf, EventType, LogEvent } from './events.ts';

type Fields<T extends EventType, F extends keyof EventOf<T>> = Pick<EventOf<T>, F>;

type MarkContent =
  | ({ kind: 'prompt' } & Fields<'prompt', 'text' | 'cut'>)
  | ({ kind: 'file' } & Fields<'file', 'tool' | 'path' | 'outcome' | 'agent' | 'text'>)
  /** A call of a tool other than a shell that a rule, or trai, decided. */
  | ({ kind: 'tool' } & Fields<
      'permission',
      'tool' | 'subject' | 'agent' | 'decision' | 'by' | 'rule' | 'why'
    >)
  | ({ kind: 'commit' } & Fields<
      'commit',
      'n' | 'state' | 'entries' | 'bytes' | 'conflicts' | 'text' | 'auto'
    >)
  | ({ kind: 'discard' } & Fields<'discard', 'trash' | 'entries'>)
  /** `of`: number of the undone commit or undo; 0 for a discard. */
  | ({ kind: 'undo'; what: 'discard' | 'commit' | 'undo' } & Fields<
      'commit.undone',
      'of' | 'state' | 'entries' | 'text'
    >)
  | ({ kind: 'adopt' } & Fields<'adopt', 'from' | 'to' | 'entries'>)
  /** A client joined, or left (`end`) for the reason in `text`. */
  | { kind: 'session'; what: EventOf<'session'>['source'] | 'end'; text: string };

/** `id` is the same however often the log is read; `at` is the time of its first event. */
export type TimelineMark = { id: string; at: string } & MarkContent;
export type MarkKind = TimelineMark['kind'];
export type MarkOf<K extends MarkKind> = Extract<TimelineMark, { kind: K }>;

/** Events of one thing share an id; null = a single event. */
export function ownMark(event: LogEvent): string | null {
  if (event.t === 'file' && event.request !== '') return `file-${event.request}`;
  if (event.t === 'permission' && event.request !== '') return `tool-${event.request}`;
  return (event.t === 'commit' || event.t === 'commit.undone') && event.n > 0 ? `commit-${event.n}` : null;
}

export function markContent(event: LogEvent): MarkContent | null {
  switch (event.t) {
    case 'prompt':
      return { kind: 'prompt', text: event.text, cut: event.cut };
    case 'file': {
      const { tool, path, outcome, agent, text } = event;
      return { kind: 'file', tool, path, outcome, agent, text };
    }
    case 'permission': {
      const { tool, subject, agent, decision, by, rule, why } = event;
      // Of a shell it stands with the call; built-in rules are about what needs no look.
      if (isShell(tool) || decision === 'pass' || by === 'built-in') return null;
      return { kind: 'tool', tool, subject, agent, decision, by, rule, why };
    }
    case 'commit': {
      const { n, state, entries, bytes, conflicts, text, auto } = event;
      return { kind: 'commit', n, state, entries, bytes, conflicts, text, auto };
    }
    case 'discard':
      return { kind: 'discard', trash: event.trash, entries: event.entries };
    case 'undo':
      return { kind: 'undo', what: 'discard', of: 0, state: 'applied', entries: event.entries, text: '' };
    case 'commit.undone': {
      const { of, redo, state, entries, text } = event;
      return { kind: 'undo', what: redo ? 'undo' : 'commit', of, state, entries, text };
    }
    case 'adopt':
      return { kind: 'adopt', from: event.from, to: event.to, entries: event.entries };
    case 'session':
      return { kind: 'session', what: event.source, text: '' };
    case 'session.end':
      return { kind: 'session', what: 'end', text: event.reason };
    default:
      return null;
  }
}
