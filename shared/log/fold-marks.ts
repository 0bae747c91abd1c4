/** Joins the events of a log that belong to no call into marks of the timeline, one event at a time. */
import type { TimelineMark } from './mark.ts';
import type { LogEvent } from './types.ts';

/** All marks of a log, in the order in which they first appear. */
export function foldMarks(events: Iterable<LogEvent>): TimelineMark[] {
  const folder = new MarkFolder();
  for (const event of events) folder.push(event);
  return folder.marksAfter(0);
}

interface Entry {
  mark: TimelineMark;
  touched: number;
}

export class MarkFolder {
  readonly #entries = new Map<string, Entry>();

  /** Takes the next event; `position` is what `marksAfter` counts from, and never falls. */
  push(event: LogEvent, position = 1): void {
    const mark = markOf(event, this.#entries.size);
    if (mark === null) return;
    const known = this.#entries.get(mark.id)?.mark;
    this.#entries.set(mark.id, {
      mark: known === undefined ? mark : { ...mark, at: known.at },
      touched: position,
    });
  }

  /** Those with news since that position, in order; 0 = all. */
  marksAfter(position: number): TimelineMark[] {
    const found: TimelineMark[] = [];
    for (const { mark, touched } of this.#entries.values()) if (touched > position) found.push(mark);
    return found;
  }
}

/** `count` makes ids of what has none of its own. Two events of one thing have the same id. */
function markOf(event: LogEvent, count: number): TimelineMark | null {
  const { at } = event;
  switch (event.t) {
    case 'prompt':
      return { id: `prompt-${count}`, at, kind: 'prompt', text: event.text, cut: event.cut };
    case 'file': {
      const { tool, path, outcome, agent, text } = event;
      const id = event.request === '' ? `file-${count}` : `file-${event.request}`;
      return { id, at, kind: 'file', tool, path, outcome, agent, text };
    }
    case 'commit': {
      const { n, state, entries, bytes, conflicts, text } = event;
      const id = n === 0 ? `refused-${count}` : `commit-${n}`;
      return { id, at, kind: 'commit', n, state, entries, bytes, conflicts, text };
    }
    case 'discard':
      return {
        id: `discard-${count}`,
        at,
        kind: 'discard',
        trash: event.trash,
        entries: event.entries,
      };
    case 'undo':
      return {
        ...{ id: `undo-${count}`, at, kind: 'undo', what: 'discard', of: 0, state: 'applied' },
        ...{ entries: event.entries, text: '' },
      };
    case 'commit.undone': {
      const { n, of, redo, state, entries, text } = event;
      const id = n === 0 ? `undo-${count}` : `commit-${n}`;
      return { id, at, kind: 'undo', what: redo ? 'undo' : 'commit', of, state, entries, text };
    }
    case 'adopt':
      return {
        id: `adopt-${count}`,
        at,
        kind: 'adopt',
        from: event.from,
        to: event.to,
        entries: event.entries,
      };
    case 'session':
      return { id: `session-${count}`, at, kind: 'session', what: event.source, text: '' };
    case 'session.end':
      return { id: `session-${count}`, at, kind: 'session', what: 'end', text: event.reason };
    default:
      return null;
  }
}
