/**
 * Completing what a crash left half done between the renames of a discard or an undo. Before anything else touches
 * `overlay/`: who makes that directory anew hides that the session's own waits beside it.
 */

import { fromText, joinPath } from '../../../shared/bytes.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { syncDirs } from '../../kernel/fs/sync-dirs.ts';
import type { Locked, QuietSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { readManifest, trashDir, trashNames, type WholeManifest, writeManifest } from '../journal/trash.ts';
import { makeFresh } from '../pending/fresh-overlay.ts';
import { completeGiving, type Part, resumeTaking } from '../pending/take-out.ts';

/** Which session; a whole context is one. */
export type RepairedSession = Pick<SessionContext, 'stateDir' | 'sessionDir' | 'session'>;

/**
 * Puts an overlay in its place when there is none: the one that an undo was bringing back, else the fresh one that a
 * discard had made. The session need not be known to be quiet: no call can have entered without the
 * directory, and what was moved away before had been looked at. Returns true when something was done.
 *
 * An overlay that is missing for any other reason is never made again empty: what was pending would vanish unsaid.
 */
export function repairMissing(session: Locked<RepairedSession>, port: FsPort = nodePort): boolean {
  const overlay = joinPath(fromText(session.sessionDir), 'overlay');
  if (port.lstat(overlay) !== null) return false;
  const returning = firstReturning(session, port);
  if (returning !== null) {
    completeReturn(port, session, returning.trash, returning.manifest);
    return true;
  }
  const fresh = joinPath(fromText(session.sessionDir), 'overlay.new');
  if (port.lstat(fresh) === null) return false;
  port.rename(fresh, overlay);
  return true;
}

/**
 * `repairMissing`, and completes an undo that had not got as far as its first rename. That rename
 * would take the overlay from under a running process. Returns true when something was done.
 */
export function repairOverlay(session: QuietSession, port: FsPort = nodePort): boolean {
  const part = finishPart(session, port);
  const returning = firstReturning(session, port);
  if (returning === null) return repairMissing(session, port) || part;
  completeReturn(port, session, returning.trash, returning.manifest);
  return true;
}

/**
 * Finishes a discard of a selection, or its undo, that was interrupted; or takes it back where the session has gone on with
 * what was to go. False = there was none.
 */
export function finishPart(session: QuietSession, port: FsPort = nodePort): boolean {
  const part = openPart(session, port);
  if (part === null) return false;
  if (part.manifest.state === 'taking') resumeTaking(port, session, part);
  else completeGiving(port, session, part);
  return true;
}

/** A discard of a selection, or its undo, that was interrupted and can only be finished when the session is quiet. */
export function openPart(session: RepairedSession, port: FsPort = nodePort): Part | null {
  for (const trash of trashNames(port, session)) {
    const manifest = readManifest(port, session, trash);
    if (manifest?.kind === 'selection' && (manifest.state === 'taking' || manifest.state === 'giving'))
      return { trash, manifest };
  }
  return null;
}

/** A discard, or the undo of one, that has begun and is not done: what the functions above finish. */
export function interruptedDiscard(
  session: RepairedSession,
  port: FsPort = nodePort,
): { trash: string; what: 'discard' | 'undo' } | null {
  const part = openPart(session, port);
  if (part !== null)
    return { trash: part.trash, what: part.manifest.state === 'taking' ? 'discard' : 'undo' };
  const returning = firstReturning(session, port);
  if (returning !== null) return { trash: returning.trash, what: 'undo' };
  const has = (name: string) => port.lstat(joinPath(fromText(session.sessionDir), name)) !== null;
  if (has('overlay') || !has('overlay.new')) return null;
  const trash = trashNames(port, session).findLast(
    (name) => readManifest(port, session, name)?.kind === 'all',
  );
  return trash === undefined ? null : { trash, what: 'discard' };
}

/** An overlay that was adopted and waits in the session's directory, see adopt.ts. */
export const ADOPTED = 'overlay.adopted';

/** Whether a discard, an undo or an adoption was interrupted; a look without the lock, to know whether to take it. */
export function needsRepair(session: RepairedSession, port: FsPort = nodePort): boolean {
  if (firstReturning(session, port) !== null || openPart(session, port) !== null) return true;
  const has = (name: string) => port.lstat(joinPath(fromText(session.sessionDir), name)) !== null;
  return has(ADOPTED) || (has('overlay.new') && !has('overlay'));
}

function firstReturning(
  session: RepairedSession,
  port: FsPort,
): { trash: string; manifest: WholeManifest } | null {
  for (const trash of trashNames(port, session)) {
    const manifest = readManifest(port, session, trash);
    if (manifest?.kind === 'all' && manifest.state === 'returning') return { trash, manifest };
  }
  return null;
}

/** The renames of an undo; each is skipped when it is already done. */
export function completeReturn(
  port: FsPort,
  ctx: RepairedSession,
  trash: string,
  manifest: WholeManifest,
): void {
  const overlay = joinPath(fromText(ctx.sessionDir), 'overlay');
  const back = joinPath(trashDir(ctx), `${trash}/overlay`);
  const aside = joinPath(trashDir(ctx), `${trash}/${manifest.aside ?? 'replaced'}`);
  if (port.lstat(back) !== null) {
    const busy = port.lstat(overlay) !== null;
    if (busy && port.lstat(aside) !== null) {
      // A call came between the crash and now and has begun a new overlay: the undo has to be asked for again.
      writeManifest(port, ctx, trash, { ...manifest, state: 'discarded' });
      return;
    }
    if (busy) port.rename(overlay, aside);
    port.rename(back, overlay);
  }
  if (port.lstat(aside) !== null) makeFresh(port, ctx, aside, overlay);
  writeManifest(port, ctx, trash, { ...manifest, state: 'replaced' });
  syncDirs(port, [joinPath(trashDir(ctx), trash), fromText(ctx.sessionDir)]);
}
