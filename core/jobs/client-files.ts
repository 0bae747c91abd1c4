/**
 * A client that runs in the session itself (`trai claude`): which of its own files are the host's.
 *
 *     directories, history.jsonl    bound from the host while it runs (core/sandbox/prepare/binds.ts)
 *     .claude.json                  made anew from the host's at each start, for a box without other projects; at
 *                                   the end its own keys go to the host, and those that a client obeys do not
 *                                   (shared/model/client-state.ts)
 *     .credentials.json             the host's: followed both ways while it runs, since a copy would be worth
 *                                   nothing after a refresh, and a bind would stay with the replaced file
 *     .last-cleanup                 goes to the host at the end, where that has none
 *
 * sessions/ID/client.json says that one runs, and with which .claude.json it started. Whoever finds it after
 * that process has ended completes the end: beginClient of the next start.
 */
import { linkSync, mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type BytePath, fromText, isWithin, joinPath, nameOf, parentOf, toText } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { isObject } from '../../shared/json-lines.ts';
import type { BoxRecord } from '../../shared/model/box.ts';
import { mergeClientState } from '../../shared/model/client-state.ts';
import type { ProcessKey } from '../../shared/model/process.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import { errorCode, fsPath, orNull, realPath, type Stat } from '../kernel/fs/port.ts';
import { readPlainFile, replaceFile, temporaryName, writeWhole } from '../kernel/fs/state-file.ts';
import { isClaudeClient } from '../kernel/proc/caller.ts';
import { withFileLock } from '../kernel/proc/file-lock.ts';
import { ownProcess, processArguments, processProgram } from '../kernel/proc/proc.ts';
import { writeBoxRecord } from '../sandbox/box-record.ts';
import { clientDirs, hostsOfClient } from '../sandbox/claude-files.ts';
import {
  type ClientRecord,
  clientRecordPath,
  isClientRunning,
  readClientRecord,
} from '../sandbox/client-door.ts';
import { homeOf, sessionContext } from '../sandbox/context.ts';
import { liveProcesses } from '../sandbox/live.ts';
import type { Env } from '../session/dirs.ts';
import { repositoryOf } from '../session/project.ts';
import { coveringDir, type SessionContext, upperPathIn } from '../session/session-context.ts';
import { clientIsHere, clientStateLocked } from './messages/errors.ts';

/** How often both sides of the credentials are looked at (ms). */
const FOLLOW_MS = 500;

/** A client renews its lock of .claude.json every 5 s, and takes one over that is older than this (ms). */
const LOCK_STALE_MS = 10_000;
/** Long enough for the lock of a client that was killed to become stale (ms). */
const LOCK_WAIT_MS = 12_000;

interface Paths {
  /** .claude.json, wherever the client has it. */
  state: BytePath;
  credentials: BytePath;
  cleanup: BytePath;
}

const variablesOf = (env: Env): Map<string, string> =>
  new Map(Object.entries(env).map(([name, value]) => [name, value ?? '']));

function pathsOf(env: Env): Paths {
  const home = homeOf(env);
  const real = (path: BytePath) => orNull(() => realPath(path)) ?? path;
  const configDir = real(clientDirs(home, variablesOf(env)).configDir);
  const isMoved = (env['CLAUDE_CONFIG_DIR'] ?? '') !== '';
  return {
    state: real(joinPath(isMoved ? configDir : home, '.claude.json')),
    credentials: real(joinPath(configDir, '.credentials.json')),
    cleanup: joinPath(configDir, '.last-cleanup'),
  };
}

/** A box that is about to start, and its own copy of .claude.json. */
export interface BoxStart {
  record: BoxRecord;
  copy: string;
}

/** A client that is about to start. */
export interface Starting {
  box: BoxStart | null;
  /** The process that waits for it, where the server follows its credentials; null: this one does both. */
  served: ProcessKey | null;
}

/** Of a new session, which has the record from its first moment on: no other client can start in it before this one. */
export function firstRecord(env: Env, projectRoot: BytePath, starting: Starting): ClientRecord {
  const paths = pathsOf(env);
  return recordOf(paths, paths.state, projectRoot, starting);
}

/** Before the first client of a session, which was made with its record. Errors: `io`. */
export function beginFirst(sessionDir: string, env: Env, box: BoxStart | null): void {
  makeHosts(sessionDir, env, box);
  if (box !== null) writeCopy(box, readClientRecord(sessionDir)?.state ?? null);
}

