/**
 * The events of sessions/<id>/calls.jsonl, format version 1, declared once: types, guard and test data follow
 * from the table below. Every line has `v`, `t` (the type), `at` (ISO time, UTC, ms) and its fields.
 *
 *     bytes ── lines.ts ──▶ LogEvent, or a RawLine
 *     LogEvent ── fold.ts ──┬─ calls.ts ──▶ one CallView a call, and when it could write
 *                           └─ marks.ts ──▶ what else stands on the timeline
 *     spans ── call-times.ts ──▶ which calls can have written an entry
 *     all of them ── tested.ts ──▶ whether tests passed on a selection
 *
 * Texts and paths in events are ordinary text (they come from JSON; the client has replaced bytes that are
 * not UTF-8). The environment is never logged. L = written by the launcher: ids and numbers only, under 1 kB.
 */
import { isObject } from '../json-lines.ts';
import { type Mode, REASONS, type Reason } from '../model/decision.ts';
import { ANSWERED_BY, QUESTION_ENDS } from '../model/question.ts';
import { PERMISSION_BY } from '../model/rule.ts';

interface FieldValues {
  text: string;
  texts: string[];
  flag: boolean;
  /** Safe integer >= 0. */
  count: number;
  counts: number[];
  /** Finite; a duration is negative when the clock was set back. */
  number: number;
  mode: Mode;
  reason: Reason;
}

/** A list means one of these words. */
export type FieldKind = keyof FieldValues | readonly string[];

