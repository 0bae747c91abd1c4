/**
 * Recovery of an overlay that is between the renames of a discard, its undo or an adoption. Before anything else touches
 * `overlay/`: who makes that directory anew hides that the session's own waits beside it.
 */
import { fromText, joinPath, parentOf } from '../../../shared/bytes.ts';
import { type FsPort, nodePort, syncDirs } from '../../kernel/fs/port.ts';
import type { Locked, QuietSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { isClosed, type Journal, openJournal } from '../journal/journal.ts';
import { type Discard, readDiscard, readDiscards, trashDir, trashNames } from '../journal/trash.ts';
import { makeFresh } from '../upper/fresh-overlay.ts';
import { abort } from './advance.ts';

/** Which session; a whole context is one. */
export type RepairedSession = Pick<SessionContext, 'stateDir' | 'sessionDir' | 'session'>;

/** An overlay that was adopted and waits in the session's directory, see adopt.ts. */
export const ADOPTED = 'overlay.adopted';

/** A discard that was interrupted, and what has become of it. */
export interface Repaired {
  discard: Discard;
  /** `left`: its undo, or its rolling back, found other things in the place of some entries. */
  outcome: 'discarded' | 'undone' | 'rolled-back' | 'left';
}

/**
 * Puts an overlay in its place when there is none: the one that an undo was bringing back, else the fresh one that a
 * discard had made. The session need not be known to be quiet: no call can have entered without the
 * directory, and what was moved away before had been looked at. Null when nothing was, or no discard has left it so.
 *
 * An overlay that is missing for any other reason is never made again empty: what was pending would vanish unsaid.
 */
export function repairMissing(session: Locked<RepairedSession>, port: FsPort = nodePort): Repaired | null {
  const at = (name: string) => joinPath(fromText(session.sessionDir), name);
  if (port.lstat(at('overlay')) !== null) return null;
  const open = openDiscard(session, port);
  if (open?.kind === 'all') return undoWhole(port, session, open);
  if (port.lstat(at('overlay.new')) === null) return null;
  port.rename(at('overlay.new'), at('overlay'));
  const discard = readDiscards(port, session).findLast(({ kind }) => kind === 'all');
  // An adoption that took the overlay away leaves the same.
  return discard === undefined ? null : { discard, outcome: 'discarded' };
}

/** `repairMissing`, and closes the discard that is open: that renames entries of the uppers, or the overlay. */
export function repairOverlay(session: QuietSession, port: FsPort = nodePort): Repaired | null {
  const missing = repairMissing(session, port);
  const open = openDiscard(session, port);
  if (open === null) return missing;
  if (open.kind === 'all') return undoWhole(port, session, open);
  const left = inJournal(port, open, (journal) => abort({ port, ctx: session, journal }));
  const outcome = open.record.reopened === null ? 'rolled-back' : 'undone';
  return { discard: open, outcome: left > 0 ? 'left' : outcome };
}

/** The discard that is open: its undo, or a discard of a selection, was interrupted. There is never more than one. */
export function openDiscard(session: RepairedSession, port: FsPort = nodePort): Discard | null {
  for (const name of trashNames(port, session)) {
    if (isClosed(port, joinPath(trashDir(session), name))) continue;
    const discard = readDiscard(port, session, name);
    if (discard?.record.phase === 'staging') return discard;
  }
  return null;
}

/** Whether a discard, its undo or an adoption was interrupted; a look without the lock, to know whether to take it. */
export function needsRepair(session: RepairedSession, port: FsPort = nodePort): boolean {
  if (openDiscard(session, port) !== null) return true;
  const has = (name: string) => port.lstat(joinPath(fromText(session.sessionDir), name)) !== null;
  return has(ADOPTED) || (has('overlay.new') && !has('overlay'));
}

/** Undoes a discard of everything, which is open: its overlay becomes the session's again. Idempotent. */
export function undoWhole(port: FsPort, session: RepairedSession, discard: Discard): Repaired {
  return inJournal(port, discard, (journal) => {
    const overlay = joinPath(fromText(session.sessionDir), 'overlay');
    const stored = joinPath(journal.dir, 'overlay');
    const aside = joinPath(journal.dir, journal.record.reopened?.aside ?? 'replaced');
    const close = (line: Parameters<Journal['add']>[0]) => {
      journal.add(line);
      journal.sync();
    };
    if (port.lstat(stored) !== null) {
      const busy = port.lstat(overlay) !== null;
      if (busy && port.lstat(aside) !== null) {
        // A call came between the crash and now and has begun a new overlay: the undo has to be asked for again.
        close({ t: 'discarded' });
        return { discard, outcome: 'left' };
      }
      if (busy) port.rename(overlay, aside);
      port.rename(stored, overlay);
    }
    if (port.lstat(aside) !== null) makeFresh(port, session, aside, overlay);
    close({ t: 'end', report: null });
    syncDirs(port, [journal.dir, parentOf(overlay)]);
    return { discard, outcome: 'undone' };
  });
}

/** Works on the journal of a discard that was just read. */
export function inJournal<T>(port: FsPort, { dir }: Discard, work: (journal: Journal) => T): T {
  const journal = openJournal(port, dir);
  if (journal === null) throw new RangeError('expected the journal of a discard');
  try {
    return work(journal);
  } finally {
    journal.close();
  }
}
