/**
 * The selection closure: which changes can't be applied without which others (groups, link sets, renames,
 * directories and their entries). Pure.
 */
import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';

export type State = 'take' | 'keep' | 'ignored';

/**
 * Why a change is a dependency of another:
 * - `holds`: it is the directory that holds it
 * - `group`: both belong to one repository's data or one database
 * - `links`: both are names of one file
 * - `rename`: they are the old and the new name of one file
 * - `below`: it lies below a directory that is deleted or replaced
 * - `above`: it is a directory of the host that is deleted or replaced, and the other lies in it
 * - `again`: it lies in a directory that was deleted and made again, which is applied whole
 */
export type AlongRule = 'holds' | 'group' | 'links' | 'rename' | 'below' | 'above' | 'again';

export interface Along {
  change: Change;
  because: Change;
  rule: AlongRule;
}

export interface Rules {
  forSelection: boolean;
  /** Applied only when the request names it, never as a dependency of a link set or rename. */
  leftOut: (change: Change) => boolean;
  /** Whether a dependency is taken, or kept as on the host by the user's choice. */
  decide: (change: Change) => State;
}

export const isDir = (side: Change['pending']): boolean => side?.type === 'dir';

export class Tree {
  readonly changes: readonly Change[];
  readonly above: number[];
  #index: Map<Change, number> | null = null;
  readonly #dirs = new Map<string, number>();
  readonly #nearest = new Map<string, number>();

  constructor(changes: readonly Change[]) {
    this.changes = changes;
    changes.forEach(({ path, pending, host }, i) => {
      if (isDir(pending) || isDir(host)) this.#dirs.set(path, i);
    });
    let dir = '\0';
    let at = -1;
    this.above = changes.map(({ path }) => {
      if (path.lastIndexOf('/') !== dir.length || !path.startsWith(dir)) {
        dir = parentOf(path);
        at = this.#listed(dir as BytePath);
      }
      return at;
    });
  }

  indexOf(change: Change): number {
    this.#index ??= new Map(this.changes.map((one, i) => [one, i]));
    return this.#index.get(change) ?? -1;
  }

  #listed(dir: BytePath): number {
    const known = this.#dirs.get(dir) ?? this.#nearest.get(dir);
    if (known !== undefined) return known;
    const found = dir === '/' ? -1 : this.#listed(parentOf(dir));
    this.#nearest.set(dir, found);
    return found;
  }
}

/** Raises states (ignored, take, keep) until all dependencies are met: it terminates. Returns those added. */
export function collectSelectionClosure(tree: Tree, states: State[], rules: Rules): Along[] {
  const settling = new Settling(tree, states, rules);
  settling.run();
  return settling.along;
}

export function sets(changes: readonly Change[], keyOf: (change: Change) => string | null): number[][] {
  const found = new Map<string, number[]>();
  changes.forEach((change, i) => {
    const key = keyOf(change);
    if (key === null) return;
    const known = found.get(key);
    if (known === undefined) found.set(key, [i]);
    else known.push(i);
  });
  return [...found.values()].filter((members) => members.length > 1);
}

export const groupOf = (change: Change): string | null =>
  change.pending?.type === 'socket' ? null : change.group;

/** Pairs of indexes: the new name, and the deletion of the old one. */
export function renamesOf(changes: readonly Change[]): number[][] {
  const renamed = changes.flatMap(({ renamedFrom }, i) =>
    renamedFrom === undefined ? [] : [{ renamedFrom, i }],
  );
  if (renamed.length === 0) return [];
  const wanted = new Set(renamed.map(({ renamedFrom }) => renamedFrom));
  const deleted = new Map<BytePath, number>();
  changes.forEach(({ path, pending }, i) => {
    if (pending === null && wanted.has(path)) deleted.set(path, i);
  });
  return renamed.flatMap(({ renamedFrom, i }) => {
    const from = deleted.get(renamedFrom);
    return from === undefined ? [] : [[i, from]];
  });
}

