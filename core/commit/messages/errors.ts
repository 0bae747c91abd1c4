/**
 * Why a commit, discard or undo is refused or fails as a whole. core/session/messages/errors.ts has the form; reasons.ts says why
 * single entries stay behind.
 */
import { type BytePath, nameOf, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { type Change, CONFLICT_REASONS } from '../../../shared/model/change.ts';
import {
  type Beside,
  type MassGuard,
  type Scope,
  type Told,
  UNDO_REASONS,
  type UndoConflict,
} from '../../../shared/model/commit.ts';
import { countText } from '../../../shared/terminal/text.ts';
import { errorCode, isNoSpace } from '../../kernel/fs/port.ts';

/** The first ones, as the message names them. */
const NAMED = 5;
const named = (texts: readonly string[]): string =>
  `${texts.slice(0, NAMED).join('; ')}${texts.length > NAMED ? ` and ${texts.length - NAMED} more` : ''}`;
const toldText = ({ path, why }: Told): string => `${toDisplay(path)}: ${why}`;
const because = ([first]: readonly Told[]): string => (first === undefined ? '' : ` (${toldText(first)})`);

// bad-input, not-found

export const notADiscard = (session: string, name: string): TraiError =>
  new TraiError(
    'bad-input',
    `expected the name of a discard of session ${session}, found ${toDisplay(name as BytePath)}`,
  );

export const discardGone = (trash: string): TraiError =>
  new TraiError('not-found', `the trash has no discard ${trash} that can be undone`);

export const historyEntryGone = (): TraiError =>
  new TraiError('not-found', 'the history has no such entry any more', { hint: 'Load the history again.' });

export function nothingPending(scope: Scope, unsure: readonly Told[]): TraiError {
  const where = scope.kind === 'paths' ? 'at the paths that were given' : 'of the calls that were given';
  return new TraiError('not-found', `nothing is pending ${where}${because(unsure)}`, {
    hint: 'See: trai status',
    paths: unsure.map(toldText),
  });
}

export const noSuchCall = (id: string, alike: number): TraiError =>
  new TraiError(
    'not-found',
    alike === 0
      ? `this session has no sandboxed call ${JSON.stringify(id)}`
      : `the ids of ${alike} sandboxed calls begin with ${JSON.stringify(id)}`,
    { hint: 'The ids stand in: trai status --by-call, and for a path in: trai why PATH' },
  );

/** `why`: of reasons.ts, as the history has it. */
export const notUndoable = (n: number, why: string): TraiError =>
  new TraiError('not-found', `commit ${n} cannot be undone: ${why}`, { hint: 'See: trai undo --list' });

export const nothingToRedo = (): TraiError =>
  new TraiError('not-found', 'nothing was undone that could be committed again', {
    hint: 'A redo commits what the newest undo reverted, and only until the next commit. What is pending is committed with: trai commit. See: trai undo --list',
  });

// stale-revision

export const staleList = (data?: Record<string, string>): TraiError =>
  new TraiError('stale-revision', 'the pending changes are not the ones that were reviewed', {
    hint: 'Review them again, then repeat.',
    data,
  });

export const staleUndo = (): TraiError =>
  new TraiError('stale-revision', 'the host is not as it was when the undo was reviewed', {
    hint: 'Review it again, then repeat.',
  });

export const staleMerge = (path: BytePath): TraiError =>
  new TraiError('stale-revision', `the merge of ${toDisplay(path)} would be another one by now`, {
    hint: 'Review it again, then commit.',
    paths: [toDisplay(path)],
  });

export const changedSinceUndo = (path: BytePath): TraiError =>
  new TraiError('stale-revision', `the session has changed ${toDisplay(path)} since it was undone`, {
    hint: 'Look at the pending changes, then commit them.',
    paths: [toDisplay(path)],
  });

// conflicts

export function openConflicts(changes: readonly Pick<Change, 'path' | 'conflict'>[]): TraiError {
  const texts = changes.map(
    ({ path, conflict }) => toDisplay(path) + (conflict === null ? '' : `: ${CONFLICT_REASONS[conflict]}`),
  );
  return new TraiError('conflicts', `${texts.length} in conflict with the host: ${named(texts)}`, {
    hint: 'Decide for all (--conflicts keep-host, take-sandbox or merge) or for each path (--keep-host PATH, --take-sandbox PATH, --merge PATH), or in the dashboard.',
    paths: changes.map(({ path }) => toDisplay(path)),
    data: { count: changes.length },
  });
}

/** What an undo does not make pending again. @param kept what the host has there, and where it is kept */
const keptText = (kept: readonly Beside[]): string =>
  kept.length === 0
    ? ''
    : ` The session has ${kept.length === 1 ? 'a version' : 'versions'} of its own of ${countText(kept.length, 'path')}, which ${kept.length === 1 ? 'stays' : 'stay'} pending; what the host has there would be kept: ${named(kept.map(({ path, at }) => `${toDisplay(path)} as ${toDisplay(at)}`))}.`;

export const openUndoConflicts = (open: readonly UndoConflict[], kept: readonly Beside[]): TraiError =>
  new TraiError(
    'conflicts',
    `the host is not as the commit left it: ${named(open.map(({ path, reason }) => `${toDisplay(path)}: ${UNDO_REASONS[reason]}`))}`,
    {
      hint: `Decide: --conflicts keep-host leaves them as they are, --conflicts take-back undoes them too (what the host has now is pending then).${keptText(kept)}`,
      paths: open.map(({ path }) => toDisplay(path)),
      data: { count: open.length },
    },
  );

/** `refused`: a sentence of core/content/merge-entry.ts. */
export const notMergeable = (path: BytePath, refused: string): TraiError =>
  new TraiError('conflicts', `${toDisplay(path)} cannot be merged. ${refused}`, {
    hint: 'Keep the host’s version or take the sandbox’s for it.',
    paths: [toDisplay(path)],
  });

export const mergeOverlaps = (path: BytePath, count: number): TraiError =>
  new TraiError(
    'conflicts',
    `both changed the same lines of ${toDisplay(path)} in ${countText(count, 'place')}`,
    {
      hint: 'Take one side, or have markers written at those places (merge-markers).',
      paths: [toDisplay(path)],
      data: { count },
    },
  );

// mass-guard, undo-size

export const massUndo = ({ reasons, count }: MassGuard, kept: readonly Beside[]): TraiError =>
  new TraiError('mass-guard', `this undo ${reasons.join('; ')}`, {
    hint: `Confirm with --yes, or with the number (${count}).${keptText(kept)}`,
    data: { count },
  });

export const undoTooLarge = (bytes: number, maxBytes: number): TraiError =>
  new TraiError(
    'undo-size',
    `what this commit replaces or deletes takes ${bytes} bytes to keep for an undo; up to ${maxBytes} are kept without asking`,
    {
      hint: 'Commit with --no-undo: it cannot be undone then. Or raise undo.maxBytes in the config.',
      data: { bytes, maxBytes },
    },
  );

// live, not-empty, cancelled, unfinished

export const mergeWhileLive = (): TraiError =>
  new TraiError(
    'live',
    'processes of this session are running: they would go on with another version than the merged one',
    { hint: 'Wait until they are done, or end them (trai ps), then merge.' },
  );

export const undoWhileLive = (): TraiError =>
  new TraiError('live', 'processes of this session are running: what is undone could not be pending again', {
    hint: 'Wait until they are done, or end them (--end-processes).',
  });

/** @param left why each entry stays */
export const nothingDiscardedLive = (left: readonly Told[]): TraiError =>
  new TraiError('live', `nothing was discarded: ${left.slice(0, 1).map(toldText).join('')}`, {
    hint: 'Wait until the processes of the session are done with it, or end them (trai ps), then discard again.',
    paths: left.map(toldText),
  });

export const overlayNotEmpty = (): TraiError =>
  new TraiError(
    'not-empty',
    'the session has pending changes; a discard can be undone into an empty one only',
    {
      hint: 'Commit or discard what is pending first, also what could not be read. The earlier discard stays in the trash.',
    },
  );

export const discardInTheWay = (obstacles: readonly Told[]): TraiError =>
  new TraiError(
    'not-empty',
    `${obstacles.length} of what was discarded can't come back: ${obstacles.slice(0, 1).map(toldText).join('')}`,
    {
      hint: 'Commit or discard what is pending there first. The earlier discard stays in the trash.',
      paths: obstacles.map(toldText),
    },
  );

/** @param left entries that could not come back */
export const discardStopped = (left: number): TraiError =>
  left === 0
    ? new TraiError('cancelled', 'the discard was stopped; everything is still pending')
    : new TraiError(
        'not-empty',
        `the discard was stopped, and ${countText(left, 'entry', 'entries')} could not come back: something took the place`,
        {
          hint: 'Nothing is lost: the discard is in the trash, and trai undo brings it back when its places are free.',
        },
      );

export const commitNotClosed = (why: string, cause?: Error): TraiError =>
  new TraiError(
    isNoSpace(cause) ? 'no-space' : 'unfinished',
    `an interrupted commit could not be closed first: ${why}`,
    { hint: 'Nothing was discarded. Remove the cause, then try again, or commit to finish it.', cause },
  );

// no-space, io

export const noSpace = (bytes: number, free: number, dir: BytePath): TraiError =>
  new TraiError('no-space', `the commit needs ${bytes} bytes below ${toDisplay(dir)}; ${free} are free`, {
    hint: 'Nothing was applied. Free some space there and commit again.',
    path: toDisplay(dir),
    data: { needed: bytes, free },
  });

export const noSpaceForCopies = (said: string): TraiError =>
  new TraiError('no-space', `the copies could not be written: ${said}`, {
    hint: 'Nothing was changed. Free some space on the file system of the target and try again.',
  });

export const noCp = (said: string): TraiError => new TraiError('io', `cp could not be started: ${said}`);

export const versionNotKept = (path: BytePath, said: string): TraiError =>
  new TraiError('io', `the sandbox’s version of ${toDisplay(path)} could not be kept: ${said}`);

export const mergeNotWritten = (said: string): TraiError =>
  new TraiError('io', `the merge could not be written: ${said}`);

export const copyIsOther = (path: BytePath): TraiError =>
  new TraiError('io', `expected the copy of ${toDisplay(path)}, found something else`);

export const deletionNotPending = (said: string): TraiError =>
  new TraiError('io', `a deletion could not be made pending again: ${said}`);

const FAILED = {
  commit: ['nothing was applied', 'Everything is still pending. Try again.'],
  discard: [
    'it could not be discarded',
    'Nothing is lost: the next run completes what was begun, or rolls it back.',
  ],
  undoDiscard: [
    'it could not be brought back',
    'Nothing is lost: the next run completes what was begun, or rolls it back.',
  ],
  adoption: ['it could not be moved', 'Nothing was moved.'],
  begunAdoption: ['it could not be moved', 'It is on its way: the next run completes what was begun.'],
} as const;

/** Of an error of the system; others are returned as they are. */
export function asTraiError(thrown: unknown, what: keyof typeof FAILED = 'commit'): unknown {
  if (!(thrown instanceof Error) || errorCode(thrown) === '' || thrown instanceof TraiError) return thrown;
  const [message, hint] = FAILED[what];
  const full = isNoSpace(thrown);
  return new TraiError(full ? 'no-space' : 'io', `${message}: ${thrown.message}`, {
    hint: full ? `Free some space. ${hint}` : hint,
    cause: thrown,
  });
}

// unsupported, corrupt

const OLD_VERSION = 'Save what is pending with `trai export` of that version, then begin a new session.';

/** @param link where the link to the overlay should be */
export const otherVersion = (link: BytePath): TraiError =>
  new TraiError('unsupported', 'another version of trai has made this session', {
    path: toDisplay(link),
    hint: OLD_VERSION,
  });

export const otherJournalVersion = (dir: BytePath, found: unknown, expected: number): TraiError =>
  new TraiError(
    'unsupported',
    `another version of trai has written the journal of ${titleOf(dir)} (format ${String(found)}, expected ${expected})`,
    { path: toDisplay(dir), hint: OLD_VERSION },
  );

export const journalDamaged = (journal: BytePath, why: string): TraiError =>
  new TraiError('corrupt', `the journal of ${titleOf(parentOf(journal))} can't be read: ${why}`, {
    path: toDisplay(journal),
    hint: 'When nothing of it needs finishing, rename its directory.',
  });

export const JOURNAL_HAS_NO_BEGIN = 'it does not begin with a line `begin`';
export const unitsMissing = (expected: number, found: number): string =>
  `expected ${expected} units, found ${found}`;

function titleOf(dir: BytePath): string {
  const name = nameOf(dir);
  return /^[0-9]+$/.test(name) ? `commit ${name}` : `discard ${toDisplay(name)}`;
}

export const manyFileSystems = (): TraiError =>
  new TraiError('unsupported', 'expected the overlay and the commits of the session on one file system');

/** Covered since the undo was staged. @param back the directory with the copy */
export const coveredSince = (path: BytePath, back: BytePath): TraiError =>
  new TraiError('unsupported', 'expected a path in a covered directory, found the directory itself', {
    path: toDisplay(path),
    hint: `What was there is in ${toDisplay(back)}`,
  });
