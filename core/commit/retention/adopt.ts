/**
 * Adoption: the overlay moves by one rename into the other session's directory, where it waits as
 * `overlay.adopted`; then it replaces that session's own, which has nothing pending. If interrupted, the next
 * run with that session's lock completes it.
 */
import { type BytePath, fromText, joinPath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { removePath } from '../../kernel/fs/dir-handles.ts';
import { errorCode, type FsPort, isNoSpace, nodePort, syncDirs } from '../../kernel/fs/port.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { isSessionId } from '../../session/dirs.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { mayHavePending } from '../discard/discard.ts';
import { readDiscards, storeOverlay, writeFile } from '../journal/trash.ts';
import { ADOPTED, repairMissing } from '../recover/repair.ts';
import { makeFresh } from '../upper/fresh-overlay.ts';

/** `overlay/.adopted`: the session that an overlay comes from, for attribution. Stays in it. */
export interface AdoptNote {
  v: 1;
  from: string;
  to: string;
  at: string;
  entries: number;
}

const NOTE = '.adopted';
/** The note's name until the adoption is logged. */
const UNTOLD = '.adopting';

export type Adopter = Pick<SessionContext, 'stateDir' | 'sessionDir' | 'session'>;

export interface FinishTools {
  port: FsPort;
  /** Logs the adoption for both sessions; called again after an interruption. */
  record: (note: AdoptNote) => Promise<void>;
}

/**
 * Moves the overlay of `from` to where it waits for `to`; `finishAdoption` follows. Both have no open
 * transaction and are cleaned up, base records are taken, and `to` has nothing pending.
 * @throws TraiError `unsupported`, `io`, `no-space`: nothing was moved, unless its hint says otherwise
 */
export function takeOverlay(
  from: QuietSession,
  to: QuietSession,
  entries: number,
  port: FsPort = nodePort,
): void {
  expectUndoable(port, from, to);
  const overlay = joinPath(fromText(from.sessionDir), 'overlay');
  const waiting = joinPath(fromText(to.sessionDir), ADOPTED);
  try {
    makeFresh(port, from, overlay);
    const note: AdoptNote = {
      v: 1,
      from: from.session,
      to: to.session,
      at: new Date().toISOString(),
      entries,
    };
    writeFile(port, joinPath(overlay, UNTOLD), `${JSON.stringify(note)}\n`);
    dropPlans(port, to);
    port.rename(overlay, waiting);
    syncDirs(port, [fromText(to.sessionDir), fromText(from.sessionDir)]);
    repairMissing(from, port);
    syncDirs(port, [fromText(from.sessionDir)]);
  } catch (error) {
    throw asTraiError(error, port, waiting);
  }
}

/**
 * Puts a waiting overlay in its place and logs it; null when none waits. The session's own becomes a discard,
 * which can be undone only if a call has left changes in it meanwhile.
 */
export async function finishAdoption(to: QuietSession, tools: FinishTools): Promise<AdoptNote | null> {
  const { port } = tools;
  const waiting = joinPath(fromText(to.sessionDir), ADOPTED);
  const overlay = joinPath(fromText(to.sessionDir), 'overlay');
  if (port.lstat(waiting) !== null) {
    readNote(port, waiting);
    // A mount plan has the numbers of one overlay: with another it would mount over wrong directories.
    dropPlans(port, to);
    if (port.lstat(overlay) !== null) {
      if (port.readdir(overlay).length === 0) port.rmdir(overlay);
      else storeOverlay(port, to, 0, (await mayHavePending(to)) ? 'overlay' : 'replaced');
    }
    port.rename(waiting, overlay);
    syncDirs(port, [fromText(to.sessionDir)]);
  }
  const untold = joinPath(overlay, UNTOLD);
  if (port.lstat(untold) === null) return null;
  const note = readNote(port, overlay);
  if (note.to !== to.session) {
    // The adoption was interrupted before its rename.
    port.unlink(untold);
    return null;
  }
  // After the move, since a server that reads the log line scans the overlay at once.
  await tools.record(note);
  port.rename(untold, joinPath(overlay, NOTE));
  return note;
}

export function adoptionWaits(sessionDir: string, port: FsPort = nodePort): boolean {
  return (
    port.lstat(joinPath(fromText(sessionDir), ADOPTED)) !== null ||
    port.lstat(joinPath(fromText(sessionDir), `overlay/${UNTOLD}`)) !== null
  );
}

/** A discard can be undone only into an overlay that numbers covered directories in the same way. */
function expectUndoable(port: FsPort, from: SessionContext, to: SessionContext): void {
  for (const { kind, record, coveredDirs } of readDiscards(port, to)) {
    if (kind !== 'all' || !record.discarded) continue;
    const other = coveredDirs.find(([n, path]) =>
      from.coveredDirs.some((covered) => (covered.n === n) !== (covered.path === path)),
    );
    if (other === undefined) continue;
    throw new TraiError(
      'unsupported',
      `a discard of session ${to.session} could not be undone any more with the overlay of session ${from.session}: they number ${toDisplay(other[1])} differently`,
      { hint: 'Nothing was moved. Adopt it in a new session instead.' },
    );
  }
}

/** Removes the replaced overlay's plans. A launcher that waits for the lock with one then runs nothing. */
function dropPlans(port: FsPort, to: Adopter): void {
  const dir = joinPath(fromText(to.sessionDir), 'plan');
  if (port.lstat(dir) === null) return;
  for (const name of port.readdir(dir).sort(currentFirst)) removePath(port, dir, name);
}

function currentFirst(a: BytePath, b: BytePath): number {
  return Number(b === 'current') - Number(a === 'current');
}

function readNote(port: FsPort, overlay: BytePath): AdoptNote {
  const note = parseNote(port.readText(joinPath(overlay, UNTOLD)) ?? '');
  if (note?.v === 1 && isSessionId(note.from) && isSessionId(note.to)) return note;
  throw new TraiError('corrupt', 'expected a note of where the adopted overlay came from', {
    path: toDisplay(joinPath(overlay, UNTOLD)),
    hint: 'Rename that directory to `overlay` by hand, when there is none beside it, and remove `plan/` there.',
  });
}

function parseNote(text: string): AdoptNote | null {
  try {
    // Trusted without a schema: takeOverlay has written it into a directory of mode 0700.
    return JSON.parse(text) as AdoptNote;
  } catch {
    return null;
  }
}

function asTraiError(thrown: unknown, port: FsPort, waiting: BytePath): unknown {
  const code = errorCode(thrown);
  if (!(thrown instanceof Error) || code === '' || thrown instanceof TraiError) return thrown;
  const moved = port.lstat(waiting) !== null;
  return new TraiError(isNoSpace(thrown) ? 'no-space' : 'io', `It could not be moved: ${thrown.message}`, {
    path: toDisplay(waiting),
    hint: moved ? 'It is on its way: the next run completes what was begun.' : 'Nothing was moved.',
    cause: thrown,
  });
}
