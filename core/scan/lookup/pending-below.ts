/** Roughly what is pending below a directory: a look at the uppers alone, with a limit. */
import { createHash } from 'node:crypto';
import { type BytePath, isWithin, joinPath } from '../../../shared/bytes.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { compileIgnore } from '../../../shared/model/ignore.ts';
import { lstatEntry, namesOrNone } from '../../kernel/fs/entry.ts';
import type { Stat } from '../../kernel/fs/port.ts';
import { isExcluded } from '../../sandbox/claude-files.ts';
import { coveringDir, type SessionContext, upperPath } from '../../session/session-context.ts';

export interface PendingBelow {
  /** Entries that are no directories, the ignored ones left out. A copy that was only opened counts too. */
  count: number;
  /** There are more: the count stopped at the limit. */
  more: boolean;
  /** The same = the same paths, as far as they were counted. */
  signature: string;
}

/** Counts what the uppers hold below `dir` (links followed already), up to `limit` entries. */
export function pendingBelow(ctx: SessionContext, dir: BytePath, limit: number): PendingBelow {
  const ignored = compileIgnore(ctx);
  const hash = createHash('sha1');
  const stack = startsBelow(ctx, dir);
  let count = 0;
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (const name of namesOrNone(at.upper)) {
      const path = joinPath(at.path, name);
      const upper = joinPath(at.upper, name);
      const entry = lstatEntry(upper);
      if (entry === null || isExcluded(path, ctx.excluded) || entry.type === 'socket') continue;
      if (ignored(path, entry.type === 'dir') !== null) continue;
      if (entry.type === 'dir') stack.push({ path, upper });
      else if (says(entry, path)) {
        if (count === limit) return { count, more: true, signature: hash.digest('hex') };
        count++;
        hash.update(`${path}\0`, 'latin1');
      }
    }
  }
  return { count, more: false, signature: hash.digest('hex') };
}

/** The uppers' directories that stand for `dir`, and for the covered directories below it. */
function startsBelow(ctx: SessionContext, dir: BytePath): { path: BytePath; upper: BytePath }[] {
  const holding = coveringDir(ctx.coveredDirs, dir);
  const own = holding === null ? [] : [{ path: dir, upper: upperPath(holding, dir) }];
  const inner = ctx.coveredDirs.filter((covered) => covered !== holding && isWithin(covered.path, dir));
  return [...own, ...inner.map(({ path, upper }) => ({ path, upper }))];
}

/** A whiteout of a name that the host has lost says nothing. */
function says(entry: Stat, path: BytePath): boolean {
  return !isWhiteout(entry) || lstatEntry(path) !== null;
}
