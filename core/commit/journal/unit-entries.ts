/** Entries of a journal's units that are unpacked when somebody asks for them: a commit itself has no use for most. */

import type { CommitReport } from '../../../shared/model/commit.ts';
import type { LeftEntry, PackedTree, UnitLine, UpperEntry } from './lines.ts';
import { unpackTree } from './packed-tree.ts';

/** A unit of which the entries are packed; they are no part of what is written down. */
export function withTree(unit: Omit<UnitLine, 'entries' | 'tree'>, tree: PackedTree): UnitLine {
  let entries: UpperEntry[] | null = null;
  const get = (): UpperEntry[] => {
    entries ??= unpackTree(unit.path, tree);
    return entries;
  };
  const whole: UnitLine = { ...unit, entries: [], tree };
  return Object.defineProperty(whole, 'entries', { get, enumerable: false });
}

/** How many entries a unit has. */
export function entryCount(unit: UnitLine): number {
  return unit.tree?.count ?? unit.entries.length;
}

/** All but the directory itself. */
export function belowTop(unit: UnitLine | undefined): UpperEntry[] {
  return unit?.entries.filter(({ path }) => path !== unit.path) ?? [];
}

/** How a unit that is `moved` leaves its entries. */
export function leftByMove(unit: UnitLine | undefined): LeftEntry[] {
  const entries = unit?.entries ?? [];
  return unit?.op === 'delete' ? entries.map(({ path }) => ({ path, id: null })) : entries;
}

/** Index of a unit → its entries as it leaves them on the host. */
export class LeftByUnit {
  readonly #known = new Map<number, () => LeftEntry[]>();

  get size(): number {
    return this.#known.size;
  }

  set(i: number, entries: LeftEntry[]): void {
    this.#known.set(i, () => entries);
  }

  /** They are made when they are asked for. */
  setLater(i: number, make: () => LeftEntry[]): void {
    this.#known.set(i, make);
  }

  get(i: number): LeftEntry[] | undefined {
    return this.#known.get(i)?.();
  }

  *[Symbol.iterator](): Generator<[number, LeftEntry[]]> {
    for (const [i, entries] of this.#known) yield [i, entries()];
  }
}

/** Files of the host that got conflict markers, for a report. */
export function markedIn({
  units,
  done,
}: {
  units: readonly UnitLine[];
  done: ReadonlyMap<number, string>;
}): Pick<CommitReport, 'marked'> {
  const marked = units.filter(({ i, merged }) => done.has(i) && merged?.marks !== undefined);
  return marked.length === 0 ? {} : { marked: marked.map(({ path }) => path) };
}

/** A commit or an undo of the modification time of a file. */
export function isTimeOnly({ op, host, mode, uid, gid, mtime, xattrs }: UnitLine): boolean {
  if (op !== 'meta' || mtime === null || host === null || xattrs !== undefined) return false;
  return host.startsWith(`file:${mode}:${uid}:${gid}:`);
}