/** All names of one inode of the upper have the same identity. */
export function linkSetOf({ pending, upperIdentity }: Change): string | null {
  if (pending === null || pending.type === 'dir' || pending.type === 'socket') return null;
  return upperIdentity ?? null;
}

export function linkedOf(changes: readonly Change[]): { members: number[]; rule: AlongRule }[] {
  return [
    ...sets(changes, linkSetOf).map((members) => ({ members, rule: 'links' as const })),
    ...renamesOf(changes).map((members) => ({ members, rule: 'rename' as const })),
  ];
}

class Settling {
  readonly along: Along[] = [];
  readonly #tree: Tree;
  readonly #states: State[];
  readonly #rules: Rules;
  readonly #groups: number[][];
  readonly #together: { members: number[]; rule: AlongRule }[];
  #moved = false;

  constructor(tree: Tree, states: State[], rules: Rules) {
    this.#tree = tree;
    this.#states = states;
    this.#rules = rules;
    this.#groups = sets(tree.changes, groupOf);
    this.#together = rules.forSelection ? linkedOf(tree.changes) : [];
  }

  run(): void {
    do {
      this.#moved = false;
      for (const members of this.#groups) this.#group(members);
      for (const { members, rule } of this.#together) this.#takeTogether(members, rule);
      this.#tree.changes.forEach((_, i) => {
        this.#pair(i);
      });
    } while (this.#moved);
  }

  #keep(i: number): void {
    if (this.#states[i] === 'keep') return;
    this.#states[i] = 'keep';
    this.#moved = true;
  }

  #takeAlong(i: number, because: number, rule: AlongRule): void {
    const change = this.#tree.changes[i];
    const cause = this.#tree.changes[because];
    if (this.#states[i] !== 'ignored' || change === undefined || cause === undefined) return;
    this.#states[i] = this.#rules.decide(change);
    this.along.push({ change, because: cause, rule });
    this.#moved = true;
  }

  /** One kept member keeps the whole group; one taken member adds the others. */
  #group(members: readonly number[]): void {
    if (members.some((i) => this.#states[i] === 'keep')) for (const i of members) this.#keep(i);
    const taken = members.find((i) => this.#states[i] === 'take');
    if (taken !== undefined) for (const i of members) this.#takeAlong(i, taken, 'group');
  }

  /** Applied alone, a name of a hard-linked file becomes a file of its own, half a rename a loss. */
  #takeTogether(members: readonly number[], rule: AlongRule): void {
    const taken = members.find((i) => this.#states[i] === 'take');
    if (taken === undefined) return;
    for (const i of members) {
      const change = this.#tree.changes[i];
      if (change !== undefined && !this.#rules.leftOut(change)) this.#takeAlong(i, taken, rule);
    }
  }

  #pair(i: number): void {
    const up = this.#tree.above[i] ?? -1;
    const parent = this.#tree.changes[up];
    const change = this.#tree.changes[i];
    if (parent === undefined || change === undefined || parent.kind === 'meta') return;
    const mine = this.#states[i];
    const theirs = this.#states[up];
    if (isDir(parent.pending) && !isDir(parent.host)) {
      // A change can't exist without its new directory: the directory is added, unless it is kept.
      if (theirs === 'keep') this.#keep(i);
      else if (mine === 'take') this.#takeAlong(up, i, 'holds');
      return;
    }
    // From here on the host has a directory there that the sandbox deleted or replaced.
    if (theirs === 'keep' && (parent.kind !== 'deleted' || parent.conflict !== null)) this.#keep(i);
    else if (isDir(parent.pending)) this.#again(i, up, change, theirs);
    else if (mine === 'keep') this.#keep(up);
    else if (theirs === 'take') this.#takeAlong(i, up, 'below');
    else if (mine === 'take' && parent.pending !== null) this.#takeAlong(up, i, 'above');
  }

  /** A mix of the old directory's entries and the new one's was never reviewed. */
  #again(i: number, up: number, change: Change, theirs: State | undefined): void {
    if (!this.#rules.forSelection || theirs !== 'take' || this.#rules.leftOut(change)) return;
    this.#takeAlong(i, up, 'again');
  }
}
