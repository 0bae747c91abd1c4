/** The selection closure of a discard: the entries that leave an upper so that changes are dropped. Pure. */
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import { alongText } from './scope.ts';
import { type Along, type AlongRule, groupOf, isDir, linkedOf, sets, Tree } from './selection-closure.ts';

export interface DiscardPlan {
  going: Change[];
  /** The entries to take out of the upper; the other changes of `going` lie below one of them. */
  tops: Change[];
  along: Along[];
  /** Chosen, but not droppable without an entry of `fixed`. */
  stays: Change[];
}

/** Such an entry stays in the upper for its children; only its mode and owner are reset. */
export function isDirMeta({ kind, pending }: Change): boolean {
  return kind === 'meta' && isDir(pending);
}

export function planDiscard(
  list: ChangeList,
  chosen: ReadonlySet<BytePath>,
  fixed: ReadonlySet<BytePath> = new Set(),
): DiscardPlan {
  const changes = [...list.changes].sort((a, b) => (a.path < b.path ? -1 : 1));
  const drop = new Dropping(new Tree(changes), chosen);
  drop.spread();
  drop.hold(fixed);
  const going = changes.filter((_, i) => drop.goes[i]);
  return {
    going,
    tops: changes.filter((_, i) => drop.goes[i] && !drop.isBelowGoing(i)),
    along: drop.along.filter(({ change }) => drop.goes[drop.tree.indexOf(change)]),
    stays: changes.filter(({ path }, i) => chosen.has(path) && !drop.goes[i]),
  };
}

class Dropping {
  readonly tree: Tree;
  readonly goes: boolean[];
  readonly along: Along[] = [];
  readonly #together: { members: number[]; rule: AlongRule }[];
  #moved = false;

  constructor(tree: Tree, chosen: ReadonlySet<BytePath>) {
    this.tree = tree;
    this.goes = tree.changes.map(({ path }) => chosen.has(path));
    this.#together = [
      ...sets(tree.changes, groupOf).map((members) => ({ members, rule: 'group' as const })),
      ...linkedOf(tree.changes),
    ];
  }

  spread(): void {
    do {
      this.#moved = false;
      for (const { members, rule } of this.#together) {
        const going = members.find((i) => this.goes[i]);
        if (going !== undefined) for (const i of members) this.#takeAlong(i, going, rule);
      }
      this.tree.changes.forEach((_, i) => {
        const up = this.#holder(i);
        if (this.goes[up]) this.#takeAlong(i, up, 'below');
        else if (this.goes[i] && this.#needsHolder(i, up)) this.#takeAlong(up, i, 'above');
      });
    } while (this.#moved);
  }

  hold(fixed: ReadonlySet<BytePath>): void {
    if (fixed.size === 0) return;
    const stay = (i: number): void => {
      if (!this.goes[i]) return;
      this.goes[i] = false;
      this.#moved = true;
    };
    this.tree.changes.forEach(({ path }, i) => {
      if (fixed.has(path)) stay(i);
    });
    do {
      this.#moved = false;
      for (const { members } of this.#together) {
        if (members.some((i) => !this.goes[i])) for (const i of members) stay(i);
      }
      this.tree.changes.forEach((_, i) => {
        const up = this.#holder(i);
        if (up >= 0 && !this.goes[up] && this.#needsHolder(i, up)) stay(i);
        // A directory goes with everything in it, or not at all.
        if (up >= 0 && !this.goes[i]) stay(up);
      });
    } while (this.#moved);
  }

  isBelowGoing(i: number): boolean {
    const up = this.#holder(i);
    return up >= 0 && (this.goes[up] === true || this.isBelowGoing(up));
  }

  /** Index of the nearest listed ancestor that is more than a `meta` change; -1 = none. */
  #holder(i: number): number {
    let up = this.tree.above[i] ?? -1;
    for (let at = this.tree.changes[up]; at !== undefined && at.kind === 'meta'; at = this.tree.changes[up])
      up = this.tree.above[up] ?? -1;
    return up;
  }

  /** Whether the host's entry shows again only when the directory above is dropped as well. */
  #needsHolder(i: number, up: number): boolean {
    const change = this.tree.changes[i];
    const holder = this.tree.changes[up];
    if (change === undefined || holder === undefined || !isDir(holder.host)) return false;
    return !isDir(holder.pending) || change.host !== null;
  }

  #takeAlong(i: number, because: number, rule: AlongRule): void {
    const change = this.tree.changes[i];
    const cause = this.tree.changes[because];
    if (change === undefined || cause === undefined || this.goes[i]) return;
    this.goes[i] = true;
    this.along.push({ change, because: cause, rule });
    this.#moved = true;
  }
}

export function droppedAlongText(along: Along): string {
  const what = toDisplay(along.because.path);
  if (along.rule === 'below') return `it lies in ${what}, which is dropped whole`;
  if (along.rule === 'above') return `${what} lies in it, and it can only be dropped whole`;
  return alongText(along);
}

export const FIXED_TEXT =
  'its directory was made in the sandbox and hides the host’s: commit it, or discard everything';
