/**
 * The sessions of a state directory: creates, finds and lists them.
 *
 * A session is a directory `sessions/ID` with meta.json (meta-file.ts) and a log (log/). dirs.ts has the
 * paths of the state directory. attach.ts finds a client's session: its own, that of its earlier id, or that
 * of the client process. project.ts derives the project's root and id, config-file.ts reads config.json,
 * grants.ts keeps permits and the one-shot passthrough, session-context.ts has what the engine needs to work
 * on a session.
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { BytePath } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { byBytes } from '../kernel/fs/entry.ts';
import { errorCode, orNull } from '../kernel/fs/port.ts';
import { syncPath } from '../kernel/fs/state-file.ts';
import { ownProcess, processStat } from '../kernel/proc/proc.ts';
import { ensureStateDir, isSessionId, sessionDir } from './dirs.ts';
import { LOG_NAME } from './log/append.ts';
import { sessionNotMade, sessionsUnreadable } from './messages/errors.ts';
import { metaText, readMeta, type SessionMeta } from './meta-file.ts';
import { type Project, projectOf } from './project.ts';

export interface SessionListing {
  /** Newest use first. */
  sessions: SessionMeta[];
  broken: { id: string; error: TraiError }[];
}

/** None if the state directory does not exist. Errors: `io`. */
export async function listSessions(stateDir: string): Promise<SessionListing> {
  const ids = namesIn(join(stateDir, 'sessions')).filter(isSessionId).sort();
  const listing: SessionListing = { sessions: [], broken: [] };
  await Promise.all(
    ids.map(async (id) => {
      try {
        listing.sessions.push(await readMeta(sessionDir(stateDir, id)));
      } catch (error) {
        if (!(error instanceof TraiError)) throw error;
        if (error.code !== 'no-session') listing.broken.push({ id, error });
      }
    }),
  );
  listing.sessions.sort(
    (a, b) => byBytes(lastUse(b), lastUse(a)) || byBytes(b.createdAt, a.createdAt) || byBytes(a.id, b.id),
  );
  listing.broken.sort((a, b) => byBytes(a.id, b.id));
  return listing;
}

/** ISO time when a client was last attached; calls do not count. */
export function lastUse(meta: SessionMeta): string {
  return [meta.createdAt, ...meta.claude.map(({ at }) => at)].sort().at(-1) ?? meta.createdAt;
}

export async function newestOfProject(stateDir: string, projectId: string): Promise<SessionMeta | null> {
  const { sessions } = await listSessions(stateDir);
  return sessions.find((meta) => meta.projectId === projectId) ?? null;
}

export async function findSession(stateDir: string, { cwd }: { cwd: BytePath }): Promise<SessionMeta | null> {
  return newestOfProject(stateDir, projectOf(cwd).id);
}

export interface NewSession {
  cwd: BytePath;
  /** Default: that of cwd. */
  project?: Project;
  levels?: SessionMeta['levels'];
  now?: Date;
  /** What it has besides, from its first moment on. */
  files?: (project: Project) => Readonly<Record<string, string>>;
  /** The same, written there by itself, and not synced: nobody else knows the session yet, nor can want its lock. */
  fill?: ((dir: string, meta: SessionMeta) => Promise<void>) | undefined;
}

/** Complete by one rename. Errors: those of ensureStateDir and readMeta, `bad-input`. */
export async function ensureSession(
  stateDir: string,
  id: string,
  input: NewSession,
): Promise<{ meta: SessionMeta; created: boolean }> {
  const dir = sessionDir(stateDir, id);
  ensureStateDir(stateDir);
  const created = !existsSync(dir) && (await create(dir, id, input));
  return { meta: await readMeta(dir), created };
}

function freshMeta(id: string, { cwd, levels, now = new Date() }: NewSession, project: Project): SessionMeta {
  return {
    v: 1,
    id,
    claude: [],
    projectRoot: project.root,
    cwd,
    projectId: project.id,
    createdAt: now.toISOString(),
    configFile: null,
    configProblems: [],
    off: null,
    caught: null,
    logVersion: 1,
    ...(levels === undefined ? {} : { levels }),
  };
}

/** Followed by the id, the maker's pid and start time, and a random word. */
const NEW = '.new.';

function maker(): string {
  const { pid, start } = ownProcess();
  return `${pid}-${start}`;
}

/** Names in `sessions` of unfinished sessions whose maker has died. */
export function unmadeSessions(stateDir: string): string[] {
  return namesIn(join(stateDir, 'sessions')).filter((name) => {
    const [, pid, start] = /^\.new\..+\.(\d+)-(\d+)\.\w+$/.exec(name) ?? [];
    return pid !== undefined && processStat(Number(pid))?.start !== start;
  });
}

/** False when another process made it first. */
async function create(dir: string, id: string, input: NewSession): Promise<boolean> {
  const { cwd, project = projectOf(cwd), files, fill } = input;
  const meta = freshMeta(id, input, project);
  const sessions = join(dir, '..');
  // Mode 0700. The dot makes the name no session id: what a crash leaves is never listed.
  const temporary = mkdtempSync(join(sessions, `${NEW}${basename(dir)}.${maker()}.`));
  let overlay = temporary;
  try {
    const overlays = join(sessions, '../overlays');
    mkdirSync(overlays, { recursive: true, mode: 0o700 });
    const name = basename(temporary).slice(NEW.length);
    // Before the overlay, so that `gc` finds it after a crash.
    symlinkSync(`../../overlays/${name}`, join(temporary, 'overlay'));
    mkdirSync(join(overlays, name), { mode: 0o700 });
    overlay = join(overlays, name);
    for (const name of ['plan', 'run', 'requests', 'grants', 'commits']) {
      mkdirSync(join(temporary, name), { mode: 0o700 });
    }
    // Made here so that the launcher's umask does not decide who may read the log.
    writeFileSync(join(temporary, LOG_NAME), '', { mode: 0o600 });
    const all = { ...files?.(project), 'meta.json': metaText(meta) };
    for (const [name, content] of Object.entries(all))
      writeFileSync(join(temporary, name), content, { flag: 'wx', mode: 0o600 });
    await fill?.(temporary, meta);
    // Last, and at once: while the disk takes them, whatever is made on it waits.
    await Promise.all([...Object.keys(all).map((name) => join(temporary, name)), temporary].map(syncPath));
    renameSync(temporary, dir);
  } catch (error) {
    for (const made of [temporary, overlay]) rmSync(made, { recursive: true, force: true });
    if (existsSync(dir)) return false;
    throw error instanceof TraiError || errorCode(error) === '' ? error : sessionNotMade(dir, error);
  }
  await syncPath(sessions);
  return true;
}

/** One in which nothing has run yet. Never throws. */
export function removeNewSession(stateDir: string, id: string): void {
  const dir = sessionDir(stateDir, id);
  const overlay = orNull(() => basename(readlinkSync(join(dir, 'overlay'))));
  // Unfinished again: from here on there is none, and `gc` finds what a crash leaves.
  const gone = join(dir, `../${NEW}${id}.${maker()}.gone`);
  orNull(() => renameSync(dir, gone));
  for (const one of [...(overlay === null ? [] : [join(stateDir, 'overlays', overlay)]), gone])
    orNull(() => rmSync(one, { recursive: true, force: true }));
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw sessionsUnreadable(dir, error);
  }
}
