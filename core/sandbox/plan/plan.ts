/**
 * The mount plan: what is mounted over what. Pure; the file system is asked through `PlanFs`.
 *
 *     for each top-level directory:
 *       scratch or kernel interface        -> the host's
 *       takes no overlay (type, network)   -> read-only
 *       this user can write nothing there  -> read-only (closed.ts); its directories of this user's: ownParts
 *       has another mount below it         -> descend: each child by itself, the directory itself read-only
 *       else                               -> an overlay in place
 *     the project, and $HOME where it needs one: covered directories of their own
 *     more than 100 siblings of others in one directory: none of them (crowdOf)
 *
 * A directory with a mount below it cannot be a lower for an ordinary user, and as root the overlay would
 * hide that mount; read-only makes a write right in it fail loudly. fstab.ts turns the plan into the table
 * for mount(8); prepare/binds.ts adds sockets that must stay reachable.
 */
import { type BytePath, innermost, isWithin, joinPath, parentOf } from '../../../shared/bytes.ts';
import {
  holderOf,
  isNetwork,
  isRemote,
  KERNEL_TYPES,
  LOWER_TYPES,
  type Mount,
  visibleMounts,
} from '../../kernel/fs/mounts.ts';
import type { CoveredChild, PlanNote } from '../../session/session-context.ts';
import {
  hostsBelow,
  inParts,
  MOUNTED_FILE,
  mayNotAnswer,
  mountBelow,
  noLower,
  othersAbove,
  PROJECT_IS_SCRATCH,
  SCRATCH,
} from '../messages/notes.ts';

export interface PlanFs {
  /** No links; empty when `dir` is not readable. */
  directories(dir: BytePath): BytePath[];
  isDirectory(path: BytePath): boolean;
  /** False if it does not exist or this user may not search a directory above it. */
  canReach(path: BytePath): boolean;
  /** True if its owner or group does not exist in the sandbox: its copy-up fails. */
  isForeign(dir: BytePath): boolean;
  mayWrite(dir: BytePath): boolean;
  /** True for $HOME and the project, if small enough. */
  isCopyable(dir: BytePath): boolean;
  ownNames(dir: BytePath): readonly string[];
  /** In the current plan or an earlier one. */
  isCoveredDir(dir: BytePath): boolean;
  /** As in closed.ts; must be fast, so it may give up. */
  isClosed(dir: BytePath): boolean;
  ownDirectories(dir: BytePath): readonly BytePath[] | null;
  takesNoWrite(dir: BytePath): boolean;
}

export interface PlanInput {
  mounts: readonly Mount[];
  scratch: readonly BytePath[];
  /** The repository's top level, or the working directory. */
  projectRoot: BytePath;
  /** Must be writable whoever owns their parents: the project, $HOME. */
  own: readonly BytePath[];
  /** The directory that holds it comes last: an upper below a covered directory cannot be mounted. */
  stateDir: BytePath;
  /** Mount points of network mounts that do not answer. */
  silent?: ReadonlySet<BytePath>;
  fs: PlanFs;
}

export type PlanStep =
  /** Bind `path` over itself, so that it stays writable when its parent becomes read-only. */
  | { do: 'direct'; path: BytePath }
  | { do: 'overlay'; path: BytePath }
  /**
   * Unless `mounted`, `path` is bound over itself first. `late`: after all overlays, as an upper below it
   * could not be mounted any more.
   */
  | {
      do: 'read-only';
      path: BytePath;
      mounted: boolean;
      late: boolean;
      flags: readonly string[];
      /** Read-only already, with the mount that holds it. */
      held?: true;
    }
  /** The lower copies the directory's own files; `children` are bound on top. Last, innermost first. */
  | { do: 'copied'; path: BytePath; children: readonly CoveredChild[] }
  /** Bind `path` aside before its parent is covered, and back on top afterwards. */
  | { do: 'keep'; path: BytePath; below: BytePath };

export interface PlanDraft {
  steps: PlanStep[];
  notes: PlanNote[];
  /** The mount points that may be writable; hooks/launcher/enter fails when another one is. */
  writable: BytePath[];
}

export function draftPlan(input: PlanInput): PlanDraft {
  const planner = new Planner(input);
  planner.cover('/' as BytePath);
  planner.coverProject();
  return { steps: planner.ordered(), notes: planner.notes, writable: planner.writable() };
}

export function innermostStep(steps: readonly PlanStep[], path: BytePath): PlanStep | undefined {
  return innermost(path, steps, (step) => step.path);
}

