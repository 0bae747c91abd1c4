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

/** Changes that are taken together. `keeps`: one that is kept keeps the others, too. */
export interface LinkedSet {
  members: number[];
  rule: AlongRule;
  keeps: boolean;
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
  const sets = [...groupsOf(tree.changes), ...(rules.forSelection ? linkedOf(tree.changes) : [])];
  const closure = new Closure(tree, states, (change, rule) => {
    const isFree = rule === 'links' || rule === 'rename' || rule === 'again';
    return isFree && rules.leftOut(change) ? 'ignored' : rules.decide(change);
  });
  closure.run(sets, (i, up) => pairOfCommit(closure, i, up, rules.forSelection));
  return closure.along;
}

function sets(changes: readonly Change[], keyOf: (change: Change) => string | null): number[][] {
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

const groupOf = (change: Change): string | null => (change.pending?.type === 'socket' ? null : change.group);

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

/** Applied alone, a name of a hard-linked file becomes a file of its own, half a rename a loss. */
export function linkedOf(changes: readonly Change[]): LinkedSet[] {
  return [
    ...sets(changes, linkSetOf).map((members) => ({ members, rule: 'links' as const, keeps: false })),
    ...renamesOf(changes).map((members) => ({ members, rule: 'rename' as const, keeps: false })),
  ];
}

export function groupsOf(changes: readonly Change[]): LinkedSet[] {
  return sets(changes, groupOf).map((members) => ({ members, rule: 'group', keeps: true }));
}

/** States of changes, and what raises them. */
export class Closure {
  readonly along: Along[] = [];
  readonly tree: Tree;
  readonly states: State[];
  readonly #decide: (change: Change, rule: AlongRule) => State;
  #moved = false;

  /** @param decide the state of a dependency; `ignored` = it is left out */
  constructor(tree: Tree, states: State[], decide: (change: Change, rule: AlongRule) => State) {
    this.tree = tree;
    this.states = states;
    this.#decide = decide;
  }

  /** @param pair raises states of a change and of the one at index `up`, in which it lies (-1 = none) */
  run(sets: readonly LinkedSet[], pair: (i: number, up: number) => void): void {
    do {
      this.#moved = false;
      for (const { members, rule, keeps } of sets) {
        if (keeps && members.some((i) => this.states[i] === 'keep')) for (const i of members) this.keep(i);
        const taken = members.find((i) => this.states[i] === 'take');
        if (taken !== undefined) for (const i of members) this.takeAlong(i, taken, rule);
      }
      this.tree.above.forEach((up, i) => {
        pair(i, up);
      });
    } while (this.#moved);
  }

  keep(i: number): void {
    if (this.states[i] === 'keep') return;
    this.states[i] = 'keep';
    this.#moved = true;
  }

  takeAlong(i: number, because: number, rule: AlongRule): void {
    const change = this.tree.changes[i];
    const cause = this.tree.changes[because];
    if (this.states[i] !== 'ignored' || change === undefined || cause === undefined) return;
    const state = this.#decide(change, rule);
    if (state === 'ignored') return;
    this.states[i] = state;
    this.along.push({ change, because: cause, rule });
    this.#moved = true;
  }
}

function pairOfCommit(closure: Closure, i: number, up: number, forSelection: boolean): void {
  const { tree, states } = closure;
  const parent = tree.changes[up];
  if (parent === undefined || parent.kind === 'meta') return;
  const [mine, theirs] = [states[i], states[up]];
  if (isDir(parent.pending) && !isDir(parent.host)) {
    // A change cannot exist without its new directory: the directory is added, unless it is kept.
    if (theirs === 'keep') closure.keep(i);
    else if (mine === 'take') closure.takeAlong(up, i, 'holds');
    return;
  }
  // From here on the host has a directory there that the sandbox deleted or replaced.
  if (theirs === 'keep' && (parent.kind !== 'deleted' || parent.conflict !== null)) closure.keep(i);
  else if (isDir(parent.pending)) {
    // A mix of the old directory's entries and the new one's was never reviewed.
    if (forSelection && theirs === 'take') closure.takeAlong(i, up, 'again');
  } else if (mine === 'keep') closure.keep(up);
  else if (theirs === 'take') closure.takeAlong(i, up, 'below');
  else if (mine === 'take' && parent.pending !== null) closure.takeAlong(up, i, 'above');
}
