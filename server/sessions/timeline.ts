import type { CallList } from '../../shared/api/types.ts';
import type { CallView } from '../../shared/log/call-view.ts';
import { CallFolder } from '../../shared/log/fold.ts';
import { MarkFolder } from '../../shared/log/fold-marks.ts';
import type { TimelineMark } from '../../shared/log/mark.ts';
import { newsAfter } from '../../shared/log/news.ts';
import type { LogEvent, RawLine } from '../../shared/log/types.ts';

/** What a log says, as the timeline shows it. */
export class Timeline {
  #calls = new CallFolder();
  #marks = new MarkFolder();
  #raw: RawLine[] = [];
  #size = 0;

  /** Bytes of the log so far. */
  get size(): number {
    return this.#size;
  }

  /** The next events; the log has `size` bytes with them. A log that is read anew from its beginning starts over. */
  take(news: { events: readonly LogEvent[]; raw: readonly RawLine[]; size: number; reset: boolean }): void {
    if (news.reset) {
      this.#calls = new CallFolder();
      this.#marks = new MarkFolder();
      this.#raw = [];
    }
    this.#size = news.size;
    this.#raw.push(...news.raw);
    for (const event of news.events) {
      this.#calls.push(event, news.size);
      this.#marks.push(event, news.size);
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

  /** What is new since the log had `after` bytes; 0, or more than it has, = all of it. `pending`: the unfinished line. */
  news(after: number, pending: RawLine | null): CallList {
    return {
      ...newsAfter(this.#calls, this.#marks, after <= this.#size ? after : 0),
      raw: pending === null ? this.#raw : [...this.#raw, pending],
      size: this.#size,
    };
  }
}
