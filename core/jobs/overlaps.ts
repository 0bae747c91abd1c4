import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bytePath } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import type { Overlap } from '../../shared/model/overlap-paths.ts';
import { committedText, overlapText } from '../../shared/terminal/text.ts';
import { sessionContext } from '../sandbox/context.ts';
import { overlapOf } from '../scan/lookup/overlap.ts';
import { type Env, isSessionId, sessionDir } from '../session/dirs.ts';
import { readMeta } from '../session/meta-file.ts';
import { logTo } from './door/outcome.ts';

/** Paths that are pending in another session of the project, too. */
export interface SessionOverlap extends Overlap {
  /** The other session. */
  session: string;
}

/** Paths that are named; of the rest it is only said that there are more. */
const MOST_PATHS = 50;
/** Other sessions of a project that are compared, the newest first: each costs some milliseconds. */
const MOST_SESSIONS = 20;

/** A project does not change in a session's life. */
const projects = new Map<string, string>();

/** What the session has pending together with others of its project. */
export async function overlapsOf(stateDir: string, env: Env, id: string): Promise<SessionOverlap[]> {
  if (isEmpty(sessionDir(stateDir, id))) return [];
  const project = await projectIdOf(stateDir, id);
  const found: SessionOverlap[] = [];
  let looked = 0;
  for (const other of othersWithOverlay(stateDir, id)) {
    if (looked === MOST_SESSIONS) break;
    if (project === null || (await projectIdOf(stateDir, other)) !== project) continue;
    looked++;
    const overlap = await overlapWith(stateDir, env, id, other);
    if (overlap.paths.length > 0) found.push({ session: other, ...overlap });
  }
  return found;
}

/** Empty where the other session is gone or broken. */
export async function overlapWith(stateDir: string, env: Env, id: string, other: string): Promise<Overlap> {
  try {
    const [a, b] = [await sessionContext(stateDir, id, env), await sessionContext(stateDir, other, env)];
    return await overlapOf(a, b, MOST_PATHS);
  } catch (error) {
    if (error instanceof TraiError && (error.code === 'no-session' || error.code === 'corrupt'))
      return { paths: [], more: false };
    throw error;
  }
}

/**
 * After a call: two sessions that have come to touch the same path are both told of it, once. The log says so at once; the
 * agents are told by `takeNews`.
 *
 * @returns whether there was something to tell
 */
export async function noteOverlaps(stateDir: string, env: Env, id: string): Promise<boolean> {
  let news = false;
  for (const { session: other, ...overlap } of await overlapsOf(stateDir, env, id)) {
    for (const [one, two] of [[id, other] as const, [other, id] as const]) {
      const dir = sessionDir(stateDir, one);
      if (!markNew(dir, two)) continue;
      news = true;
      const { projectRoot } = await readMeta(dir);
      const text = overlapText(two, overlap, bytePath(projectRoot));
      logTo(dir, { t: 'notice', code: 'overlap', text });
    }
  }
  return news;
}

/**
 * After a commit: of what both had pending, the committed paths are in conflict in the other session now. Both logs say so.
 * @param before what `overlapsOf` said right before it
 */
export async function tellCommitted(
  stateDir: string,
  env: Env,
  id: string,
  before: readonly SessionOverlap[],
): Promise<void> {
  for (const { session: other, paths } of before) {
    const still = new Set((await overlapWith(stateDir, env, id, other)).paths);
    const committed = { paths: paths.filter((path) => !still.has(path)), more: false };
    if (committed.paths.length === 0) continue;
    for (const [one, mine] of [[id, true] as const, [other, false] as const]) {
      const dir = sessionDir(stateDir, one);
      const { projectRoot } = await readMeta(dir);
      const text = committedText(mine ? other : id, committed, bytePath(projectRoot), mine);
      logTo(dir, { t: 'notice', code: 'overlap', text });
    }
  }
}

/** The other sessions of which this one's agent has not been told yet; each is given once. */
export function takeNews(dir: string): string[] {
  const marks = path.join(dir, 'overlaps');
  return namesIn(marks).flatMap((name) => {
    const other = name.startsWith(NEW) ? name.slice(NEW.length) : '';
    if (!isSessionId(other)) return [];
    try {
      renameSync(path.join(marks, name), path.join(marks, TOLD + other));
      return [other];
    } catch {
      // Somebody else was faster.
      return [];
    }
  });
}

/** Nothing is shared any more: should it be again, that is news. */
export function forgetOverlap(dir: string, other: string): void {
  rmSync(path.join(dir, 'overlaps', TOLD + other), { force: true });
}

const NEW = 'new.';
const TOLD = 'told.';

/** False when it was told already, or is about to be. */
function markNew(dir: string, other: string): boolean {
  const marks = path.join(dir, 'overlaps');
  if (namesIn(marks).includes(TOLD + other)) return false;
  try {
    // Not recursive: a session that was removed must not come back.
    if (!existsSync(marks)) mkdirSync(marks, { mode: 0o700 });
    writeFileSync(path.join(marks, NEW + other), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    // There already; or the disk is full, and the next call tries again.
    return false;
  }
}

/** Null for a session that can't be read. */
export async function projectIdOf(stateDir: string, id: string): Promise<string | null> {
  const key = `${stateDir}\0${id}`;
  const known = projects.get(key);
  if (known !== undefined) return known;
  try {
    const { projectId } = await readMeta(sessionDir(stateDir, id));
    projects.set(key, projectId);
    return projectId;
  } catch {
    // Just being made, or broken: others say so.
    return null;
  }
}

/** Ids of the other sessions that have anything in an overlay, those with the newest calls first. */
function othersWithOverlay(stateDir: string, id: string): string[] {
  const ids = namesIn(path.join(stateDir, 'sessions')).filter((name) => isSessionId(name) && name !== id);
  const used = (other: string): number =>
    statSync(path.join(sessionDir(stateDir, other), 'calls.jsonl'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const full = ids.filter((other) => !isEmpty(sessionDir(stateDir, other)));
  return full
    .map((other) => ({ other, at: used(other) }))
    .sort((a, b) => b.at - a.at)
    .map(({ other }) => other);
}

function isEmpty(dir: string): boolean {
  const overlay = path.join(dir, 'overlay');
  return namesIn(overlay).every(
    (n) => !/^[0-9]+$/.test(n) || namesIn(path.join(overlay, n, 'u')).length === 0,
  );
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir, 'latin1');
  } catch {
    return [];
  }
}
