/** Reads and writes a session's meta.json. What cannot be understood is reported, never replaced. */
import { closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TraiError } from '../../shared/errors.ts';
import { replaceFile } from '../kernel/fs/atomic-file.ts';
import { withFileLock } from '../kernel/locks/file-lock.ts';
import { isSessionMeta, parseMeta } from './meta-format.ts';
import type { SessionMeta } from './types.ts';

export function metaPath(sessionDir: string): string {
  return join(sessionDir, 'meta.json');
}

/** Errors: `no-session` when there is no such directory, `corrupt` when its meta.json is missing or wrong, `io`. */
export async function readMeta(sessionDir: string): Promise<SessionMeta> {
  const path = metaPath(sessionDir);
  const json = readText(path, sessionDir);
  const parsed = parseMeta(json);
  if ('meta' in parsed && parsed.meta.id === basename(sessionDir)) return parsed.meta;
  throw corrupt(path, 'meta' in parsed ? `it is that of session ${parsed.meta.id}` : parsed.problem);
}

/** Replaces meta.json by rename. For changes of what is there use updateMeta. Errors: `internal`, `io`. */
export async function writeMeta(sessionDir: string, meta: SessionMeta): Promise<void> {
  const path = metaPath(sessionDir);
  try {
    await replaceFile(path, metaText(meta));
  } catch (error) {
    if (error instanceof TraiError) throw error;
    throw new TraiError('io', `meta.json could not be written: ${String(error)}`, { path, cause: error });
  }
}

/** The content of the file. Errors: `internal` when it could not be read back. */
export function metaText(meta: SessionMeta): string {
  if (!isSessionMeta(meta)) throw new TraiError('internal', 'expected a valid SessionMeta');
  return `${JSON.stringify(meta, null, 2)}\n`;
}

/**
 * Changes meta.json under its own lock (not the session's, which a commit may hold for long): no change of another
 * process is lost. `change` gives null to leave it as it is. Returns what is there now. Errors: those of readMeta
 * and writeMeta, `busy`.
 */
export async function updateMeta(
  sessionDir: string,
  change: (meta: SessionMeta) => SessionMeta | null,
): Promise<SessionMeta> {
  // First without the lock: its file must not come to be in a directory that is no session.
  await readMeta(sessionDir);
  return withFileLock(join(sessionDir, '.meta.lock'), async () => {
    const meta = await readMeta(sessionDir);
    const changed = change(meta);
    if (changed === null) return meta;
    await writeMeta(sessionDir, changed);
    return changed;
  });
}

/** Synchronous: hooks and launchers wait for it, and a promise would go to another thread four times for a small file. */
function readText(path: string, sessionDir: string): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      if (exists(sessionDir)) throw corrupt(path, 'it is missing');
      throw new TraiError('no-session', 'there is no such session', { path: sessionDir, cause: error });
    }
    if (code === 'ELOOP' || code === 'EISDIR') throw corrupt(path, 'it is not a regular file');
    throw new TraiError('io', `meta.json could not be read: ${String(error)}`, { path, cause: error });
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function corrupt(path: string, what: string): TraiError {
  return new TraiError('corrupt', `the session's meta.json cannot be used: ${what}`, {
    path,
    hint: 'Nothing was changed. Put the file right, or move the session directory away.',
  });
}
