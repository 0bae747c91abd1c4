/**
 * Bases in a place whose lower directory is a copy (`Place.copied`): what was copied is all that the sandbox saw of the
 * host there, whatever the times say. What the copy lacked did not exist for it, nor anything below.
 */
import { type BytePath, isWithin, nameOf, parentOf } from '../../shared/bytes.ts';
import type { BaseRecord } from '../../shared/model/base-record.ts';
import { lstatEntry, toHostStat } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { upperPath } from '../sandbox/covered.ts';
import { isSame, readCopies } from '../sandbox/prepare/copies.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';
import { knownBase } from './known-base.ts';

/**
 * The place of this kind whose upper has an entry of that path. Asked of the upper and not of the paths alone: a
 * directory that the host made since may be a place of its own by now, in the one that has the sandbox's.
 */
export function copiedDirOf(ctx: Pick<SessionContext, 'coveredDirs'>, path: BytePath): CoveredDir | null {
  for (const covered of ctx.coveredDirs) {
    if (covered.copied === undefined || path === covered.path || !isWithin(path, covered.path)) continue;
    if (lstatEntry(upperPath(covered, path)) !== null) return covered;
  }
  return null;
}

/** The base of an entry of the upper, which may be null when only its record is wanted. */
export function copiedBase(
  ctx: SessionContext,
  covered: CoveredDir,
  path: BytePath,
  upper: Stat | null,
): BaseRecord['base'] {
  const seen = parentOf(path) === covered.path ? readCopies(covered)?.entries[nameOf(path)] : undefined;
  if (seen === undefined) return { state: 'absent' };
  const host = lstatEntry(path);
  // As long as the host has what was copied, its content can be kept for a merge.
  if (host !== null && upper !== null && isSame(seen, toHostStat(host, path)))
    return knownBase(ctx, path, host, upper);
  return { state: 'known', host: seen };
}
