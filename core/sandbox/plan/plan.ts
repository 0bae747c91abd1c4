/**
 * The mount plan: what is mounted over what. Pure; the file system is asked through `PlanFs`.
 *
 *     for each top-level directory:
 *       scratch or kernel interface        -> the host's
 *       takes no overlay (type, network)   -> read-only
 *       holds nothing that is the user's   -> read-only, no overlay (closed.ts); its directories that are: own-parts.ts
 *       has another mount below it         -> descend: each child for itself, the directory itself read-only
 *       else                               -> an overlay in place
 *     the project, and $HOME where it needs one: covered directories of their own
 *     more than 100 siblings of others in one directory: none of them (crowded-directories.ts)
 *
 * A directory with a mount below it cannot be a lower for an ordinary user, and as root the overlay would hide that mount;
 * read-only makes a write right in it fail loudly. fstab.ts turns the plan into the table for mount(8) and into what the
 * kernel's mount table must show afterwards; binds.ts adds the sockets that must stay reachable.
 */
import { type BytePath, isWithin, joinPath, parentOf } from '../../../shared/bytes.ts';
import { isNetwork, isRemote, KERNEL_TYPES, LOWER_TYPES } from '../../kernel/mounts/file-systems.ts';
import { type Mount, visibleMounts } from '../../kernel/mounts/mountinfo.ts';
import type { CoveredChild, PlanNote } from '../../session/session-context.ts';
import { crowdOf } from './crowded-directories.ts';
import { needsNoOverlay, needsOnlyReading } from './needs-no-overlay.ts';
import { ownParts } from './own-parts.ts';
import type { PlanDraft, PlanInput, PlanStep } from './plan-types.ts';

export function draftPlan(input: PlanInput): PlanDraft {
  const planner = new Planner(input);
  planner.cover('/' as BytePath);
  planner.coverProject();
  return { steps: planner.ordered(), notes: planner.notes, writable: planner.writable() };
}

const NOBODY: ReadonlySet<BytePath> = new Set();

class Planner {
  readonly notes: PlanNote[] = [];
  private readonly steps: PlanStep[] = [];
  private readonly unreachable: BytePath[] = [];
  private readonly mounts: Map<BytePath, Mount>;
  private readonly input: PlanInput;
  /** How many copied directories hold what is covered just now. */
  private copying = 0;

  constructor(input: PlanInput) {
    this.input = input;
    this.mounts = visibleMounts(input.mounts);
  }

  cover(dir: BytePath): void {
    const mount = this.mounts.get(dir);
    if (dir !== '/' && mount !== undefined && KERNEL_TYPES.has(mount.type)) return;
    if (this.input.scratch.includes(dir)) {
      if (mount === undefined) this.steps.push({ do: 'direct', path: dir });
      this.note(dir, 'direct', 'scratch directory: sockets and short-lived files stay the host’s');
      return;
    }
    // Nothing can be made right in it; whoever lists it or looks up a name has things mounted.
    if (mount?.type === 'autofs') {
      for (const name of this.mountedBelow(dir)) this.cover(joinPath(dir, name));
      return;
    }
    if (mount !== undefined && (isRemote(mount.type) || this.input.silent?.has(dir) === true)) {
      this.readOnly(dir, `${mount.type} file system, which may not answer`);
      for (const name of this.mountedBelow(dir)) this.cover(joinPath(dir, name));
      return;
    }
    // Neither can a command get there: no user may search the directories above it but their owner.
    if (!this.canReach(dir)) {
      this.unreachable.push(dir);
      return;
    }
    // Nothing can be written there by anybody: one mount less.
    if (dir !== '/' && mount?.readOnly === true && !this.hasMountBelow(dir)) return;
    const parts = ownParts(dir, this.input);
    if (dir === '/' || this.hasMountBelow(dir) || this.hidesParking(dir) || this.ownBelowOthers(dir) !== null)
      this.descend(dir);
    else if (parts !== null) this.coverParts(dir, parts);
    else if (needsOnlyReading(dir, this.input)) this.coverScratchIn(dir);
    else if (this.isDirectory(dir)) this.coverWhole(dir);
    // A single file that is mounted, as containers do with /etc/hosts.
    else if (mount !== undefined) this.readOnly(dir, 'a file that is mounted by itself');
  }

  /** As it is outside: nothing can be made right in it. */
  private coverParts(dir: BytePath, parts: readonly BytePath[]): void {
    this.readOnly(dir, '');
    for (const path of parts) this.cover(path);
  }

  private coverScratchIn(dir: BytePath): void {
    this.readOnly(dir, '');
    for (const kept of this.input.scratch)
      if (isWithin(kept, dir) && this.input.fs.isDirectory(kept)) this.cover(kept);
  }

