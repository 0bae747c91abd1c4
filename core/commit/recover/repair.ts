/**
 * Recovery of an overlay between the renames of a discard, its undo or an adoption. Runs before anything else
 * touches `overlay/`: a new directory there would hide that the session's own waits beside it.
 */
import { fromText, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { removePath } from '../../kernel/fs/dir-handles.ts';
import { type FsPort, nodePort, syncDirs } from '../../kernel/fs/port.ts';
import type { Locked, QuietSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { isClosed, type Journal, openJournal } from '../journal/journal.ts';
import { type Discard, readDiscard, readDiscards, trashDir, trashNames } from '../journal/trash.ts';
import { makeFresh } from '../upper/fresh-overlay.ts';
import { abort } from './advance.ts';

export type RepairedSession = Pick<SessionContext, 'stateDir' | 'sessionDir' | 'session'>;

/** An adopted overlay that waits in the session's directory, see retention/adopt.ts. */
export const ADOPTED = 'overlay.adopted';

export interface Repaired {
  discard: Discard;
  /** `left`: something else is in the place of some entries. */
  outcome: 'discarded' | 'undone' | 'rolled-back' | 'left';
}

/**
 * Puts a missing overlay in its place: the one that an undo was bringing back, else the fresh one of a
 * discard. Null when there was nothing to do. Safe in a live session: no call can have entered without the
 * directory. Never makes an empty overlay for another reason, which would silently lose what is pending.
 */
export function repairMissing(session: Locked<RepairedSession>, port: FsPort = nodePort): Repaired | null {
  const at = (name: string) => joinPath(fromText(session.sessionDir), name);
  if (port.lstat(at('overlay')) !== null) return null;
  const open = openDiscard(session, port);
  if (open?.kind === 'all') return undoWhole(port, session, open);
  if (port.lstat(at('overlay.new')) === null) return null;
  port.rename(at('overlay.new'), at('overlay'));
  const discard = readDiscards(port, session).findLast(({ kind }) => kind === 'all');
  // An interrupted adoption leaves the same.
  return discard === undefined ? null : { discard, outcome: 'discarded' };
}

/** `repairMissing`, then closes the open discard or undo of one, by renames in the uppers. */
export function repairOverlay(session: QuietSession, port: FsPort = nodePort): Repaired | null {
  const missing = repairMissing(session, port);
  const open = openDiscard(session, port);
  if (open === null) return missing;
  if (open.kind === 'all') return undoWhole(port, session, open);
  const left = inJournal(port, open, (journal) => abort({ port, ctx: session, journal }));
  const outcome = open.record.reopened === null ? 'rolled-back' : 'undone';
  return { discard: open, outcome: left > 0 ? 'left' : outcome };
}

/** At most one discard, or undo of one, is open. */
export function openDiscard(session: RepairedSession, port: FsPort = nodePort): Discard | null {
  for (const name of trashNames(port, session)) {
    if (isClosed(port, joinPath(trashDir(session), name))) continue;
    const discard = readDiscard(port, session, name);
    if (discard?.record.phase === 'staging') return discard;
  }
  return null;
}

/** Whether a discard, its undo or an adoption is open. Asked without the lock, to know whether to take it. */
export function needsRepair(session: RepairedSession, port: FsPort = nodePort): boolean {
  if (openDiscard(session, port) !== null) return true;
  const has = (name: string) => port.lstat(joinPath(fromText(session.sessionDir), name)) !== null;
  return has(ADOPTED) || (has('overlay.new') && !has('overlay'));
}

/** Puts the overlay of a discard of everything back. One that had moved nothing yet leaves no trace. */
export function undoWhole(port: FsPort, session: RepairedSession, discard: Discard): Repaired {
  return inJournal(port, discard, (journal) => {
    const overlay = joinPath(fromText(session.sessionDir), 'overlay');
    const stored = joinPath(journal.dir, 'overlay');
    const aside = joinPath(journal.dir, journal.record.reopened?.aside ?? 'replaced');
    if (port.lstat(stored) !== null) {
      const busy = port.lstat(overlay) !== null;
      if (busy && port.lstat(aside) !== null) {
        // A call has begun a new overlay since the crash: the user has to repeat the undo.
        journal.addSynced({ t: 'discarded' });
        return { discard, outcome: 'left' };
      }
      if (busy) port.rename(overlay, aside);
      port.rename(stored, overlay);
    }
    // Not `discard.record`: an undo has added `reopen` since that was read.
    if (journal.record.reopened === null) {
      removePath(port, parentOf(journal.dir), nameOf(journal.dir));
      return { discard, outcome: 'rolled-back' };
    }
    if (port.lstat(aside) !== null) makeFresh(port, session, aside, overlay);
    journal.addSynced({ t: 'end', report: null });
    syncDirs(port, [journal.dir, parentOf(overlay)]);
    return { discard, outcome: 'undone' };
  });
}

export function inJournal<T>(port: FsPort, { dir }: Discard, work: (journal: Journal) => T): T {
  const journal = openJournal(port, dir);
  if (journal === null) throw new RangeError('expected the journal of a discard');
  try {
    return work(journal);
  } finally {
    journal.close();
  }
}
