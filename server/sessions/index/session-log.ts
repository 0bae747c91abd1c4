import { LogTail } from '../../../core/session/log/read.ts';
import type { CallList } from '../../../shared/api/types.ts';
import type { LogEvent } from '../../../shared/log/events.ts';
import { type CallChange, LogFold } from '../../../shared/log/fold.ts';
import type { RawLine } from '../../../shared/log/lines.ts';
import { LeftProcesses } from './left-processes.ts';

export interface LogNews {
  event: LogEvent;
  change: CallChange | null;
}

/** With what the server alone needs; a replaced log is folded anew. */
export class SessionFold extends LogFold {
  readonly left = new LeftProcesses();
  readonly notices: { at: string; code: string; text: string }[] = [];
  readonly raw: RawLine[] = [];
  readonly clients = new Set<string>();
  /** ISO time at which the last client ended; null while there is one, or before the first. */
  ended: string | null = null;
  lastCallAt: string | null = null;

  override push(event: LogEvent, position?: number): CallChange | null {
    this.left.take(event);
    if (event.t === 'call.started') {
      this.lastCallAt = event.at;
    } else if (event.t === 'notice') {
      this.notices.push({ at: event.at, code: event.code, text: event.text });
    } else if (event.t === 'session.end') {
      this.clients.delete(event.claude);
      // After `clear` the same client continues under a new id, which it names in a moment.
      if (event.reason !== 'clear' && this.clients.size === 0) this.ended = event.at;
    } else if (event.t === 'call.requested' || (event.t === 'session' && event.source !== 'exec')) {
      // A client that logged its end and still makes calls has not ended.
      if (event.claude !== '') {
        this.clients.add(event.claude);
        this.ended = null;
      }
    }
    return super.push(event, position);
  }
}

export class SessionLog {
  readonly #tail: LogTail;
  fold = new SessionFold();
  #logs = 0;
  /** Offset of the present log: one that replaced another continues behind it. */
  #start = 0;
  #size = 0;

  constructor(dir: string) {
    this.#tail = new LogTail(dir);
  }

  async read(): Promise<LogNews[]> {
    return this.take(await this.#tail.read());
  }

  take(news: Awaited<ReturnType<LogTail['read']>>): LogNews[] {
    if (news.reset) {
      this.fold = new SessionFold();
      this.#start = this.#size;
      this.#logs++;
    }
    this.#size = this.#start + news.size;
    // Not push(...): a log may have more lines than a call takes arguments.
    for (const line of news.raw) this.fold.raw.push(line);
    return news.events.map((event) => ({ event, change: this.fold.push(event, this.#size) }));
  }

  /** Bytes of the log and of those that it replaced: never falls. */
  get size(): number {
    return this.#size;
  }

  /** Changes when calls begin or end. */
  get spansVersion(): string {
    return `${this.#logs} ${this.fold.spansVersion}`;
  }

  /** News since the log had `after` bytes; all of it for 0 or an unknown position. */
  timeline(after: number, unfinished: RawLine | null = this.#tail.pending()): CallList {
    const { raw } = this.fold;
    const known = after > this.#start && after <= this.#size;
    return {
      ...this.fold.after(known ? after : 0),
      raw: unfinished === null ? raw : [...raw, unfinished],
      size: this.#size,
    };
  }
}
