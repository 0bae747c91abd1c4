/**
 * The one fold of a session's log: its calls, when they could write, which of them run, and the marks of the
 * timeline. Incremental: a server does not fold 10,000 calls again.
 */
import type { Adoption, Span } from './call-times.ts';
import {
  type CallFacts,
  type CallView,
  callKey,
  isShell,
  permissionView,
  spanOf,
  type ToolView,
  viewOf,
} from './calls.ts';
import type { EventOf, LogEvent } from './events.ts';
import { markContent, ownMark, type TimelineMark } from './marks.ts';

type Start = EventOf<'call.started'>;

/** A call that begins or ends. */
export type CallChange = { is: 'started'; start: Start } | { is: 'ended'; start: Start | null };

export interface TimelineNews {
  /** All there is, else only the news since the position. */
  whole: boolean;
  /** By first appearance. Without `head` and `tail`: 10,000 outputs are 160 MB. */
  calls: CallView[];
  /** Keys (`callKey`) that are not valid any more. */
  gone: string[];
  marks: TimelineMark[];
}

interface Entry {
  call: string;
  request: string;
  facts: CallFacts;
  /** Undefined after a change; made on demand. */
  view: CallView | undefined;
  span: Span | null | undefined;
  touched: number;
}

export function foldLog(events: Iterable<LogEvent>): LogFold {
  const fold = new LogFold();
  for (const event of events) fold.push(event);
  return fold;
}

export class LogFold {
  readonly adoptions: Adoption[] = [];
  readonly #entries = new Set<Entry>();
  readonly #byCall = new Map<string, Entry>();
  readonly #byRequest = new Map<string, Entry>();
  /** Of tools other than shells, by request. */
  readonly #tools = new Map<string, ToolView>();
  /** Of processes that were left: their calls. */
  readonly #leftBy = new Map<number, string>();
  readonly #running = new Map<string, Start>();
  readonly #marks = new Map<string, { mark: TimelineMark; touched: number }>();
  /** Former keys of calls, with the position at which they ended. */
  readonly #oldKeys: { key: string; touched: number }[] = [];
  #position = 1;
  #version = 0;
  #spansVersion = 0;

  /** `position` is what `after` counts from, and never falls. */
  push(event: LogEvent, position = 1): CallChange | null {
    this.#position = position;
    this.#version++;
    this.#mark(event);
    switch (event.t) {
      case 'call.requested':
        this.#requested(event);
        break;
      case 'permission':
        this.#permission(event);
        break;
      case 'permission.outcome':
        this.#toolOutcome(event);
        break;
      case 'question':
        this.#answered(event);
        break;
      case 'call.decided':
        this.#decided(event);
        break;
      case 'call.grounds':
      case 'call.joined':
        // Used from the log only (`why-host`, core/overlay/seen.ts).
        this.#ofCall(event.call);
        break;
      case 'call.started':
        this.#update(this.#ofCall(event.call), { start: event });
        this.#running.set(event.call, event);
        return { is: 'started', start: event };
      case 'call.ended':
        this.#update(this.#ofCall(event.call), { end: event });
        return this.#ended(event.call);
      case 'call.failed':
        this.#update(this.#ofCall(event.call), { failed: event });
        return this.#ended(event.call);
      case 'call.closed':
        this.#closed(event);
        return this.#ended(event.call);
      case 'call.outcome':
        this.#update(this.#ofRequest(event.request), { outcome: event });
        break;
      case 'call.saved':
        this.#saved(event);
        break;
      case 'call.left':
        this.#left(event);
        break;
      case 'processes':
        if (event.state === 'ended') this.#gone(event.pids, event.at);
        break;
      case 'adopt':
        this.adoptions.push({ from: event.from, to: event.to, at: Date.parse(event.at) });
        this.#spansVersion++;
    }
    return null;
  }

