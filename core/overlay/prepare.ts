/**
 * Makes the plan of a session for the mounts that a launcher sees, with the directories that it names, once for each
 * different set of mounts. Called at every call: the usual case is a hash and one look at the disk.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { fromText, isWithin, joinPath } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { parseMountinfo } from '../kernel/mounts/mountinfo.ts';
import { silentMounts } from '../kernel/mounts/silent-mounts.ts';
import { isRealRoot } from '../kernel/proc/real-root.ts';
import { mountSource } from '../sandbox/context.ts';
import { withLock } from '../sandbox/lock.ts';
import { bindTexts, parkedName } from '../sandbox/plan/binds.ts';
import { checkText, childSpots, fstabText, lateText } from '../sandbox/plan/fstab.ts';
import { mappedGroups } from '../sandbox/plan/groups.ts';
import type { PlanDraft } from '../sandbox/plan/plan-types.ts';
import { readCopies, writeCopies } from '../sandbox/prepare/copies.ts';
import { makeCoveredDirs } from '../sandbox/prepare/covered-dirs.ts';
import { bindsOf, draftFor, draftOf, type PlanRequest } from '../sandbox/prepare/draft.ts';
import type { FoundBinds } from '../sandbox/prepare/find-binds.ts';
import { currentId, isWholePlan, pointTo, readPlanFile, savePlan } from '../sandbox/prepare/plan-files.ts';
import type { Plan, PlanNote } from '../session/session-context.ts';
import { recordRoots } from './place-roots.ts';

const bytes = (path: string): Buffer => Buffer.from(path, 'latin1');

/** Directories come and go beside a mount: so often a plan is drafted before one that has gone meanwhile is an error. */
const TRIES = 3;

/** Finds or makes the plan; `dir` is what the launcher gets. Throws TraiError('io' | 'busy' | 'unsupported' | 'corrupt'). */
export async function ensurePlan(request: PlanRequest): Promise<{ plan: Plan; dir: string }> {
  for (let tries = 1; ; tries++) {
    try {
      return await planFor(request);
    } catch (error) {
      const gone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!gone || tries === TRIES) throw error;
    }
  }
}

async function planFor(request: PlanRequest): Promise<{ plan: Plan; dir: string }> {
  const { draft, found: first, named } = draftFor(request);
  const known = knownPlan(request, draft, first);
  if (known !== null) return known;
  // A new one: only now is it worth the time to ask the servers of network mounts.
  const silent = await silentMounts(parseMountinfo(request.mountinfo));
  const sure = silent.size === 0 ? draft : draftOf(request);
  const found = bindsOf(request, named, sure);
  const id = planId(request, sure, found);
  const dir = `${request.sessionDir}/plan/${id}`;
  return await withLock(
    request,
    async () => knownPlan(request, sure, found) ?? { plan: makePlan(request, sure, found, id, dir), dir },
  );
}

function knownPlan(
  request: PlanRequest,
  draft: PlanDraft,
  found: FoundBinds,
): { plan: Plan; dir: string } | null {
  const id = planId(request, draft, found);
  const dir = `${request.sessionDir}/plan/${id}`;
  const plan = isWholePlan(dir) ? readPlanFile(`${dir}/plan.json`) : null;
  // Mounts that came and went again lead back to an earlier plan.
  if (plan !== null && currentId(request.sessionDir) !== id) pointTo(request.sessionDir, id);
  return plan === null ? null : { plan, dir };
}

/**
 * A launcher in a mount namespace of its own (a container, a toolbox) may see other files under the same names: what
 * is reviewed and committed here would not be what it wrote. Throws TraiError('unsupported').
 */
export function wantSameMounts(launcher: number): void {
  if (readlinkSync(`/proc/${launcher}/ns/mnt`) === readlinkSync('/proc/self/ns/mnt')) return;
  throw new TraiError(
    'unsupported',
    'this client runs in another mount namespace (a container?) than trai’s server',
    {
      hint: 'Set TRAI_STATE_HOME there to a directory that only it uses, and start the session again.',
    },
  );
}

/** Of the plan's files: a newer launcher does not understand an older plan's. */
const FORMAT = 3;

