/**
 * Format version 1 of the log as data: every event type, its fields, and what each may hold. The guard and the
 * cutting of long lines are driven by this table; the zod schema is written apart, and a test holds the two equal.
 */
import type { LogEvent } from './types.ts';

/**
 * `text` any string, `time` see isLogTime, `flag` boolean, `count` safe integer >= 0, `number` finite (a duration is
 * negative when the clock was set back), `mode` and `reason` of shared/model/decision.ts, a list = one of these words.
 */
export type FieldKind =
  | 'text'
  | 'texts'
  | 'flag'
  | 'count'
  | 'counts'
  | 'number'
  | 'mode'
  | 'reason'
  | readonly string[];

type OwnFields<T extends LogEvent['t']> = Exclude<keyof Extract<LogEvent, { t: T }>, 'v' | 't' | 'at'>;

/** All fields besides v, t and at. */
export const EVENT_FIELDS = {
  'session': {
    claude: 'text',
    source: ['startup', 'resume', 'clear', 'compact', 'fork', 'exec'],
    cwd: 'text',
    plugin: 'text',
  },
  'session.end': { claude: 'text', reason: 'text' },
  'prompt': { claude: 'text', text: 'text', cut: 'count' },
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
  'call.decided': {
    call: 'text',
    request: 'text',
    matched: ['exact', 'normalised', 'only-open', 'none'],
    origin: ['claude', 'exec', 'explore'],
    command: 'text',
    cwd: 'text',
    mode: 'mode',
    reason: 'reason',
    text: 'text',
  },
  'call.grounds': { call: 'text', program: 'text', pending: ['yes', 'no', 'unasked'], config: 'text' },
  'call.started': { call: 'text', pid: 'count', mode: 'mode' },
  'call.ended': { call: 'text', rc: 'count', ms: 'number' },
  'call.failed': { call: 'text', step: 'count' },
  'call.closed': { call: 'text', request: 'text', why: ['launcher-gone', 'not-run'] },
  'call.outcome': {
    request: 'text',
    ok: 'flag',
    interrupted: 'flag',
    background: 'text',
    head: 'text',
    tail: 'text',
    cut: 'count',
    ms: 'number',
    unsandboxed: 'flag',
  },
  'call.saved': {
    call: 'text',
    what: 'text',
    dir: 'text',
    restore: 'texts',
    untracked: 'texts',
    count: 'count',
    text: 'text',
  },
  'call.left': { call: 'text', pids: 'counts' },
  'processes': { state: ['ending', 'ended'], pids: 'counts', commands: 'texts', quiet: 'flag' },
  'grant': { kind: ['permit', 'passthrough'], what: 'text', state: ['open', 'used', 'expired'] },
  'commit': {
    n: 'count',
    state: ['started', 'applied', 'partial', 'finished-later', 'refused'],
    entries: 'count',
    bytes: 'count',
    conflicts: 'count',
    text: 'text',
  },
  'discard': { trash: 'text', entries: 'count', ended: 'counts' },
  'undo': { what: ['discard'], trash: 'text', entries: 'count' },
  'commit.undone': {
    n: 'count',
    of: 'count',
    redo: 'flag',
    state: ['applied', 'partial', 'finished-later', 'refused'],
    entries: 'count',
    bytes: 'count',
    text: 'text',
  },
  'adopt': { from: 'text', to: 'text', entries: 'count' },
  'doctor': { ok: 'flag', failed: 'texts' },
  'file': {
    request: 'text',
    claude: 'text',
    agent: 'text',
    tool: 'text',
    path: 'text',
    outcome: ['asked', 'written', 'failed', 'refused'],
    text: 'text',
  },
  'notice': { code: 'text', text: 'text' },
} as const satisfies { [T in LogEvent['t']]: Record<OwnFields<T>, FieldKind> };

export type EventType = keyof typeof EVENT_FIELDS;

export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(EVENT_FIELDS, value);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** UTC with milliseconds, exactly what `Date.toISOString` writes: such times sort as text. */
export function isLogTime(value: string): boolean {
  return TIME.test(value) && !Number.isNaN(Date.parse(value));
}
