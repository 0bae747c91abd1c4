/** A session's meta.json, checked by hand since hooks read it. Damage is reported, never replaced. */

import { closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isByteString } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { errorCode, orNull } from '../kernel/fs/port.ts';
import { replaceFile } from '../kernel/fs/state-file.ts';
import { withFileLock } from '../kernel/proc/file-lock.ts';
import { isSessionId } from './dirs.ts';
import { type ClaudeIdentity, type SessionMeta, SOURCES } from './types.ts';

export function metaPath(sessionDir: string): string {
  return join(sessionDir, 'meta.json');
}

/** Errors: `no-session`, `corrupt` when meta.json is missing or wrong, `io`. */
export async function readMeta(sessionDir: string): Promise<SessionMeta> {
  const path = metaPath(sessionDir);
  const parsed = parseMeta(readText(path, sessionDir));
  if ('meta' in parsed && parsed.meta.id === basename(sessionDir)) return parsed.meta;
  throw corrupt(path, 'meta' in parsed ? `it is that of session ${parsed.meta.id}` : parsed.problem);
}

/** Replaces the file; updateMeta changes it. Errors: `internal`, `io`. */
export async function writeMeta(sessionDir: string, meta: SessionMeta): Promise<void> {
  const path = metaPath(sessionDir);
  try {
    await replaceFile(path, metaText(meta));
  } catch (error) {
    if (error instanceof TraiError) throw error;
    throw new TraiError('io', `meta.json could not be written: ${String(error)}`, { path, cause: error });
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
    try {
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      if (orNull(() => lstatSync(sessionDir)) !== null) throw corrupt(path, 'it is missing');
      throw new TraiError('no-session', 'there is no such session', { path: sessionDir, cause: error });
    }
    if (code === 'ELOOP' || code === 'EISDIR') throw corrupt(path, 'it is not a regular file');
    throw new TraiError('io', `meta.json could not be read: ${String(error)}`, { path, cause: error });
  }
}

function corrupt(path: string, what: string): TraiError {
  return new TraiError('corrupt', `the session's meta.json cannot be used: ${what}`, {
    path,
    hint: 'Nothing was changed. Put the file right, or move the session directory away.',
  });
}

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const textOrNull: Check = (value) => value === null || text(value);
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const byteText: Check = (value) => typeof value === 'string' && isByteString(value);
const time: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const pid: Check = (value) => value === null || (Number.isSafeInteger(value) && Number(value) > 0);
const sessionId: Check = (value) => typeof value === 'string' && isSessionId(value);
const one: Check = (value) => value === 1;

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
  configFile: textOrNull,
  configProblems: texts,
  claudeDirs: (value) => value === undefined || texts(value),
  off: textOrNull,
  caught: textOrNull,
  adopted: (value) => value === undefined || (Array.isArray(value) && value.every(sessionId)),
  wentOnIn: (value) => value === undefined || sessionId(value),
  logVersion: one,
};

/** The first missing or wrong field, or null. Unknown fields are allowed. */
function wrongField(value: unknown, checks: Record<string, Check>): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'an object';
  const found = new Map<string, unknown>(Object.entries(value));
  for (const [name, check] of Object.entries(checks)) if (!check(found.get(name))) return name;
  return null;
}

export function isSessionMeta(value: unknown): value is SessionMeta {
  return wrongField(value, META) === null;
}

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
