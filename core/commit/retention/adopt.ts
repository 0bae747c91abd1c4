/**
 * Adoption: one rename moves the link to the overlay into the other session's directory, over that session's own
 * link. If interrupted, the next run gives the earlier session its fresh overlay, and logs the adoption.
 */
import { type BytePath, fromText, joinPath } from '../../../shared/bytes.ts';
import { type FsPort, nodePort, syncDirs, useAndClose } from '../../kernel/fs/port.ts';
import type { Locked, QuietSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { overlayOf } from '../journal/overlays.ts';
import { beginWhole, writeFile } from '../journal/trash.ts';
import { asTraiError } from '../messages/errors.ts';
import { closeWhole, repairLink } from '../recover/repair.ts';
import { makeFresh } from '../upper/fresh-overlay.ts';

/** `overlay/.adopting`: in an overlay that is moved, until the adoption is logged. */
export interface AdoptNote {
  v: 1;
  from: string;
  to: string;
  at: string;
  entries: number;
}

/**
 * Gives the overlay of `from` to `to`; `logAdoption` follows. Both have no open transaction and are cleaned up,
 * base records are taken, and `to` has nothing pending. What `to` ignores goes to the trash.
 * @throws TraiError `unsupported`, `io`, `no-space`: nothing was moved, unless its hint says otherwise
 */
export function takeOverlay(
  from: QuietSession,
  to: QuietSession,
  entries: number,
  port: FsPort = nodePort,
): void {
  const theirs = joinPath(fromText(from.sessionDir), 'overlay');
  const ours = joinPath(fromText(to.sessionDir), 'overlay');
  const replaced = overlayOf(port, to);
  try {
    makeFresh(port, from);
    const note: AdoptNote = {
      v: 1,
      from: from.session,
      to: to.session,
      at: new Date().toISOString(),
      entries,
    };
    writeFile(port, noteIn(from.sessionDir), `${JSON.stringify(note)}\n`);
    useAndClose(beginWhole(port, to, 0, 'replaced'), (journal) => {
      port.rename(theirs, ours);
      syncDirs(port, [fromText(to.sessionDir), fromText(from.sessionDir)]);
      closeWhole(port, to, journal);
    });
    repairLink(from, port);
    syncDirs(port, [fromText(from.sessionDir)]);
  } catch (error) {
    const moved = port.readlink(ours) !== replaced;
    throw asTraiError(error, moved ? 'begunAdoption' : 'adoption');
  }
}

/** @param record logs the adoption for both sessions; it is called again after an interruption */
export async function logAdoption(
  to: Locked<SessionContext>,
  record: (stateDir: string, note: AdoptNote) => Promise<void>,
  port: FsPort = nodePort,
): Promise<void> {
  const path = noteIn(to.sessionDir);
  const text = port.readText(path);
  if (text === null) return;
  // Trusted without a schema: takeOverlay has written it, by a rename, into a directory of mode 0700.
  const note = JSON.parse(text) as AdoptNote;
  // Otherwise it was interrupted before its rename.
  if (note.to === to.session) await record(to.stateDir, note);
  port.unlink(path);
}

export function adoptionWaits(sessionDir: string): boolean {
  return nodePort.lstat(noteIn(sessionDir)) !== null;
}

function noteIn(sessionDir: string): BytePath {
  return joinPath(fromText(sessionDir), 'overlay/.adopting');
}