  /** An unchanged call stays the same object. */
  views(): CallView[] {
    return Array.from(this.#entries, viewOfEntry);
  }

  view(id: string): CallView | null {
    const entry = this.#byCall.get(id) ?? this.#byRequest.get(id);
    return entry === undefined ? null : viewOfEntry(entry);
  }

  /** Calls of other tools that rules were asked about, by first appearance. */
  tools(): ToolView[] {
    return [...this.#tools.values()];
  }

  /** By start. */
  spans(): Span[] {
    const found: Span[] = [];
    for (const entry of this.#entries) {
      if (entry.span === undefined) entry.span = spanOf(entry.call, entry.facts);
      if (entry.span !== null) found.push(entry.span);
    }
    return found.sort((a, b) => a.from - b.from);
  }

  /** Changes with every event. */
  get version(): number {
    return this.#version;
  }

  /** Changes with the spans and adoptions. */
  get spansVersion(): number {
    return this.#spansVersion;
  }

  /** Calls between their start and their end, by start. */
  get running(): ReadonlyMap<string, Start> {
    return this.#running;
  }

  /** By first appearance; those that changed after that position. */
  marks(after = 0): TimelineMark[] {
    const found: TimelineMark[] = [];
    for (const { mark, touched } of this.#marks.values()) if (touched > after) found.push(mark);
    return found;
  }

  /** Calls and marks changed after a position, and keys of calls that are not valid any more; 0 = all. */
  after(position: number): TimelineNews {
    const calls: CallView[] = [];
    for (const entry of this.#entries) if (entry.touched > position) calls.push(viewOfEntry(entry));
    // A call that neither hook nor launcher named cannot be told from another one.
    if (position > 0 && calls.some((call) => callKey(call) === '')) return this.after(0);
    const gone = this.#oldKeys.filter(({ touched }) => touched > position).map(({ key }) => key);
    return {
      whole: position === 0,
      calls: calls.map((call) => ({ ...call, head: '', tail: '' })),
      gone: position === 0 ? [] : gone,
      marks: this.marks(position),
    };
  }

  #requested(event: EventOf<'call.requested'>): void {
    const entry = this.#ofRequest(event.request);
    // A hook that runs twice repeats the request: its first time counts.
    this.#update(entry, { request: { ...event, at: entry.facts.request?.at ?? event.at } });
  }

  #permission(event: EventOf<'permission'>): void {
    if (isShell(event.tool)) {
      this.#update(this.#ofRequest(event.request), { permission: event });
      return;
    }
    const before = this.#tools.get(event.request);
    this.#tools.set(event.request, {
      ...permissionView(event),
      at: before?.at ?? event.at,
      outcome: null,
      outcomeBy: null,
      error: '',
    });
  }