/**
 * Before another client starts in the session. Completes the end of an earlier one first, and makes the directories
 * of the host that it keeps its work in.
 * @throws TraiError `live`, with the pid, while another one runs there; `busy`, `io`
 */
export async function beginClient(ctx: SessionContext, env: Env, starting: Starting): Promise<void> {
  // Two that start at once must not both find none.
  await withFileLock(`${clientRecordPath(ctx.sessionDir)}.lock`, async () => await begin(ctx, env, starting));
}

async function begin(ctx: SessionContext, env: Env, starting: Starting): Promise<void> {
  const { box } = starting;
  await expectNoClient(ctx);
  await endClient(ctx, env);
  const paths = pathsOf(env);
  makeHosts(ctx.sessionDir, env, box);
  await makeAnew(ctx, paths);
  const state = box === null ? (upperOf(ctx, paths.state) ?? paths.state) : paths.state;
  const record = recordOf(paths, state, ctx.projectRoot, starting);
  if (box !== null) writeCopy(box, record.state);
  await replaceFile(clientRecordPath(ctx.sessionDir), JSON.stringify(record));
}

function makeHosts(sessionDir: string, env: Env, box: BoxStart | null): void {
  const { made, empty, history } = hostsOfClient(homeOf(env), variablesOf(env));
  for (const dir of box === null ? [...made, empty] : [empty])
    mkdirSync(fsPath(dir), { recursive: true, mode: 0o700 });
  if (box === null) writeFileSync(fsPath(history), '', { flag: 'a', mode: 0o600 });
  writeBoxRecord(sessionDir, box?.record ?? null);
}

/** @param state .claude.json as the client will find it, or as its box's is made of it */
function recordOf(
  { credentials }: Paths,
  state: BytePath,
  projectRoot: BytePath,
  { box, served }: Starting,
): ClientRecord {
  const { pid, start } = served ?? ownProcess();
  const text = textOf(state);
  return {
    v: 1,
    pid,
    start,
    state: box === null ? text : withoutOthers(text, projectRoot),
    ...(served === null ? {} : { mounted: keyOf(entryOf(credentials)) }),
    ...(box === null ? {} : { copy: box.copy }),
  };
}

/** In place, where a box of the session mounts it. */
function writeCopy({ copy }: BoxStart, state: string | null): void {
  writeFileSync(copy, state ?? '{}', { mode: 0o600 });
}

async function expectNoClient(ctx: SessionContext): Promise<void> {
  const record = readClientRecord(ctx.sessionDir);
  if (record !== null && isClientRunning(ctx.sessionDir)) throw clientIsHere(ctx.session, record.pid);
  for (const { pid } of await liveProcesses(ctx.source)) {
    if (isClaudeClient({ program: processProgram(pid), argv: processArguments(pid) ?? [] }))
      throw clientIsHere(ctx.session, pid);
  }
}

/** In a live session the client goes on with what was there. */
async function makeAnew(ctx: SessionContext, { state, credentials, cleanup }: Paths): Promise<void> {
  const uppers = [state, credentials, cleanup].flatMap((path) => upperOf(ctx, path) ?? []);
  if (uppers.length === 0) return;
  try {
    // Loaded when needed: a start is waited for.
    const { withSession } = await import('./door/with-session.ts');
    await withSession(ctx, 'quiet', async () => {
      for (const path of uppers) rmSync(fsPath(path), { force: true });
    });
  } catch (error) {
    if (!(error instanceof TraiError) || error.code !== 'live') throw error;
  }
}

/**
 * After the client has ended. Idempotent; does nothing where none was, and is completed by the next call where it throws.
 * @param ctx made since its start: the covered directories are known only then
 * @throws TraiError `busy`: another client has the lock of .claude.json
 * @returns the names in .claude.json that the session changed and the host did not get
 */
export async function endClient(ctx: SessionContext, env: Env): Promise<string[]> {
  const record = readClientRecord(ctx.sessionDir);
  if (record === null) return [];
  const paths = pathsOf(env);
  // Of a box it is about the conversations of its instance.
  if (record.copy === undefined) giveToHost(ctx, paths.cleanup);
  giveToHost(ctx, paths.credentials);
  const left = await giveState(ctx, paths.state, record);
  if (record.copy !== undefined) rmSync(record.copy, { force: true });
  rmSync(clientRecordPath(ctx.sessionDir), { force: true });
  return left;
}