/** Siblings of other owners with an overlay each: at 0.3 ms a mount, 3,000 homes would cost two seconds. */
export const MOST_OTHERS = 100;
/** Each part is a mount in every call. */
const MOST_PARTS = 8;

const NOBODY: ReadonlySet<BytePath> = new Set();

const holds = (dir: BytePath, paths: readonly BytePath[]) => paths.some((path) => isWithin(path, dir));
const liesIn = (path: BytePath, dirs: readonly BytePath[]) => dirs.some((dir) => isWithin(path, dir));

/**
 * Directories of others that get no overlay, being more than MOST_OTHERS. They hold nothing pending and none
 * of `wanted`.
 */
export function crowdOf(
  paths: readonly BytePath[],
  wanted: readonly BytePath[],
  fs: Pick<PlanFs, 'isForeign' | 'mayWrite' | 'ownNames'>,
): ReadonlySet<BytePath> {
  if (paths.length <= MOST_OTHERS) return NOBODY;
  const others = paths.filter(
    (path) =>
      fs.isForeign(path) && !fs.mayWrite(path) && fs.ownNames(path).length === 0 && !holds(path, wanted),
  );
  return others.length > MOST_OTHERS ? new Set(others) : NOBODY;
}

class Planner {
  readonly notes: PlanNote[] = [];
  private readonly steps: PlanStep[] = [];
  private readonly unreachable: BytePath[] = [];
  private readonly mounts: Map<BytePath, Mount>;
  private readonly input: PlanInput;
  private readonly fs: PlanFs;
  private readonly wanted: readonly BytePath[];
  private copying = 0;

  constructor(input: PlanInput) {
    this.input = input;
    this.fs = input.fs;
    this.wanted = [...input.own, input.projectRoot, input.stateDir];
    this.mounts = visibleMounts(input.mounts);
  }

  cover(dir: BytePath): void {
    const { scratch, silent } = this.input;
    const mount = this.mounts.get(dir);
    if (dir !== '/' && mount !== undefined && KERNEL_TYPES.has(mount.type)) return;
    if (scratch.includes(dir)) {
      if (mount === undefined) this.steps.push({ do: 'direct', path: dir });
      this.note(dir, 'direct', SCRATCH);
      return;
    }
    // An autofs takes no writes, and each lookup in it triggers a mount.
    const isAutomatic = mount?.type === 'autofs';
    if (isAutomatic || (mount !== undefined && (isRemote(mount.type) || silent?.has(dir) === true))) {
      if (!isAutomatic) this.readOnly(dir, mayNotAnswer(mount.type));
      for (const name of this.mountedBelow(dir)) this.cover(joinPath(dir, name));
      return;
    }
    if (!this.canReach(dir)) {
      this.unreachable.push(dir);
      return;
    }
    if (dir !== '/' && mount?.readOnly === true && !this.hasMountBelow(dir)) return;
    const parts = this.ownParts(dir);
    if (dir === '/' || this.hasMountBelow(dir) || this.hidesParking(dir) || this.ownBelowOthers(dir) !== null)
      this.descend(dir);
    else if (parts !== null) this.readOnlyBut(dir, parts);
    else if (this.needsOnlyReading(dir))
      this.readOnlyBut(
        dir,
        scratch.filter((kept) => isWithin(kept, dir) && this.fs.isDirectory(kept)),
      );
    else if (this.isDirectory(dir)) this.coverWhole(dir);
    // As containers do with /etc/hosts.
    else if (mount !== undefined) this.readOnly(dir, MOUNTED_FILE);
  }

  private readOnlyBut(dir: BytePath, parts: readonly BytePath[]): void {
    this.readOnly(dir, '');
    for (const path of parts) this.cover(path);
  }

  /**
   * The parts covered in place of `dir`, a top-level directory of others (`/home`), else null. An overlay of
   * it would take no write, while its root would be this user's to make writable. A session keeps its layout:
   * a process may have it mounted.
   */
  private ownParts(dir: BytePath): BytePath[] | null {
    const { fs, wanted } = this;
    if (dir === '/' || parentOf(dir) !== '/' || !fs.isForeign(dir) || fs.isCoveredDir(dir)) return null;
    if (wanted.includes(dir) || holds(dir, this.input.scratch)) return null;
    const paths = fs.directories(dir).map((name) => joinPath(dir, name));
    const mine = new Set(fs.ownDirectories(dir)?.map((name) => joinPath(dir, name)));
    const begun = paths.some((path) => fs.isCoveredDir(path) && !fs.isForeign(path));
    if (mine.size === 0 && !begun) return null;
    const also = (path: BytePath) => fs.isCoveredDir(path) || fs.mayWrite(path) || holds(path, wanted);
    const parts = paths.filter((path) => mine.has(path) || also(path));
    return parts.length <= MOST_PARTS || begun ? parts : null;
  }

