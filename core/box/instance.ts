/**
 * The instance of a project, `STATE/box/PROJECT-ID/`: what its boxes keep from one to the next.
 *
 *     project-root      one absolute path, and a newline; NUL where the path has newlines
 *     projects/, history.jsonl, client/     what Claude Code keeps of its own work
 *     cache/            downloads
 *     none/             what is in the place of hidden entries
 *     run/              of boxes that run: their copies of .claude.json, bwrap's notes
 */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type BytePath, fromText, nameOf, parentOf, toDisplay } from '../../shared/bytes.ts';
import type { BoxInstance } from '../../shared/model/box.ts';
import { removePath } from '../kernel/fs/dir-handles.ts';
import { namesOrNone } from '../kernel/fs/entry.ts';
import { fsPath, nodePort, orNull } from '../kernel/fs/port.ts';
import { syncPath, writeWhole } from '../kernel/fs/state-file.ts';
import { processStat } from '../kernel/proc/proc.ts';
import { isBoxed } from '../sandbox/box-record.ts';
import { isClientRunning } from '../sandbox/client-door.ts';
import { sessionDir } from '../session/dirs.ts';
import { type Project, repositoryOf } from '../session/project.ts';
import type { SessionListing } from '../session/store.ts';
import { STAYS } from './messages/errors.ts';
import { CACHE_NAMES, CLIENT_DIRS, EMPTY_DIR, EMPTY_FILE, stateCopy } from './table.ts';

const ROOT = 'project-root';
export const boxesDir = (stateDir: string): string => join(stateDir, 'box');

export const instanceDir = (stateDir: string, projectId: string): string =>
  join(boxesDir(stateDir), projectId);

export interface RunFiles {
  /** The box's `.claude.json`. */
  state: string;
  /** bwrap's status, as JSON documents. */
  status: string;
}

/** @param pid the process that waits for the client */
export const runFiles = (instance: string, session: string, pid: number): RunFiles => ({
  state: join(instance, stateCopy(session)),
  // Of that process: a second start in the session is refused, and must not take the first one's.
  status: join(instance, 'run', `${session}.${pid}.status`),
});

/** What all worktrees of a repository share: its directory, or that of a bare one or of a submodule's objects. */
function sharedRoot({ root }: Project): BytePath {
  const common = repositoryOf(root)?.commonDir;
  if (common === undefined) return root;
  return nameOf(common) === '.git' ? parentOf(common) : common;
}

/** Idempotent. Errors: those of mkdir. */
export function makeInstance(stateDir: string, project: Project): string {
  const dir = instanceDir(stateDir, project.id);
  const dirs = [
    'projects',
    'run',
    EMPTY_DIR,
    ...CLIENT_DIRS.map((name) => `client/${name}`),
    ...CACHE_NAMES.map((name) => `cache/${name}`),
  ];
  for (const name of dirs) mkdirSync(join(dir, name), { recursive: true, mode: 0o700 });
  for (const name of ['history.jsonl', EMPTY_FILE])
    writeFileSync(join(dir, name), '', { flag: 'a', mode: 0o600 });
  // Of starts that were killed.
  for (const name of readdirSync(join(dir, 'run'))) {
    const pid = /\.(\d+)\.status(?:\.\w+)?$/.exec(name)?.[1];
    if (pid !== undefined && processStat(Number(pid)) === null)
      rmSync(join(dir, 'run', name), { force: true });
  }
  const root = sharedRoot(project);
  if (readRoot(dir) === null)
    writeWhole(join(dir, ROOT), Buffer.from(`${root}${root.includes('\n') ? '\0' : '\n'}`, 'latin1'));
  return dir;
}

/** Null unless it is a regular file of this user's with one absolute path. */
function readRoot(dir: string): BytePath | null {
  const file = join(dir, ROOT);
  const stat = orNull(() => lstatSync(file));
  if (stat === null || !stat.isFile() || stat.uid !== process.getuid?.() || stat.size > 8192) return null;
  const text = readFileSync(file, 'latin1');
  // Two lines are no path: something else has written them.
  const [, path] = /^(\/[^\0\n]*)\n?$/.exec(text) ?? /^(\/[^\0]*)\0$/.exec(text) ?? [];
  return path === undefined || /(^|\/)\.\.?(\/|$)/.test(path) ? null : (path as BytePath);
}