/** Besides v, t and at. An unknown id is an empty text. */
export const EVENT_FIELDS = {
  'session': {
    claude: 'text',
    source: ['startup', 'resume', 'clear', 'compact', 'fork', 'exec', 'client'],
    cwd: 'text',
    plugin: 'text',
  },
  'session.end': { claude: 'text', reason: 'text' },
  /** `cut`: characters left out after `text`. */
  'prompt': { claude: 'text', text: 'text', cut: 'count' },
  /** From PreToolUse. `text` was shown to agent or user; `twins`: equal open requests. */
  'call.requested': {
    request: 'text',
    claude: 'text',
    tool: 'text',
    command: 'text',
    cwd: 'text',
    agent: 'text',
    background: 'flag',
    mode: 'mode',
    reason: 'reason',
    text: 'text',
    twins: 'count',
  },
  /**
   * Whether a tool call may run, as PreToolUse answered: `pass` left it to the client. `trai`: a refusal or a question of
   * trai's own, before any rule. `rule`: FILE LIST[INDEX], or the name of one of trai's own. `subject`: the field that
   * rules look at; of an MCP tool only the names of its fields. `cut`: characters left out. `ms`: of the answer.
   */
  'permission': {
    request: 'text',
    claude: 'text',
    agent: 'text',
    tool: 'text',
    subject: 'text',
    cut: 'count',
    decision: ['allow', 'ask', 'deny', 'pass'],
    by: PERMISSION_BY,
    rule: 'text',
    /** Of the rule's text; `also`: of the rules that allowed parts of the call. */
    hash: 'text',
    also: 'texts',
    /** The part of a command that decided. */
    segment: 'text',
    why: 'text',
    ms: 'number',
  },
  /**
   * What became of a call of another tool (PostToolBatch, PostToolUseFailure; the last one counts), and what the client's classifier denied (PermissionDenied).
   * `error`: the first words of a failure or denial.
   */
  'permission.outcome': {
    request: 'text',
    outcome: ['ran', 'failed', 'timed-out', 'interrupted', 'denied'],
    by: ['client', 'classifier'],
    error: 'text',
  },
  /**
   * The client asked whether a call may run (PermissionRequest), and how that ended; `open` as long as it has not.
   * `request`: empty where it is not known. `text`: the user's message to the agent. `waited`: ms.
   */
  'question': {
    question: 'text',
    request: 'text',
    claude: 'text',
    agent: 'text',
    tool: 'text',
    end: ['open', ...QUESTION_ENDS],
    by: ANSWERED_BY,
    text: 'text',
    waited: 'number',
  },
  /** The answer to the launcher's claim: this one counts. `request`: the one that it matches. */
  'call.decided': {
    call: 'text',
    request: 'text',
    matched: ['exact', 'normalised', 'only-open', 'none'],
    /** `client`: the client itself, which `trai claude` started. */
    origin: ['claude', 'exec', 'explore', 'client'],
    command: 'text',
    cwd: 'text',
    mode: 'mode',
    reason: 'reason',
    text: 'text',
  },
  /** Facts of a decision besides the text. `unasked`: it does not depend on what is pending. */
  'call.grounds': {
    call: 'text',
    program: 'text',
    pending: ['yes', 'no', 'unasked'],
    config: 'text',
  },
  /**
   * L. About to run. `pid`: of the launcher. `overlay`: `mounted` afresh, or as it was: `joined` to what still runs, or
   * `inside`, where the client itself is. Of a tool that works inside by itself: `inside`.
   */
  'call.started': {
    call: 'text',
    pid: 'count',
    mode: 'mode',
    overlay: ['none', 'mounted', 'joined', 'inside'],
  },
  /** L. It joined, though its start says `mounted`: what runs came in between. */
  'call.joined': { call: 'text' },
  /** L. The shell has exited. `rc`: exit status, 128+n for a signal. */
  'call.ended': { call: 'text', rc: 'count', ms: 'number' },
  /** L. The sandbox could not be entered, nothing ran. `step`: the one that failed. */
  'call.failed': { call: 'text', step: 'count' },
  /** It cannot end by itself any more. Without `call` only a request is closed. */
  'call.closed': { call: 'text', request: 'text', why: ['launcher-gone', 'not-run'] },
  'call.outcome': {
    request: 'text',
    ok: 'flag',
    interrupted: 'flag',
    /** The client's task id when it went to the background. */
    background: 'text',
    /** Ends of the output; `cut`: bytes left out between them. */
    head: 'text',
    tail: 'text',
    cut: 'count',
    ms: 'number',
    /** Nothing shows that the launcher ran it: NOT SANDBOXED. */
    unsandboxed: 'flag',
  },
  /** What a host git command was about to discard, saved before it ran. */
  'call.saved': {
    call: 'text',
    what: 'text',
    dir: 'text',
    /** Shell lines that restore it; empty = nothing was saved. */
    restore: 'texts',
    /** The first untracked files, for display; `count`: all. */
    untracked: 'texts',
    count: 'count',
    /** What was not saved, and why; empty = all was saved. */
    text: 'text',
  },
  /** Processes that outlived the call. May be repeated with more of them. */
  'call.left': { call: 'text', pids: 'counts' },
  /** `ending`: the user asked for it; `ended`: gone, for whatever reason. */
  'processes': {
    state: ['ending', 'ended'],
    pids: 'counts',
    /** In the order of `pids`. */
    commands: 'texts',
    quiet: 'flag',
  },
  /** `permit`: one use of bin/trai by the user; `passthrough`: the next call runs on the host. */
  'grant': { kind: ['permit', 'passthrough'], what: 'text', state: ['open', 'used'] },
  /** `auto`: the effect rules that committed it after a call; empty = the user did. */
  'commit': {
    n: 'count',
    state: ['started', 'applied', 'partial', 'finished-later', 'refused'],
    entries: 'count',
    bytes: 'count',
    conflicts: 'count',
    text: 'text',
    auto: 'text',
  },
  'discard': { trash: 'text', entries: 'count', ended: 'counts' },
  'undo': { what: ['discard'], trash: 'text', entries: 'count' },
  /** Undoes commit `of`; with `redo`, undoes undo `of` and commits its changes again. */
  'commit.undone': {
    n: 'count',
    of: 'count',
    redo: 'flag',
    state: ['applied', 'partial', 'finished-later', 'refused'],
    entries: 'count',
    bytes: 'count',
    text: 'text',
  },
  /** Session `to` continues with the overlay of `from`; in both logs. `entries`: with the ignored ones. */
  'adopt': { from: 'text', to: 'text', entries: 'count' },
  /** `failed`: `id: text` of each check. */
  'doctor': { ok: 'flag', failed: 'texts' },
  /**
   * A file tool of the client worked on the host. `asked`: let through; a read logs nothing else. `failed`
   * includes uses that the client ended before any hook saw them.
   */
  'file': {
    request: 'text',
    claude: 'text',
    agent: 'text',
    tool: 'text',
    path: 'text',
    outcome: ['asked', 'written', 'failed', 'refused'],
    /** Shown to the agent, about pending changes. */
    text: 'text',
  },
  /** What concerns no call (config invalid, plan changed, session off). */
  'notice': { code: 'text', text: 'text' },
} as const satisfies Record<string, Record<string, FieldKind>>;

