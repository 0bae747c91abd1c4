import { readFileSync, readlinkSync } from 'node:fs';
import { type BytePath, bytePath, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { LOCK_WAIT_S } from '../../shared/limits.ts';
import { dropCommitted } from '../commit/apply/cleanup.ts';
import { mayHavePending } from '../commit/discard/discard.ts';
import { closeUnfinished } from '../commit/recover/recover.ts';
import { repairOverlay } from '../commit/recover/repair.ts';
import {
  type AdoptNote,
  adoptionWaits,
  type FinishTools,
  finishAdoption,
  takeOverlay,
} from '../commit/retention/adopt.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { processStat } from '../kernel/proc/proc.ts';
import { recordBases } from '../overlay/bases.ts';
import { sessionContext } from '../sandbox/context.ts';
import { isQuiet, liveProcesses } from '../sandbox/live.ts';
import { withLock } from '../sandbox/lock.ts';
import { scan } from '../scan/scan.ts';
import { type Env, sessionDir } from '../session/dirs.ts';
import { appendEvent } from '../session/log/append.ts';
import { readMeta, updateMeta } from '../session/meta-file.ts';
import type { SessionContext } from '../session/session-context.ts';
import type { SessionMeta } from '../session/types.ts';
import { tellAgent } from './agent-news.ts';
import { finishUndo } from './finish-undo.ts';
import { logCommit } from './log-commit.ts';

export interface AdoptRequest {
  stateDir: string;
  from: string;
  to: string;
  env: Env;
}

export type AdoptReport = Pick<AdoptNote, 'from' | 'to' | 'entries'>;

/**
 * Lets session `to` go on with the pending changes of `from`, whose overlay becomes its own. `from` keeps its log and
 * gets an empty overlay.
 *
 * @throws TraiError `no-session`, `bad-input` (the same session, another project), `live`, `not-empty`, `not-found`
 *   (nothing is pending in `from`), `unfinished`, `unsupported`, `busy`, `io`, `no-space`: nothing was moved, unless the
 *   hint says so
 */
export async function adoptOverlay({ stateDir, from, to, env }: AdoptRequest): Promise<AdoptReport> {
  if (from === to) throw new TraiError('bad-input', `session ${to} has these changes already`);
  const dirs = [from, to].sort().map((id) => sessionDir(stateDir, id));
  await expectSameProject(sessionDir(stateDir, from), sessionDir(stateDir, to));
  const [first = '', second = ''] = dirs;
  // One order for everybody: two that adopt from each other must not wait for each other.
  return await withLock(first, LOCK_WAIT_S, () =>
    withLock(second, LOCK_WAIT_S, async () => {
      const context = async (id: string) => await sessionContext(stateDir, id, env);
      for (const id of [from, to]) await makeReady(await context(id));
      return await adoptLocked(await context(from), await context(to));
    }),
  );
}

async function adoptLocked(from: SessionContext, to: SessionContext): Promise<AdoptReport> {
  await expectNoClient(from);
  if (await mayHavePending(to)) {
    throw new TraiError('not-empty', `session ${to.session} has pending changes of its own`, {
      hint: 'Commit or discard them first, or adopt in a new session. Nothing was moved.',
    });
  }
  await recordBases(from);
  const { changes } = await scan(from);
  if (changes.length === 0) {
    throw new TraiError('not-found', `nothing is pending in session ${from.session}`);
  }
  takeOverlay(from, to, changes.length);
  await finishAdoption(to, toolsFor(to));
  return { from: from.session, to: to.session, entries: changes.length };
}

/**
 * Finishes an adoption that was interrupted, when there is one; nothing is done while something of the session runs. The
 * session's lock is held.
 *
 * @returns false when the overlay is another one than that for which `ctx` was made: its places may have other numbers,
 *   so nothing may be done with it
 */
export async function finishInterrupted(ctx: SessionContext): Promise<boolean> {
  if (adoptionWaits(ctx.sessionDir) && (await isQuiet(ctx))) {
    await finishAdoption(ctx, toolsFor(ctx));
    return false;
  }
  return ctx.places.every(({ path, upper }) => (linkOf(upper) ?? path) === path);
}

/** The covered directory that the overlay itself names for an upper. Null when there is none to read. */
function linkOf(upper: BytePath): string | null {
  try {
    return readlinkSync(Buffer.from(`${upper.slice(0, -2)}/l`, 'latin1'), 'latin1');
  } catch {
    return null;
  }
}

function toolsFor(to: SessionContext): FinishTools {
  return {
    port: nodePort,
    holdsPending: async () => await mayHavePending(to),
    record: async (note) => await record(to.stateDir, note),
  };
}

/** Both logs say what moved, and both meta.json where to look for the other. */
async function record(stateDir: string, note: AdoptNote): Promise<void> {
  const at = new Date().toISOString();
  const { from, to, entries } = note;
  const known = await goneOr(async () => await readMeta(sessionDir(stateDir, from)));
  for (const id of known === null ? [to] : [from, to]) {
    await appendEvent(sessionDir(stateDir, id), { v: 1, at, t: 'adopt', from, to, entries });
  }
  if (known !== null) await updateMeta(sessionDir(stateDir, from), (meta) => ({ ...meta, wentOnIn: to }));
  tellAgent(
    sessionDir(stateDir, to),
    `the user lets this session go on with the pending changes of session ${from}.`,
  );
  await updateMeta(sessionDir(stateDir, to), (meta) => adopter(meta, from, known));
}

function adopter(meta: SessionMeta, from: string, known: SessionMeta | null): SessionMeta {
  const adopted = [...new Set([...(meta.adopted ?? []), from])];
  // What the client of the earlier session rewrites by itself is as little a change in this one.
  const claudeDirs = [...new Set([...(meta.claudeDirs ?? []), ...(known?.claudeDirs ?? [])])];
  const { wentOnIn: _, ...rest } = meta;
  return { ...rest, adopted, claudeDirs };
}

/** Null when the session directory was removed meanwhile. */
async function goneOr<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TraiError && error.code === 'no-session') return null;
    throw error;
  }
}

