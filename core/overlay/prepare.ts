/** Makes a plan once for each set of mounts; usually a call costs a hash and one file check. */

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { type BytePath, fromText, joinPath, parentOf } from '../../shared/bytes.ts';
import { parseMountinfo, silentMounts } from '../kernel/fs/mounts.ts';
import { errorCode, fsPath, orNull, realPath } from '../kernel/fs/port.ts';
import { isRealRoot } from '../kernel/proc/proc.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import { insideAt, instanceAt } from '../sandbox/client-door.ts';
import { mountSource } from '../sandbox/context.ts';
import { asQuiet, withLock } from '../sandbox/lock.ts';
import { OWN_STATE } from '../sandbox/messages/notes.ts';
import { checkText, childSpots, fstabText, lateText } from '../sandbox/plan/fstab.ts';
import { mappedGroups } from '../sandbox/plan/groups.ts';
import { bindTexts, doorsOf, parkedName } from '../sandbox/prepare/binds.ts';
import { isCurrent, readCopies, writeCopies } from '../sandbox/prepare/copies.ts';
import { coveredDirAt, makeCoveredDirs } from '../sandbox/prepare/covered-dirs.ts';
import { type Drafted, draftFor, keepAhead, type PlanRequest, takeAhead } from '../sandbox/prepare/draft.ts';
import { isWholePlan, pointTo, readPlanFile, savePlan } from '../sandbox/prepare/plan-files.ts';
import { coveringDir, type Plan, type SessionContext } from '../session/session-context.ts';
import { recordRoots } from './base-of.ts';
import { recordBases } from './bases.ts';
import { nothingToCover, otherMountNamespace } from './messages.ts';

/** Attempts while directories disappear between draft and mount. */
const TRIES = 3;

interface ReadyPlan {
  plan: Plan;
  dir: string;
}

/** The caller points to it (`pointTo`), unless it refuses the call. Errors: `io`, `busy`, `unsupported`, `corrupt`. */
export async function ensurePlan(request: PlanRequest): Promise<ReadyPlan> {
  return await again(() => planFor(request));
}

/**
 * Of a session that is being made in `place`, and will be `request.sessionDir`: takes no lock, which nobody else can want yet.
 * Errors: as ensurePlan.
 */
export async function makeFirstPlan(request: PlanRequest, place: string): Promise<void> {
  await again(async () => {
    const made = { ...request, sessionDir: place };
    const drafted = await draftNew(made, takeAhead(made, true) ?? draftFor(made));
    const { plan } = makePlan(made, drafted, request.sessionDir);
    pointTo(place, plan.id);
    // For the claim of the client that is started now.
    keepAhead(request, drafted);
  });
}

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === TRIES) throw error;
    }
  }
}

async function planFor(request: PlanRequest): Promise<ReadyPlan> {
  const ahead = takeAhead(request);
  const expected = ahead === null ? null : knownPlan(request, ahead);
  if (expected !== null) return expected;
  const first = draftFor(request);
  const known = knownPlan(request, first);
  if (known !== null) return known;
  const drafted = await draftNew(request, first);
  return await withLock(request, async () => knownPlan(request, drafted) ?? makePlan(request, drafted));
}

/** Of a new plan: only that is worth the time to probe the servers of network mounts. */
async function draftNew(request: PlanRequest, first: Drafted): Promise<Drafted> {
  const silent = await silentMounts(parseMountinfo(request.mountinfo));
  return silent.size === 0 ? first : draftFor(request);
}

function knownPlan(request: PlanRequest, drafted: Drafted): ReadyPlan | null {
  const id = planId(request, drafted);
  const dir = `${request.sessionDir}/plan/${id}`;
  const plan = isWholePlan(dir) ? readPlanFile(`${dir}/plan.json`) : null;
  return plan === null ? null : { plan, dir };
}

/** In another mount namespace the same names may be other files. Errors: `unsupported`. */
export function wantSameMounts(launcher: number): void {
  if (readlinkSync(`/proc/${launcher}/ns/mnt`) === readlinkSync('/proc/self/ns/mnt')) return;
  throw otherMountNamespace();
}

/** Version of the plan's files: a newer launcher does not read older ones. */
const FORMAT = 4;

function planId({ uid, gid, stateDir, sessionDir }: PlanRequest, { draft, found }: Drafted): string {
  const overlay = orNull(() => realPath(fromText(`${sessionDir}/overlay`)));
  const facts = [
    FORMAT,
    mappedGroups(),
    draft.steps,
    draft.writable,
    found.binds,
    uid,
    gid,
    stateDir,
    overlay,
  ];
  return hash('sha256', JSON.stringify(facts)).slice(0, 16);
}

