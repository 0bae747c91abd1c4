/** sessions/<id>/meta.json: validated by hand, since hooks read it. */
import { isByteString } from '../../shared/bytes.ts';
import { isSessionId } from './id.ts';
import type { ClaudeIdentity, SessionMeta } from './types.ts';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const textOrNull: Check = (value) => value === null || text(value);
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const byteText: Check = (value) => typeof value === 'string' && isByteString(value);
const time: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const pid: Check = (value) => value === null || (Number.isSafeInteger(value) && Number(value) > 0);
const sessionId: Check = (value) => typeof value === 'string' && isSessionId(value);
const one: Check = (value) => value === 1;

export const SOURCES: readonly ClaudeIdentity['source'][] = [
  'startup',
  'resume',
  'clear',
  'compact',
  'fork',
  'exec',
];

const IDENTITY: Record<keyof ClaudeIdentity, Check> = {
  id: text,
  source: (value) => SOURCES.some((source) => source === value),
  pid,
  pidStart: textOrNull,
  at: time,
};

const META: Record<keyof SessionMeta, Check> = {
  v: one,
  id: sessionId,
  claude: (value) => Array.isArray(value) && value.every((entry) => wrongField(entry, IDENTITY) === null),
  projectRoot: byteText,
  cwd: byteText,
  projectId: (value) => typeof value === 'string' && /^[0-9a-f]{16}$/.test(value),
  createdAt: time,
  clientVersion: textOrNull,
  envFiles: texts,
  configFile: textOrNull,
  configProblems: texts,
  claudeDirs: (value) => value === undefined || texts(value),
  off: textOrNull,
  caught: textOrNull,
  adopted: (value) => value === undefined || (Array.isArray(value) && value.every(sessionId)),
  wentOnIn: (value) => value === undefined || sessionId(value),
  logVersion: one,
};

/** The name of the first field that is missing or wrong, null when all are right. Further fields do no harm. */
function wrongField(value: unknown, checks: Record<string, Check>): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'an object';
  const found = new Map<string, unknown>(Object.entries(value));
  for (const [name, check] of Object.entries(checks)) if (!check(found.get(name))) return name;
  return null;
}

/** True when this value (out of JSON.parse) is a SessionMeta of version 1. */
export function isSessionMeta(value: unknown): value is SessionMeta {
  return wrongField(value, META) === null;
}

/** The parsed file, or what is wrong with it, as part of a sentence. */
export function parseMeta(json: string): { meta: SessionMeta } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { problem: 'not JSON' };
  }
  if (isSessionMeta(value)) return { meta: value };
  return { problem: `missing or wrong: ${wrongField(value, META) ?? ''}` };
}