/** Errors: `no-session` for either, `bad-input`. */
async function expectSameProject(from: string, to: string): Promise<void> {
  const [theirs, ours] = await Promise.all([readMeta(from), readMeta(to)]);
  if (theirs.projectId === ours.projectId) return;
  const shown = (meta: SessionMeta) => toDisplay(bytePath(meta.projectRoot));
  throw new TraiError(
    'bad-input',
    `session ${theirs.id} belongs to another project (${shown(theirs)}) than session ${ours.id} (${shown(ours)})`,
    { hint: 'Commit it from there, or adopt it in a session of that project.' },
  );
}

/** Quiet, with whatever an earlier run left half done completed: no journal must point into an overlay that moves. */
async function makeReady(ctx: SessionContext): Promise<void> {
  if (!(await isQuiet(ctx))) {
    const processes = await liveProcesses(ctx.source);
    const [first] = processes;
    throw new TraiError('live', `a process of session ${ctx.session} is running: ${first?.command ?? '?'}`, {
      hint: 'Wait until it is done, or end it. Nothing was moved.',
      data: { processes: processes.length },
    });
  }
  repairOverlay(ctx);
  await finishInterrupted(ctx);
  await finishUndo(ctx);
  const closed = await closeUnfinished(ctx);
  if (closed !== null) await logCommit(ctx, closed, 'finished-later');
  await dropCommitted(ctx);
}

/** A client that is still open in the session would go on with an empty overlay, and not be told. */
async function expectNoClient(from: SessionContext): Promise<void> {
  const { claude } = await readMeta(from.sessionDir);
  for (const { pid, pidStart } of claude) {
    if (pid === null || pidStart === null || processStat(pid)?.start !== pidStart) continue;
    // The same client may have begun another session since (`/resume`).
    if (currentSession(from.stateDir, `${pid}.${pidStart}`) !== from.session) continue;
    throw new TraiError('live', `a Claude client is open in session ${from.session} (process ${pid})`, {
      hint: 'Go on there, or close it first. Nothing was moved.',
    });
  }
}

function currentSession(stateDir: string, client: string): string {
  try {
    return readFileSync(`${stateDir}/claude-pid/${client}`, 'utf8').trim();
  } catch {
    return '';
  }
}