  /** Read-only with its parent. When the directory changes, the next call's plan covers it. */
  private needsNoOverlay(dir: BytePath): boolean {
    const { projectRoot, stateDir, scratch } = this.input;
    if (this.mounts.has(dir) || holds(dir, [...scratch, projectRoot, stateDir])) return false;
    return this.fs.ownNames(dir).length === 0 && (this.fs.isClosed(dir) || this.fs.takesNoWrite(dir));
  }

  private needsOnlyReading(dir: BytePath): boolean {
    if (holds(dir, this.wanted) || liesIn(dir, this.input.scratch)) return false;
    return this.fs.ownNames(dir).length === 0 && this.fs.takesNoWrite(dir);
  }

  /** Of a network mount the parent is asked: the mount itself may hang. */
  private canReach(dir: BytePath): boolean {
    if (!isNetwork(this.mounts.get(dir)?.type ?? '')) return this.fs.canReach(dir);
    const above = this.typeAt(parentOf(dir));
    return isNetwork(above) || isRemote(above) || this.fs.canReach(joinPath(parentOf(dir), '.'));
  }

  private isDirectory(dir: BytePath): boolean {
    return isNetwork(this.mounts.get(dir)?.type ?? '') || this.fs.isDirectory(dir);
  }

  /** A project in scratch gets an overlay of its own. */
  coverProject(): void {
    const root = this.input.projectRoot;
    const covers = (step: PlanStep): boolean =>
      (step.do === 'overlay' && isWithin(root, step.path)) || (step.do === 'copied' && step.path === root);
    const isKept = this.steps.some((step) => step.do === 'keep' && isWithin(root, step.path));
    if (this.steps.some((step) => covers(step) && !isKept)) return;
    const scratch = this.input.scratch.find((dir) => isWithin(root, dir));
    if (scratch === undefined) return;
    if (root === scratch) this.note(root, 'direct', PROJECT_IS_SCRATCH);
    else if (this.fs.isDirectory(root)) {
      if (this.hasMountBelow(root)) this.descend(root);
      else this.coverWhole(root);
    }
  }

  /** Parents first, then the holder of the state directory, then copied directories. */
  ordered(): PlanStep[] {
    const direct = this.steps.filter((step) => step.do === 'direct');
    const copied = this.steps.filter((step) => step.do === 'copied');
    const others = this.steps.filter((step) => step.do !== 'direct' && step.do !== 'copied');
    const holder = others.find((step) => step.do === 'overlay' && isWithin(this.input.stateDir, step.path));
    const isLast = (step: PlanStep) => step === holder || (step.do === 'keep' && step.below === holder?.path);
    return [
      ...direct,
      ...others.filter((step) => !isLast(step)),
      ...others.filter(isLast),
      ...copied.sort((a, b) => b.path.length - a.path.length),
    ];
  }

  private coverWhole(dir: BytePath): void {
    const type = this.typeAt(dir);
    if (!LOWER_TYPES.has(type)) {
      this.readOnly(dir, noLower(type));
      return;
    }
    for (const kept of this.input.scratch) {
      if (kept !== dir && isWithin(kept, dir) && this.fs.isDirectory(kept)) {
        this.steps.push({ do: 'keep', path: kept, below: dir });
        this.note(kept, 'direct', SCRATCH);
      }
    }
    this.steps.push({ do: 'overlay', path: dir });
  }

  private descend(dir: BytePath): void {
    const type = this.typeAt(dir);
    const isLocal = LOWER_TYPES.has(type) && !isNetwork(type);
    if (dir !== '/' && this.fs.isCopyable(dir) && isLocal) this.copy(dir);
    else this.descendReadOnly(dir);
  }

  /** Only children with a step or a mount are bound on top: others would be the host's, and writable. */
  private copy(dir: BytePath): void {
    const listed = new Set<string>(this.fs.directories(dir));
    const own = new Set(this.fs.ownNames(dir));
    const children: CoveredChild[] = [];
    for (const name of [...new Set([...listed, ...this.mountedBelow(dir)])].sort()) {
      if (own.has(name)) continue;
      const path = joinPath(dir, name);
      this.copying++;
      this.cover(path);
      this.copying--;
      const stands = this.mounts.has(path) || this.steps.some((step) => isWithin(step.path, path));
      if (stands) children.push({ path, file: !listed.has(name) });
    }
    this.steps.push({ do: 'copied', path: dir, children });
  }

