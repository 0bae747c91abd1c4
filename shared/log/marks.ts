/** What stands on the timeline beside the calls: the events of a log that belong to no call, joined one at a time. */
import { type CallFolder, type CallView, callKey } from './calls.ts';
import type { EventOf, EventType, LogEvent } from './events.ts';

type Fields<T extends EventType, F extends keyof EventOf<T>> = Pick<EventOf<T>, F>;

type MarkContent =
  | ({ kind: 'prompt' } & Fields<'prompt', 'text' | 'cut'>)
  | ({ kind: 'file' } & Fields<'file', 'tool' | 'path' | 'outcome' | 'agent' | 'text'>)
  /** `n` is 0 when it was refused before it had a number. */
  | ({ kind: 'commit' } & Fields<'commit', 'n' | 'state' | 'entries' | 'bytes' | 'conflicts' | 'text'>)
  | ({ kind: 'discard' } & Fields<'discard', 'trash' | 'entries'>)
  /** `of`: number of the commit or undo that was undone; 0 of a discard. */
  | ({ kind: 'undo'; what: 'discard' | 'commit' | 'undo' } & Fields<
      'commit.undone',
      'of' | 'state' | 'entries' | 'text'
    >)
  | ({ kind: 'adopt' } & Fields<'adopt', 'from' | 'to' | 'entries'>)
  /** A client joined, or left (`end`) for the reason in `text`. */
  | { kind: 'session'; what: EventOf<'session'>['source'] | 'end'; text: string };

/** `id` is its own in the log, and the same however often the log is read; `at` is the time of its first event. */
export type TimelineMark = { id: string; at: string } & MarkContent;
export type MarkKind = TimelineMark['kind'];
export type MarkOf<K extends MarkKind> = Extract<TimelineMark, { kind: K }>;

export class MarkFolder {
  readonly #entries = new Map<string, { mark: TimelineMark; touched: number }>();

  /** Takes the next event; `position` is what `marksAfter` counts from, and never falls. */
  push(event: LogEvent, position = 1): void {
    const content = contentOf(event);
    if (content === null) return;
    const prefix = event.t === 'commit' ? 'refused' : content.kind;
    const id = ownId(event) ?? `${prefix}-${this.#entries.size}`;
    const at = this.#entries.get(id)?.mark.at ?? event.at;
    this.#entries.set(id, { mark: { id, at, ...content }, touched: position });
  }

  /** Those with news since that position, in order; 0 = all. */
  marksAfter(position: number): TimelineMark[] {
    const found: TimelineMark[] = [];
    for (const { mark, touched } of this.#entries.values()) if (touched > position) found.push(mark);
    return found;
  }
}

/** Two events of one thing have the same id; null = it is the only one of its thing. */
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

/** What a tab that knows a log up to some position has to be told. */
export interface TimelineNews {
  /** Everything there is; else what is new since the position that was asked for. */
  whole: boolean;
  /** In the order in which they first appear in the log. Without `head` and `tail`: 10,000 outputs are 160 MB. */
  calls: CallView[];
  /** Keys (`callKey`) of calls that have another one now. */
  gone: string[];
  /** In the order of the log. */
  marks: TimelineMark[];
}

/** `after` 0 = everything. */
export function newsAfter(folder: CallFolder, marks: MarkFolder, after: number): TimelineNews {
  const { calls, gone } = folder.after(after);
  // A call that neither hook nor launcher could name can't be told apart from another one.
  if (after > 0 && calls.some((call) => callKey(call) === '')) return newsAfter(folder, marks, 0);
  return {
    whole: after === 0,
    calls: calls.map((call) => ({ ...call, head: '', tail: '' })),
    gone: after === 0 ? [] : gone,
    marks: marks.marksAfter(after),
  };
}
