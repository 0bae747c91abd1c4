/** Joins the events of a log into calls, one at a time, so that a server need not fold 10,000 calls again. */
import { type CallFacts, viewOf } from './call-facts.ts';
import { type CallView, callKey } from './call-view.ts';
import type { ClosedEvent, DecisionEvent, LeftEvent, LogEvent, RequestEvent, SavedEvent } from './types.ts';

interface Entry {
  /** Empty until a launcher asked. */
  call: string;
  /** Empty when no hook saw it. */
  request: string;
  facts: CallFacts;
  /** Null after a change, made again when somebody looks. */
  view: CallView | null;
  /** Position of its last change. */
  touched: number;
}

/** All calls of a log, in the order in which they first appear. */
export function foldCalls(events: Iterable<LogEvent>): CallView[] {
  const folder = new CallFolder();
  for (const event of events) folder.push(event);
  return folder.views();
}

export class CallFolder {
  /** In order of appearance. */
  readonly #entries = new Set<Entry>();
  readonly #byCall = new Map<string, Entry>();
  readonly #byRequest = new Map<string, Entry>();
  /** Processes that were left and have not ended, by pid. */
  readonly #byLeftPid = new Map<number, Entry>();
  /** Keys that were a call's for some time, and the position at which they ended. */
  readonly #oldKeys: { key: string; touched: number }[] = [];
  #position = 1;

  /**
   * Takes the next event. Events that belong to no call change nothing. `position` is what `after` counts from, and
   * never falls.
   */
  push(event: LogEvent, position = 1): void {
    this.#position = position;
    if (event.t === 'call.requested') this.#requested(event);
    else if (event.t === 'call.decided') this.#decided(event);
    // Nothing of it is shown in the list: `why-host` reads it from the log.
    else if (event.t === 'call.grounds') this.#ofCall(event.call);
    else if (event.t === 'call.started') this.#update(this.#ofCall(event.call), { start: event });
    else if (event.t === 'call.ended') this.#update(this.#ofCall(event.call), { end: event });
    else if (event.t === 'call.failed') this.#update(this.#ofCall(event.call), { failed: event });
    else if (event.t === 'call.left') this.#left(event);
    else if (event.t === 'processes' && event.state === 'ended') this.#gone(event.pids);
    else if (event.t === 'call.saved') this.#saved(event);
    else if (event.t === 'call.closed') this.#closed(event);
    else if (event.t === 'call.outcome') this.#update(this.#ofRequest(event.request), { outcome: event });
  }

  /** The calls so far. A call that has not changed is the same object as the last time. */
  views(): CallView[] {
    return Array.from(this.#entries, viewOfEntry);
  }

  /** The calls that changed since a position, in order, and keys of calls that have another one now. */
  after(position: number): { calls: CallView[]; gone: string[] } {
    const calls: CallView[] = [];
    for (const entry of this.#entries) if (entry.touched > position) calls.push(viewOfEntry(entry));
    return { calls, gone: this.#oldKeys.filter(({ touched }) => touched > position).map(({ key }) => key) };
  }

  /** One call by its id, or by the id of its request. */
  view(id: string): CallView | null {
    const entry = this.#byCall.get(id) ?? this.#byRequest.get(id);
    return entry === undefined ? null : viewOfEntry(entry);
  }

  #requested(event: RequestEvent): void {
    const entry = this.#ofRequest(event.request);
    // A hook that is run twice for one request says the same twice; the first time is when it happened.
    const at = entry.facts.request?.at ?? event.at;
    this.#update(entry, { request: { ...event, at } });
  }

  #decided(event: DecisionEvent): void {
    const byRequest = event.request === '' ? undefined : this.#byRequest.get(event.request);
    const byCall = this.#byCall.get(event.call);
    if (byRequest === undefined || (byRequest.call !== '' && byRequest !== byCall)) {
      // No hook saw it, its request comes later, or the same request was claimed twice: a call of its own.
      const entry = byCall ?? this.#add({ call: event.call });
      if (byRequest === undefined && event.request !== '') this.#bindRequest(entry, event.request);
      this.#update(entry, { decision: event, ...sharedRequest(byRequest, entry) });
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

  #left({ call, pids }: LeftEvent): void {
    const entry = this.#ofCall(call);
    for (const pid of pids) this.#byLeftPid.set(pid, entry);
    // A pid that was used again is there once more.
    const gone = entry.facts.gone?.filter((pid) => !pids.includes(pid)) ?? [];
    this.#update(entry, { left: [...new Set([...(entry.facts.left ?? []), ...pids])], gone });
  }

  #gone(pids: readonly number[]): void {
    for (const pid of pids) {
      const entry = this.#byLeftPid.get(pid);
      this.#byLeftPid.delete(pid);
      if (entry !== undefined) this.#update(entry, { gone: [...(entry.facts.gone ?? []), pid] });
    }
  }

  #saved(event: SavedEvent): void {
    const entry = this.#ofCall(event.call);
    this.#update(entry, { saved: [...(entry.facts.saved ?? []), event] });
  }

  #closed(event: ClosedEvent): void {
    if (event.call === '' && event.request === '') return;
    this.#update(event.call === '' ? this.#ofRequest(event.request) : this.#ofCall(event.call), {
      closed: event,
    });
  }

  /** A request that no hook reported has an entry too: an outcome nobody asked about must be seen. */
  #ofRequest(request: string): Entry {
    return this.#byRequest.get(request) ?? this.#add({ request });
  }

  #ofCall(call: string): Entry {
    return this.#byCall.get(call) ?? this.#add({ call });
  }

  #add({ call = '', request = '' }: { call?: string; request?: string }): Entry {
    const entry: Entry = { call, request: '', facts: {}, view: null, touched: this.#position };
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
    entry.view = null;
    entry.touched = this.#position;
  }
}

/** The second call of one request shows the hook's side of it (tool, agent), but not the first call's outcome. */
function sharedRequest(first: Entry | undefined, entry: Entry): CallFacts {
  return first === undefined || first === entry || first.facts.request === undefined
    ? {}
    : { request: first.facts.request };
}

function viewOfEntry(entry: Entry): CallView {
  entry.view ??= viewOf(entry.call === '' ? entry.request : entry.call, entry.request, entry.facts);
  return entry.view;
}
