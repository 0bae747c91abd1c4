/** The fold of the log's events into calls, incremental: a server does not fold 10,000 calls again. */
import type { Mode, Reason } from '../model/decision.ts';
import type { EventOf, LogEvent } from './events.ts';

export type CallState =
  | 'requested'
  | 'running'
  | 'ended'
  | 'not-entered'
  | 'refused'
  | 'not-run'
  | 'unsandboxed'
  | 'lost';

export interface CallView {
  /** The request's id when no launcher sent a claim. */
  id: string;
  /** tool_use_id; empty when no hook saw it (`!`, exec). Stays when the launcher gives it an id. */
  request: string;
  command: string;
  cwd: string;
  /** Bash, Monitor, `!` (no hook saw it), exec, explore. */
  origin: string;
  agent: string;
  mode: Mode | null;
  reason: Reason | null;
  text: string;
  state: CallState;
  requestedAt: string | null;
  startedAt: string | null;
  endedAt: string | null;
  rc: number | null;
  ms: number | null;
  background: boolean;
  interrupted: boolean;
  ok: boolean | null;
  head: string;
  tail: string;
  cut: number;
  left: number[];
  gone: number[];
  /** What it discarded on the host, saved before it ran. */
  saved: readonly Omit<EventOf<'call.saved'>, 'v' | 'at' | 't' | 'call'>[];
  twins: number;
}

/** Identifies a call for readers of `CallFolder.after`: stays when the launcher gives the request an id. */
export function callKey({ id, request }: Pick<CallView, 'id' | 'request'>): string {
  return request === '' ? id : `request ${request}`;
}

/** A slash command runs bin/trai by its whole path; the arguments are in a permit. */
const FROM_PROMPT = /^(?:"[^"]*\/bin\/trai"|\S*\/bin\/trai) ([a-z]+) --from-prompt\s*$/;

/** A slash command is shown as typed, not as the program that it runs. */
export function shownCommand({ command, reason }: Pick<CallView, 'command' | 'reason'>): string {
  const name = reason === 'own-program' ? FROM_PROMPT.exec(command)?.[1] : undefined;
  return name === undefined ? command : `/trai:${name}`;
}

/** `request` and `outcome` come from hooks, the rest from the launcher. */
export interface CallFacts {
  request?: EventOf<'call.requested'>;
  decision?: EventOf<'call.decided'>;
  start?: EventOf<'call.started'>;
  end?: EventOf<'call.ended'>;
  failed?: EventOf<'call.failed'>;
  closed?: EventOf<'call.closed'>;
  outcome?: EventOf<'call.outcome'>;
  left?: number[];
  saved?: EventOf<'call.saved'>[];
  gone?: number[];
}

/**
 * NOT SANDBOXED: a Post event shows that the command ran, and nothing shows that the launcher had it. The
 * writer of the outcome judges first (`unsandboxed`), since it also knows claims without a request. A logged
 * start contradicts it; a call decided as `sandbox` needs one in any case.
 */
export function ranUnnoticed(facts: CallFacts): boolean {
  const { decision, outcome } = facts;
  const launched = facts.start ?? facts.end ?? facts.failed;
  if (outcome === undefined || launched !== undefined || decision?.mode === 'refuse') return false;
  if (outcome.unsandboxed) return true;
  return decision?.mode === 'sandbox' && !outcome.interrupted && !saysNothingRan(outcome);
}

/** The text of launcher and env line (status 125) when they could not even log. */
function saysNothingRan({ ok, head }: EventOf<'call.outcome'>): boolean {
  return !ok && head.startsWith('Exit code 125') && head.includes('Nothing of the command was run');
}

/** Independent of the order in which hooks and launcher wrote the facts. */
export function stateOf(facts: CallFacts): CallState {
  const { request, decision, start, outcome, closed } = facts;
  if (facts.failed !== undefined) return 'not-entered';
  if (facts.end !== undefined) return 'ended';
  if (start !== undefined) return closed?.why === 'launcher-gone' ? 'lost' : 'running';
  if (ranUnnoticed(facts)) return 'unsandboxed';
  if ((decision ?? request)?.mode === 'refuse') return 'refused';
  // The launcher had sent a claim, and was stopped before its first line.
  if (outcome?.interrupted === true && decision?.mode === 'sandbox') return 'not-run';
  if (outcome !== undefined) return saysNothingRan(outcome) ? 'not-entered' : 'ended';
  if (closed !== undefined) return closed.why === 'launcher-gone' ? 'lost' : 'not-run';
  return 'requested';
}

