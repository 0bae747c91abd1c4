/**
 * The plan as the text for `mount -a -T`, relative to the session's overlay directory. Short relative paths
 * name the directories (`3/l` links to the covered directory): commas, colons, backslashes and a limit of 256
 * bytes would break the user's names in an option string.
 */
import { type BytePath, isWithin } from '../../../shared/bytes.ts';
import { escapeMount, ROOT_OPTIONS } from '../../kernel/fs/mounts.ts';
import type { Plan } from '../../session/session-context.ts';
import { newlineAboveMount } from '../messages/errors.ts';
import type { PlanStep } from './plan.ts';

/** Without root the kernel turns the index off but keeps its guard: a second mount of an upper is EBUSY. */
const USER_OPTIONS = 'userxattr,index=on,volatile';
/** Octal escapes (fstab(5)), which libmount undoes. */
export function escapeFstab(text: string): string {
  return text.replace(/[\s\\#]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** A directory of the host that is shown over the mask; parked in `spot` while its own place is covered. */
export interface Door {
  from: BytePath;
  spot: string;
  at: BytePath;
}

interface FstabPlaces {
  stateDir: BytePath;
  /** Absolute; `keep` steps are parked below it. */
  parking: BytePath;
  doors: readonly Door[];
}

export function fstabText(
  steps: readonly PlanStep[],
  { coveredDirs, source, root }: Pick<Plan, 'coveredDirs' | 'source' | 'root'>,
  { stateDir, parking, doors }: FstabPlaces,
): string {
  const lines: string[] = [];
  const entry = (from: string, target: string, type: string, options: string): void => {
    lines.push(`${escapeFstab(from)} ${escapeFstab(target)} ${type} ${options} 0 0\n`);
  };
  const bind = (from: string, target: string): void => entry(from, target, 'none', 'rbind');
  const overlay = (path: BytePath, target: string, lower: 'l' | 'c'): void => {
    const n = coveredDirs.find((covered) => covered.path === path)?.n;
    if (n === undefined) throw new RangeError(`expected a number for the covered directory ${path}`);
    const features = root ? `${ROOT_OPTIONS},volatile` : USER_OPTIONS;
    entry(source, target, 'overlay', `lowerdir=${n}/${lower},upperdir=${n}/u,workdir=${n}/w,${features}`);
  };
  for (const { from, spot } of doors) bind(from, spot);
  const spots = childSpots(steps);
  let parked = 0;
  for (const step of steps) {
    if (step.do === 'direct') bind(step.path, step.path);
    if (step.do === 'read-only' && !step.mounted && step.held !== true)
      entry(step.path, step.path, 'none', (step.late ? ['rbind'] : ['rbind', 'ro', ...step.flags]).join(','));
    if (step.do === 'copied') {
      const children = step.children.map(({ path }) => ({ path, ...(spots.get(path) ?? NOWHERE) }));
      for (const { path, spot, within } of children) if (!within) bind(path, spot);
      overlay(step.path, step.path, 'c');
      for (const { path, spot } of children) bind(spot, path);
    }
    if (step.do === 'overlay') {
      const kept = steps.filter((other) => other.do === 'keep' && other.below === step.path);
      const asides = kept.map(({ path }) => ({ path, spot: `${parking}/${++parked}` }));
      for (const { path, spot } of asides) bind(path, spot);
      const aside = spots.get(step.path);
      overlay(step.path, aside?.within === true ? aside.spot : step.path, 'l');
      for (const { path, spot } of asides) bind(spot, path);
    }
  }
  entry(`${stateDir}/mask`, stateDir, 'none', 'bind,ro');
  for (const { spot, at } of doors) bind(spot, at);
  // Keeps the mounts' owner reachable: only it may refresh them for later calls.
  if (!root) entry('/proc/self/ns/user', `${stateDir}/userns`, 'none', 'bind');
  // `mount -a` skips the path `/`, and sources that are mounted already.
  for (const { path, options } of lateSteps(steps))
    entry('trai-late', path === '/' ? '/.' : path, 'none', options);
  return lines.join('');
}

interface Spot {
  spot: string;
  within: boolean;
  file: boolean;
}

const NOWHERE: Spot = { spot: '', within: false, file: false };

/** `within`: the child is a single overlay, mounted in its spot, which no other mount hides. */
export function childSpots(steps: readonly PlanStep[]): ReadonlyMap<BytePath, Spot> {
  const spots = new Map<BytePath, Spot>();
  for (const { path, file } of steps.flatMap((step) => (step.do === 'copied' ? step.children : []))) {
    const inside = steps.filter((one) => isWithin(one.path, path));
    const within = inside.length === 1 && inside[0]?.do === 'overlay' && inside[0].path === path;
    // A spot keeps its type (file or directory) once it is made.
    spots.set(path, { spot: `parking/${file ? 'f' : 'd'}${spots.size + 1}`, within, file });
  }
  return spots;
}

/** The last mounts: an overlay whose upper lies below a read-only mount cannot be mounted. */
function lateSteps(steps: readonly PlanStep[]): { path: BytePath; options: string }[] {
  return steps.flatMap((step) =>
    step.do === 'read-only' && step.late && step.held !== true
      ? [{ path: step.path, options: ['remount', 'bind', 'ro', ...step.flags].join(',') }]
      : [],
  );
}

/** Lines `OPTIONS PATH` for mount(8), one each: some releases skip them in a table. Errors: `unsupported`. */
export function lateText(steps: readonly PlanStep[]): string {
  const late = lateSteps(steps);
  if (late.some(({ path }) => path.includes('\n'))) throw newlineAboveMount();
  return late.map(({ path, options }) => `${options} ${path}\n`).join('');
}

/** hooks/launcher/enter compares this with mountinfo before anything runs; one value a line. */
export function checkText(
  mounts: number,
  writable: readonly BytePath[],
  stateDir: BytePath,
  parking: BytePath,
): string {
  return `${mounts}\n ${writable.map(escapeMount).join(' ')} \n${escapeMount(stateDir)}\n${escapeMount(parking)}\n`;
}
