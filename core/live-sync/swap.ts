/**
 * Replaces and removes entries in a live overlay while processes of the session run.
 *
 * Nothing of theirs may be lost: the old entry is kept under another name (`Aside`) and removed only when it
 * is proven unchanged and not open for writing; otherwise it gets its name back. One gap remains, some 50 µs
 * between the last check of a name and the rename over it: a file that a process renames to that name then is
 * replaced, as by any editor that saves.
 */
import { type BytePath, nameOf } from '../../shared/bytes.ts';
import { errorCode, nodePort as port, type Stat } from '../kernel/fs/port.ts';
import { isEventMark } from '../sandbox/replay-dirs.ts';
import { keptName, moveToFree, printOf } from './kept-entries.ts';
import { isSameEntry, lookUpper, type Room, type Spot } from './live-view.ts';
import { heldBy, isMarked, marksOf, numberOf, remember } from './writers.ts';

interface Placed {
  ino: bigint;
  mtimeNs: bigint;
  print: string;
}

export interface Aside {
  spot: Spot;
  kept: Spot;
  /** The content that it must still have. */
  print: string;
  mtimeNs: bigint;
  /** Null when the name was removed. */
  placed: Placed | null;
}

/**
 * Null when the entry may not be replaced (`isOld`) or is another by now; nothing has changed then.
 * @param names how many names of the entry are replaced or removed, this one included
 */
export async function putOver(
  room: Room,
  spot: Spot,
  from: Spot,
  isOld: (kept: Spot) => Promise<boolean>,
  names = 1,
): Promise<Aside | null> {
  const sealed = await sealedName(room, spot, isOld);
  if (sealed === null) return null;
  const { kept } = sealed;
  const number = numberOf(spot.at);
  // A copy-up: later writers write to the kept file.
  port.link(spot.at, kept.at);
  const placed = placedOf(from);
  const old = lookUpper(kept);
  if (old !== null) remember(old, number);
  const print = sealed.print ?? printOf(kept.upper);
  // A further link is the sandbox's.
  const isAlone = old !== null && old.nlink === names + 1 + room.earlierNamesOf(old);
  const fits =
    old !== null && isAlone && print !== null && placed !== null && (await isSealed(sealed, old, isOld));
  if (!fits || !isSameEntry(spot, kept)) {
    port.unlink(kept.at);
    return null;
  }
  const last = sealed.print === null ? seal(room, kept, print, old.mtimeNs) : kept;
  port.rename(from.at, spot.at);
  return { spot, kept: last, print, mtimeNs: old.mtimeNs, placed };
}

interface Sealed {
  kept: Spot;
  /** Null of an entry that the upper does not have yet: what was copied up can be looked at afterwards only. */
  print: string | null;
  before: Stat | null;
}

/**
 * A name for the entry. That of one in the upper has its seal from the start, so that after a death it is recognised, and
 * removed: the bytes are those that may go. Null when they may not.
 */
async function sealedName(
  room: Room,
  spot: Spot,
  isOld: (kept: Spot) => Promise<boolean>,
): Promise<Sealed | null> {
  const before = lookUpper(spot);
  if (before === null) return { kept: room.fresh(), print: null, before };
  const print = printOf(spot.upper);
  if (print === null || !(await isOld(spot))) return null;
  return { kept: room.named(keptName(print, before.mtimeNs)), print, before };
}

/** Whether it is the entry that was looked at; its content is compared again when all are in place. */
async function isSealed(
  { kept, before }: Sealed,
  old: Stat | null,
  isOld: (kept: Spot) => Promise<boolean>,
): Promise<boolean> {
  if (old === null) return false;
  if (before === null) return await isOld(kept);
  return old.ino === before.ino && old.dev === before.dev && old.mtimeNs === before.mtimeNs;
}

function seal(room: Room, kept: Spot, print: string, mtimeNs: bigint): Spot {
  const sealed = room.named(keptName(print, mtimeNs));
  port.rename(kept.at, sealed.at);
  return sealed;
}

function placedOf(from: Spot): Placed | null {
  const entry = lookUpper(from);
  const print = printOf(from.upper);
  return entry === null || print === null ? null : { ino: entry.ino, mtimeNs: entry.mtimeNs, print };
}

/** Null, with the name restored, when its entry may not be removed. */
export async function takeOut(
  room: Room,
  spot: Spot,
  isOld: (kept: Spot) => Promise<boolean>,
): Promise<Aside | null> {
  const sealed = await sealedName(room, spot, isOld);
  if (sealed === null) return null;
  const { kept } = sealed;
  const number = numberOf(spot.at);
  // Renaming an entry of the lower leaves a whiteout; renaming a copy-up does not.
  const copied = sealed.before === null ? room.fresh() : null;
  if (copied !== null) port.link(spot.at, copied.at);
  port.rename(spot.at, kept.at);
  const old = lookUpper(kept);
  if (old !== null) remember(old, number);
  const print = sealed.print ?? printOf(kept.upper);
  const isSame = copied === null || isSameEntry(kept, copied);
  const fits = old !== null && print !== null && isSame && (await isSealed(sealed, old, isOld));
  if (copied !== null) port.unlink(copied.at);
  if (!fits) {
    giveBack(spot, kept);
    return null;
  }
  const last = sealed.print === null ? seal(room, kept, print, old.mtimeNs) : kept;
  return { spot, kept: last, print, mtimeNs: old.mtimeNs, placed: null };
}

