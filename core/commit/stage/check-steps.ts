/** Compares every step with host and upper once more. Stale steps are left out, each with its reason. */
import { type BytePath, nameOf, parentOf, toDisplay } from '../../../shared/bytes.ts';
import type { Change, ChangeList, Side } from '../../../shared/model/change.ts';
import { isWholeIdentity, lookIdentity } from '../../../shared/model/identity.ts';
import type { Dirs } from '../../kernel/fs/dir-handles.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import { identityOf, looksLike } from '../../kernel/fs/fingerprint.ts';
import type { Pace } from '../../kernel/fs/pace.ts';
import { at, type FsPort, type Stat } from '../../kernel/fs/port.ts';
import { NO_XATTRS, type XattrStep } from '../../kernel/fs/xattr-text.ts';
import { xattrIdentity } from '../../kernel/fs/xattrs.ts';
import type { CommitPlan, Step } from '../plan/plan.ts';
import type { Uppers } from './uppers.ts';

export interface CheckedStep {
  step: Step;
  host: string | null;
  below: { path: BytePath; host: string }[];
  /** The members' entries in the upper (for a deletion its whiteout); if `listed`, those the list lacks. */
  upper: Map<BytePath, Stat>;
  /** A new directory for which the list is trusted: no upper can have changed since before the scan. */
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

export const HOST_CHANGED = 'the host changed it after the review; it stays pending';
export const NOT_REVIEWED = 'it is not as it was reviewed any more; it stays pending';
const UNREAD = 'not all of it could be read; it stays pending';
const XATTRS_CHANGED =
  'its extended attributes (an ACL, user.*) are not as they were reviewed; it stays pending';
export const GONE_ON = 'the sandbox changed it after the review; it stays pending';

/**
 * @param settled no upper can have changed since before the scan: the list is trusted for new directories,
 * unless `checkBelieved` has to compare them
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
      const one = await checkStep(work, step, failed, settled && isNewTree(step));
      if (one !== null) looked.push(one);
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
  for (const { path } of [...step.members, ...step.below]) if (!failed.has(path)) failed.set(path, message);
}

async function checkStep(
  { port, dirs, uppers, pace }: CheckTools,
  step: Step,
  failed: Map<BytePath, string>,
  listed: boolean,
): Promise<CheckedStep | null> {
  const host = hostOf(port, dirs, step.change);
  if (host === undefined) {
    failStep(step, HOST_CHANGED, failed);
    return null;
  }
  const below: CheckedStep['below'] = [];
  for (const change of step.below) {
    await pace.breathe();
    const found = hostOf(port, dirs, change);
    if (found === undefined || found === null) {
      failStep(step, HOST_CHANGED, failed);
      return null;
    }
    below.push({ path: change.path, host: found });
  }
  const asked = listed ? step.members.filter((member) => !saysAll(member)) : step.members;
  const upper = await uppers.lstatEach(
    asked.map(({ path }) => path),
    pace,
  );
  for (const member of asked) {
    if (member.pending === null || isAsReviewed(member, upper.get(member.path) ?? null)) continue;
    failed.set(member.path, GONE_ON);
    upper.delete(member.path);
  }
  if (!failed.has(step.change.path)) return { step, host, below, upper, ...(listed ? { listed } : {}) };
  failStep(step, GONE_ON, failed);
  return null;
}

/** Whether the list describes the upper's entry in full, so that an lstat would add nothing. */
function saysAll({ pending, upperIdentity }: Change): boolean {
  return pending !== null && isWholeIdentity(upperIdentity, pending.type);
}

function isAsReviewed({ pending, upperIdentity }: Change, now: Stat | null): boolean {
  if (now === null || !looksLike(pending, now)) return false;
  return upperIdentity === undefined || upperIdentity === lookIdentity(now);
}

function hostOf(port: FsPort, dirs: Dirs, change: Change): string | null | undefined {
  const now = asReviewed(port, dirs, change);
  return now === undefined || now === null ? now : identityOf(now);
}

/** The host's entry (null = none, as reviewed); undefined when it is stale. */
export function asReviewed(port: FsPort, dirs: Dirs, change: Change): Stat | null | undefined {
  const now = dirs.lstat(change.path);
  if (!looksLike(change.host, now)) return undefined;
  if (now === null) return null;
  if (change.hostIdentity !== undefined && change.hostIdentity !== lookIdentity(now)) return undefined;
  if (now.type === 'symlink' && !sameTarget(port, dirs, change.path, change.host)) return undefined;
  return now;
}

function sameTarget(port: FsPort, dirs: Dirs, path: BytePath, side: Side | null): boolean {
  return port.readlink(at(dirs.open(parentOf(path)), nameOf(path))) === side?.target;
}

/**
 * Fails what the scan could not read completely: part of a directory, or a mode that closes it, must not
 * reach the host. A deletion fails with any unread entry below it, since its reviewed list is incomplete.
 */
export function failUnread(list: ChangeList, findings: Findings): void {
  if (list.problems.length === 0) return;
  const unread = list.problems.map(({ path }) => path);
  const isUnread = (path: BytePath) => unread.includes(toDisplay(path));
  const holdsUnread = (path: BytePath) => unread.some((one) => one.startsWith(`${toDisplay(path)}/`));
  const { failed } = findings;
  findings.checked = findings.checked.filter(({ step }) => {
    const { op, change, members } = step;
    if (isUnread(change.path) || (op === 'delete' && holdsUnread(change.path))) {
      failStep(step, UNREAD, failed);
      return false;
    }
    const closed = new Set<BytePath>();
    for (const { path } of members) {
      if (!closed.has(parentOf(path)) && !isUnread(path)) continue;
      closed.add(path);
      failed.set(path, UNREAD);
    }
    return true;
  });
}

export function failGroups(plan: CommitPlan, findings: Findings): void {
  failOldNames(plan, findings);
  failSharedGroups(plan, findings);
}

/** Without its new name a renamed file would be gone from the host. */
function failOldNames({ steps }: CommitPlan, findings: Findings): void {
  const { failed } = findings;
  if (failed.size === 0) return;
  const kept = new Set<BytePath>();
  for (const { path, renamedFrom } of steps.flatMap(({ members }) => members))
    if (renamedFrom !== undefined && failed.has(path)) kept.add(renamedFrom);
  if (kept.size === 0) return;
  findings.checked = findings.checked.filter(({ step }) => {
    const deletes = step.op === 'delete' ? [step.change] : step.below;
    if (!deletes.some(({ path }) => kept.has(path))) return true;
    failStep(step, 'its new name could not be committed; it stays pending', failed);
    return false;
  });
}

function failSharedGroups(plan: CommitPlan, findings: Findings): void {
  const groupsOf = (step: Step) => [...step.members, ...step.below].map((change) => change.group);
  while (findings.failed.size > 0) {
    const broken = new Set<string>();
    for (const step of plan.steps) {
      for (const { path, group } of [...step.members, ...step.below]) {
        if (group !== null && findings.failed.has(path)) broken.add(group);
      }
    }
    if (broken.size === 0) return;
    const fall = findings.checked.filter(({ step }) =>
      groupsOf(step).some((g) => g !== null && broken.has(g)),
    );
    if (fall.length === 0) return;
    for (const { step } of fall)
      failStep(step, 'it belongs together with an entry that could not be applied', findings.failed);
    findings.checked = findings.checked.filter((one) => !fall.includes(one));
  }
}
