/** From the reviewed list and the person's choices to ordered steps. Pure. */
import { type BytePath, parentOf, toDisplay } from '../bytes.ts';
import { type Change, type ChangeList, CONFLICT_REASONS } from '../changes/model.ts';
import { TraiError } from '../errors.ts';
import type { CommitRequest } from './types.ts';

/**
 * - `put`: a new entry, or one that takes the place of another by one rename (a whole new tree is one `put`)
 * - `swap`: a directory for something else or the other way round; the old entry is renamed aside first
 * - `meta`: mode or owner of an entry that stays
 * - `delete`: one unlink or rmdir
 */
export type StepOp = 'put' | 'swap' | 'meta' | 'delete';

export interface Step {
  op: StepOp;
  change: Change;
  /** All changes that this step applies, `change` first, parents before children. */
  members: Change[];
  /** `swap` of a host directory: the reviewed deletions below it, parents first. */
  below: Change[];
}

export interface CommitPlan {
  /** Puts, swaps and file modes by path; then deletions, children first; then directory modes, children first. */
  steps: Step[];
  /** Conflicts that stay as they are on the host, and what cannot be applied without them. */
  kept: Change[];
  ignored: Change[];
}

type State = 'take' | 'keep' | 'ignored';

/** Most paths that an error message names; the rest is in `paths`. */
const NAMED = 5;

/**
 * Decides what is applied, and in which order.
 *
 * @throws TraiError `conflicts` when a conflict is not decided.
 */
export function planCommit(list: ChangeList, request: CommitRequest): CommitPlan {
  const changes = [...list.changes].sort((a, b) => (a.path < b.path ? -1 : 1));
  const chosen = request.only === undefined ? null : new Set(request.only);
  const first = changes.map((change) => (isChosen(change, chosen) ? firstState(change, request) : 'ignored'));
  refuseUndecided(changes, first, request);
  const tree = new Tree(changes);
  const states = [...first];
  while (settleGroups(changes, states) || settleTree(tree, states));
  // What comes along with a selection is decided like the rest.
  if (chosen !== null) refuseUndecided(changes, states, request);
  const pick = (state: State) => changes.filter((_, i) => states[i] === state);
  return { steps: order(build(tree, states)), kept: pick('keep'), ignored: pick('ignored') };
}

function leftOut(change: Change, request: CommitRequest): boolean {
  // A socket is an address of a running process, not content: there is nothing to commit.
  return change.pending?.type === 'socket' || (change.ignored !== null && !request.includeIgnored);
}

/** Whether a path, or a directory above it, is among those that are to be committed. */
function isChosen({ path }: Change, chosen: ReadonlySet<BytePath> | null): boolean {
  for (let at = path; chosen !== null; at = parentOf(at)) {
    if (chosen.has(at)) return true;
    if (at === '/') return false;
  }
  return true;
}

function refuseUndecided(changes: readonly Change[], states: readonly State[], request: CommitRequest): void {
  const open = changes.filter(
    (c, i) =>
      c.conflict !== null &&
      states[i] !== 'ignored' &&
      (request.choices[c.id] ?? request.conflicts) === 'refuse',
  );
  if (open.length === 0) return;
  const named = open.slice(0, NAMED).map((c) => {
    const why = c.conflict === null ? '' : `: ${CONFLICT_REASONS[c.conflict]}`;
    return `${toDisplay(c.path)}${why}`;
  });
  const more = open.length > NAMED ? ` and ${open.length - NAMED} more` : '';
  throw new TraiError('conflicts', `${open.length} in conflict with the host: ${named.join('; ')}${more}`, {
    hint: 'Decide for all (--conflicts keep-host or take-sandbox) or for each path (--keep-host PATH, --take-sandbox PATH), or in the dashboard.',
    paths: open.map((c) => toDisplay(c.path)),
    data: { count: open.length },
  });
}

function firstState(change: Change, request: CommitRequest): State {
  if (leftOut(change, request)) return 'ignored';
  if (change.conflict === null) return 'take';
  return (request.choices[change.id] ?? request.conflicts) === 'take-sandbox' ? 'take' : 'keep';
}

/** One kept member keeps its whole group; one taken member takes the ignored ones along. */
function settleGroups(changes: readonly Change[], states: State[]): boolean {
  const groups = new Map<string, State>();
  const rank: Record<State, number> = { ignored: 0, take: 1, keep: 2 };
  changes.forEach((change, i) => {
    const state = states[i] ?? 'ignored';
    if (change.group === null || change.pending?.type === 'socket') return;
    const known = groups.get(change.group);
    if (known === undefined || rank[state] > rank[known]) groups.set(change.group, state);
  });
  let moved = false;
  changes.forEach((change, i) => {
    if (change.group === null || change.pending?.type === 'socket') return;
    const state = groups.get(change.group);
    if (state === undefined || state === states[i]) return;
    states[i] = state;
    moved = true;
  });
  return moved;
}

