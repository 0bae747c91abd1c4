/**
 * Discard of a selection: its entries are renamed out of the uppers into `trash/<session>.<time>/overlay/<i>`, and back by
 * an undo. The manifest is written first, and says what is to go where: who dies in between is finished by
 * the next run that finds the session quiet.
 */

import { type BytePath, isBelowAny, joinPath, parentOf } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { type BaseRecord, formatBaseLine, parseBaseLines } from '../../../shared/model/base-record.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { Cancelled } from '../../kernel/fs/entry-errors.ts';
import { chmodEntry } from '../../kernel/fs/move-out.ts';
import type { FsPort, Stat } from '../../kernel/fs/port.ts';
import { removePath } from '../../kernel/fs/remove-tree.ts';
import { birthOf } from '../../kernel/fs/stat-identity.ts';
import { syncDirs } from '../../kernel/fs/sync-dirs.ts';
import { isBetween, needsWriting, type XattrStep, xattrChanges } from '../../kernel/xattr/text.ts';
import { appendBases, readBaseFile } from '../../overlay/base-file.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import type { Loosened } from '../journal/journal-file.ts';
import { type Move, type PartManifest, trashDir, writeFile, writeManifest } from '../journal/trash.ts';
import { HostXattrs } from '../stage/host-xattrs.ts';
import { Uppers } from '../stage/uppers.ts';
import { type Making, makeParents } from './back-merge.ts';

const LOOSENED = 'loosened.jsonl';
const BASES = 'base.jsonl';

export interface Part {
  trash: string;
  manifest: PartManifest;
}

/** Writes everything down, then takes the entries out. @throws Cancelled when nothing was taken out after all */
export function takeOut(port: FsPort, ctx: SessionContext, part: Part, cancelled: () => boolean): void {
  const dir = joinPath(trashDir(ctx), part.trash);
  port.mkdir(dir, 0o700);
  port.mkdir(joinPath(dir, 'overlay'), 0o700);
  writeFile(port, joinPath(dir, BASES), basesOf(ctx, part.manifest.moves));
  writeManifest(port, ctx, part.trash, part.manifest);
  syncDirs(port, [dir, trashDir(ctx)]);
  if (completeTaking(port, ctx, part, cancelled)) return;
  const left = completeGiving(port, ctx, { ...part, manifest: { ...part.manifest, state: 'giving' } });
  // What found its place taken is nowhere else.
  if (left > 0) throw notAllBack(left);
  removePath(port, trashDir(ctx), part.trash as BytePath);
  throw new Cancelled('it was stopped');
}

function notAllBack(left: number): TraiError {
  const entries = left === 1 ? 'one entry' : `${left} entries`;
  return new TraiError(
    'not-empty',
    `The discard was stopped, and ${entries} could not come back: something took the place.`,
    {
      hint: 'Nothing is lost: the discard is in the trash, and trai undo brings it back when its places are free.',
    },
  );
}

/** Goes on with a discard of a selection that was interrupted; back when the session has written to what is to go. */
export function resumeTaking(port: FsPort, ctx: SessionContext, { trash, manifest }: Part): void {
  const dir = joinPath(trashDir(ctx), trash);
  const isOpen = (i: number) => port.lstat(joinPath(dir, `overlay/${i}`)) === null;
  const open = manifest.moves.filter(({ kind }, i) => kind === 'entry' && isOpen(i));
  const written = withUppers(port, ctx, dir, (uppers) => isWritten(uppers, open, manifest.at));
  if (written) completeGiving(port, ctx, { trash, manifest });
  else completeTaking(port, ctx, { trash, manifest });
}

/** Whether something of it is younger than the discard: nobody has reviewed that. */
function isWritten(uppers: Uppers, moves: readonly Move[], at: string): boolean {
  const began = BigInt(Date.parse(at)) * 1_000_000n;
  const tops = moves.filter(({ path, id }) => {
    const now = uppers.lstat(path);
    return now !== null && birthOf(now) === id;
  });
  const stack = tops.map(({ path }) => path);
  for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
    const now = uppers.lstat(path);
    if (now === null || isWhiteout(now)) continue;
    // Our own renames and modes move change times: of a file's other names, and of directories.
    if ((now.type === 'dir' || now.nlink > 1 ? now.mtimeNs : now.ctimeNs) > began) return true;
    if (now.type === 'dir') for (const name of uppers.readdir(path)) stack.push(joinPath(path, name));
  }
  return false;
}