const isNear = (project: string, root: BytePath): boolean =>
  isWithin(root, fromText(project)) || isWithin(fromText(project), root);

/** .claude.json for a box of that project: what it has on others may hold their keys. Null where it cannot be read. */
function withoutOthers(text: string | null, root: BytePath): string | null {
  const state = parsed(text);
  if (state === null || !isObject(state['projects'])) return state === null ? null : text;
  const common = repositoryOf(root)?.commonDir;
  // A worktree's is known by the main one's name.
  const roots = common !== undefined && nameOf(common) === '.git' ? [root, parentOf(common)] : [root];
  const own = Object.entries(state['projects']).filter(([name]) => roots.some((one) => isNear(name, one)));
  return JSON.stringify({ ...state, projects: Object.fromEntries(own) });
}

async function giveState(ctx: SessionContext, path: BytePath, record: ClientRecord): Promise<string[]> {
  const from = record.copy === undefined ? upperOf(ctx, path) : fromText(record.copy);
  const inside = from === null ? null : parsed(textOf(from));
  const base = parsed(record.state) ?? {};
  if (inside === null || isDeepStrictEqual(inside, base)) return [];
  return await withClientLock(path, () => {
    const content = readPlainFile(fsPath(path));
    const isMissing = content === null && entryOf(path) === null;
    const host = isMissing ? {} : parsed(content?.toString('utf8') ?? null);
    // Half written by another client, damaged, or a link to nowhere: not ours to replace.
    if (host === null) return [];
    // In a box a program could have answered the question itself. What lies above the project, or below it, may be others'.
    const isOwn = (project: string) => record.copy === undefined && fromText(project) === ctx.projectRoot;
    const { merged, left } = mergeClientState({ base, inside, host }, isOwn);
    const after = JSON.stringify(merged, null, 2);
    if (after !== JSON.stringify(host, null, 2)) writeWhole(toText(path), Buffer.from(after, 'utf8'));
    return left;
  });
}

/** The client's own lock of that file: a directory beside it. */
async function withClientLock<T>(path: BytePath, work: () => T): Promise<T> {
  const lock = `${toText(path)}.lock`;
  const until = Date.now() + LOCK_WAIT_MS;
  while (!takesLock(lock)) {
    if (Date.now() > until) throw clientStateLocked(lock, LOCK_WAIT_MS / 1000);
    await setTimeout(100);
  }
  try {
    return work();
  } finally {
    orNull(() => rmdirSync(lock));
  }
}

function takesLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const since = orNull(() => statSync(lock).mtimeMs);
    if (since !== null && Date.now() - since > LOCK_STALE_MS) orNull(() => rmdirSync(lock));
    return false;
  }
}

/** Never over an entry of the host's. */
function giveToHost(ctx: SessionContext, path: BytePath): void {
  const upper = upperOf(ctx, path);
  const content = upper === null ? null : orNull(() => readPlainFile(fsPath(upper)));
  if (content === null) return;
  const temporary = temporaryName(toText(path));
  orNull(() => {
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 });
    linkSync(temporary, toText(path));
  });
  rmSync(temporary, { force: true });
}

export interface Following {
  /** At the end of the client, before endClient, with a context of then. */
  stop(now: SessionContext | null): Promise<void>;
}

/**
 * Keeps the credentials of the client and those of the host the same, whoever refreshes them. The newer ones
 * count where both changed. To be called before it mounts.
 * @param mounted the host's as they are mounted: what replaces them before the first look is not seen inside
 * @param runs asked before each look; it ends when the client does not
 */
