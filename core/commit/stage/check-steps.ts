/** Compares every step with host and upper once more. Stale steps are left out, each with its reason. */
import { type BytePath, nameOf, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { type Change, type ChangeList, CONFLICT_REASONS } from '../../../shared/model/change.ts';
import { identityFields, isWholeIdentity, lookIdentity } from '../../../shared/model/identity.ts';
import type { Dirs } from '../../kernel/fs/dir-handles.ts';
import { entryMessage, NotApplied } from '../../kernel/fs/entry-errors.ts';
import { identityOf, looksLike } from '../../kernel/fs/fingerprint.ts';
import type { Pace } from '../../kernel/fs/pace.ts';
import { at, type FsPort, type Stat } from '../../kernel/fs/port.ts';
import type { XattrStep } from '../../kernel/fs/xattr-text.ts';
import { xattrIdentity } from '../../kernel/fs/xattrs.ts';
import { HOST_CHANGED, NO_XATTRS } from '../../kernel/messages/reasons.ts';
import {
  GROUP_FAILED,
  NO_NEW_NAME,
  NOT_ALL_READ,
  NOT_REVIEWED,
  SANDBOX_CHANGED,
  XATTRS_CHANGED,
} from '../messages/reasons.ts';
import { type CommitPlan, changesOf, type Step } from '../plan/plan.ts';
import type { Uppers } from './uppers.ts';

export interface CheckedStep {
  step: Step;
  host: string | null;
  below: { path: BytePath; host: string }[];
  /** The members' entries in the upper (for a deletion its whiteout); if `listed`, those the list lacks. */
  upper: Map<BytePath, Stat>;
  /** A new directory or a file for which the list is trusted: no upper can have changed since before the scan. */
  listed?: true | undefined;
  xattrs?: XattrStep;
}

export interface CheckTools {
  port: FsPort;
  dirs: Dirs;
  uppers: Uppers;
  pace: Pace;
}

export interface Findings {
  checked: CheckedStep[];
  /** Changes that can't be applied, and why. A step may go on without a failed member. */
  failed: Map<BytePath, string>;
}

/**
 * @param settled no upper can have changed since before the scan: the list is trusted for new directories and
 * changed files, unless `checkBelieved` has to compare them
 */
export async function checkSteps(
  work: CheckTools,
  steps: readonly Step[],
  settled = false,
): Promise<Findings> {
  const looked: CheckedStep[] = [];
  const failed = new Map<BytePath, string>();
  for (const step of steps) {
    await work.pace.breathe();
    try {
      looked.push(await checkStep(work, step, failed, settled && (isNewTree(step) || isChangedFile(step))));
    } catch (error) {
      const message = entryMessage(error);
      if (message === null) throw error;
      failStep(step, message, failed);
    }
  }
  return { checked: checkXattrs(work, looked, failed), failed };
}

export async function checkBelieved(
  work: CheckTools,
  findings: Findings,
  moves: ReadonlySet<CheckedStep>,
): Promise<void> {
  const believed = findings.checked.filter((one) => one.listed === true && !moves.has(one));
  if (believed.length === 0) return;
  const { checked: looked, failed } = await checkSteps(
    work,
    believed.map(({ step }) => step),
  );
  const found = new Map(looked.map((one) => [one.step, one]));
  for (const [path, message] of failed) findings.failed.set(path, message);
  findings.checked = findings.checked.filter((one) => {
    if (one.listed !== true || moves.has(one)) return true;
    const now = found.get(one.step);
    if (now === undefined) return false;
    one.listed = undefined;
    one.host = now.host;
    one.upper = now.upper;
    return true;
  });
}

export function isNewTree({ op, change }: Step): boolean {
  return op === 'put' && change.host === null && change.pending?.type === 'dir';
}

/** A file in place of another entry of the host's. */
export function isChangedFile({ op, change, members }: Step): boolean {
  return op === 'put' && change.pending?.type === 'file' && change.host !== null && members.length === 1;
}

function checkXattrs(
  { port, uppers }: CheckTools,
  looked: CheckedStep[],
  failed: Map<BytePath, string>,
): CheckedStep[] {
  const asked = looked.filter(({ step }) => step.op === 'meta' && step.change.xattrs === true);
  const paths = asked.flatMap(({ step: { change } }) => [change.path, uppers.pathOf(change.path)]);
  const texts = port.xattrsOf(paths);
  asked.forEach((one, i) => {
    const [from, to] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
    const { change } = one.step;
    if (from === null || to === null) failStep(one.step, NO_XATTRS, failed);
    else if (change.xattrIdentity !== xattrIdentity({ host: from, upper: to }))
      failStep(one.step, XATTRS_CHANGED, failed);
    else one.xattrs = { from, to };
  });
  return looked.filter(({ step }) => !failed.has(step.change.path));
}

export function failStep(step: Step, message: string, failed: Map<BytePath, string>): void {
  for (const { path } of changesOf(step)) if (!failed.has(path)) failed.set(path, message);
}

/** @throws NotApplied @param failed gets the members that fail alone */
async function checkStep(
  { port, dirs, uppers, pace }: CheckTools,
  step: Step,
  failed: Map<BytePath, string>,
  listed: boolean,
): Promise<CheckedStep> {
  const top = expectReviewed(port, dirs, step.change);
  const host = top === null ? null : identityOf(top);
  const below: CheckedStep['below'] = [];
  for (const change of step.below) {
    await pace.breathe();
    const found = expectReviewed(port, dirs, change);
    if (found === null) throw new NotApplied(HOST_CHANGED);
    below.push({ path: change.path, host: identityOf(found) });
  }
  const asked = listed ? step.members.filter((member) => !saysAll(member)) : step.members;
  const upper = await look(uppers, asked, pace);
  for (const member of asked) {
    if (member.pending === null || isAsReviewed(member, upper.get(member.path) ?? null)) continue;
    failed.set(member.path, SANDBOX_CHANGED);
    upper.delete(member.path);
  }
  if (failed.has(step.change.path)) throw new NotApplied(SANDBOX_CHANGED);
  return { step, host, below, upper, ...(listed ? { listed } : {}) };
}

async function look(uppers: Uppers, asked: readonly Change[], pace: Pace): Promise<Map<BytePath, Stat>> {
  const [one, more] = asked;
  if (one === undefined) return new Map();
  if (more === undefined) {
    const now = uppers.lstatHere(one.path);
    return new Map(now === null ? [] : [[one.path, now]]);
  }
  return await uppers.lstatEach(
    asked.map(({ path }) => path),
    pace,
  );
}

/** Whether the list describes the upper's entry in full, so that an lstat would add nothing. */
function saysAll({ pending, upperIdentity }: Change): boolean {
  return pending !== null && isWholeIdentity(upperIdentity, pending.type);
}

/** `isAsReviewed` for a file that lost its mark of a copy-up since, which changes its change time. */
export function isUnmarked(change: Change, now: Stat): boolean {
  const then = identityFields(change.upperIdentity);
  return then !== null && isAsReviewed(change, now, BigInt(then.ctimeNs));
}

function isAsReviewed({ pending, upperIdentity }: Change, now: Stat | null, ctimeNs = now?.ctimeNs): boolean {
  if (now === null || ctimeNs === undefined || !looksLike(pending, now)) return false;
  return upperIdentity === undefined || upperIdentity === lookIdentity({ ...now, ctimeNs });
}

/** The host's entry; null = none, as reviewed. @throws NotApplied when it is stale */
export function expectReviewed(port: FsPort, dirs: Dirs, { path, host, hostIdentity }: Change): Stat | null {
  // Every unit compares the host again before it changes it.
  const now = dirs.lstatHere(path);
  const isStale =
    !looksLike(host, now) ||
    (now !== null && hostIdentity !== undefined && hostIdentity !== lookIdentity(now)) ||
    (now?.type === 'symlink' && port.readlink(at(dirs.open(parentOf(path)), nameOf(path))) !== host?.target);
  if (isStale) throw new NotApplied(HOST_CHANGED);
  return now;
}

/**
 * Fails what is stale, and what the scan could not read completely: part of a directory, or a mode that
 * closes it, must not reach the host. A deletion fails with any unread entry below it, since its reviewed
 * list is incomplete.
 */
export function failUnread(list: ChangeList, { stale, closed }: CommitPlan, findings: Findings): void {
  for (const { path } of stale) findings.failed.set(path, NOT_REVIEWED);
  for (const { path } of closed) findings.failed.set(path, CONFLICT_REASONS.unreadable);
  if (list.problems.length === 0) return;
  const unread = list.problems.map(({ path }) => path);
  const isUnread = (path: BytePath) => unread.includes(toDisplay(path));
  const holdsUnread = (path: BytePath) => unread.some((one) => one.startsWith(`${toDisplay(path)}/`));
  const { failed } = findings;
  findings.checked = findings.checked.filter(({ step }) => {
    const { op, change, members } = step;
    if (isUnread(change.path) || (op === 'delete' && holdsUnread(change.path))) {
      failStep(step, NOT_ALL_READ, failed);
      return false;
    }
    const unreadDirs = new Set<BytePath>();
    for (const { path } of members) {
      if (!unreadDirs.has(parentOf(path)) && !isUnread(path)) continue;
      unreadDirs.add(path);
      failed.set(path, NOT_ALL_READ);
    }
    return true;
  });
}

/** Fails what must not be applied without what has failed: a group's entries, and old names of new ones. */
export function failGroups({ steps }: CommitPlan, findings: Findings): void {
  const { failed } = findings;
  const fail = (isMeant: (step: Step) => boolean, message: string): boolean => {
    const falling = findings.checked.filter(({ step }) => isMeant(step));
    for (const { step } of falling) failStep(step, message, failed);
    findings.checked = findings.checked.filter(({ step }) => !failed.has(step.change.path));
    return falling.length > 0;
  };
  for (let more = failed.size > 0; more; ) {
    const changes = steps.flatMap(changesOf).filter(({ path }) => failed.has(path));
    const renamed = new Set(changes.map(({ renamedFrom }) => renamedFrom));
    const groups = new Set(changes.map(({ group }) => group).filter((group) => group !== null));
    const deletesOf = ({ op, change, below }: Step) => (op === 'delete' ? [change] : below);
    // Without its new name a renamed file would be gone from the host.
    const names = fail((step) => deletesOf(step).some(({ path }) => renamed.has(path)), NO_NEW_NAME);
    more =
      fail(
        (step) => changesOf(step).some(({ group }) => group !== null && groups.has(group)),
        GROUP_FAILED,
      ) || names;
  }
}
