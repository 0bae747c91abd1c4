/**
 * From the reviewed list and the user's choices to ordered steps. Pure.
 *
 *     selection-closure.ts   a selection with its dependencies; discard-plan.ts: the same for a discard
 *     plan.ts                leave out what is ignored, stale, kept or unreadable; refuse undecided conflicts
 *                            order: directories before their entries, deletions from the inside out
 *     scope.ts               what a request names: everything, paths, a call, all up to a call
 */
import { type BytePath, isBelowAny } from '../../../shared/bytes.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import type { CommitRequest } from '../../../shared/model/commit.ts';
import { TIMES_RULE } from '../../../shared/model/ignore.ts';
import { openConflicts } from '../messages/errors.ts';
import {
  type Along,
  collectSelectionClosure,
  isDir,
  type Rules,
  type State,
  Tree,
} from './selection-closure.ts';

/**
 * - `put`: a new entry, or one that replaces another by one rename (a whole new tree is one `put`)
 * - `swap`: a directory replaces something else, or the other way round
 * - `meta`: mode or owner of an entry that stays (other extended attributes of a file are a `put`)
 * - `delete`: one unlink or rmdir
 */
type StepOp = 'put' | 'swap' | 'meta' | 'delete';

export interface Step {
  op: StepOp;
  change: Change;
  members: Change[];
  /** Of a `swap` of a host directory: the reviewed deletions below it, parents first. */
  below: Change[];
}

export function changesOf({ members, below }: Step): Change[] {
  return [...members, ...below];
}

export interface CommitPlan {
  /** Puts, swaps and file modes by path; deletions, children first; directory modes, children first. */
  steps: Step[];
  /** Conflicts decided for the host, and what depends on them. */
  kept: Change[];
  ignored: Change[];
  /** Unreadable, so only a part could reach the host. Not a conflict that the user can decide. */
  closed: Change[];
  along: Along[];
  stays: Change[];
  stale: Change[];
}

/**
 * The plan of a commit that takes the sandbox's side of every conflict: for a preview, which asks the user about
 * conflicts afterwards, and for an export. @param paths null = all
 */
export function planTakingSandbox(
  list: ChangeList,
  includeIgnored: boolean,
  paths: ReadonlySet<BytePath> | null,
): CommitPlan {
  const { revision } = list;
  const decided = { conflicts: 'take-sandbox', choices: {}, yes: true, typedCount: null } as const;
  return planCommit(list, { revision, includeIgnored, ...decided, exactly: paths ?? undefined });
}

/** Decides what is applied, and in which order. @throws TraiError `conflicts` when one is not decided */
export function planCommit(list: ChangeList, request: CommitRequest): CommitPlan {
  const changes = [...list.changes, ...(list.timed ?? [])].sort((a, b) => (a.path < b.path ? -1 : 1));
  const chosen = changes.map((change) => isChosen(change, request));
  const first = firstStates(changes, chosen, request);
  refuseUndecided(changes, first, request);
  const tree = new Tree(changes);
  const states = [...first];
  const along = collectSelectionClosure(tree, states, rulesOf(request));
  // Dependencies need a decision as well: those of a selection, and ignored ones.
  const going = states.map((state): State => (state === 'take' ? state : 'ignored'));
  refuseUndecided(changes, going, request);
  const pick = (state: State) => changes.filter((_, i) => states[i] === state);
  const stale = staleIn(tree, chosen, states, request);
  return {
    steps: order(build(tree, states)),
    kept: pick('keep').filter((change) => !isClosed(change) && !stale.has(change)),
    closed: pick('keep').filter(isClosed),
    ignored: pick('ignored'),
    stale: [...stale],
    along: along.filter(({ change }) => states[tree.indexOf(change)] === 'take'),
    stays: isSelection(request) ? changes.filter((_, i) => chosen[i] === true && states[i] !== 'take') : [],
  };
}

