/** What can't be applied without what else: groups, link sets, directories and what is in them. Pure. */
import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';

export type State = 'take' | 'keep' | 'ignored';

/**
 * Why something goes with something else:
 * - `holds`: it is the directory that holds it
 * - `group`: both belong to one repository's data or one database
 * - `links`: both are names of one file
 * - `rename`: they are the old and the new name of one file
 * - `below`: it lies below a directory that is deleted or replaced
 * - `above`: it lies in a directory of the host that is deleted or replaced, which goes first
 * - `again`: it lies in a directory that was deleted and made again, which goes whole
 */
export type AlongRule = 'holds' | 'group' | 'links' | 'rename' | 'below' | 'above' | 'again';

export interface Along {
  change: Change;
  /** What it goes with. */
  because: Change;
  rule: AlongRule;
}

export interface Rules {
  /** Only a part was chosen: what belongs to it comes along. */
  forSelection: boolean;
  /** Never applied without being asked for by name. */
  leftOut: (change: Change) => boolean;
  /** Whether a change that goes is taken, or kept as on the host by the person's choice. */
  decide: (change: Change) => State;
}

export const isDir = (side: Change['pending']): boolean => side?.type === 'dir';

/** The list as a tree: for each change the nearest listed directory above it. */
export class Tree {
  readonly changes: readonly Change[];
  /** Index of the nearest listed ancestor, -1 for none. */
  readonly above: number[];
  /** Of all, made when somebody asks. */
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
      // Many changes one after the other are of one directory.
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

/** Makes the states possible together. They only rise (ignored, take, keep), so it ends. Returns what came along. */
export function collectSelectionClosure(tree: Tree, states: State[], rules: Rules): Along[] {
  const settling = new Settling(tree, states, rules);
  settling.run();
  return settling.along;
}

/** Index lists of the changes that share a key, of two and more. */
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

/** The two changes of each rename: the new name, and the deletion of the old one. */
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

/** Names of one file of the upper: an inode looked at through any of its names is the same. */
export function linkSetOf({ pending, upperIdentity }: Change): string | null {
  if (pending === null || pending.type === 'dir' || pending.type === 'socket') return null;
  return upperIdentity ?? null;
}

/** Sets of changes that are about one file, and which rule says so. */
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
  /** Changes that a selection takes together unless they are left out, and why. */
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

  /** Lets `i`, which was left out so far, go with `because`. */
  #takeAlong(i: number, because: number, rule: AlongRule): void {
    const change = this.#tree.changes[i];
    const cause = this.#tree.changes[because];
    if (this.#states[i] !== 'ignored' || change === undefined || cause === undefined) return;
    this.#states[i] = this.#rules.decide(change);
    this.along.push({ change, because: cause, rule });
    this.#moved = true;
  }

  /** One kept member keeps its whole group; one taken member takes the others along. */
  #group(members: readonly number[]): void {
    if (members.some((i) => this.#states[i] === 'keep')) for (const i of members) this.#keep(i);
    const taken = members.find((i) => this.#states[i] === 'take');
    if (taken !== undefined) for (const i of members) this.#takeAlong(i, taken, 'group');
  }

  /** Committed one by one, the names of one file would be files of their own, and half a rename a copy or a loss. */
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
      // It can't exist without the new directory: parents come along, but never past a kept one.
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

  /** Half of the old directory and half of the new one is neither. */
  #again(i: number, up: number, change: Change, theirs: State | undefined): void {
    if (!this.#rules.forSelection || theirs !== 'take' || this.#rules.leftOut(change)) return;
    this.#takeAlong(i, up, 'again');
  }
}