  private descendReadOnly(dir: BytePath): void {
    // A mount point is reachable by name even if its parent is not readable.
    const names = new Set([...this.fs.directories(dir), ...this.mountedBelow(dir)]);
    const paths = [...names].sort().map((name) => joinPath(dir, name));
    const wanted = [...this.wanted, ...this.input.scratch, ...this.mounts.keys()];
    const crowd = dir === '/' ? NOBODY : crowdOf(paths, wanted, this.fs);
    this.readOnly(dir, dir === '/' ? '' : inParts(this.whyInParts(dir), crowd.size));
    for (const path of paths) {
      if (crowd.has(path)) continue;
      if (this.hasMountBelow(path) || !this.needsNoOverlay(path)) this.cover(path);
    }
  }

  private whyInParts(dir: BytePath): string {
    const below = [...this.mounts.keys(), ...this.input.scratch].find(
      (point) => point !== dir && isWithin(point, dir),
    );
    if (below === undefined) return othersAbove(this.ownBelowOthers(dir));
    return this.mounts.has(below) ? mountBelow(below) : hostsBelow(below);
  }

  /** This user's first directory below directories of others, whose copy-up would fail (EOVERFLOW). */
  private ownBelowOthers(dir: BytePath): BytePath | null {
    const isBelowOthers = (path: BytePath): boolean => {
      if (path === dir || !isWithin(path, dir) || liesIn(path, this.input.scratch)) return false;
      for (let way = parentOf(path); way !== dir; way = parentOf(way))
        if (this.fs.isForeign(way)) return true;
      return false;
    };
    return this.input.own.find(isBelowOthers) ?? null;
  }

  private mountedBelow(dir: BytePath): BytePath[] {
    const prefix = dir === '/' ? dir : `${dir}/`;
    const points = [...this.mounts.keys()].filter((point) => point !== dir && isWithin(point, dir));
    return points.map((point) => point.slice(prefix.length).split('/')[0] as BytePath);
  }

  private readOnly(path: BytePath, why: string): void {
    const mounted = path === '/' || this.mounts.has(path);
    const late = mounted || isWithin(this.input.stateDir, path);
    const flags = holderOf(path, this.mounts)?.flags ?? [];
    const held = !mounted && this.isHeld(path) ? { held: true as const } : {};
    this.steps.push({ do: 'read-only', path, mounted, late, flags, ...held });
    if (why !== '') this.note(path, 'read-only', why);
  }

  /** False in copied directories and scratch: what is bound there earlier would stay writable. */
  private isHeld(path: BytePath): boolean {
    if (this.copying > 0 || liesIn(path, this.input.scratch)) return false;
    const point = holderOf(path, this.mounts)?.point ?? '/';
    return this.steps.some((step) => step.do === 'read-only' && step.mounted && step.path === point);
  }

  private typeAt(path: BytePath): string {
    return holderOf(path, this.mounts)?.type ?? '';
  }

  writable(): BytePath[] {
    const { scratch, mounts } = this.input;
    const seen = [...this.mounts.values()];
    const kernel = seen.filter(({ type }) => KERNEL_TYPES.has(type)).map(({ point }) => point);
    // Also what lies in these: /sys/fs/cgroup is a tmpfs on some systems.
    const hosts = [...kernel, ...scratch, ...this.unreachable];
    const visible = seen.filter(({ point, type }) => type === 'autofs' || liesIn(point, hosts));
    const hidden = mounts.filter(({ point }) => !this.mounts.has(point));
    const covered = this.steps.filter((step) => step.do === 'overlay' || step.do === 'copied');
    const points = [...visible, ...hidden].map(({ point }) => point);
    return [...new Set([...points, ...scratch, ...covered.map(({ path }) => path)])];
  }

  private hasMountBelow(dir: BytePath): boolean {
    for (const point of this.mounts.keys()) if (point !== dir && isWithin(point, dir)) return true;
    return false;
  }

  /** Scratch is parked below the state directory, out of reach once that is covered. */
  private hidesParking(dir: BytePath): boolean {
    const isBelow = (kept: BytePath) => kept !== dir && isWithin(kept, dir);
    return isWithin(this.input.stateDir, dir) && this.input.scratch.some(isBelow);
  }

  private note(path: BytePath, kind: PlanNote['kind'], why: string): void {
    this.notes.push({ path, kind, why });
  }
}
