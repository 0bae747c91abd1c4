/** The fold of the log's events that belong to no call into marks of the timeline. */
import { type CallFolder, type CallView, callKey } from './calls.ts';
import type { EventOf, EventType, LogEvent } from './events.ts';

type Fields<T extends EventType, F extends keyof EventOf<T>> = Pick<EventOf<T>, F>;

type MarkContent =
  | ({ kind: 'prompt' } & Fields<'prompt', 'text' | 'cut'>)
  | ({ kind: 'file' } & Fields<'file', 'tool' | 'path' | 'outcome' | 'agent' | 'text'>)
  | ({ kind: 'commit' } & Fields<'commit', 'n' | 'state' | 'entries' | 'bytes' | 'conflicts' | 'text'>)
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

export class MarkFolder {
  readonly #entries = new Map<string, { mark: TimelineMark; touched: number }>();

  /** `position` is what `marksAfter` counts from, and never falls. */
  push(event: LogEvent, position = 1): void {
    const content = contentOf(event);
    if (content === null) return;
    const prefix = event.t === 'commit' ? 'refused' : content.kind;
    const id = ownId(event) ?? `${prefix}-${this.#entries.size}`;
    const at = this.#entries.get(id)?.mark.at ?? event.at;
    this.#entries.set(id, { mark: { id, at, ...content }, touched: position });
  }

  /** Changed since that position; 0 = all. */
  marksAfter(position: number): TimelineMark[] {
    const found: TimelineMark[] = [];
    for (const { mark, touched } of this.#entries.values()) if (touched > position) found.push(mark);
    return found;
  }
}

/** Events of one thing share an id; null = a single event. */
function ownId(event: LogEvent): string | null {
  if (event.t === 'file' && event.request !== '') return `file-${event.request}`;
  return (event.t === 'commit' || event.t === 'commit.undone') && event.n > 0 ? `commit-${event.n}` : null;
}

function contentOf(event: LogEvent): MarkContent | null {
  switch (event.t) {
    case 'prompt':
      return { kind: 'prompt', text: event.text, cut: event.cut };
    case 'file': {
      const { tool, path, outcome, agent, text } = event;
      return { kind: 'file', tool, path, outcome, agent, text };
    }
    case 'commit': {
      const { n, state, entries, bytes, conflicts, text } = event;
      return { kind: 'commit', n, state, entries, bytes, conflicts, text };
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

export interface TimelineNews {
  /** All there is, else only the news since the position. */
  whole: boolean;
  /** By first appearance. Without `head` and `tail`: 10,000 outputs are 160 MB. */
  calls: CallView[];
  /** Keys (`callKey`) that are not valid any more. */
  gone: string[];
  marks: TimelineMark[];
}

export function newsAfter(folder: CallFolder, marks: MarkFolder, after: number): TimelineNews {
  const { calls, gone } = folder.after(after);
  // A call that neither hook nor launcher named cannot be told from another one.
  if (after > 0 && calls.some((call) => callKey(call) === '')) return newsAfter(folder, marks, 0);
  return {
    whole: after === 0,
    calls: calls.map((call) => ({ ...call, head: '', tail: '' })),
    gone: after === 0 ? [] : gone,
    marks: marks.marksAfter(after),
  };
}
