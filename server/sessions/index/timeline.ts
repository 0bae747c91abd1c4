import type { CallList } from '../../../shared/api/types.ts';
import { CallFolder, type CallView } from '../../../shared/log/calls.ts';
import type { LogEvent } from '../../../shared/log/events.ts';
import type { RawLine } from '../../../shared/log/lines.ts';
import { MarkFolder, newsAfter, type TimelineMark } from '../../../shared/log/marks.ts';

/** What a log says, as the timeline shows it. */
export class Timeline {
  #calls = new CallFolder();
  #marks = new MarkFolder();
  #raw: RawLine[] = [];
  /** Where the log that is read now began: a log that was put in the place of another one goes on behind that. */
  #start = 0;
  #size = 0;

  /** Bytes of the log so far, with those of the logs that it took the place of: it never falls. */
  get size(): number {
    return this.#size;
  }

  /** The next events; the log has `size` bytes with them. A log that is read anew from its beginning starts over. */
  take(news: { events: readonly LogEvent[]; raw: readonly RawLine[]; size: number; reset: boolean }): void {
    if (news.reset) {
      this.#calls = new CallFolder();
      this.#marks = new MarkFolder();
      this.#raw = [];
      this.#start = this.#size;
    }
    this.#size = this.#start + news.size;
    // Not by push(...): a log may have more lines than a call takes arguments.
    for (const line of news.raw) this.#raw.push(line);
    for (const event of news.events) {
      this.#calls.push(event, this.#size);
      this.#marks.push(event, this.#size);
    }
  }

  /** In the order in which they first appear. */
  calls(): CallView[] {
    return this.#calls.views();
  }

  /** One call with its output; null = there is none of that id. */
  call(id: string): CallView | null {
    return this.#calls.view(id);
  }

  marks(): TimelineMark[] {
    return this.#marks.marksAfter(0);
  }

  /** What is new since `size` was `after`; 0, or a place in no log that is known, = all of it. `pending`: the unfinished line. */
  news(after: number, pending: RawLine | null): CallList {
    const known = after > this.#start && after <= this.#size;
    return {
      ...newsAfter(this.#calls, this.#marks, known ? after : 0),
      raw: pending === null ? this.#raw : [...this.#raw, pending],
      size: this.#size,
    };
  }
}