function firstStates(
  changes: readonly Change[],
  chosen: readonly boolean[],
  request: CommitRequest,
): State[] {
  return changes.map((change, i) =>
    chosen[i] !== true || leftOut(change, request) ? 'ignored' : decided(change, request),
  );
}

function rulesOf(request: CommitRequest): Rules {
  return {
    forSelection: isSelection(request),
    leftOut: (change) => leftOut(change, request),
    decide: (change) => decided(change, request),
  };
}

/** The changes that would be applied if nothing were stale. */
function staleIn(
  tree: Tree,
  chosen: readonly boolean[],
  states: readonly State[],
  { stale, ...fresh }: CommitRequest,
): Set<Change> {
  if (stale === undefined || stale.size === 0) return new Set();
  const going = firstStates(tree.changes, chosen, fresh);
  collectSelectionClosure(tree, going, rulesOf(fresh));
  return new Set(tree.changes.filter((_, i) => states[i] === 'keep' && going[i] === 'take'));
}

export function isSelection({ only, exactly }: CommitRequest): boolean {
  return only !== undefined || exactly !== undefined;
}

/** An unreadable directory, or a member of a group that holds one. */
export function isClosed({ conflict }: Change): boolean {
  return conflict === 'unreadable';
}

function leftOut(change: Change, request: CommitRequest): boolean {
  // A socket is the address of a running process; it has no content to commit.
  return (
    change.pending?.type === 'socket' ||
    (change.ignored !== null && change.ignored !== TIMES_RULE && !request.includeIgnored)
  );
}

/** A path in `only` stands for everything below it as well. */
function isChosen({ path }: Change, { only, exactly }: CommitRequest): boolean {
  if (exactly !== undefined) return exactly.has(path);
  return only === undefined || only.has(path) || isBelowAny(path, only);
}

function refuseUndecided(changes: readonly Change[], states: readonly State[], request: CommitRequest): void {
  const open = changes.filter(
    (c, i) =>
      c.conflict !== null &&
      !isClosed(c) &&
      states[i] !== 'ignored' &&
      !isStale(c, request) &&
      (request.choices[c.id] ?? request.conflicts) === 'refuse',
  );
  if (open.length > 0) throw openConflicts(open);
}

function isStale({ path }: Change, { stale }: CommitRequest): boolean {
  return stale?.has(path) === true;
}

function decided(change: Change, request: CommitRequest): State {
  if (isStale(change, request)) return 'keep';
  if (change.conflict === null) return 'take';
  if (isClosed(change)) return 'keep';
  return (request.choices[change.id] ?? request.conflicts) === 'keep-host' ? 'keep' : 'take';
}

function opOf(change: Change): StepOp {
  if (change.pending === null) return 'delete';
  // Attributes come only with a copy. A mode set in place would change the host's other names as well.
  const parted = change.xattrs === true || change.hostLinks !== undefined;
  if (change.kind === 'meta' && parted && !isDir(change.pending)) return 'put';
  if (change.kind === 'meta' || change.kind === 'dir-replaced') return 'meta';
  if (change.host === null) return 'put';
  if (isDir(change.host) !== isDir(change.pending)) return 'swap';
  return isDir(change.pending) ? 'meta' : 'put';
}

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

/** Deletions follow everything that is put in place; the mode of a directory follows all changes in it. */
function order(steps: readonly Step[]): Step[] {
  const lastMeta = (step: Step) => step.op === 'meta' && isDir(step.change.pending);
  return [
    ...steps.filter((step) => step.op !== 'delete' && !lastMeta(step)),
    ...steps.filter((step) => step.op === 'delete').reverse(),
    ...steps.filter(lastMeta).reverse(),
  ];
}

/** Upper limit of what the before-images take, in bytes. */
export function replacedBytes({ steps }: CommitPlan): number {
  const sizeOf = ({ host }: Change): number => host?.size ?? 0;
  return steps
    .filter(({ op }) => op !== 'meta')
    .flatMap(({ change, below }) => [change, ...below])
    .reduce((sum, change) => sum + sizeOf(change), 0);
}
