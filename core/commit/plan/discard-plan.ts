/** The selection closure of a discard: the entries that leave an upper so that changes are dropped. Pure. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import { ALONG } from '../messages/reasons.ts';
import { alongText } from './scope.ts';
import { type Along, Closure, groupsOf, isDir, linkedOf, type State, Tree } from './selection-closure.ts';

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
  const tree = new Tree(changes);
  const states = changes.map(({ path }): State => (chosen.has(path) ? 'take' : 'ignored'));
  // What goes together goes whole, or not at all.
  const sets = [...groupsOf(changes), ...linkedOf(changes)].map((set) => ({ ...set, keeps: true }));
  const closure = new Closure(tree, states, () => 'take');
  const close = () => closure.run(sets, (i) => pairOfDiscard(closure, i));
  close();
  changes.forEach(({ path }, i) => {
    if (fixed.has(path) && states[i] === 'take') closure.keep(i);
  });
  if (fixed.size > 0) close();
  const goes = (i: number) => states[i] === 'take';
  const isBelowGoing = (i: number): boolean => {
    const up = holderOf(tree, i);
    return up >= 0 && (goes(up) || isBelowGoing(up));
  };
  return {
    going: changes.filter((_, i) => goes(i)),
    tops: changes.filter((_, i) => goes(i) && !isBelowGoing(i)),
    along: closure.along.filter(({ change }) => goes(tree.indexOf(change))),
    stays: changes.filter(({ path }, i) => chosen.has(path) && !goes(i)),
  };
}

/** A directory goes with everything in it, or not at all. */
function pairOfDiscard(closure: Closure, i: number): void {
  const { tree, states } = closure;
  const up = holderOf(tree, i);
  if (states[i] === 'keep' && up >= 0) closure.keep(up);
  if (states[up] === 'take') closure.takeAlong(i, up, 'below');
  if (!needsHolder(tree, i, up)) return;
  if (states[up] === 'keep') closure.keep(i);
  else if (states[i] === 'take') closure.takeAlong(up, i, 'above');
}

/** Index of the nearest listed ancestor that is more than a `meta` change; -1 = none. */
function holderOf({ above, changes }: Tree, i: number): number {
  let up = above[i] ?? -1;
  while (changes[up]?.kind === 'meta') up = above[up] ?? -1;
  return up;
}

/** Whether the host's entry shows again only when the directory above is dropped as well. */
function needsHolder({ changes }: Tree, i: number, up: number): boolean {
  const [change, holder] = [changes[i], changes[up]];
  if (change === undefined || holder === undefined || !isDir(holder.host)) return false;
  return !isDir(holder.pending) || change.host !== null;
}

export function droppedAlongText(along: Along): string {
  const { path } = along.because;
  if (along.rule === 'below') return ALONG.inDropped(path);
  if (along.rule === 'above') return ALONG.aboveDropped(path);
  return alongText(along);
}