export type EventType = keyof typeof EVENT_FIELDS;

type ValueOf<K> = K extends keyof FieldValues
  ? FieldValues[K]
  : K extends readonly (infer Word)[]
    ? Word
    : never;
type FieldsOf<T extends EventType> = {
  -readonly [F in keyof (typeof EVENT_FIELDS)[T]]: ValueOf<(typeof EVENT_FIELDS)[T][F]>;
};

export type EventOf<T extends EventType> = T extends EventType
  ? { v: 1; at: string; t: T } & FieldsOf<T>
  : never;
export type LogEvent = EventOf<EventType>;
export type NewEvent = { [T in EventType]: { t: T } & FieldsOf<T> }[EventType];

/** Fields that lines of earlier versions do not have, with what that means. */
const LATER_FIELDS: ReadonlyMap<unknown, Readonly<Record<string, unknown>>> = new Map([
  ['commit' satisfies EventType, { auto: '' } satisfies Partial<EventOf<'commit'>>],
  ['call.started' satisfies EventType, { overlay: 'mounted' } satisfies Partial<EventOf<'call.started'>>],
]);

/** A line of an earlier version, as this one writes it; anything else as it is. */
export function withLaterFields(value: unknown): unknown {
  if (!isObject(value) || value['v'] !== 1) return value;
  const later = LATER_FIELDS.get(value['t']);
  return later === undefined ? value : { ...later, ...value };
}

export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(EVENT_FIELDS, value);
}

const MODES: readonly unknown[] = ['sandbox', 'host', 'refuse'] satisfies Mode[];
/** What `Date.toISOString` writes, as far as `Date.parse` reads it: such times sort as text. */
const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}|24:00:00\.000)Z$/;

const isText = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const CHECKS: Record<keyof FieldValues, (value: unknown) => boolean> = {
  text: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  flag: (value) => typeof value === 'boolean',
  count: isCount,
  counts: (value) => Array.isArray(value) && value.every(isCount),
  number: (value) => Number.isFinite(value),
  mode: (value) => MODES.includes(value),
  reason: (value) => typeof value === 'string' && Object.hasOwn(REASONS, value),
};

function checkOf(kind: FieldKind): (value: unknown) => boolean {
  return typeof kind === 'string' ? CHECKS[kind] : (value) => isText(value) && kind.includes(String(value));
}

/** By type; a log has tens of thousands of lines. */
const FIELD_CHECKS: ReadonlyMap<unknown, readonly { name: string; isFine: (value: unknown) => boolean }[]> =
  new Map(
    Object.entries(EVENT_FIELDS).map(([type, fields]) => [
      type,
      Object.entries<FieldKind>(fields).map(([name, kind]) => ({ name, isFine: checkOf(kind) })),
    ]),
  );

/** Every field and no other. No schema library: loading one takes 60 ms of a call's time. */
export function isLogEvent(value: unknown): value is LogEvent {
  if (!isObject(value)) return false;
  const { t: type, v, at } = value;
  const fields = FIELD_CHECKS.get(type);
  if (v !== 1 || fields === undefined || typeof at !== 'string' || !TIME.test(at)) return false;
  return (
    Object.keys(value).length === fields.length + 3 && fields.every(({ name, isFine }) => isFine(value[name]))
  );
}
