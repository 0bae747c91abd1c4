/**
 * Putting an entry of the host in place in a live overlay, and taking one out, while the sandbox's processes go on.
 *
 * Nothing of theirs may be lost. What a name led to before is kept beside under another name (`Aside`), and goes only
 * when it is proven afterwards that it still is what it was and that nobody has it open for writing; otherwise it gets
 * its name back. What remains is the moment between the last look at a name and the rename over it (some 50 µs): a
 * process that renames another file to that very name in it has its version replaced, as by any editor that saves.
 */
import { type BytePath, nameOf } from '../../shared/bytes.ts';
import { errorCode, nodePort as port } from '../kernel/fs/port.ts';
import { keptName, printOf } from './kept-entries.ts';
import { isSameEntry, lookUpper, type Room, type Spot } from './live-view.ts';
import { marksOf, numberOf, openForWriting, remember } from './writers.ts';

interface Placed {
  ino: bigint;
  mtimeNs: bigint;
  print: string;
}

/** What a name led to before, kept until it is known that it may go. */
export interface Aside {
  spot: Spot;
  kept: Spot;
  /** Its content as it must still be. */
  print: string;
  mtimeNs: bigint;
  /** What was put in its place; null when the name was taken away. */
  placed: Placed | null;
}

/**
 * Puts `from`, which waits, in the place of what the name leads to. `isOld` says of the kept entry whether it is what
 * may be replaced. Null when it is not, or when the name leads somewhere else by now: then nothing has changed.
 */
export async function putOver(
  room: Room,
  spot: Spot,
  from: Spot,
  isOld: (kept: Spot) => Promise<boolean>,
): Promise<Aside | null> {
  const kept = room.fresh();
  const number = numberOf(spot.at);
  // Copies up what the host had, so that whoever opens it for writing from now on writes to what is kept.
  port.link(spot.at, kept.at);
  const placed = placedOf(from);
  const old = lookUpper(kept);
  if (old !== null) remember(old, number);
  const print = printOf(kept.upper);
  // More than its name and ours: the sandbox has linked it.
  const fits = old?.nlink === 2 && print !== null && placed !== null && (await isOld(kept));
  if (!fits || !isSameEntry(spot, kept)) {
    port.unlink(kept.at);
    return null;
  }
  port.rename(from.at, spot.at);
  return { spot, kept, print, mtimeNs: old.mtimeNs, placed };
}

function placedOf(from: Spot): Placed | null {
  const entry = lookUpper(from);
  const print = printOf(from.upper);
  return entry === null || print === null ? null : { ino: entry.ino, mtimeNs: entry.mtimeNs, print };
}

/** Takes the entry away from its name. Null when it is not what may be taken: then it has its name back. */
export async function takeOut(
  room: Room,
  spot: Spot,
  isOld: (kept: Spot) => Promise<boolean>,
): Promise<Aside | null> {
  const kept = room.fresh();
  const copied = room.fresh();
  const number = numberOf(spot.at);
  // A rename of what is only on the host leaves the mark of a deletion behind, one of a copy does not.
  port.link(spot.at, copied.at);
  port.rename(spot.at, kept.at);
  const old = lookUpper(kept);
  if (old !== null) remember(old, number);
  const print = printOf(kept.upper);
  if (old !== null && print !== null && isSameEntry(kept, copied) && (await isOld(kept))) {
    port.unlink(copied.at);
    return { spot, kept, print, mtimeNs: old.mtimeNs, placed: null };
  }
  port.unlink(copied.at);
  giveBack(spot, kept);
  return null;
}

/** An event for the name in the watchers of its directory: a link that leads to itself comes and goes. */
export function stir(room: Room, spot: Spot): void {
  const mark = room.fresh();
  // What opens it fails for this moment; through a link to nowhere it would make a file there.
  port.symlink(nameOf(spot.path), mark.at);
  const { ino } = lookUpper(mark) ?? { ino: 0n };
  try {
    port.link(mark.at, spot.at);
  } catch (error) {
    port.unlink(mark.at);
    if (errorCode(error) === 'EEXIST') return;
    throw error;
  }
  const out = room.fresh();
  port.rename(spot.at, out.at);
  // Somebody has put an entry of its own in the place of ours.
  if (lookUpper(out)?.ino !== ino) giveBack(spot, out);
  else port.unlink(out.at);
  port.unlink(mark.at);
}

export interface Settled {
  /** Replaced or taken away for good. */
  done: Spot[];
  /** The sandbox was writing to it: its version is back. */
  back: Spot[];
  /** The sandbox wrote two versions: names of those that were kept beside. */
  saved: BytePath[];
}

/** After all are in place: gives back what some process has written to, or may. The rest is kept for a while, and then goes. */
export function settle(room: Room, pids: readonly number[], asides: readonly Aside[]): Settled {
  const marks = new Map(asides.map((aside) => [aside, marksOf(aside.kept)]));
  // First the descriptors, then the content: whoever closes in between has written by then.
  const open = openForWriting(pids, marks);
  const settled: Settled = { done: [], back: [], saved: [] };
  for (const aside of asides) {
    if (marks.get(aside) !== null && !open.has(aside) && isStill(aside)) {
      keep(room, aside.kept, aside);
      settled.done.push(aside.spot);
    } else {
      const saved = restore(room, aside);
      if (saved !== null) settled.saved.push(saved);
      settled.back.push(aside.spot);
    }
  }
  return settled;
}

/** From now on it waits, under a name that says what it must still be to go. */
function keep(room: Room, kept: Spot, { print, mtimeNs }: Pick<Placed, 'print' | 'mtimeNs'>): void {
  port.rename(kept.at, room.named(keptName(print, mtimeNs)).at);
}

/** A second name that the sandbox gave it meanwhile would lead to what is no longer in its place. */
function isStill({ kept, print, mtimeNs }: Aside): boolean {
  const now = lookUpper(kept);
  return now?.mtimeNs === mtimeNs && now.nlink === 1 && printOf(kept.upper) === print;
}

/**
 * The name leads to the old entry again. What was put there is not dropped either: a process may have it open by now,
 * or may just be opening it.
 *
 * @returns the name under which it was kept when its own is another entry's by now
 */
function restore(room: Room, { spot, kept, placed }: Aside): BytePath | null {
  const beside = placed === null ? null : secondName(room, spot);
  if (placed === null || beside === null) return giveBack(spot, kept);
  const now = lookUpper(beside);
  // More than its name and ours: the sandbox has linked it.
  const fits = now?.ino === placed.ino && now.nlink === 2 && printOf(beside.upper) === placed.print;
  if (!fits || !isSameEntry(spot, beside)) {
    port.unlink(beside.at);
    return giveBack(spot, kept);
  }
  port.rename(kept.at, spot.at);
  keep(room, beside, placed);
  return null;
}

/** Null when the name leads nowhere any more. */
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

/** Its name again, or the first free one like it. @returns that one */
function giveBack(spot: Spot, kept: Spot): BytePath | null {
  for (let n = 0; ; n++) {
    const end = n === 0 ? '' : `.trai-${n}`;
    try {
      port.link(kept.at, `${spot.at}${end}` as BytePath);
      port.unlink(kept.at);
      return n === 0 ? null : (`${spot.path}${end}` as BytePath);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