  /** Of a network mount the directory above is asked: the mount itself may hang. */
  private canReach(dir: BytePath): boolean {
    if (!isNetwork(this.mounts.get(dir)?.type ?? '')) return this.input.fs.canReach(dir);
    const above = this.holding(parentOf(dir))?.type ?? '';
    return isNetwork(above) || isRemote(above) || this.input.fs.canReach(joinPath(parentOf(dir), '.'));
  }

  private isDirectory(dir: BytePath): boolean {
    return isNetwork(this.mounts.get(dir)?.type ?? '') || this.input.fs.isDirectory(dir);
  }

  /** A project in a place that stays the host's (a scratch directory) gets an overlay of its own. */
  coverProject(): void {
    const root = this.input.projectRoot;
    const covers = (step: PlanStep): boolean =>
      (step.do === 'overlay' && isWithin(root, step.path)) || (step.do === 'copied' && step.path === root);
    if (this.steps.some((step) => covers(step) && !this.isKept(root))) return;
    const scratch = this.input.scratch.find((dir) => isWithin(root, dir));
    if (scratch === undefined) return;
    if (root === scratch) {
      this.note(
        root,
        'direct',
        'the project is a scratch directory itself: what calls write in it is written directly',
      );
      return;
    }
    if (!this.input.fs.isDirectory(root)) return;
    if (this.hasMountBelow(root)) this.descend(root);
    else this.coverWhole(root);
  }

  /** What stays writable first, parents before children, what holds the state directory last with what lies below it. */
  ordered(): PlanStep[] {
    const direct = this.steps.filter((step) => step.do === 'direct');
    const copied = this.steps.filter((step) => step.do === 'copied');
    const others = this.steps.filter((step) => step.do !== 'direct' && step.do !== 'copied');
    return [...direct, ...this.holderLast(others), ...copied.sort((a, b) => b.path.length - a.path.length)];
  }

  private holderLast(steps: PlanStep[]): PlanStep[] {
    const holds = (step: PlanStep): boolean =>
      step.do !== 'keep' && step.do === 'overlay' && isWithin(this.input.stateDir, step.path);
    const holder = steps.find(holds);
    if (holder === undefined) return steps;
    const last = steps.filter(
      (step) => step === holder || (step.do === 'keep' && step.below === holder.path),
    );
    return [...steps.filter((step) => !last.includes(step)), ...last];
  }

  private coverWhole(dir: BytePath): void {
    const type = this.holding(dir)?.type ?? '';
    if (LOWER_TYPES.has(type)) this.overlay(dir);
    else this.readOnly(dir, `a ${type} file system can't be covered by an overlay`);
  }

  private overlay(dir: BytePath): void {
    for (const kept of this.input.scratch) {
      if (kept !== dir && isWithin(kept, dir) && this.input.fs.isDirectory(kept)) {
        this.steps.push({ do: 'keep', path: kept, below: dir });
        this.note(kept, 'direct', 'scratch directory: sockets and short-lived files stay the host’s');
      }
    }
    this.steps.push({ do: 'overlay', path: dir });
  }

  private descend(dir: BytePath): void {
    if (dir !== '/' && this.input.fs.isCopyable?.(dir) === true && this.isLocal(dir)) this.copy(dir);
    else this.descendReadOnly(dir);
  }

