/** Recovery of discards, their undos, and the session that an adoption took the overlay from. */
import { fromText, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { removePath } from '../../kernel/fs/dir-handles.ts';
import { type FsPort, nodePort, useAndClose } from '../../kernel/fs/port.ts';
import type { Locked, QuietSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { type Journal, openJournal, readClosed } from '../journal/journal.ts';
import { overlayOf } from '../journal/overlays.ts';
import { type Discard, readDiscard, TAG, tag, trashDir, trashNames } from '../journal/trash.ts';
import { closeStored, finishStored } from '../upper/stored.ts';
import { abort } from './advance.ts';

export type RepairedSession = Pick<SessionContext, 'stateDir' | 'sessionDir' | 'session'>;

export interface Repaired {
  discard: Discard;
  /** `left`: something else is in the place of some entries. */
  outcome: 'discarded' | 'undone' | 'rolled-back' | 'left';
}

/**
 * Closes what needs no quiet session: the session of an adopted overlay gets the fresh one that waits for it, and
 * a discard of everything, or its undo, is closed as the session's link says. Null when there was nothing to log.
 * Never makes an overlay, which would silently lose what is pending.
 */
export function repairLink(session: Locked<RepairedSession>, port: FsPort = nodePort): Repaired | null {
  const at = (name: string) => joinPath(fromText(session.sessionDir), name);
  const has = (name: string) => port.lstat(at(name)) !== null;
  if (!has('overlay') && has('overlay.new')) port.rename(at('overlay.new'), at('overlay'));
  const open = has('overlay') ? openDiscard(session, port) : null;
  if (open?.kind !== 'all') return null;
  const outcome = inJournal(port, open, (journal) => closeWhole(port, session, journal));
  return outcome === null ? null : { discard: open, outcome };
}

/** `repairLink`, then closes the open discard of a selection, or its undo, by renames in the uppers. */
export function repairOverlay(session: QuietSession, port: FsPort = nodePort): Repaired | null {
  const repaired = repairLink(session, port);
  const open = openDiscard(session, port);
  if (open === null) return repaired;
  if (isForward(open)) {
    const entries = inJournal(port, open, (journal) => {
      finishStored({ port, ctx: session, journal }, true);
      return closeStored({ port, ctx: session, journal });
    });
    return { discard: open, outcome: entries > 0 ? 'discarded' : 'rolled-back' };
  }
  const left = inJournal(port, open, (journal) => abort({ port, ctx: session, journal }));
  const outcome = open.record.reopened === null ? 'rolled-back' : 'undone';
  return { discard: open, outcome: left > 0 ? 'left' : outcome };
}

/** A discard of a live session whose copies are complete: it is rolled forward. */
export function isForward({ record: { phase } }: Discard): boolean {
  return phase === 'ready' || phase === 'applying';
}

/** At most one discard, or undo of one, is open. */
export function openDiscard(session: RepairedSession, port: FsPort = nodePort): Discard | null {
  for (const name of trashNames(port, session)) {
    if (readClosed(joinPath(trashDir(session), name)) !== null) continue;
    const discard = readDiscard(port, session, name);
    if (discard !== null && discard.record.phase !== 'closed') return discard;
  }
  return null;
}

/**
 * Whether a discard or its undo is open, or an adoption has left the session without an overlay. Asked without
 * the lock, to know whether to take it.
 */
export function needsRepair(session: RepairedSession): boolean {
  if (openDiscard(session) !== null) return true;
  const has = (name: string) => nodePort.lstat(joinPath(fromText(session.sessionDir), name)) !== null;
  return has('overlay.new') && !has('overlay');
}

/**
 * Closes a discard of everything, or its undo: the session's link tells whether it has happened. Idempotent.
 * @returns null for an overlay that an adoption replaced: no discard of the user's
 */
export function closeWhole(
  port: FsPort,
  session: Pick<SessionContext, 'sessionDir'>,
  journal: Journal,
): Repaired['outcome'] | null {
  const { dir, record } = journal;
  const has = (name: string) => port.lstat(joinPath(dir, name)) !== null;
  const own = overlayOf(port, session);
  const isOwn = (name: string) => port.readlink(joinPath(dir, name)) === own;
  if (record.reopened !== null) {
    const happened = !has('overlay') || isOwn('overlay');
    // What the session's link names must not be here as well, where it may be collected.
    for (const name of ['overlay', record.reopened.aside ?? ''])
      if (has(name) && isOwn(name)) port.unlink(joinPath(dir, name));
    const tagged = joinPath(fromText(session.sessionDir), `overlay/${TAG}`);
    if (port.lstat(tagged) !== null) port.unlink(tagged);
    journal.addSynced(happened ? { t: 'end', report: null } : { t: 'discarded' });
    return happened ? 'undone' : 'rolled-back';
  }
  const link = ['overlay', 'replaced'].find(has);
  const happened = link !== undefined && !isOwn(link);
  if (happened) {
    tag(port, joinPath(dir, link));
    journal.addSynced(link === 'overlay' ? { t: 'discarded' } : { t: 'end', report: null });
  } else {
    // Before the journal, without which nothing would remove the link to the session's own overlay.
    if (link !== undefined) port.unlink(joinPath(dir, link));
    removePath(port, parentOf(dir), nameOf(dir));
  }
  if (link !== 'overlay') return null;
  return happened ? 'discarded' : 'rolled-back';
}

export function inJournal<T>(port: FsPort, { dir }: Discard, work: (journal: Journal) => T): T {
  const journal = openJournal(port, dir);
  if (journal === null) throw new RangeError('expected the journal of a discard');
  return useAndClose(journal, work);
}