export function followCredentials(
  { stateDir, session }: Pick<SessionContext, 'stateDir' | 'session'>,
  env: Env,
  {
    runs = () => true,
    mounted = keyOf(entryOf(pathsOf(env).credentials)),
  }: { runs?: () => boolean; mounted?: string | undefined } = {},
): Following {
  const { credentials } = pathsOf(env);
  let known: { host: string; inside: string } | null = null;
  let running: Promise<void> | null = null;
  const look = async (now: SessionContext): Promise<void> => {
    const upper = upperOf(now, credentials);
    const [host, inside] = [entryOf(credentials), upper === null ? null : entryOf(upper)];
    const seen = { host: keyOf(host), inside: keyOf(inside) };
    const isInsideNew = inside?.type === 'file' && seen.inside !== known?.inside;
    const isHostNew = seen.host !== (known?.host ?? mounted);
    // Of one side alone the time says nothing: the copy of what was there before a refresh may be younger.
    const isAlone = known !== null && !isHostNew;
    // What could not be copied is new at the next look too.
    if (isInsideNew && upper !== null && (isAlone || host === null || inside.mtimeNs > host.mtimeNs)) {
      const copied = copyOut(upper, credentials);
      if (copied !== null) known = { ...seen, host: keyWith(credentials, copied) ?? seen.host };
    } else if ((isInsideNew || isHostNew) && host?.type === 'file') {
      const copied = await copyIn(now, credentials, seen.inside);
      const made = upperOf(now, credentials);
      if (copied !== null)
        known = { ...seen, inside: (made === null ? null : keyWith(made, copied)) ?? seen.inside };
    } else known = seen;
  };
  const next = (): void => {
    if (!runs()) clearInterval(timer);
    else
      running ??= sessionContext(stateDir, session, env)
        .then(look)
        .catch(() => undefined)
        .finally(() => {
          running = null;
        });
  };
  const timer = globalThis.setInterval(next, FOLLOW_MS);
  return {
    stop: async (now) => {
      clearInterval(timer);
      await running;
      if (now !== null) await look(now).catch(() => undefined);
    },
  };
}

/** The key of the entry that has this content; null for another one, which somebody has written since. */
function keyWith(path: BytePath, content: Buffer | null): string | null {
  const key = keyOf(entryOf(path));
  const found = content === null ? null : orNull(() => readPlainFile(fsPath(path)));
  return content !== null && found?.equals(content) === true && keyOf(entryOf(path)) === key ? key : null;
}

/** Null also while it is being written in place. */
function wholeAt(path: BytePath): Buffer | null {
  const content = readPlainFile(fsPath(path));
  return content === null || parsed(content.toString('utf8')) === null ? null : content;
}

/** Returns what both sides have then. */
function copyOut(from: BytePath, to: BytePath): Buffer | null {
  const content = wholeAt(from);
  if (content === null) return null;
  if (readPlainFile(fsPath(to))?.equals(content) !== true) writeWhole(toText(to), content);
  return content;
}

/**
 * The same, through the merged view: the kernel shows a live overlay no change of the host's below it. Taking the lock
 * leaves time for both sides: it is read afterwards, and null also where the client has written it since it was `seen`.
 */
async function copyIn(ctx: SessionContext, path: BytePath, seen: string): Promise<Buffer | null> {
  const covered = coveringDir(ctx.coveredDirs, path);
  if (covered === null || wholeAt(path) === null) return null;
  const { withLock } = await import('../sandbox/lock.ts');
  const { openInside } = await import('../sandbox/inside.ts');
  return await withLock(ctx, async () => {
    const inside = await openInside(ctx.source, covered);
    if (inside === null) return null;
    try {
      const upper = upperOf(ctx, path);
      const content = wholeAt(path);
      if (content === null || keyOf(upper === null ? null : entryOf(upper)) !== seen) return null;
      const below = path.slice(covered.path === '/' ? 1 : covered.path.length + 1);
      const target = `/proc/self/fd/${inside.fd}/${toText(below)}`;
      if (readPlainFile(target)?.equals(content) !== true) writeWhole(target, content);
      return content;
    } finally {
      inside.close();
    }
  });
}

/** Null unless the upper has an entry there; a whiteout is one. */
function upperOf(ctx: SessionContext, path: BytePath): BytePath | null {
  const upper = upperPathIn(ctx.coveredDirs, path);
  return upper !== null && orNull(() => lstatEntry(upper)) !== null ? upper : null;
}

function entryOf(path: BytePath): Stat | null {
  return orNull(() => lstatEntry(path));
}

function keyOf(entry: Stat | null): string {
  return entry === null ? '' : `${entry.ino}.${entry.size}.${entry.mtimeNs}`;
}

function textOf(path: BytePath): string | null {
  return orNull(() => readPlainFile(fsPath(path))?.toString('utf8')) ?? null;
}

function parsed(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