export function viewOf(id: string, own: string, facts: CallFacts): CallView {
  const { request, decision, start, end, failed, closed, outcome } = facts;
  const decided = decision ?? request;
  const state = stateOf(facts);
  const ms = end?.ms ?? (start === undefined ? outcome?.ms : undefined);
  const isOpen = state === 'running' || state === 'requested';
  return {
    id,
    request: own,
    command: decided?.command ?? '',
    cwd: decided?.cwd ?? '',
    origin: originOf(facts),
    agent: request?.agent ?? '',
    // What the launcher did, else its decision, else what the hook expected.
    mode: (start ?? decided)?.mode ?? null,
    reason: decided?.reason ?? null,
    text: decision?.text || request?.text || '',
    state,
    requestedAt: request?.at ?? decision?.at ?? null,
    startedAt: start?.at ?? null,
    endedAt: isOpen ? null : ((end ?? failed ?? outcome ?? closed)?.at ?? null),
    rc: end?.rc ?? null,
    ms: ms === undefined ? null : Math.max(0, Math.round(ms)),
    background: request?.background === true || (outcome?.background ?? '') !== '',
    interrupted: outcome?.interrupted ?? false,
    ok: outcome?.ok ?? null,
    head: outcome?.head ?? '',
    tail: outcome?.tail ?? '',
    cut: outcome?.cut ?? 0,
    left: facts.left ?? [],
    gone: facts.gone ?? [],
    saved: (facts.saved ?? []).map(({ v: _v, at: _at, t: _t, call: _call, ...saved }) => saved),
    twins: request?.twins ?? 0,
  };
}

function originOf({ request, decision, outcome }: CallFacts): string {
  if (request !== undefined) return request.tool;
  if (decision === undefined) return outcome === undefined ? '' : 'Bash';
  if (decision.origin !== 'claude') return decision.origin;
  return decision.request === '' ? '!' : 'Bash';
}

interface Entry {
  call: string;
  request: string;
  facts: CallFacts;
  /** Null after a change; made on demand. */
  view: CallView | null;
  touched: number;
}

export function foldCalls(events: Iterable<LogEvent>): CallView[] {
  const folder = new CallFolder();
  for (const event of events) folder.push(event);
  return folder.views();
}

export class CallFolder {
  readonly #entries = new Set<Entry>();
  readonly #byCall = new Map<string, Entry>();
  readonly #byRequest = new Map<string, Entry>();
  readonly #byLeftPid = new Map<number, Entry>();
  /** Former keys of calls, with the position at which they ended. */
  readonly #oldKeys: { key: string; touched: number }[] = [];
  #position = 1;

  /** `position` is what `after` counts from, and never falls. */
  push(event: LogEvent, position = 1): void {
    this.#position = position;
    if (event.t === 'call.requested') this.#requested(event);
    else if (event.t === 'call.decided') this.#decided(event);
    // Shown by `why-host` only, from the log.
    else if (event.t === 'call.grounds') this.#ofCall(event.call);
    else if (event.t === 'call.started') this.#update(this.#ofCall(event.call), { start: event });
    else if (event.t === 'call.ended') this.#update(this.#ofCall(event.call), { end: event });
    else if (event.t === 'call.failed') this.#update(this.#ofCall(event.call), { failed: event });
    else if (event.t === 'call.outcome') this.#update(this.#ofRequest(event.request), { outcome: event });
    else if (event.t === 'call.saved') this.#saved(event);
    else if (event.t === 'call.closed') this.#closed(event);
    else if (event.t === 'call.left') this.#left(event);
    else if (event.t === 'processes' && event.state === 'ended') this.#gone(event.pids);
  }

  /** An unchanged call stays the same object. */
  views(): CallView[] {
    return Array.from(this.#entries, viewOfEntry);
  }

  /** Calls changed since a position, and keys that are not valid any more. */
  after(position: number): { calls: CallView[]; gone: string[] } {
    const calls: CallView[] = [];
    for (const entry of this.#entries) if (entry.touched > position) calls.push(viewOfEntry(entry));
    return { calls, gone: this.#oldKeys.filter(({ touched }) => touched > position).map(({ key }) => key) };
  }

  view(id: string): CallView | null {
    const entry = this.#byCall.get(id) ?? this.#byRequest.get(id);
    return entry === undefined ? null : viewOfEntry(entry);
  }

  #requested(event: EventOf<'call.requested'>): void {
    const entry = this.#ofRequest(event.request);
    // A hook that runs twice repeats the request: its first time counts.
    this.#update(entry, { request: { ...event, at: entry.facts.request?.at ?? event.at } });
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

  #saved(event: EventOf<'call.saved'>): void {
    const entry = this.#ofCall(event.call);
    this.#update(entry, { saved: [...(entry.facts.saved ?? []), event] });
  }

  #closed(event: EventOf<'call.closed'>): void {
    if (event.call === '' && event.request === '') return;
    const entry = event.call === '' ? this.#ofRequest(event.request) : this.#ofCall(event.call);
    this.#update(entry, { closed: event });
  }

  #left({ call, pids }: EventOf<'call.left'>): void {
    const entry = this.#ofCall(call);
    for (const pid of pids) this.#byLeftPid.set(pid, entry);
    // A reused pid is there again.
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

function viewOfEntry(entry: Entry): CallView {
  entry.view ??= viewOf(entry.call === '' ? entry.request : entry.call, entry.request, entry.facts);
  return entry.view;
}
