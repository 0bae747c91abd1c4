/** Paths that two sessions both have pending. Reads only directories that both uppers have. */

import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { type BytePath, isWithin, joinPath } from '../../../shared/bytes.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { compileIgnore } from '../../../shared/model/ignore.ts';
import type { Overlap } from '../../../shared/model/overlap-paths.ts';
import { lstatEntry, lstatOrNone, namesOrNone } from '../../kernel/fs/entry.ts';
import { errorCode, type Stat } from '../../kernel/fs/port.ts';
import { isExcluded } from '../../sandbox/claude-files.ts';
import { coveringDir, type SessionContext, upperPath } from '../../session/session-context.ts';
import { lookThrough } from './look.ts';

const SLICE = 2_000;

interface Both {
  path: BytePath;
  upperA: BytePath;
  upperB: BytePath;
}

/** Two directories of one name are no overlap. @throws TraiError `unsupported`; file system errors */
export async function overlapOf(a: SessionContext, b: SessionContext, most: number): Promise<Overlap> {
  const ignored = compileIgnore(a);
  const stack: Both[] = a.coveredDirs.flatMap(({ path, upper }) => {
    const other = b.coveredDirs.find((covered) => covered.path === path);
    return other === undefined ? [] : [{ path, upperA: upper, upperB: other.upper }];
  });
  const paths: BytePath[] = [];
  let seen = 0;
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const names = namesOrNone(at.upperA);
    const inB = names.length === 0 ? new Set() : new Set(namesOrNone(at.upperB));
    for (const name of names) {
      if (++seen % SLICE === 0) await breathe();
      if (!inB.has(name)) continue;
      const both = {
        path: joinPath(at.path, name),
        upperA: joinPath(at.upperA, name),
        upperB: joinPath(at.upperB, name),
      };
      const [entryA, entryB] = [lstatOrNone(both.upperA), lstatOrNone(both.upperB)];
      if (entryA === null || entryB === null || [a, b].some((ctx) => isExcluded(both.path, ctx.excluded)))
        continue;
      const { path } = both;
      if (ignored(path, entryA.type === 'dir') !== null && !isWithin(a.projectRoot, path)) continue;
      if (entryA.type === 'dir' && entryB.type === 'dir') stack.push(both);
      else if ((await isPending(a, path, entryA)) && (await isPending(b, path, entryB))) {
        if (paths.length === most) return { paths, more: true };
        paths.push(path);
      }
    }
  }
  return { paths: paths.sort(), more: false };
}

async function isPending(ctx: SessionContext, path: BytePath, entry: Stat): Promise<boolean> {
  if (entry.type === 'socket') return false;
  try {
    // A touched directory alone is no change.
    if (entry.type === 'dir') return pendingBelow(ctx, path, 1).count > 0;
    return (await lookThrough(ctx, path, false)).kind !== 'none';
  } catch (error) {
    // A call has just removed it; the check after that call sees the result.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

interface PendingBelow {
  /** Without directories and ignored entries. Counts untouched copy-ups too. */
  count: number;
  more: boolean;
  /** Equal for the same counted paths. */
  signature: string;
}

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

function startsBelow(ctx: SessionContext, dir: BytePath): { path: BytePath; upper: BytePath }[] {
  const holding = coveringDir(ctx.coveredDirs, dir);
  const own = holding === null ? [] : [{ path: dir, upper: upperPath(holding, dir) }];
  const inner = ctx.coveredDirs.filter((covered) => covered !== holding && isWithin(covered.path, dir));
  return [...own, ...inner.map(({ path, upper }) => ({ path, upper }))];
}

/** A whiteout of a name that the host does not have is no change. */
function says(entry: Stat, path: BytePath): boolean {
  return !isWhiteout(entry) || lstatEntry(path) !== null;
}