export interface InstanceFacts {
  sessions: SessionListing['sessions'];
  broken: SessionListing['broken'];
  /** Whether the session has changes that are not ignored. */
  hasPending: (session: string) => Promise<boolean>;
}

/** By id. */
export async function listInstances(stateDir: string, facts: InstanceFacts): Promise<BoxInstance[]> {
  const names = instanceNames(stateDir);
  return await Promise.all(names.map((name) => instanceNamed(stateDir, name, facts)));
}

/** What lies where instances do, by name. */
export function instanceNames(stateDir: string): string[] {
  return (orNull(() => readdirSync(boxesDir(stateDir))) ?? []).sort();
}

/** When a box of it last began or ended (ms); null if unknown. */
export function lastUsed(instance: string): number | null {
  return orNull(() => statSync(join(instance, 'run')).mtimeMs);
}

async function instanceNamed(stateDir: string, id: string, facts: InstanceFacts): Promise<BoxInstance> {
  const dir = instanceDir(stateDir, id);
  const stat = orNull(() => lstatSync(dir));
  const one: BoxInstance = {
    id,
    root: null,
    lastUse: '',
    running: false,
    state: 'unsure',
    why: '',
    sessions: [],
  };
  if (!/^[0-9a-f]{16}$/.test(id)) return { ...one, why: STAYS.name };
  if (stat === null || !stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0)
    return { ...one, why: STAYS.foreign };
  const own = facts.sessions.filter(({ projectId }) => projectId === id);
  const used = lastUsed(dir);
  one.lastUse = used === null ? '' : new Date(used).toISOString();
  one.sessions = own.filter(({ levels }) => levels?.includes('box')).map((meta) => meta.id);
  one.running = own.some((meta) => isBoxRunning(stateDir, meta.id));
  const root = readRoot(dir);
  one.root = root;
  if (root === null) return { ...one, why: STAYS.record };
  if (orNull(() => lstatSync(fsPath(root))) !== null) return { ...one, state: 'used' };
  const above = parentOf(root);
  if (orNull(() => statSync(fsPath(above)))?.isDirectory() !== true)
    return { ...one, why: STAYS.above(toDisplay(above)) };
  // A mount point without its disk is an empty directory.
  if (namesOrNone(above).length === 0) return { ...one, why: STAYS.empty(toDisplay(above)) };
  if (one.running) return { ...one, why: STAYS.running };
  for (const meta of own) {
    const pending = await facts.hasPending(meta.id).catch(() => null);
    if (pending !== false) return { ...one, why: (pending === null ? STAYS.unread : STAYS.pending)(meta.id) };
  }
  const [unread] = facts.broken;
  if (unread !== undefined) return { ...one, why: STAYS.unread(unread.id) };
  return { ...one, state: 'gone' };
}

/** Whether the session's newest client runs, and in a box. */
export function isBoxRunning(stateDir: string, session: string): boolean {
  const dir = sessionDir(stateDir, session);
  return isBoxed(dir) && isClientRunning(dir);
}

export interface TrashedInstance {
  name: string;
  id: string;
  /** When it was moved there (ms). */
  at: number;
}

/** Oldest first. */
export function trashedInstances(stateDir: string): TrashedInstance[] {
  const names = orNull(() => readdirSync(join(stateDir, 'trash'))) ?? [];
  const found = names.flatMap((name) => {
    const [, id = '', at = ''] = /^box\.([0-9a-f]{16})\.(\d{1,15})$/.exec(name) ?? [];
    return id === '' ? [] : [{ name, id, at: Number(at) }];
  });
  return found.sort((a, b) => a.at - b.at);
}

/** For good. Errors: `io`. */
export function removeTrashed(stateDir: string, { name }: TrashedInstance): void {
  removePath(nodePort, fromText(join(stateDir, 'trash')), name as BytePath);
}

/** By one rename. Returns where it is now. */
export async function trashInstance(stateDir: string, id: string, now: number): Promise<string> {
  const trash = join(stateDir, 'trash');
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  const to = join(trash, `box.${id}.${now}`);
  renameSync(instanceDir(stateDir, id), to);
  await syncPath(trash);
  return to;
}