/** Finishes a discard of a selection. Can be repeated. False = it was to stop before the end, and is still open. */
function completeTaking(
  port: FsPort,
  ctx: SessionContext,
  { trash, manifest }: Part,
  cancelled: () => boolean = () => false,
): boolean {
  const dir = joinPath(trashDir(ctx), trash);
  const whole = withUppers(port, ctx, dir, (uppers) => {
    // Before anything in such a directory opens it up for a moment: then its mode is the one that it ends with.
    for (const move of manifest.moves) if (move.kind === 'mode') takeMode(uppers, move);
    for (const [i, move] of manifest.moves.entries()) {
      if (cancelled()) {
        writeManifest(port, ctx, trash, { ...manifest, state: 'giving' });
        return false;
      }
      if (move.kind === 'entry') takeEntry(port, uppers, joinPath(dir, `overlay/${i}`), move);
    }
    return true;
  });
  if (!whole) return false;
  forgetBases(port, ctx, dir, manifest.moves);
  writeManifest(port, ctx, trash, { ...manifest, state: 'discarded' });
  syncDirs(port, [joinPath(dir, 'overlay'), dir]);
  return true;
}

/** Finishes the way back. Can be repeated; what finds its place taken stays in the trash. Returns how many did. */
export function completeGiving(port: FsPort, ctx: SessionContext, { trash, manifest }: Part): number {
  const dir = joinPath(trashDir(ctx), trash);
  writeManifest(port, ctx, trash, { ...manifest, state: 'giving' });
  withUppers(port, ctx, dir, (uppers) => {
    // Directories of a mode of their own first: else they would be made as parents, like the host's.
    const like = new HostXattrs(
      port,
      ctx,
      manifest.moves.map(({ path }) => path),
    );
    for (const move of manifest.moves)
      if (move.kind === 'mode') giveMode(port, ctx, uppers, { dir, like }, move);
    for (const [i, move] of manifest.moves.entries())
      if (move.kind === 'entry')
        giveEntry(port, ctx, uppers, { dir, like, from: joinPath(dir, `overlay/${i}`) }, move);
  });
  recallBases(port, ctx, dir);
  const left = port.readdir(joinPath(dir, 'overlay')).length;
  writeManifest(port, ctx, trash, { ...manifest, state: left > 0 ? 'discarded' : 'replaced' });
  syncDirs(port, [joinPath(dir, 'overlay'), dir]);
  return left;
}

function withUppers<T>(port: FsPort, ctx: SessionContext, dir: BytePath, work: (uppers: Uppers) => T): T {
  const file = joinPath(dir, LOOSENED);
  const earlier = readLoosened(port, file);
  const uppers = new Uppers(port, ctx, (path, mode, id) => {
    const fd = port.openAppend(file);
    try {
      port.append(fd, `${JSON.stringify({ path, mode, id })}\n`);
      port.fsync(fd);
    } finally {
      port.close(fd);
    }
  });
  try {
    uppers.restore(earlier);
    return work(uppers);
  } finally {
    uppers.close();
  }
}

function readLoosened(port: FsPort, file: BytePath): Loosened[] {
  return (port.readText(file) ?? '').split('\n').flatMap((line) => {
    try {
      // Written above into a directory of mode 0700; the last line may be torn, and then nothing was loosened yet.
      return [JSON.parse(line) as Loosened];
    } catch {
      return [];
    }
  });
}

function takeEntry(port: FsPort, uppers: Uppers, to: BytePath, move: Move): void {
  if (port.lstat(to) === null) {
    const now = uppers.lstat(move.path);
    // What a call has made of it since a crash is its own.
    if (now === null || birthOf(now) !== move.id) return;
    uppers.takeOut(move.path, to);
  }
  if (move.closed) chmodEntry(port, to, move.mode);
}