/** Everything that the launcher's part depends on: the same = the same plan. */
function planId(request: PlanRequest, draft: PlanDraft, { binds }: FoundBinds): string {
  const facts = [
    FORMAT,
    mappedGroups(),
    draft.steps,
    draft.writable,
    binds,
    request.uid,
    request.gid,
    request.stateDir,
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}

function makePlan(request: PlanRequest, draft: PlanDraft, found: FoundBinds, id: string, dir: string): Plan {
  const { stateDir, sessionDir } = request;
  const root = isRealRoot();
  const overlayDir = fromText(`${sessionDir}/overlay`);
  for (const name of ['overlay', 'run', 'plan'])
    mkdirSync(`${sessionDir}/${name}`, { recursive: true, mode: 0o700 });
  prepareMask(stateDir);
  const copied = new Map(
    draft.steps.flatMap((step) => (step.do === 'copied' ? [[step.path, step.children] as const] : [])),
  );
  const overlays = draft.steps.flatMap((step) => (step.do === 'overlay' ? [step.path] : []));
  const paths = [...overlays, ...copied.keys()];
  if (paths.length === 0) {
    throw new TraiError('unsupported', 'expected at least one directory that can be covered, found none', {
      hint: 'Run: trai doctor',
    });
  }
  const coveredDirs = makeCoveredDirs(overlayDir, paths, request.uid, copied, (made) =>
    recordRoots({ sessionDir }, made),
  );
  for (const covered of coveredDirs) {
    // Renewing one that is there is for whoever has looked at what is pending first.
    if (covered.copied !== undefined && readCopies(covered) === null) writeCopies(covered);
  }
  const kept = draft.steps.filter((step) => step.do === 'keep').length;
  for (let i = 1; i <= kept; i++)
    mkdirSync(bytes(`${overlayDir}/parking/${i}`), { recursive: true, mode: 0o700 });
  mkdirSync(bytes(`${overlayDir}/parking`), { recursive: true, mode: 0o700 });
  for (const { spot, file } of childSpots(draft.steps).values()) {
    if (file) writeFileSync(bytes(`${overlayDir}/${spot}`), '', { flag: 'a' });
    else mkdirSync(bytes(`${overlayDir}/${spot}`), { recursive: true, mode: 0o700 });
  }
  for (const [i, bind] of found.binds.entries())
    if (bind.copy === null) writeFileSync(bytes(`${overlayDir}/parking/${parkedName(i)}`), '', { flag: 'a' });
  if (root)
    for (const name of ['l', 'u', 'w', 'm'])
      mkdirSync(bytes(`${overlayDir}/guard/${name}`), { recursive: true, mode: 0o700 });
  const source = mountSource(stateDir, request.session);
  const masked: PlanNote = { path: fromText(stateDir), kind: 'masked', why: 'trai’s own state' };
  const plan: Plan = {
    v: 1,
    session: request.session,
    id,
    root,
    coveredDirs,
    notes: [...draft.notes, masked],
    source,
  };
  writePlan(request, plan, draft, found, dir);
  return plan;
}

function writePlan(request: PlanRequest, plan: Plan, draft: PlanDraft, found: FoundBinds, dir: string): void {
  const { stateDir, sessionDir, uid, gid } = request;
  const stateBytes = fromText(stateDir);
  const vars = `root=${plan.root ? 1 : 0}\nuid=${uid}\ngid=${gid}\ngroups=${mappedGroups().join(',')}\nsource=${plan.source}\nid=${plan.id}\n`;
  const late = lateText(draft.steps);
  if (
    late.split('\n').length - 1 !==
    draft.steps.filter((step) => step.do === 'read-only' && step.late && step.held !== true).length
  ) {
    throw new TraiError('unsupported', 'a directory with a mount below it has a newline in its name', {
      hint: 'Rename it.',
    });
  }
  const parking = fromText(`${sessionDir}/overlay/parking`);
  const parked = draft.steps
    .filter((step) => step.do === 'keep')
    .map((_, i) => joinPath(parking, String(i + 1)));
  const sockets = found.binds.map((_, i) => joinPath(parking, parkedName(i)));
  const guard = plan.root ? [fromText(`${sessionDir}/overlay/guard/m`)] : [];
  // Never the mask's own point, which a place may have too.
  const writable = [
    ...draft.writable,
    ...parked,
    ...sockets,
    ...guard,
    joinPath(stateBytes, 'userns'),
  ].filter((point) => point !== stateBytes);
  const numbers = new Map(plan.coveredDirs.map((covered) => [covered.path, covered.n]));
  const { source, root } = plan;
  const binds = bindTexts(found.binds, plan.id);
  savePlan(dir, plan, {
    ...found.copies,
    'park': bytes(binds.park),
    'binds': bytes(binds.binds),
    'fstab': bytes(fstabText({ steps: draft.steps, numbers, source, root, stateDir: stateBytes, parking })),
    'late': bytes(late),
    'check': bytes(
      checkText({ mounts: mountCount(plan, stateDir), writable, stateDir: stateBytes, parking }),
    ),
    'vars': bytes(vars),
  });
  pointTo(sessionDir, plan.id);
}

/** Mount points of the session: a place each, and the mask where it lies in a covered directory (and is none itself). */
function mountCount(plan: Plan, stateDir: string): number {
  const state = fromText(stateDir);
  const covered = plan.coveredDirs.some((covered) => isWithin(state, covered.path));
  return (
    plan.coveredDirs.length + (covered && plan.coveredDirs.every((covered) => covered.path !== state) ? 1 : 0)
  );
}

/** What the sandbox sees instead of the state directory: nothing, and the handle that a refresh needs. */
function prepareMask(stateDir: string): void {
  mkdirSync(`${stateDir}/mask`, { recursive: true, mode: 0o755 });
  if (!existsSync(`${stateDir}/mask/userns`)) writeFileSync(`${stateDir}/mask/userns`, '', { mode: 0o444 });
}