/** The list as a tree: for each change the nearest listed directory above it. */
class Tree {
  readonly changes: readonly Change[];
  /** Index of the nearest listed ancestor, -1 for none. */
  readonly above: number[];
  readonly #index = new Map<string, number>();
  readonly #nearest = new Map<string, number>();

  constructor(changes: readonly Change[]) {
    this.changes = changes;
    changes.forEach((change, i) => {
      this.#index.set(change.path, i);
    });
    this.above = changes.map((change) => this.#listed(parentOf(change.path)));
  }

  #listed(dir: BytePath): number {
    const known = this.#index.get(dir) ?? this.#nearest.get(dir);
    if (known !== undefined) return known;
    const found = dir === '/' ? -1 : this.#listed(parentOf(dir));
    this.#nearest.set(dir, found);
    return found;
  }
}

const isDir = (side: Change['pending']): boolean => side?.type === 'dir';

/** Makes the states possible together; true when one moved. States only rise (ignored, take, keep), so it ends. */
function settleTree(tree: Tree, states: State[]): boolean {
  let moved = false;
  const set = (i: number, state: State): void => {
    if (states[i] === state) return;
    states[i] = state;
    moved = true;
  };
  tree.changes.forEach((_, i) => {
    const up = tree.above[i] ?? -1;
    const parent = tree.changes[up];
    if (parent !== undefined) settlePair(parent, up, i, states, set);
  });
  return moved;
}

function settlePair(
  parent: Change,
  up: number,
  i: number,
  states: readonly State[],
  set: (i: number, state: State) => void,
): void {
  const mine = states[i];
  const theirs = states[up];
  if (parent.kind === 'meta') return;
  if (isDir(parent.pending) && !isDir(parent.host)) {
    // It can't exist without the new directory: parents come along, but never past a kept one.
    if (theirs === 'keep') set(i, 'keep');
    else if (theirs === 'ignored' && mine === 'take') set(up, 'take');
    return;
  }
  // From here on the host has a directory there that the sandbox deleted or replaced.
  if (theirs === 'keep' && (parent.kind !== 'deleted' || parent.conflict !== null)) set(i, 'keep');
  else if (isDir(parent.pending)) return;
  else if (mine === 'keep') set(up, 'keep');
  else if (mine === 'ignored' && theirs === 'take') set(i, 'take');
  else if (mine === 'take' && theirs === 'ignored' && parent.pending !== null) set(up, 'take');
}

function opOf(change: Change): StepOp {
  if (change.pending === null) return 'delete';
  if (change.kind === 'meta' || change.kind === 'dir-replaced') return 'meta';
  if (change.host === null) return 'put';
  if (isDir(change.host) !== isDir(change.pending)) return 'swap';
  return isDir(change.pending) ? 'meta' : 'put';
}

/** One step for each taken change that is not already part of the step of a directory above it. */
function build(tree: Tree, states: readonly State[]): Step[] {
  const steps: Step[] = [];
  const stepOf: (Step | undefined)[] = [];
  tree.changes.forEach((change, i) => {
    if (states[i] !== 'take') return;
    const above = stepOf[tree.above[i] ?? -1];
    const op = opOf(change);
    if (above !== undefined && (above.op === 'put' || above.op === 'swap')) {
      if (op === 'delete') above.below.push(change);
      else above.members.push(change);
      stepOf[i] = above;
      return;
    }
    const step: Step = { op, change, members: [change], below: [] };
    stepOf[i] = step;
    steps.push(step);
  });
  return steps;
}

/** Deletions come after everything that is put in place, and a directory's mode after all that happens in it. */
function order(steps: readonly Step[]): Step[] {
  const lastMeta = (step: Step) => step.op === 'meta' && isDir(step.change.pending);
  return [
    ...steps.filter((step) => step.op !== 'delete' && !lastMeta(step)),
    ...steps.filter((step) => step.op === 'delete').reverse(),
    ...steps.filter(lastMeta).reverse(),
  ];
}

/** What keeping the replaced and deleted entries of the host takes at most (bytes). */
export function replacedBytes({ steps }: CommitPlan): number {
  const sizeOf = ({ host }: Change): number => host?.size ?? 0;
  return steps
    .filter(({ op }) => op !== 'meta')
    .flatMap(({ change, below }) => [change, ...below])
    .reduce((sum, change) => sum + sizeOf(change), 0);
}

/** The same of a whole list, before it is decided what is applied. */
export function undoBytes({ changes }: ChangeList, includeIgnored: boolean): number {
  return changes
    .filter(({ kind, ignored }) => kind !== 'meta' && (includeIgnored || ignored === null))
    .reduce((sum, { host }) => sum + (host?.size ?? 0), 0);
}