  /** Only what a step or a mount stands for comes back on top: anything else would stay the host's, and writable. */
  private copy(dir: BytePath): void {
    const listed = new Set<string>(this.input.fs.directories(dir));
    const own = new Set(this.input.fs.ownNames?.(dir) ?? []);
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

  private isLocal(dir: BytePath): boolean {
    const type = this.holding(dir)?.type ?? '';
    return LOWER_TYPES.has(type) && !isNetwork(type);
  }

  private descendReadOnly(dir: BytePath): void {
    // A mount is reached by name also where this user may not list the directory above it.
    const names = new Set([...this.input.fs.directories(dir), ...this.mountedBelow(dir)]);
    const paths = [...names].sort().map((name) => joinPath(dir, name));
    const crowd = dir === '/' ? NOBODY : crowdOf(paths, this.input, this.mounts);
    const but = crowd.size === 0 ? '' : `, but for ${crowd.size} of others, which are read-only with it`;
    this.readOnly(dir, dir === '/' ? '' : `${this.whyInParts(dir)}; its other directories are covered${but}`);
    for (const path of paths) {
      if (crowd.has(path)) continue;
      if (this.hasMountBelow(path) || !needsNoOverlay(path, this.input, this.mounts)) this.cover(path);
    }
  }

  private whyInParts(dir: BytePath): string {
    const below = [...this.mounts.keys(), ...this.input.scratch].find(
      (point) => point !== dir && isWithin(point, dir),
    );
    if (below !== undefined)
      return this.mounts.has(below)
        ? `the mount ${below} is below it`
        : `${below}, which stays the host’s, is below it`;
    return `directories of other owners lead to ${this.ownBelowOthers(dir) ?? 'what is yours'}`;
  }

  /**
   * The first of the person's own directories that is reached from `dir` only through directories of others. What is
   * written below those copies them up, which the kernel refuses (EOVERFLOW): their owners don't exist inside. Only the
   * directory that is itself a place may be somebody else's.
   */
  private ownBelowOthers(dir: BytePath): BytePath | null {
    const { own, scratch, fs } = this.input;
    const isBelowOthers = (path: BytePath): boolean => {
      if (path === dir || !isWithin(path, dir) || scratch.some((kept) => isWithin(path, kept))) return false;
      for (let way = parentOf(path); way !== dir; way = parentOf(way)) if (fs.isForeign(way)) return true;
      return false;
    };
    return own.find(isBelowOthers) ?? null;
  }

  /** Names in `dir` that lead to a mount point: a mount point itself, or a directory above one. */
  private mountedBelow(dir: BytePath): BytePath[] {
    const prefix = dir === '/' ? dir : `${dir}/`;
    const points = [...this.mounts.keys()].filter((point) => point !== dir && isWithin(point, dir));
    return points.map((point) => point.slice(prefix.length).split('/')[0] as BytePath);
  }

  private readOnly(path: BytePath, why: string): void {
    const mounted = path === '/' || this.mounts.has(path);
    const late = mounted || isWithin(this.input.stateDir, path);
    const flags = this.holding(path)?.flags ?? [];
    const held = !mounted && this.isHeld(path) ? { held: true as const } : {};
    this.steps.push({ do: 'read-only', path, mounted, late, flags, ...held });
    if (why !== '') this.note(path, 'read-only', why);
  }

  /** Not below a copied directory, or in scratch: what is bound there before the end would stay writable. */
  private isHeld(path: BytePath): boolean {
    if (this.copying > 0 || this.input.scratch.some((dir) => isWithin(path, dir))) return false;
    const point = this.holding(path)?.point ?? '/';
    return this.steps.some((step) => step.do === 'read-only' && step.mounted && step.path === point);
  }

  /** The mount that `path` lies on. */
  private holding(path: BytePath): Mount | undefined {
    let best: Mount | undefined;
    for (const [point, mount] of this.mounts) {
      if (isWithin(path, point) && point.length >= (best?.point.length ?? 0)) best = mount;
    }
    return best;
  }

  writable(): BytePath[] {
    const interfaces = [...this.mounts]
      .filter(([, mount]) => KERNEL_TYPES.has(mount.type))
      .map(([point]) => point);
    const automatic = [...this.mounts].filter(([, mount]) => mount.type === 'autofs').map(([point]) => point);
    // /sys/fs/cgroup is a tmpfs on some systems; what lies in /proc, /sys and /dev is none of the user's files.
    const kernel = [...this.mounts.keys()].filter((point) => interfaces.some((dir) => isWithin(point, dir)));
    const inScratch = [...this.mounts.keys()].filter((point) =>
      this.input.scratch.some((dir) => isWithin(point, dir)),
    );
    const places = this.steps.flatMap((step) =>
      step.do === 'overlay' || step.do === 'copied' ? [step.path] : [],
    );
    const hidden = this.input.mounts.map((mount) => mount.point).filter((point) => !this.mounts.has(point));
    const far = [...this.mounts.keys()].filter((point) =>
      this.unreachable.some((dir) => isWithin(point, dir)),
    );
    return [
      ...new Set([
        ...kernel,
        ...automatic,
        ...inScratch,
        ...this.input.scratch,
        ...places,
        ...hidden,
        ...far,
      ]),
    ];
  }

  private hasMountBelow(dir: BytePath): boolean {
    for (const point of this.mounts.keys()) if (point !== dir && isWithin(point, dir)) return true;
    return false;
  }

  /** Scratch directories are parked below the state directory, out of reach once the place that holds it is covered. */
  private hidesParking(dir: BytePath): boolean {
    return (
      isWithin(this.input.stateDir, dir) &&
      this.input.scratch.some((kept) => kept !== dir && isWithin(kept, dir))
    );
  }

  private isKept(path: BytePath): boolean {
    return this.steps.some((step) => step.do === 'keep' && isWithin(path, step.path));
  }

  private note(path: BytePath, kind: PlanNote['kind'], why: string): void {
    this.notes.push({ path, kind, why });
  }
}
