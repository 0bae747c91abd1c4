import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { type BytePath, bytePath, fromText } from '../../shared/bytes.ts';
import type { Overlap, SessionOverlap } from '../../shared/model/overlap-paths.ts';
import { committedText, overlapText } from '../../shared/terminal/text.ts';
import { namesOrNone } from '../kernel/fs/entry.ts';
import { errorCode } from '../kernel/fs/port.ts';
import { sessionContext } from '../sandbox/context.ts';
import { overlapOf } from '../scan/lookup/overlap.ts';
import { holdsDirsAlone } from '../scan/nothing-pending.ts';
import { type Env, isSessionId, sessionDir } from '../session/dirs.ts';
import { logPath, logTo } from '../session/log/append.ts';
import { readMeta } from '../session/meta-file.ts';

const MOST_PATHS = 50;
/** Most other sessions to compare, the newest first: each costs some milliseconds. */
const MOST_SESSIONS = 20;

/** Cached: the project of a session never changes. */
const projects = new Map<string, string>();

/** Lets others go on between two sessions: a claim need not wait for all of them. */
export async function overlapsOf(stateDir: string, env: Env, id: string): Promise<SessionOverlap[]> {
  if (isEmpty(sessionDir(stateDir, id))) return [];
  const context = async (one: string) => await sessionContext(stateDir, one, env);
  const own = await unlessGone(async () => await context(id));
  // Two directories of one name are no overlap.
  if (own === null || holdsDirsAlone(own)) return [];
  const found: SessionOverlap[] = [];
  for (const other of (await othersOfProject(stateDir, id)).slice(0, MOST_SESSIONS)) {
    await breathe();
    const overlap = await unlessGone(async () => await overlapOf(own, await context(other), MOST_PATHS));
    if (overlap !== null && overlap.paths.length > 0) found.push({ session: other, ...overlap });
  }
  return found;
}

/** Empty when one of them is gone, damaged or unreadable. */
export async function overlapWith(stateDir: string, env: Env, id: string, other: string): Promise<Overlap> {
  const context = async (one: string) => await sessionContext(stateDir, one, env);
  const found = await unlessGone(async () => overlapOf(await context(id), await context(other), MOST_PATHS));
  return found ?? { paths: [], more: false };
}

/** Null when a session is gone, damaged or unreadable. */
async function unlessGone<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return null;
  }
}

/** After a call: logs each new overlap once in both sessions. Returns whether any is new, for `takeNews`. */
export async function noteOverlaps(stateDir: string, env: Env, id: string): Promise<boolean> {
  let news = false;
  for (const { session: other, ...overlap } of await overlapsOf(stateDir, env, id)) {
    for (const [one, two] of [[id, other] as const, [other, id] as const]) {
      const dir = sessionDir(stateDir, one);
      if (!markNew(dir, two)) continue;
      news = true;
      await note(dir, (root) => overlapText(two, overlap, root));
    }
  }
  return news;
}

/** After a commit: logs in both sessions the shared paths that are now in conflict in the other. */
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
    for (const [one, two] of [[id, other] as const, [other, id] as const])
      await note(sessionDir(stateDir, one), (root) => committedText(two, committed, root, one === id));
  }
}

async function note(dir: string, textOf: (projectRoot: BytePath) => string): Promise<void> {
  const { projectRoot } = await readMeta(dir);
  logTo(dir, { t: 'notice', code: 'overlap', text: textOf(bytePath(projectRoot)) });
}

/** Sessions with new overlaps, each given to this session's agent once. */
export function takeNews(dir: string): string[] {
  const marks = path.join(dir, 'overlaps');
  return namesIn(marks).flatMap((name) => {
    const other = name.startsWith(NEW) ? name.slice(NEW.length) : '';
    if (!isSessionId(other)) return [];
    try {
      renameSync(path.join(marks, name), path.join(marks, TOLD + other));
      return [other];
    } catch {
      // Another process has taken it.
      return [];
    }
  });
}

/** Nothing is shared any more: a later overlap is new again. */
export function forgetOverlap(dir: string, other: string): void {
  rmSync(path.join(dir, 'overlaps', TOLD + other), { force: true });
}

const NEW = 'new.';
const TOLD = 'told.';

function markNew(dir: string, other: string): boolean {
  const marks = path.join(dir, 'overlaps');
  if (namesIn(marks).includes(TOLD + other)) return false;
  try {
    // Not recursive, which would make a removed session's directory again.
    if (!existsSync(marks)) mkdirSync(marks, { mode: 0o700 });
    writeFileSync(path.join(marks, NEW + other), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    // It exists; or the disk is full, and the next call tries again.
    return false;
  }
}

export async function projectIdOf(stateDir: string, id: string): Promise<string | null> {
  const key = `${stateDir}\0${id}`;
  const known = projects.get(key);
  if (known !== undefined) return known;
  try {
    const { projectId } = await readMeta(sessionDir(stateDir, id));
    projects.set(key, projectId);
    return projectId;
  } catch {
    // It is just being made, or damaged.
    return null;
  }
}

/** Ids of the project's other sessions with a non-empty upper, those with the newest calls first. */
async function othersOfProject(stateDir: string, id: string): Promise<string[]> {
  const project = await projectIdOf(stateDir, id);
  const found: { other: string; at: number }[] = [];
  for (const other of namesIn(path.join(stateDir, 'sessions'))) {
    if (other === id || project === null || !isSessionId(other)) continue;
    const dir = sessionDir(stateDir, other);
    if ((await projectIdOf(stateDir, other)) !== project) continue;
    await breathe();
    if (isEmpty(dir)) continue;
    found.push({ other, at: statSync(logPath(dir), { throwIfNoEntry: false })?.mtimeMs ?? 0 });
  }
  return found.sort((a, b) => b.at - a.at).map(({ other }) => other);
}

function isEmpty(dir: string): boolean {
  const overlay = path.join(dir, 'overlay');
  return namesIn(overlay).every(
    (n) => !/^[0-9]+$/.test(n) || namesIn(path.join(overlay, n, 'u')).length === 0,
  );
}

const namesIn = (dir: string): string[] => namesOrNone(fromText(dir));
