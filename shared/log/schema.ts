/** The zod schemas of log events, one per type: the definition that tests, API and documents go by (see guard.ts). */
import * as z from 'zod';
import { REASONS, type Reason } from '../model/decision.ts';
import { isLogTime } from './fields.ts';

const text = z.string();
const flag = z.boolean();
const count = z.int().nonnegative();
const mode = z.enum(['sandbox', 'host', 'refuse']);
const reason = z.custom<Reason>((value) => typeof value === 'string' && Object.hasOwn(REASONS, value));

const base = <T extends string>(t: T) => ({
  v: z.literal(1),
  at: z.string().refine(isLogTime, 'expected UTC with milliseconds, like 2026-01-31T08:00:00.000Z'),
  t: z.literal(t),
});

export const sessionSchema = z.strictObject({
  ...base('session'),
  claude: text,
  source: z.enum(['startup', 'resume', 'clear', 'compact', 'fork', 'exec']),
  cwd: text,
  plugin: text,
});
export const sessionEndSchema = z.strictObject({ ...base('session.end'), claude: text, reason: text });
export const promptSchema = z.strictObject({ ...base('prompt'), claude: text, text, cut: count });
export const requestSchema = z.strictObject({
  ...base('call.requested'),
  request: text,
  claude: text,
  tool: text,
  command: text,
  cwd: text,
  agent: text,
  background: flag,
  mode,
  reason,
  text,
  twins: count,
});
export const decisionSchema = z.strictObject({
  ...base('call.decided'),
  call: text,
  request: text,
  matched: z.enum(['exact', 'normalised', 'only-open', 'none']),
  origin: z.enum(['claude', 'exec', 'explore']),
  command: text,
  cwd: text,
  mode,
  reason,
  text,
});
export const groundsSchema = z.strictObject({
  ...base('call.grounds'),
  call: text,
  program: text,
  pending: z.enum(['yes', 'no', 'unasked']),
  config: text,
});
export const startSchema = z.strictObject({ ...base('call.started'), call: text, pid: count, mode });
export const endSchema = z.strictObject({ ...base('call.ended'), call: text, rc: count, ms: z.number() });
export const failedSchema = z.strictObject({ ...base('call.failed'), call: text, step: count });
export const closedSchema = z.strictObject({
  ...base('call.closed'),
  call: text,
  request: text,
  why: z.enum(['launcher-gone', 'not-run']),
});
export const outcomeSchema = z.strictObject({
  ...base('call.outcome'),
  request: text,
  ok: flag,
  interrupted: flag,
  background: text,
  head: text,
  tail: text,
  cut: count,
  ms: z.number(),
  unsandboxed: flag,
});
export const savedSchema = z.strictObject({
  ...base('call.saved'),
  call: text,
  what: text,
  dir: text,
  restore: z.array(text),
  untracked: z.array(text),
  count,
  text,
});
export const leftSchema = z.strictObject({ ...base('call.left'), call: text, pids: z.array(count) });
export const processesSchema = z.strictObject({
  ...base('processes'),
  state: z.enum(['ending', 'ended']),
  pids: z.array(count),
  commands: z.array(text),
  quiet: flag,
});
export const grantSchema = z.strictObject({
  ...base('grant'),
  kind: z.enum(['permit', 'passthrough']),
  what: text,
  state: z.enum(['open', 'used', 'expired']),
});
export const commitSchema = z.strictObject({
  ...base('commit'),
  n: count,
  state: z.enum(['started', 'applied', 'partial', 'finished-later', 'refused']),
  entries: count,
  bytes: count,
  conflicts: count,
  text,
});
export const discardSchema = z.strictObject({
  ...base('discard'),
  trash: text,
  entries: count,
  ended: z.array(count),
});
export const undoSchema = z.strictObject({
  ...base('undo'),
  what: z.literal('discard'),
  trash: text,
  entries: count,
});
export const commitUndoneSchema = z.strictObject({
  ...base('commit.undone'),
  n: count,
  of: count,
  redo: z.boolean(),
  state: z.enum(['applied', 'partial', 'finished-later', 'refused']),
  entries: count,
  bytes: count,
  text,
});
export const adoptSchema = z.strictObject({ ...base('adopt'), from: text, to: text, entries: count });
export const doctorSchema = z.strictObject({ ...base('doctor'), ok: flag, failed: z.array(text) });
export const fileToolSchema = z.strictObject({
  ...base('file'),
  request: text,
  claude: text,
  agent: text,
  tool: text,
  path: text,
  outcome: z.enum(['asked', 'written', 'failed', 'refused']),
  text,
});
export const noticeSchema = z.strictObject({ ...base('notice'), code: text, text });

export const logEventSchema = z.discriminatedUnion('t', [
  sessionSchema,
  sessionEndSchema,
  promptSchema,
  requestSchema,
  decisionSchema,
  groundsSchema,
  startSchema,
  endSchema,
  failedSchema,
  closedSchema,
  outcomeSchema,
  savedSchema,
  leftSchema,
  processesSchema,
  grantSchema,
  commitSchema,
  discardSchema,
  undoSchema,
  commitUndoneSchema,
  adoptSchema,
  doctorSchema,
  fileToolSchema,
  noticeSchema,
]);
