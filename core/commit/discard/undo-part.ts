/** Takes the discard of a selection back into an overlay in which other things are pending. */

import { type BytePath, joinPath, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import { isBetween } from '../../kernel/xattr/text.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import { type Move, trashDir } from '../journal/trash.ts';
import { completeGiving, type Part } from '../pending/take-out.ts';
import { Uppers } from '../stage/uppers.ts';

/** @throws TraiError `not-empty`: something is in the way, and nothing was changed */
export function undoPart(port: FsPort, ctx: QuietSession, part: Part): void {
  const uppers = new Uppers(port, ctx, null);
  const inTheWay: string[] = [];
  try {
    for (const [i, move] of part.manifest.moves.entries()) {
      // One that was taken back in the middle has given back what it could: nothing of that is to come.
      if (move.kind === 'entry' && port.lstat(joinPath(trashDir(ctx), `${part.trash}/overlay/${i}`)) === null)
        continue;
      const why = obstacle(port, ctx, uppers, move);
      if (why !== null) inTheWay.push(`${toDisplay(move.path)}: ${why}`);
    }
  } finally {
    uppers.close();
  }
  if (inTheWay.length > 0) {
    throw new TraiError(
      'not-empty',
      `${inTheWay.length} of what was discarded can't come back: ${inTheWay[0]}`,
      {
        hint: 'Commit or discard what is pending there first. The earlier discard stays in the trash.',
        paths: inTheWay,
      },
    );
  }
  completeGiving(port, ctx, part);
}

function obstacle(port: FsPort, ctx: SessionContext, uppers: Uppers, move: Move): string | null {
  const { path, kind, host, xattrs } = move;
  const covered = coveringDir(ctx.coveredDirs, path);
  if (covered === null || (kind === 'entry' && covered.path === path)) return 'it is not covered any more';
  const now = uppers.lstat(path);
  if (kind === 'entry' && now !== null) return 'the session has changed it since';
  if (kind === 'mode' && now !== null && (now.type !== 'dir' || ![host?.mode, move.mode].includes(now.mode)))
    return 'the session has changed it since';
  const has = kind === 'mode' && now !== null && xattrs !== undefined ? uppers.xattrs(path) : null;
  if (has !== null && xattrs !== undefined && !isBetween(has, xattrs))
    return 'the session has changed its extended attributes since';
  for (let dir = kind === 'mode' ? path : parentOf(path); dir !== covered.path; dir = parentOf(dir)) {
    const there = uppers.lstat(dir);
    if (there === null) {
      if (isHostDir(port, dir)) continue;
      return `the directory ${toDisplay(dir)} is gone`;
    }
    return there.type === 'dir' ? null : `the session has changed ${toDisplay(dir)} since`;
  }
  return null;
}

function isHostDir(port: FsPort, dir: BytePath): boolean {
  return port.lstat(dir)?.type === 'dir';
}
