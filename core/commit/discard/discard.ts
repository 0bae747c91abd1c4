/**
 * Discard: everything by one rename of the session's link (journal/overlays.ts), which names a fresh overlay
 * then; a selection by renaming entries out of the uppers (discard-part.ts). Both are transactions with a
 * journal in the trash (journal/trash.ts). The session must be quiet: a running process would keep writing to
 * the discarded upper.
 */
import { type BytePath, fromText, joinPath, nameOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { DiscardReport } from '../../../shared/model/commit.ts';
import { type FsPort, nodePort, syncDirs } from '../../kernel/fs/port.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { overlayOf } from '../journal/overlays.ts';
import { beginWhole, type Discard, isReturnable, readDiscard, timeOf, trashNames } from '../journal/trash.ts';
import { asTraiError } from '../recover/advance.ts';
import { closeUnfinished } from '../recover/recover.ts';
import { closeWhole, inJournal, repairOverlay } from '../recover/repair.ts';
import { makeFresh } from '../upper/fresh-overlay.ts';
import { NOTHING_LOST, undoPart } from './discard-part.ts';

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
    try {
      moveLink(port, ctx, joinPath(fromText(ctx.sessionDir), 'overlay.new'));
      closeWhole(port, ctx, journal);
    } finally {
      journal.close();
    }
    return { trash: nameOf(journal.dir), entries };
  } catch (error) {
    throw asTraiError(error, 'It could not be discarded', NOTHING_LOST);
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
  if (timeOf(ctx, trash) === null) {
    throw new TraiError(
      'bad-input',
      `expected the name of a discard of session ${ctx.session}, got ${toDisplay(trash as BytePath)}`,
    );
  }
  try {
    repairOverlay(ctx, port);
    const discard = readDiscard(port, ctx, trash);
    if (discard === null || !isReturnable(port, discard)) {
      throw new TraiError('not-found', `expected a discarded overlay ${trash} in the trash, found none`);
    }
    if (discard.kind === 'selection') undoPart(port, ctx, discard);
    else {
      if (await mayHavePending(ctx)) throw notEmpty();
      // An open commit refers to the overlay that is replaced now.
      await closeUnfinished(ctx, port);
      undoWhole(port, ctx, discard);
    }
    return { trash, entries: discard.entries };
  } catch (error) {
    throw asTraiError(error, 'It could not be brought back', NOTHING_LOST);
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

function notEmpty(): TraiError {
  return new TraiError(
    'not-empty',
    'The session has pending changes; a discard can be undone into an empty one only.',
    {
      hint: 'Commit or discard what is pending first, also what could not be read. The earlier discard stays in the trash.',
    },
  );
}

/** What can't be read may be pending, too. */
export async function mayHavePending(ctx: SessionContext): Promise<boolean> {
  const { changes, problems } = await scan(ctx);
  return problems.length > 0 || changes.some(({ ignored }) => ignored === null);
}

export async function newestTrash(
  ctx: SessionContext,
  port: FsPort = nodePort,
): Promise<{ trash: string; entries: number; at: string } | null> {
  for (const trash of trashNames(port, ctx).reverse()) {
    const discard = readDiscard(port, ctx, trash);
    if (discard !== null && isReturnable(port, discard))
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