function takeMode(uppers: Uppers, { path, mode, host, id, xattrs }: Move): void {
  const now = uppers.lstat(path);
  if (host === undefined || now?.type !== 'dir') return;
  if (xattrs !== undefined && birthOf(now) === id) dressWhole(uppers, path, now, xattrs, host);
  else if (now.mode === mode) uppers.dress(path, host);
}

/** With extended attributes; can be repeated. An ACL brings its part of the mode, so that tells nothing by itself. */
function dressWhole(
  uppers: Uppers,
  path: BytePath,
  now: Stat,
  xattrs: XattrStep,
  like: { mode: number; uid: number; gid: number },
): void {
  const has = uppers.xattrs(path);
  // What a call has made of it since a crash is its own.
  if (has === null || !isBetween(has, xattrs)) return;
  const changes = xattrChanges(has, xattrs.to);
  if (needsWriting(changes) && (now.mode & 0o200) === 0) uppers.chmod(path, now.mode | 0o700);
  uppers.setXattrs(path, changes);
  uppers.dress(path, like);
}

function giveMode(port: FsPort, ctx: SessionContext, uppers: Uppers, making: Making, move: Move): void {
  const { path, host, xattrs } = move;
  const covered = coveringDir(ctx.coveredDirs, path);
  if (covered === null || host === undefined) return;
  const before = uppers.lstat(path);
  if (before === null && !makeParents(port, uppers, making, path, covered)) return;
  const now = uppers.lstat(path);
  if (now?.type !== 'dir') return;
  if (xattrs !== undefined) dressWhole(uppers, path, now, { from: xattrs.to, to: xattrs.from }, move);
  else if (before === null || now.mode === host.mode) uppers.dress(path, move);
}

function giveEntry(
  port: FsPort,
  ctx: SessionContext,
  uppers: Uppers,
  { from, ...making }: Making & { from: BytePath },
  { path, mode, closed, id }: Move,
): void {
  const covered = coveringDir(ctx.coveredDirs, path);
  const stat = port.lstat(from);
  if (covered === null) return;
  if (stat === null) {
    const now = closed ? uppers.lstat(path) : null;
    if (now?.mode === (mode | 0o700) && birthOf(now) === id) uppers.chmod(path, mode);
    return;
  }
  if (uppers.lstat(path) !== null || !makeParents(port, uppers, making, parentOf(path), covered)) return;
  if (closed) uppers.insertClosed(path, from, mode);
  else uppers.insert(path, from);
}

function recordsOf(ctx: SessionContext, moves: readonly Move[]): [BytePath, BaseRecord][] {
  const tops = new Set(moves.filter(({ kind }) => kind === 'entry').map(({ path }) => path));
  return [...readBaseFile(ctx).records].filter(([path]) => tops.has(path) || isBelowAny(path, tops));
}

function basesOf(ctx: SessionContext, moves: readonly Move[]): string {
  return recordsOf(ctx, moves)
    .map(([path, record]) => formatBaseLine(path, record))
    .join('');
}

/** A later copy of the same name has another base. What stayed in an upper keeps its own. */
function forgetBases(port: FsPort, ctx: SessionContext, dir: BytePath, moves: readonly Move[]): void {
  const taken = moves.filter((_, i) => port.lstat(joinPath(dir, `overlay/${i}`)) !== null);
  const gone = recordsOf(ctx, taken).map(([path]): [BytePath, null] => [path, null]);
  if (gone.length === 0) return;
  const file = readBaseFile(ctx);
  appendBases(ctx, file, gone);
}

function recallBases(port: FsPort, ctx: SessionContext, dir: BytePath): void {
  const { records } = parseBaseLines(port.readText(joinPath(dir, BASES)) ?? '');
  const file = readBaseFile(ctx);
  const back = [...records].filter(([path]) => !file.records.has(path));
  if (back.length > 0) appendBases(ctx, file, back);
}
