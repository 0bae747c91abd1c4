/**
 * Discard: everything by one rename of the session's link (journal/overlays.ts), which names a fresh overlay
 * then; a selection by renaming entries out of the uppers (discard-part.ts). Both are transactions with a
 * journal in the trash (journal/trash.ts). The session must be quiet: a running process would keep writing to
 * the discarded upper. In a live session core/live-sync/discard.ts goes through the merged view.
 */
import { type BytePath, fromText, joinPath, nameOf } from '../../../shared/bytes.ts';
import type { DiscardReport } from '../../../shared/model/commit.ts';
import { type FsPort, nodePort, syncDirs, useAndClose } from '../../kernel/fs/port.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { overlayOf } from '../journal/overlays.ts';
import { beginWhole, type Discard, isReturnable, readDiscard, timeOf, trashNames } from '../journal/trash.ts';
import { asTraiError, discardGone, notADiscard, overlayNotEmpty } from '../messages/errors.ts';
import { closeUnfinished } from '../recover/recover.ts';
import { closeWhole, inJournal, repairOverlay } from '../recover/repair.ts';
import { makeFresh } from '../upper/fresh-overlay.ts';
import { undoPart } from './discard-part.ts';

/** @param entries the number that the user has seen @throws TraiError `io`, `no-space`: nothing dropped */
export async function discardAll(
  ctx: QuietSession,
  entries: number,
  port: FsPort = nodePort,
): Promise<DiscardReport> {
  try {
    repairOverlay(ctx, port);
    // Otherwise the next run would apply what was dropped.
    await closeUnfinished(ctx, port);
    makeFresh(port, ctx);
    const journal = beginWhole(port, ctx, entries, 'overlay');
    useAndClose(journal, () => {
      moveLink(port, ctx, joinPath(fromText(ctx.sessionDir), 'overlay.new'));
      closeWhole(port, ctx, journal);
    });
    return { trash: nameOf(journal.dir), entries };
  } catch (error) {
    throw asTraiError(error, 'discard');
  }
}

/**
 * Undoes a discard. Of everything: the present overlay (only ignored entries) goes to the trash in turn.
 * @throws TraiError `bad-input` (no name of this session's trash), `not-found`, `not-empty`, `io`
 */
export async function undoDiscard(
  ctx: QuietSession,
  trash: string,
  port: FsPort = nodePort,
): Promise<DiscardReport> {
  if (timeOf(ctx, trash) === null) throw notADiscard(ctx.session, trash);
  try {
    repairOverlay(ctx, port);
    const discard = readDiscard(port, ctx, trash);
    if (discard === null || !isReturnable(port, discard)) throw discardGone(trash);
    if (discard.kind === 'selection') undoPart(port, ctx, discard);
    else {
      if (await mayHavePending(ctx)) throw overlayNotEmpty();
      // An open commit refers to the overlay that is replaced now.
      await closeUnfinished(ctx, port);
      undoWhole(port, ctx, discard);
    }
    return { trash, entries: discard.entries };
  } catch (error) {
    throw asTraiError(error, 'undoDiscard');
  }
}

function undoWhole(port: FsPort, ctx: QuietSession, discard: Discard): void {
  const stored = joinPath(discard.dir, 'overlay');
  const aside = freeName(port, discard.dir);
  inJournal(port, discard, (journal) => {
    journal.addSynced({ t: 'reopen', aside });
    port.symlink(overlayOf(port, ctx), joinPath(discard.dir, aside));
    syncDirs(port, [discard.dir]);
    moveLink(port, ctx, stored);
    closeWhole(port, ctx, journal);
  });
}

function moveLink(port: FsPort, { sessionDir }: SessionContext, link: BytePath): void {
  port.rename(link, joinPath(fromText(sessionDir), 'overlay'));
  syncDirs(port, [fromText(sessionDir)]);
}

/** What can't be read may be pending, too. */
export async function mayHavePending(ctx: SessionContext): Promise<boolean> {
  const { changes, problems } = await scan(ctx);
  return problems.length > 0 || changes.some(({ ignored }) => ignored === null);
}

export async function newestTrash(
  ctx: SessionContext,
): Promise<{ trash: string; entries: number; at: string } | null> {
  for (const trash of trashNames(nodePort, ctx).reverse()) {
    const discard = readDiscard(nodePort, ctx, trash);
    if (discard !== null && isReturnable(nodePort, discard))
      return { trash, entries: discard.entries, at: discard.record.begin.at };
  }
  return null;
}

function freeName(port: FsPort, dir: BytePath): string {
  for (let i = 1; ; i++) {
    const name = `replaced-${i}`;
    if (port.lstat(joinPath(dir, name)) === null) return name;
  }
}
