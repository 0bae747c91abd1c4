/** A session's meta.json, checked by hand since hooks read it. Damage is reported, never replaced. */

import { constants, lstatSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isByteString } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { EVENT_FIELDS } from '../../shared/log/events.ts';
import { errorCode, nodePort, orNull, withHandle } from '../kernel/fs/port.ts';
import { replaceFile } from '../kernel/fs/state-file.ts';
import { withFileLock } from '../kernel/proc/file-lock.ts';
import { isSessionId } from './dirs.ts';
import {
  META_IS_MISSING,
  META_IS_NO_FILE,
  META_IS_NO_JSON,
  metaField,
  metaNotWritten,
  metaOfOther,
  metaUnreadable,
  metaUnusable,
  noSuchSession,
} from './messages/errors.ts';

export function metaPath(sessionDir: string): string {
  return join(sessionDir, 'meta.json');
}

/** Errors: `no-session`, `corrupt` when meta.json is missing or wrong, `io`. */
export async function readMeta(sessionDir: string): Promise<SessionMeta> {
  const path = metaPath(sessionDir);
  const parsed = parseMeta(readText(path, sessionDir));
  if ('meta' in parsed && parsed.meta.id === basename(sessionDir)) return parsed.meta;
  throw metaUnusable(path, 'meta' in parsed ? metaOfOther(parsed.meta.id) : parsed.problem);
}

/** Replaces the file; updateMeta changes it. Errors: `internal`, `io`. */
export async function writeMeta(sessionDir: string, meta: SessionMeta): Promise<void> {
  const path = metaPath(sessionDir);
  try {
    await replaceFile(path, metaText(meta));
  } catch (error) {
    if (error instanceof TraiError) throw error;
    throw metaNotWritten(path, error);
  }
}

/** Errors: `internal` for an invalid value. */
export function metaText(meta: SessionMeta): string {
  if (!isSessionMeta(meta)) throw new TraiError('internal', 'expected a valid SessionMeta');
  return `${JSON.stringify(meta, null, 2)}\n`;
}

/**
 * Under a lock of its own, since a commit may hold the session's for long. `change` returns null to leave
 * meta.json as it is. Errors: those of readMeta and writeMeta, `busy`.
 */
export async function updateMeta(
  sessionDir: string,
  change: (meta: SessionMeta) => SessionMeta | null,
): Promise<SessionMeta> {
  // Before the lock, whose file must not be made in a directory that is no session.
  await readMeta(sessionDir);
  return withFileLock(join(sessionDir, '.meta.lock'), async () => {
    const meta = await readMeta(sessionDir);
    const changed = change(meta);
    if (changed === null) return meta;
    await writeMeta(sessionDir, changed);
    return changed;
  });
}

/** Synchronous: hooks and launchers wait for it. */
function readText(path: string, sessionDir: string): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return withHandle(nodePort, file, () => readFileSync(file, 'utf8'));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      if (orNull(() => lstatSync(sessionDir)) !== null) throw metaUnusable(path, META_IS_MISSING);
      throw noSuchSession(sessionDir, error);
    }
    if (code === 'ELOOP' || code === 'EISDIR') throw metaUnusable(path, META_IS_NO_FILE);
    throw metaUnreadable(path, error);
  }
}

const SOURCES = EVENT_FIELDS.session.source;

type Guard<T> = (value: unknown) => value is T;

const text = (value: unknown): value is string => typeof value === 'string';
const byteText = (value: unknown): value is string => text(value) && isByteString(value);
const time = (value: unknown): value is string => text(value) && !Number.isNaN(Date.parse(value));
const sessionId = (value: unknown): value is string => text(value) && isSessionId(value);
const projectId = (value: unknown): value is string => text(value) && /^[0-9a-f]{16}$/.test(value);
const pid = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
const one = (value: unknown): value is 1 => value === 1;
const source = (value: unknown): value is (typeof SOURCES)[number] => SOURCES.some((word) => word === value);

function nullOr<T>(check: Guard<T>) {
  return (value: unknown): value is T | null => value === null || check(value);
}

function listOf<T>(check: Guard<T>) {
  return (value: unknown): value is T[] => Array.isArray(value) && value.every(check);
}

type Value<G> = G extends Guard<infer T> ? T : never;

const IDENTITY = {
  id: text,
  source,
  /** CLAUDE_PID and field 22 of its stat, which identify the client of a `/clear`. */
  pid: nullOr(pid),
  pidStart: nullOr(text),
  at: time,
};
export type ClaudeIdentity = { [K in keyof typeof IDENTITY]: Value<(typeof IDENTITY)[K]> };

export type ClientLevel = 'claude' | 'box';
const level = (value: unknown): value is ClientLevel => value === 'claude' || value === 'box';

const identity = (value: unknown): value is ClaudeIdentity => wrongField(value, IDENTITY) === null;

const REQUIRED = {
  v: one,
  id: sessionId,
  claude: listOf(identity),
  /** The repository's top level, or the directory itself. */
  projectRoot: byteText,
  /** Where the session began. */
  cwd: byteText,
  projectId,
  createdAt: time,
  /** Null for the defaults. */
  configFile: nullOr(text),
  configProblems: listOf(text),
  /** Why this session is off (doctor failed, SANDBOX_RUNTIME, by the user); null = on. */
  off: nullOr(text),
  /** The call that was caught outside the sandbox. */
  caught: nullOr(text),
  logVersion: one,
};
const OPTIONAL = {
  /** The clients' config directories (`~/.claude`, `$CLAUDE_CONFIG_DIR`), absolute, as named. */
  claudeDirs: listOf(text),
  /** Sessions whose overlay this one has adopted: their logs hold the calls that wrote in it. */
  adopted: listOf(sessionId),
  /** How Claude Code itself was started in it, the newest last; without it: the plugin only. */
  levels: listOf(level),
  /** The session that adopted this one's overlay. */
  wentOnIn: sessionId,
};
export type SessionMeta = { [K in keyof typeof REQUIRED]: Value<(typeof REQUIRED)[K]> } & {
  [K in keyof typeof OPTIONAL]?: Value<(typeof OPTIONAL)[K]>;
};

type Guards = Readonly<Record<string, Guard<unknown>>>;

/** The first missing or wrong field, or null. Unknown fields are allowed. */
function wrongField(value: unknown, required: Guards, optional: Guards = {}): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'an object';
  const found = new Map<string, unknown>(Object.entries(value));
  for (const [name, check] of Object.entries(required)) if (!check(found.get(name))) return name;
  for (const [name, check] of Object.entries(optional))
    if (found.get(name) !== undefined && !check(found.get(name))) return name;
  return null;
}

export function isSessionMeta(value: unknown): value is SessionMeta {
  return wrongField(value, REQUIRED, OPTIONAL) === null;
}

export function parseMeta(json: string): { meta: SessionMeta } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { problem: META_IS_NO_JSON };
  }
  if (isSessionMeta(value)) return { meta: value };
  return { problem: metaField(wrongField(value, REQUIRED, OPTIONAL) ?? '') };
}