  /** Of a shell: what the client's classifier denied. */
  #toolOutcome(event: EventOf<'permission.outcome'>): void {
    const { request, outcome, by, error } = event;
    const tool = this.#tools.get(request);
    const entry = this.#byRequest.get(request);
    if (tool !== undefined) this.#tools.set(request, { ...tool, outcome, outcomeBy: by, error });
    else if (entry !== undefined && outcome === 'denied') this.#update(entry, { denied: event });
  }

  #answered({ request, end, by }: EventOf<'question'>): void {
    if (end === 'open') return;
    const tool = this.#tools.get(request);
    const entry = this.#byRequest.get(request);
    const answered = { end, by };
    if (tool !== undefined) this.#tools.set(request, { ...tool, answered });
    else if (entry !== undefined) this.#update(entry, { answered });
  }

  #decided(event: EventOf<'call.decided'>): void {
    const byRequest = event.request === '' ? undefined : this.#byRequest.get(event.request);
    const byCall = this.#byCall.get(event.call);
    if (byRequest === undefined || (byRequest.call !== '' && byRequest !== byCall)) {
      // No hook saw it, its request comes later, or the request was claimed twice: a call of its own, with
      // the hook's side of that request (tool, agent), but not the first call's outcome.
      const entry = byCall ?? this.#add({ call: event.call });
      if (byRequest === undefined && event.request !== '') this.#bindRequest(entry, event.request);
      const request = byRequest?.facts.request;
      this.#update(entry, request === undefined ? { decision: event } : { decision: event, request });
      return;
    }
    byRequest.call = event.call;
    this.#byCall.set(event.call, byRequest);
    this.#update(byRequest, { ...byCall?.facts, decision: event });
    if (byCall !== undefined && byCall !== byRequest) {
      this.#entries.delete(byCall);
      this.#wasKey(callKey({ id: byCall.call, request: byCall.request }));
    }
  }

  #ended(call: string): CallChange {
    const start = this.#running.get(call) ?? null;
    this.#running.delete(call);
    return { is: 'ended', start };
  }

  #saved(event: EventOf<'call.saved'>): void {
    const entry = this.#ofCall(event.call);
    this.#update(entry, { saved: [...(entry.facts.saved ?? []), event] });
  }

  #closed(event: EventOf<'call.closed'>): void {
    if (event.call === '' && event.request === '') return;
    const entry = event.call === '' ? this.#ofRequest(event.request) : this.#ofCall(event.call);
    this.#update(entry, { closed: event });
  }

  #left({ call, pids, at }: EventOf<'call.left'>): void {
    // A reused pid: the end of the process before was not seen.
    this.#gone(pids, at);
    const entry = this.#ofCall(call);
    for (const pid of pids) this.#leftBy.set(pid, call);
    const left = [...new Set([...(entry.facts.left ?? []), ...pids])];
    this.#update(entry, { left, gone: entry.facts.gone?.filter((pid) => !pids.includes(pid)) ?? [] });
  }

  #gone(pids: readonly number[], at: string): void {
    for (const pid of pids) {
      const call = this.#leftBy.get(pid);
      this.#leftBy.delete(pid);
      if (call === undefined) continue;
      const entry = this.#ofCall(call);
      this.#update(entry, { gone: [...(entry.facts.gone ?? []), pid], goneAt: at });
    }
  }

  #mark(event: LogEvent): void {
    const content = markContent(event);
    if (content === null) return;
    const prefix = event.t === 'commit' ? 'refused' : content.kind;
    const id = ownMark(event) ?? `${prefix}-${this.#marks.size}`;
    const at = this.#marks.get(id)?.mark.at ?? event.at;
    this.#marks.set(id, { mark: { id, at, ...content }, touched: this.#position });
  }

  #ofRequest(request: string): Entry {
    return this.#byRequest.get(request) ?? this.#add({ request });
  }

  #ofCall(call: string): Entry {
    return this.#byCall.get(call) ?? this.#add({ call });
  }

  #add({ call = '', request = '' }: { call?: string; request?: string }): Entry {
    const entry: Entry = {
      call,
      request: '',
      facts: {},
      view: undefined,
      span: undefined,
      touched: this.#position,
    };
    this.#entries.add(entry);
    if (call !== '') this.#byCall.set(call, entry);
    if (request !== '') this.#bindRequest(entry, request);
    return entry;
  }

  #bindRequest(entry: Entry, request: string): void {
    this.#wasKey(callKey({ id: entry.call, request: entry.request }));
    entry.request = request;
    this.#byRequest.set(request, entry);
  }

  #wasKey(key: string): void {
    if (key !== '') this.#oldKeys.push({ key, touched: this.#position });
  }

  #update(entry: Entry, facts: CallFacts): void {
    Object.assign(entry.facts, facts);
    entry.view = undefined;
    entry.span = undefined;
    entry.touched = this.#position;
    // An outcome, which follows each call, says nothing about its span.
    if (facts.outcome === undefined && entry.facts.start?.mode === 'sandbox') this.#spansVersion++;
  }
}

function viewOfEntry(entry: Entry): CallView {
  entry.view ??= viewOf(entry.call === '' ? entry.request : entry.call, entry.request, entry.facts);
  return entry.view;
}