/** Removes a special file, which holds no bytes. False, with the name restored, when it is another by now. */
export function takeSpecial(room: Room, spot: Spot): boolean {
  const [kept, before] = [room.fresh(), lookUpper(spot)];
  port.rename(spot.at, kept.at);
  if (before !== null && lookUpper(kept)?.ino === before.ino) {
    port.unlink(kept.at);
    return true;
  }
  giveBack(spot, kept);
  return false;
}

/** Creates the name as a link to itself and removes it: an event for watchers of the directory. */
export function stir(room: Room, spot: Spot): void {
  const mark = room.mark();
  // A link to itself, because open(2) through a dangling one creates a file.
  port.symlink(nameOf(spot.path), mark.at);
  try {
    port.link(mark.at, spot.at);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    port.unlink(mark.at);
    return;
  }
  unstir(room, spot);
  port.unlink(mark.at);
}

/** Removes that link, also when a dead run has left it. */
export function unstir(room: Room, spot: Spot): void {
  const now = lookUpper(spot);
  const print = now !== null && isEventMark(spot.upper) ? printOf(spot.upper) : null;
  if (now === null || print === null) return;
  const out = room.named(keptName(print, now.mtimeNs));
  port.rename(spot.at, out.at);
  // Another entry has replaced the link.
  if (lookUpper(out)?.ino !== now.ino) giveBack(spot, out);
  else port.unlink(out.at);
}

export interface Settled {
  done: Spot[];
  /** Restored, because the sandbox was writing to it. */
  back: Spot[];
  /** Names of versions kept beside another that the sandbox wrote. */
  saved: BytePath[];
}

/** Entries that are replaced or removed together, or not at all. */
export interface Together {
  groupOf: (aside: Aside) => number;
  /** Groups of which an entry could not be replaced or removed: the others get their names back. */
  broken: Set<number>;
}

/** After all are in place: restores entries that a process has written or may write to, keeps the others. */
export function settle(
  room: Room,
  pids: readonly number[],
  asides: readonly Aside[],
  together?: Together,
): Settled {
  const marks = new Map(asides.map((aside) => [aside, marksOf(aside.kept)]));
  // Descriptors before content: a process that closes its file in between has written by then.
  const held = heldBy(pids);
  const names = namesOf(asides);
  const stays = (aside: Aside) => isMarked(held, marks.get(aside) ?? null) || !isStill(room, aside, names);
  const staying = new Set(asides.filter(stays));
  for (const aside of together === undefined ? [] : staying) together?.broken.add(together.groupOf(aside));
  const settled: Settled = { done: [], back: [], saved: [] };
  for (const aside of asides) {
    if (!staying.has(aside) && together?.broken.has(together.groupOf(aside)) !== true) {
      settled.done.push(aside.spot);
    } else {
      const saved = restore(room, aside);
      if (saved !== null) settled.saved.push(saved);
      settled.back.push(aside.spot);
    }
  }
  return settled;
}

/** How many of the kept names lead to each inode. */
function namesOf(asides: readonly Aside[]): Map<bigint, number> {
  const names = new Map<bigint, number>();
  for (const { kept } of asides) {
    const ino = lookUpper(kept)?.ino ?? 0n;
    names.set(ino, (names.get(ino) ?? 0) + 1);
  }
  return names;
}

/** A second link of the sandbox would lead to the old entry. */
function isStill(room: Room, { kept, print, mtimeNs }: Aside, names: ReadonlyMap<bigint, number>): boolean {
  const now = lookUpper(kept);
  if (now?.mtimeNs !== mtimeNs || printOf(kept.upper) !== print) return false;
  return now.nlink === (names.get(now.ino) ?? 0) + room.earlierNamesOf(now);
}

/** Restores the old entry; keeps the new one, which may be open. Returns another name if its own is taken. */
function restore(room: Room, { spot, kept, placed }: Aside): BytePath | null {
  const beside = placed === null ? null : secondName(room, spot);
  if (placed === null || beside === null) return giveBack(spot, kept);
  const now = lookUpper(beside);
  // A further link is the sandbox's.
  const fits = now?.ino === placed.ino && now.nlink === 2 && printOf(beside.upper) === placed.print;
  if (!fits || !isSameEntry(spot, beside)) {
    port.unlink(beside.at);
    return giveBack(spot, kept);
  }
  port.rename(kept.at, spot.at);
  seal(room, beside, placed.print, placed.mtimeNs);
  return null;
}

function secondName(room: Room, spot: Spot): Spot | null {
  const beside = room.fresh();
  try {
    port.link(spot.at, beside.at);
    return beside;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Restores the name, or the first free one like it, which it returns. */
export function giveBack(spot: Spot, kept: Spot): BytePath | null {
  const named = (path: BytePath, n: number) => (n === 0 ? path : `${path}.trai-${n}`) as BytePath;
  const n = moveToFree(kept.at, (number) => named(spot.at, number));
  return n === 0 ? null : named(spot.path, n);
}
