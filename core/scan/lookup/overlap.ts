/**
 * Which paths two sessions both have pending. No scan: only the directories that both uppers have are read, and the
 * entries of both are looked at until enough are found.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { type BytePath, isWithin, joinPath } from '../../../shared/bytes.ts';
import { compileIgnore } from '../../../shared/model/ignore.ts';
import type { Overlap } from '../../../shared/model/overlap-paths.ts';
import { errorCode, hostEntry, namesOrNone } from '../../kernel/fs/entry.ts';
import type { Stat } from '../../kernel/fs/port.ts';
import { isExcluded } from '../../sandbox/claude-files.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { lookThrough } from './look.ts';
import { pendingBelow } from './pending-below.ts';

/** Names between two moments for others. */
const SLICE = 2_000;

interface Both {
  path: BytePath;
  upperA: BytePath;
  upperB: BytePath;
}

/**
 * Paths that are pending in both sessions. A directory counts where it is one in one session and gone, or something else, in the
 * other; two directories of one name are no overlap by themselves.
 * @throws TraiError `unsupported`; errors of the file system
 */
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
      const [entryA, entryB] = [openEntry(both.upperA), openEntry(both.upperB)];
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

/** Null as well where a command took away the permission to look: then nothing can be said. */
function openEntry(path: BytePath): Stat | null {
  const entry = hostEntry(path);
  return entry === 'closed' ? null : entry;
}

async function isPending(ctx: SessionContext, path: BytePath, entry: Stat): Promise<boolean> {
  if (entry.type === 'socket') return false;
  try {
    // A directory that was only touched on the way to something says nothing by itself.
    if (entry.type === 'dir') return pendingBelow(ctx, path, 1).count > 0;
    return (await lookThrough(ctx, path, false)).kind !== 'none';
  } catch (error) {
    // A call of either session has just removed it, or is about to: the look after that call sees what it has become.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}
