/** What a session takes on disk, and what the file system of the state directory has left. */

import { lstatSync, type Stats, statfsSync, statSync } from 'node:fs';
import type { SessionDisk } from '../../../shared/api/types.ts';
import { type BytePath, fromText, joinPath } from '../../../shared/bytes.ts';
import { namesOrNone } from '../../kernel/fs/entry.ts';
import { inSlices } from '../../kernel/fs/pace.ts';
import { errorCode, fsPath, nodePort } from '../../kernel/fs/port.ts';
import { readPlainJson, tryWriteWhole } from '../../kernel/fs/state-file.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { BEFORE } from '../apply/images.ts';
import { commitDir, commitNumbers } from '../journal/journal.ts';
import { trashDir, trashNames } from '../journal/trash.ts';
import { BACK } from '../stage/areas.ts';
import { MERGED } from '../stage/merged-before.ts';

export type DiskSizes = Pick<SessionDisk, 'upper' | 'images' | 'trash' | 'other'>;

/** What a commit keeps of before, and an undo of what it has taken off the host: a collection takes it. */
const KEPT_BY_COMMIT = [BEFORE, MERGED, BACK];

/** A live session writes without a word in its log: what was counted is good for so long (ms). */
const LIVE_MS = 60_000;

/**
 * Sizes from the last count where nothing can have changed since, else counted now and kept in `sessions/ID/disk.json`
 * (may be absent): a million entries take some 5 s.
 */
export async function diskSizes(ctx: SessionContext, live: boolean): Promise<DiskSizes> {
  const key = keyOf(ctx);
  const known = readKept(ctx, key, live);
  if (known !== null) return known;
  const sizes = await countSizes(ctx);
  const kept: Kept = { v: 1, key, at: Date.now(), sizes };
  // Best effort: without it they are counted once more.
  tryWriteWhole(fileOf(ctx), JSON.stringify(kept));
  return sizes;
}

/** Free for this user, and in all, of the file system that a directory is on. */
export function freeSpace(dir: string): { free: number; size: number } {
  const { bavail, blocks, bsize } = statfsSync(dir);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** Bytes on disk, of what can be read. */
export async function sizeOnDisk(path: BytePath): Promise<number> {
  return await new Sum().of(path);
}

async function countSizes(ctx: SessionContext): Promise<DiskSizes> {
  const sum = new Sum();
  const size = async (path: BytePath): Promise<number> => await sum.of(path);
  const session = fromText(ctx.sessionDir);
  const upper = await size(joinPath(session, 'overlay'));
  let images = 0;
  for (const n of commitNumbers(nodePort, ctx))
    for (const name of KEPT_BY_COMMIT) images += await size(joinPath(commitDir(ctx, n), name));
  let trash = 0;
  for (const name of trashNames(nodePort, ctx)) trash += await size(joinPath(trashDir(ctx), name));
  // The same inodes are not counted twice: what is left of the directory is the rest.
  return { upper, images, trash, other: await size(session) };
}

/** Counts each inode once: whiteouts are links of one, and so are hard-link sets. */
class Sum {
  readonly #linked = new Set<number>();
  readonly #dirs = new Set<string>();
  #bytes = 0;

  async of(path: BytePath): Promise<number> {
    this.#bytes = 0;
    await inSlices(this.#walk(path), () => false);
    return this.#bytes;
  }

  *#walk(root: BytePath): Generator<null, void> {
    const stack = [root];
    for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
      yield null;
      const entry = look(path);
      if (entry?.isDirectory()) {
        // Whole trees that were counted before are passed over.
        if (this.#dirs.has(path)) continue;
        this.#dirs.add(path);
        for (const name of namesOrNone(path)) stack.push(joinPath(path, name));
      }
      if (entry !== null && this.#isNew(entry)) this.#bytes += entry.blocks * 512;
    }
  }

  #isNew(entry: Stats): boolean {
    if (entry.isDirectory() || entry.nlink < 2) return true;
    if (this.#linked.has(entry.ino)) return false;
    this.#linked.add(entry.ino);
    return true;
  }
}

/** Null where there is none, or where this user may not look. */
function look(path: BytePath): Stats | null {
  try {
    return lstatSync(fsPath(path), { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return null;
  }
}

interface Kept {
  v: 1;
  key: string;
  /** Milliseconds since 1970. */
  at: number;
  sizes: DiskSizes;
}

/** Another one: something ran, was committed, discarded or removed since. */
function keyOf(ctx: SessionContext): string {
  const log = statSync(`${ctx.sessionDir}/calls.jsonl`, { throwIfNoEntry: false })?.size ?? 0;
  const images = commitNumbers(nodePort, ctx).flatMap((n) =>
    KEPT_BY_COMMIT.filter((name) => nodePort.lstat(joinPath(commitDir(ctx, n), name)) !== null).map(
      (name) => `${n}${name}`,
    ),
  );
  return `${log} ${images.join(',')} ${trashNames(nodePort, ctx).join(',')}`;
}

function readKept(ctx: SessionContext, key: string, live: boolean): DiskSizes | null {
  try {
    const value: unknown = readPlainJson(fileOf(ctx));
    if (!isKept(value) || value.key !== key) return null;
    return live && Date.now() - value.at > LIVE_MS ? null : value.sizes;
  } catch (error) {
    if (errorCode(error) !== '') return null;
    throw error;
  }
}

/** Written whole by this file, into a directory of mode 0700: the version says what the rest looks like. */
function isKept(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1 && 'sizes' in value;
}

function fileOf({ sessionDir }: SessionContext): string {
  return `${sessionDir}/disk.json`;
}
