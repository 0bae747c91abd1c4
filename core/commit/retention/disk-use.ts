/** The disk usage of a session, and the free space of the state directory's file system. */

import { lstatSync, type Stats } from 'node:fs';
import type { SessionDisk } from '../../../shared/api/types.ts';
import { type BytePath, fromText, joinPath } from '../../../shared/bytes.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { namesOrNone } from '../../kernel/fs/entry.ts';
import { inSlices } from '../../kernel/fs/pace.ts';
import { fsPath, nodePort, orNull } from '../../kernel/fs/port.ts';
import { readPlainJson, tryWriteWhole } from '../../kernel/fs/state-file.ts';
import { logSize } from '../../session/log/append.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { BEFORE } from '../apply/images.ts';
import { commitDir, commitNumbers } from '../journal/journal.ts';
import { overlaysIn } from '../journal/overlays.ts';
import { trashDir, trashNames } from '../journal/trash.ts';
import { BACK } from '../stage/areas.ts';
import { MERGED } from '../stage/merged-before.ts';

export type DiskSizes = Pick<SessionDisk, 'upper' | 'images' | 'trash' | 'other'>;

/** In a commit's directory: what an undo needs, and what an undo has taken off the host. */
export const KEPT_BY_COMMIT = [BEFORE, MERGED, BACK];

/** How long a count is valid (ms) in a live session, which may write without logging. */
const LIVE_MS = 60_000;

/** Bytes, from `sessions/ID/disk.json` if nothing can have changed: a million entries take 5 s to count. */
export async function diskSizes(ctx: SessionContext, live: boolean): Promise<DiskSizes> {
  const key = keyOf(ctx);
  const known = readKept(ctx, key, live);
  if (known !== null) return known;
  const sizes = await countSizes(ctx);
  const kept: Kept = { v: 1, key, at: Date.now(), sizes };
  // Best effort: if it fails, the next call counts again.
  tryWriteWhole(fileOf(ctx), JSON.stringify(kept));
  return sizes;
}

/** Bytes on disk; what can't be read counts as 0. */
export async function sizeOnDisk(...paths: BytePath[]): Promise<number> {
  return await new Sum().of(paths);
}

async function countSizes(ctx: SessionContext): Promise<DiskSizes> {
  const sum = new Sum();
  const session = fromText(ctx.sessionDir);
  const commits = commitNumbers(nodePort, ctx).map((n) => commitDir(ctx, n));
  const discards = trashNames(nodePort, ctx).map((name) => joinPath(trashDir(ctx), name));
  const upper = await sum.of(overlaysIn(nodePort, ctx, session));
  const images = await sum.of(commits.flatMap((dir) => KEPT_BY_COMMIT.map((name) => joinPath(dir, name))));
  const trash = await sum.of(discards.flatMap((dir) => [dir, ...overlaysIn(nodePort, ctx, dir)]));
  // `Sum` counts no inode twice, so this is the rest of the directory.
  return { upper, images, trash, other: await sum.of([session]) };
}

/** Counts each inode once, since whiteouts and hard-link sets share inodes. */
class Sum {
  readonly #linked = new Set<number>();
  readonly #dirs = new Set<string>();
  #bytes = 0;

  async of(paths: BytePath[]): Promise<number> {
    this.#bytes = 0;
    await inSlices(this.#walk(paths), () => false);
    return this.#bytes;
  }

  *#walk(stack: BytePath[]): Generator<null, void> {
    for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
      yield null;
      const entry = orNull(() => lstatSync(fsPath(path), { throwIfNoEntry: false })) ?? null;
      if (entry?.isDirectory()) {
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

interface Kept {
  v: 1;
  key: string;
  at: number;
  sizes: DiskSizes;
}

/** Changes when a call, commit, discard or removal may have changed the sizes. */
function keyOf(ctx: SessionContext): string {
  const images = commitNumbers(nodePort, ctx).flatMap((n) =>
    KEPT_BY_COMMIT.filter((name) => nodePort.lstat(joinPath(commitDir(ctx, n), name)) !== null).map(
      (name) => `${n}${name}`,
    ),
  );
  return `${logSize(ctx.sessionDir)} ${images.join(',')} ${trashNames(nodePort, ctx).join(',')}`;
}

function readKept(ctx: SessionContext, key: string, live: boolean): DiskSizes | null {
  const value: unknown = orNull(() => readPlainJson(fileOf(ctx)));
  if (!isKept(value) || value.key !== key) return null;
  return live && Date.now() - value.at > LIVE_MS ? null : value.sizes;
}

/** Damage that is still JSON is counted again. */
function isKept(value: unknown): value is Kept {
  if (!isObject(value) || value['v'] !== 1) return false;
  const { sizes } = value;
  if (!isObject(sizes)) return false;
  return ['upper', 'images', 'trash', 'other'].every((part) => typeof sizes[part] === 'number');
}

function fileOf({ sessionDir }: SessionContext): string {
  return `${sessionDir}/disk.json`;
}
