/**
 * Discard: everything by one rename of the overlay to `trash/SESSION.TIME/overlay`, with a fresh overlay in its place; a part by
 * renaming entries out of the uppers (discard-part.ts). Both write a manifest first, so that the next run completes them.
 * Undo renames back. The session must be quiet: a running process would follow the upper to the trash.
 */

import { type BytePath, fromText, joinPath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { DiscardReport } from '../../../shared/model/commit.ts';
import { errorCode, type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { syncDirs } from '../../kernel/fs/sync-dirs.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import type { SessionContext } from '../../session/session-context.ts';
import {
  ensureTrash,
  isTrashName,
  type Manifest,
  newTrashName,
  readManifest,
  trashDir,
  trashNames,
  type WholeManifest,
  writeManifest,
} from '../journal/trash.ts';
import { countEntries, makeFresh } from '../pending/fresh-overlay.ts';
import { closeUnfinished } from '../recover/recover.ts';
import { completeReturn, repairOverlay } from '../recover/repair.ts';
import { undoPart } from './undo-part.ts';

export interface DiscardTools {
  port: FsPort;
  /** Whether anything is pending that is not ignored, or could be: something was not to be read. */
  hasPending: (ctx: SessionContext) => Promise<boolean>;
}

const TOOLS: DiscardTools = { port: nodePort, hasPending: mayHavePending };

/**
 * Drops everything pending. A process that has an upper mounted would go on writing to it in the trash. `pending` is the number of entries that the person was shown; without
 * it what lies in the uppers is counted, which is less where directories were made.
 *
 * @throws TraiError `io`, `no-space`: nothing was dropped
 */
export async function discardAll(
  ctx: QuietSession,
  tools: DiscardTools = TOOLS,
  pending?: number,
): Promise<DiscardReport> {
  const { port } = tools;
  try {
    repairOverlay(ctx, port);
    // Or the next run would apply what was dropped.
    await closeUnfinished(ctx, port);
    const entries = pending ?? countEntries(port, ctx);
    return { trash: putAway(port, ctx, 'discarded', entries), entries };
  } catch (error) {
    throw asDiscardError(error, 'discarded');
  }
}

/**
 * Takes a discard back: its overlay becomes the session's again. What the session's
 * overlay holds by then (ignored entries only) goes to the trash in turn.
 *
 * @throws TraiError `bad-input` (no name of this session's trash), `not-found`, `not-empty`, `corrupt`, `io`
 */
export async function undoDiscard(
  ctx: QuietSession,
  trash: string,
  tools: DiscardTools = TOOLS,
): Promise<DiscardReport> {
  const { port } = tools;
  if (!isTrashName(ctx.session, trash)) {
    throw new TraiError(
      'bad-input',
      `expected the name of a discard of session ${ctx.session}, got ${toDisplay(trash as BytePath)}`,
    );
  }
  try {
    repairOverlay(ctx, port);
    const manifest = usable(port, ctx, trash);
    if (manifest.kind === 'selection') {
      undoPart(port, ctx, { trash, manifest });
      return { trash, entries: manifest.entries };
    }
    if (await tools.hasPending(ctx)) {
      throw new TraiError(
        'not-empty',
        'The session has pending changes; a discard can be undone into an empty one only.',
        {
          hint: 'Commit or discard what is pending first, also what could not be read. The earlier discard stays in the trash.',
        },
      );
    }
    // Its copies are of the overlay that goes now.
    await closeUnfinished(ctx, port);
    const returning: WholeManifest = { ...manifest, state: 'returning', aside: freeName(port, ctx, trash) };
    writeManifest(port, ctx, trash, returning);
    completeReturn(port, ctx, trash, returning);
    return { trash, entries: manifest.entries };
  } catch (error) {
    throw asDiscardError(error, 'brought back');
  }
}

/** Whether anything is pending that is not ignored, or could be: something was not to be read. */
export async function mayHavePending(ctx: SessionContext): Promise<boolean> {
  const { changes, problems } = await scan(ctx);
  return problems.length > 0 || changes.some(({ ignored }) => ignored === null);
}

/** The discard that `undo` would take back: the newest one that still has its overlay. */
export async function newestTrash(
  ctx: SessionContext,
  port: FsPort = nodePort,
): Promise<{ trash: string; entries: number; at: string } | null> {
  for (const trash of trashNames(port, ctx).reverse()) {
    const manifest = readManifest(port, ctx, trash);
    if (manifest === null || manifest.state === 'replaced') continue;
    if (port.lstat(joinPath(trashDir(ctx), `${trash}/overlay`)) === null) continue;
    return { trash, entries: manifest.entries, at: manifest.at };
  }
  return null;
}

/** Puts the overlay into the trash and a fresh one in its place; the gap between the renames is closed by `repairMissing`. */
function putAway(port: FsPort, ctx: SessionContext, state: WholeManifest['state'], entries: number): string {
  const overlay = joinPath(fromText(ctx.sessionDir), 'overlay');
  ensureTrash(port, ctx);
  makeFresh(port, ctx, overlay);
  const trash = newTrashName(port, ctx);
  port.mkdir(joinPath(trashDir(ctx), trash), 0o700);
  const places = ctx.coveredDirs.map(({ n, path }): [number, BytePath] => [n, path]);
  writeManifest(port, ctx, trash, {
    ...{ kind: 'all', session: ctx.session, at: new Date().toISOString(), entries, places, state },
  });
  port.rename(overlay, joinPath(trashDir(ctx), `${trash}/overlay`));
  port.rename(joinPath(fromText(ctx.sessionDir), 'overlay.new'), overlay);
  syncDirs(port, [joinPath(trashDir(ctx), trash), fromText(ctx.sessionDir)]);
  return trash;
}

function usable(port: FsPort, ctx: SessionContext, trash: string): Manifest {
  const manifest = readManifest(port, ctx, trash);
  if (manifest === null || port.lstat(joinPath(trashDir(ctx), `${trash}/overlay`)) === null) {
    throw new TraiError('not-found', `expected a discarded overlay ${trash} in the trash, found none`);
  }
  for (const [n, path] of manifest.places) {
    const now = ctx.coveredDirs.find((covered) => covered.n === n);
    if (manifest.kind === 'selection' || now === undefined || now.path === path) continue;
    throw new TraiError(
      'corrupt',
      `place ${n} of the discard is ${toDisplay(path)}, of the session ${toDisplay(now.path)}`,
    );
  }
  return manifest;
}

function freeName(port: FsPort, ctx: SessionContext, trash: string): string {
  for (let i = 1; ; i++) {
    const name = `replaced-${i}`;
    if (port.lstat(joinPath(trashDir(ctx), `${trash}/${name}`)) === null) return name;
  }
}

export function asDiscardError(thrown: unknown, what: string): unknown {
  const code = errorCode(thrown);
  if (!(thrown instanceof Error) || code === null || thrown instanceof TraiError) return thrown;
  return new TraiError(code === 'ENOSPC' ? 'no-space' : 'io', `It could not be ${what}: ${thrown.message}`, {
    hint: 'Nothing is lost: the next run completes what was begun.',
    cause: thrown,
  });
}
