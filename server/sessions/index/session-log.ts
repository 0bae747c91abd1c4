import { knownCalls } from '../../../core/attribution/processes.ts';
import { LogTail } from '../../../core/session/log/read.ts';
import type { CallList } from '../../../shared/api/types.ts';
import { type CallChange, RunningCalls, SpanFolder } from '../../../shared/log/call-times.ts';
import { CallFolder } from '../../../shared/log/calls.ts';
import type { LogEvent } from '../../../shared/log/events.ts';
import type { RawLine } from '../../../shared/log/lines.ts';
import { MarkFolder, newsAfter } from '../../../shared/log/marks.ts';
import type { KnownCall } from '../../../shared/model/process.ts';
import { LeftProcesses } from './left-processes.ts';

/** An event that was just read, and what it says of a call's running. */
export interface LogNews {
  event: LogEvent;
  change: CallChange | null;
}

/** Everything that is computed from a log; a log that was replaced is folded anew. */
export class LogFold {
  readonly calls = new CallFolder();
  readonly marks = new MarkFolder();
  readonly spans = new SpanFolder();
  readonly running = new RunningCalls();
  readonly left = new LeftProcesses();
  /** The calls that entered the sandbox, oldest first. */
  readonly entered: KnownCall[] = [];
  readonly notices: { at: string; code: string; text: string }[] = [];
  readonly raw: RawLine[] = [];
  readonly clients = new Set<string>();
  /** Since when the last client is gone (ISO time); null while one is there, or before the first. */
  ended: string | null = null;
  lastCallAt: string | null = null;

  take(event: LogEvent, position: number): CallChange | null {
    this.calls.push(event, position);
    this.marks.push(event, position);
    this.spans.take(event);
    this.left.take(event);
    if (event.t === 'call.started') {
      this.lastCallAt = event.at;
      this.entered.push(...knownCalls([event]));
    } else if (event.t === 'notice') {
      this.notices.push({ at: event.at, code: event.code, text: event.text });
    } else if (event.t === 'session.end') {
      this.clients.delete(event.claude);
      // After `clear` the same client goes on under a new id, which it names in a moment.
      if (event.reason !== 'clear' && this.clients.size === 0) this.ended = event.at;
    } else if (event.t === 'call.requested' || (event.t === 'session' && event.source !== 'exec')) {
      // A call of a client that had said that it leaves: it is there all the same.
      if (event.claude !== '') {
        this.clients.add(event.claude);
        this.ended = null;
      }
    }
    return this.running.take(event);
  }
}

/** A session's log as it grows: read once, folded once. */
export class SessionLog {
  readonly #tail: LogTail;
  fold = new LogFold();
  /** How often the log was replaced. */
  #logs = 0;
  /** Where the present log began: a log that was put in the place of another one goes on behind that. */
  #start = 0;
  #size = 0;

  constructor(dir: string) {
    this.#tail = new LogTail(dir);
  }

  /** Reads what is new. */
  async read(): Promise<LogNews[]> {
    return this.take(await this.#tail.read());
  }

  /** The next events; the log has `size` bytes with them. */
  take(news: {
    events: readonly LogEvent[];
    raw: readonly RawLine[];
    size: number;
    reset: boolean;
  }): LogNews[] {
    if (news.reset) {
      this.fold = new LogFold();
      this.#start = this.#size;
      this.#logs++;
    }
    this.#size = this.#start + news.size;
    // Not by push(...): a log may have more lines than a call takes arguments.
    for (const line of news.raw) this.fold.raw.push(line);
    return news.events.map((event) => ({ event, change: this.fold.take(event, this.#size) }));
  }

  /** Bytes of the log, with those of the logs that it replaced: it never falls. */
  get size(): number {
    return this.#size;
  }

  /** Another text when calls have begun or ended. */
  get spansVersion(): string {
    return `${this.#logs} ${this.fold.spans.version}`;
  }

  /** What is new since the log had `after` bytes; 0, or a position in no log that is known, = all of it. */
  timeline(after: number, unfinished: RawLine | null = this.#tail.pending()): CallList {
    const { calls, marks, raw } = this.fold;
    const known = after > this.#start && after <= this.#size;
    return {
      ...newsAfter(calls, marks, known ? after : 0),
      raw: unfinished === null ? raw : [...raw, unfinished],
      size: this.#size,
    };
  }
}