/** @param known where the session will be */
function makePlan(request: PlanRequest, drafted: Drafted, known = request.sessionDir): ReadyPlan {
  const { stateDir, sessionDir, session, uid } = request;
  const { steps, notes } = drafted.draft;
  const root = isRealRoot();
  const overlayDir = fromText(`${sessionDir}/overlay`);
  const later = fromText(`${known}/overlay`);
  for (const name of ['overlay/parking', 'run', 'plan']) makeDir(fromText(`${sessionDir}/${name}`));
  prepareMask(stateDir);
  const copied = new Map(
    steps.flatMap((step) => (step.do === 'copied' ? [[step.path, step.children] as const] : [])),
  );
  const paths = [...steps.flatMap((step) => (step.do === 'overlay' ? [step.path] : [])), ...copied.keys()];
  if (paths.length === 0) throw nothingToCover();
  const onMade = recordRoots.bind(null, { sessionDir });
  const coveredDirs = makeCoveredDirs({ overlayDir, paths, uid, copied, onMade });
  for (const covered of coveredDirs) {
    // An existing copy is renewed only after the bases of pending changes are recorded (freshCopies).
    if (covered.copied !== undefined && readCopies(covered) === null) writeCopies(covered);
  }
  makeSpots(overlayDir, drafted, root);
  const plan: Plan = {
    v: 1,
    session,
    id: planId(request, drafted),
    root,
    coveredDirs: coveredDirs.map((covered) => ({
      ...covered,
      ...coveredDirAt(later, covered.path, covered.n),
    })),
    notes: [...notes, { path: fromText(stateDir), kind: 'masked', why: OWN_STATE }],
    source: mountSource(stateDir, session),
  };
  const dir = `${sessionDir}/plan/${plan.id}`;
  savePlan(dir, plan, planFiles(request, plan, drafted, known));
  return { plan, dir };
}

function makeSpots(overlayDir: BytePath, { draft: { steps }, found }: Drafted, root: boolean): void {
  const dirs = steps.filter((step) => step.do === 'keep').map((_, i) => `parking/${i + 1}`);
  if (root) dirs.push(...['l', 'u', 'w', 'm'].map((name) => `guard/${name}`));
  const files: string[] = [];
  for (const [i, bind] of found.binds.entries())
    (bind.shared === 'dir' ? dirs : files).push(`parking/${parkedName(bind, i)}`);
  for (const { spot, file } of childSpots(steps).values()) (file ? files : dirs).push(spot);
  for (const name of dirs) makeDir(joinPath(overlayDir, name));
  for (const name of files) writeFileSync(fsPath(joinPath(overlayDir, name)), '', { flag: 'a' });
}

function makeDir(path: BytePath): void {
  mkdirSync(fsPath(path), { recursive: true, mode: 0o700 });
}

function planFiles(
  request: PlanRequest,
  plan: Plan,
  { draft, found }: Drafted,
  known: string,
): Record<string, Buffer> {
  const { sessionDir, uid, gid } = request;
  const { root, source, id, coveredDirs } = plan;
  const { steps } = draft;
  const stateDir = fromText(request.stateDir);
  // As mountinfo names it.
  const parking = realPath(fromText(`${sessionDir}/overlay/parking`));
  const kept = steps.filter((step) => step.do === 'keep').map((_, i) => joinPath(parking, String(i + 1)));
  const parked = found.binds.map((bind, i) => joinPath(parking, parkedName(bind, i)));
  const shared = found.binds.flatMap((bind) => (bind.shared === undefined ? [] : [bind.path]));
  const guard = root ? [joinPath(parentOf(parking), 'guard/m')] : [];
  // Never the mask's own point, which may be a covered directory as well.
  const own = [...kept, ...parked, ...shared, ...guard, joinPath(stateDir, 'userns')];
  const writable = [...draft.writable, ...own].filter((point) => point !== stateDir);
  // One a covered directory, and the mask if it lies in a covered directory (and is none).
  const holder = coveringDir(coveredDirs, stateDir);
  const isMasked = holder !== null && holder.path !== stateDir;
  const mounts = coveredDirs.length + (isMasked ? 1 : 0);
  const texts = {
    ...bindTexts(found.binds, fromText(`${known}/plan/${id}`)),
    fstab: fstabText(steps, plan, { stateDir, parking, doors: doorsOf(found.binds) }),
    late: lateText(steps),
    check: checkText(mounts, writable, stateDir, parking),
    vars: `root=${root ? 1 : 0}\nuid=${uid}\ngid=${gid}\ngroups=${mappedGroups().join(',')}\nsource=${source}\nid=${id}\n`,
  };
  const files = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text, 'latin1')]);
  return { ...found.copies, ...Object.fromEntries(files) };
}

/** What replaces the state directory in the sandbox: nothing but the handle for a refresh, and a client's door. */
function prepareMask(stateDir: string): void {
  mkdirSync(`${stateDir}/mask`, { recursive: true, mode: 0o755 });
  for (const spot of [insideAt, instanceAt])
    mkdirSync(spot(`${stateDir}/mask`), { recursive: true, mode: 0o755 });
  const handle = `${stateDir}/mask/userns`;
  try {
    if (!existsSync(handle)) writeFileSync(handle, '', { flag: 'wx', mode: 0o444 });
  } catch (error) {
    // Another process has just made it, which nobody may write to.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Before a fresh mount: renews copied lowers where the host has changed, but not in a live session. The bases
 * of pending changes come first, while the copies tell which content a change began with. Errors: those of
 * withLock, asQuiet.
 */
export async function freshCopies(ctx: SessionContext): Promise<void> {
  // The client rewrites its files all the time: no call waits for copies of them.
  const skip = (path: BytePath) => isExcluded(path, ctx.excluded);
  const stale = ctx.coveredDirs.filter(
    (covered) => covered.copied !== undefined && !isCurrent(covered, skip),
  );
  if (stale.length === 0) return;
  await withLock(ctx, async (session) => {
    const quiet = await asQuiet(session);
    if (quiet === null) return;
    await recordBases(quiet);
    for (const covered of stale) writeCopies(covered);
  });
}
