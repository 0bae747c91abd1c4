/** Carries out one journalled unit on the host. Can be repeated: what is already done is recognised. */
import { type BytePath, joinPath, nameOf, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { Dirs, relativeTo } from '../../kernel/fs/dir-handles.ts';
import { CHANGED, entryMessage, NO_COPY, NotApplied } from '../../kernel/fs/entry-errors.ts';
import { chmodEntry, moveOut, moveOutEmpty } from '../../kernel/fs/move-out.ts';
import { at, errorCode, type FsPort, orIfRefused, type Stat } from '../../kernel/fs/port.ts';
import { isBornAs, isRenamed, isSame } from '../../kernel/fs/stat-identity.ts';
import type { StageLine } from '../journal/lines.ts';
import type { MetaUnit, MoveToHostUnit, PutUnit, SwapUnit, Unit } from '../journal/unit.ts';
import type { Images } from './images.ts';
import { applyMeta, isMetaBegun, isMetaInPlace } from './meta-unit.ts';
import type { Mover } from './mover.ts';

interface ApplierParts {
  port: FsPort;
  dirs: Dirs;
  stages: readonly StageLine[];
  root: boolean;
  /** An earlier run may have begun, and taken back, some of the units. */
  resumed: boolean;
  images: Images;
  mover: Mover;
}

/** A unit with a staged entry. */
type StagedUnit = PutUnit | SwapUnit;

export class UnitApplier {
  readonly #port: FsPort;
  readonly #dirs: Dirs;
  readonly #stages: readonly StageLine[];
  readonly #root: boolean;
  readonly #resumed: boolean;
  readonly #images: Images;
  readonly #mover: Mover;
  /** Held staging directories, by index; null = gone. */
  readonly #stageFds = new Map<number, number | null>();

  constructor({ port, dirs, stages, root, resumed, images, mover }: ApplierParts) {
    this.#port = port;
    this.#dirs = dirs;
    this.#stages = stages;
    this.#root = root;
    this.#resumed = resumed;
    this.#images = images;
    this.#mover = mover;
  }

  /** Idempotent. Returns what there is to say about an applied unit, usually ''. Throws as `entryMessage` tells apart. */
  apply(unit: Unit): string {
    switch (unit.kind) {
      case 'put':
        return this.#put(unit);
      case 'swap':
        return this.#swap(unit);
      case 'meta':
        return this.#meta(unit);
      case 'delete':
        this.#remove(unit.path, unit.host, isSame, this.#images.of(unit));
        return '';
      case 'move-to-host':
        return this.#moveToHost(unit);
      case 'move-to-store':
        return this.#mover.take(unit, this.#dirs);
    }
  }

  /** After an error: whether the unit's entry is on the host all the same, and only what comes after it failed. */
  isInPlace(unit: Unit): boolean {
    return orIfRefused(() => isInPlace(this.#port, this.#dirs, unit), false);
  }

  /** Whether an earlier run has touched the host for the unit: it is in place, or half way there. */
  isBegun(unit: Unit): boolean {
    if (this.isInPlace(unit)) return true;
    switch (unit.kind) {
      case 'swap':
        return this.#dirs.lstat(asidePath(unit)) !== null;
      case 'meta':
        return isMetaBegun(this.#port, this.#dirs, unit, this.#root);
      case 'move-to-store':
        return this.#mover.hasTaken(unit);
      default:
        return false;
    }
  }

  close(): void {
    for (const fd of this.#stageFds.values()) if (fd !== null) this.#port.close(fd);
    this.#stageFds.clear();
    this.#images.close();
    this.#mover.close();
  }

  #target({ path }: Unit): BytePath {
    return at(this.#dirs.openToWrite(parentOf(path)), nameOf(path));
  }

  /** The staged entry; null when it is not there (any more). */
  #staged({ stage, rel, born }: StagedUnit): BytePath | null {
    if (!this.#stageFds.has(stage)) this.#stageFds.set(stage, this.#openStage(stage));
    const fd = this.#stageFds.get(stage) ?? null;
    if (fd === null) return null;
    const path = at(fd, rel);
    return isBornAs(born, this.#port.lstat(path)) ? path : null;
  }

  #openStage(index: number): number | null {
    const stage = this.#stages[index];
    if (stage === undefined) return null;
    try {
      const base = new Dirs(this.#port, '/' as BytePath, 0, null);
      try {
        return this.#port.openDir(at(base.open(stage.base), stage.name));
      } finally {
        base.close();
      }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  #isReviewed(identity: string | null, now: Stat | null): boolean {
    return isSame(identity, now === null ? null : this.#dirs.asFound(now));
  }

  #put(unit: PutUnit): string {
    const staged = this.#staged(unit);
    const target = this.#target(unit);
    const now = this.#port.lstat(target);
    if (isBornAs(unit.born, now)) {
      if (staged !== null) this.#port.unlink(staged);
      this.#finishMode(unit, target);
      return '';
    }
    const image = now === null ? null : this.#images.of(unit);
    const linked = image === null ? null : this.#port.lstat(image);
    const ours = linked !== null && linked.ino === now?.ino && isRenamed(unit.host, now);
    if (!ours && !this.#isReviewed(unit.host, now)) throw new NotApplied(CHANGED);
    if (staged === null) throw new NotApplied(NO_COPY);
    if (image !== null && linked === null) this.#port.link(target, image);
    const isDir = unit.born.startsWith('dir:');
    if (isDir) this.#loosenStaged(unit, staged);
    if (unit.host !== null || isDir || !this.#linked(staged, target)) this.#port.rename(staged, target);
    this.#finishMode(unit, target);
    return '';
  }

  #moveToHost(unit: MoveToHostUnit): string {
    const target = this.#target(unit);
    const now = this.#port.lstat(target);
    if (isBornAs(unit.born, now)) return '';
    if (now !== null) throw new NotApplied(CHANGED);
    this.#mover.bring(unit, target);
    return '';
  }

  /**
   * A new name by link(2): unlike rename it never takes the place of what came there a moment ago. The staged name goes at once:
   * that moves the change time, by which an edit is told from then on.
   */
  #linked(staged: BytePath, target: BytePath): boolean {
    try {
      this.#port.link(staged, target);
    } catch (error) {
      // File systems without hard links, and kernels that protect them: rename does it, with a tiny window.
      if (['EPERM', 'EMLINK', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCode(error) ?? '')) return false;
      throw error;
    }
    this.#port.unlink(staged);
    return true;
  }

  /** Renaming a directory writes its `..`: its owner needs the write bit for that moment. */
  #loosenStaged({ closedMode }: StagedUnit, staged: BytePath): void {
    if (closedMode !== null) chmodEntry(this.#port, staged, closedMode | 0o700);
  }

  #finishMode({ closedMode }: StagedUnit, target: BytePath): void {
    if (closedMode !== null) chmodEntry(this.#port, target, closedMode);
  }

  #swap(unit: SwapUnit): string {
    const staged = this.#staged(unit);
    const target = this.#target(unit);
    const now = this.#port.lstat(target);
    if (!isBornAs(unit.born, now)) {
      const old = this.#dirs.lstat(asidePath(unit));
      if (now !== null) this.#mayMoveAside(unit, now, old, staged);
      else if (old === null || !isRenamed(unit.host, old)) throw new NotApplied(CHANGED);
      const dir = this.#dirs.openToWrite(parentOf(unit.path));
      if (now !== null) this.#port.rename(at(dir, nameOf(unit.path)), at(dir, unit.aside));
      this.#moveIn(unit, dir, staged);
    }
    // First what nobody would find again if the other failed.
    const note = this.#removeAside(unit);
    this.#finishMode(unit, this.#target(unit));
    return note;
  }

  #mayMoveAside(unit: SwapUnit, now: Stat, old: Stat | null, staged: BytePath | null): void {
    const same = this.#isReviewed(unit.host, now) || (this.#resumed && isRenamed(unit.host, now));
    if (!same) throw new NotApplied(CHANGED);
    if (staged === null) throw new NotApplied(NO_COPY);
    if (old !== null) throw new NotApplied(`the host has an entry ${toDisplay(asidePath(unit))}`);
    if (now.type === 'dir') this.#onlyReviewed(unit);
  }

  /** The one gap: until the rename below the target has no entry. Who finds the journal closes it. */
  #moveIn(unit: SwapUnit, dir: number, staged: BytePath | null): void {
    const target = at(dir, nameOf(unit.path));
    try {
      if (staged === null) throw new NotApplied(NO_COPY);
      if (unit.born.startsWith('dir:')) this.#loosenStaged(unit, staged);
      this.#port.rename(staged, target);
    } catch (error) {
      this.#port.rename(at(dir, unit.aside), target);
      throw error;
    }
  }

  /** The host directory that is to go must hold exactly what was reviewed. */
  #onlyReviewed(unit: SwapUnit): void {
    const known = new Map(unit.below.map(({ path, host }) => [path, host]));
    let met = 0;
    const walk = (dir: BytePath): void => {
      for (const name of this.#port.readdir(at(this.#dirs.openToList(dir)))) {
        const path = joinPath(dir, name);
        const stat = this.#dirs.lstat(path);
        if (stat === null || !this.#isReviewed(known.get(path) ?? null, stat)) {
          throw new NotApplied(`the host has a new or changed entry in it: ${toDisplay(path)}`);
        }
        met++;
        if (stat.type === 'dir') walk(path);
      }
    };
    walk(unit.path);
    if (met !== known.size) throw new NotApplied(CHANGED);
  }

  /** Deletes the entry that was renamed aside, by the reviewed list. What is not in it stays there and is named. */
  #removeAside(unit: SwapUnit): string {
    const aside = asidePath(unit);
    try {
      if (this.#dirs.lstat(aside) === null) return '';
      const image = this.#images.of(unit);
      if (image !== null) {
        moveOut(this.#port, this.#dirs, aside, image);
        return '';
      }
      for (const { path, host } of unit.below.toReversed()) {
        this.#remove(joinPath(aside, relativeTo(unit.path, path)), host);
      }
      this.#remove(aside, unit.host, isRenamed);
      return '';
    } catch (error) {
      if (entryMessage(error) === null) throw error;
      return `what it replaced could not be removed wholly and is kept as ${toDisplay(aside)}: ${entryMessage(error)}`;
    }
  }

  /** Removes one entry if it is still the reviewed one; nothing to do when it is gone. */
  #remove(path: BytePath, host: string | null, same = isSame, image: BytePath | null = null): void {
    let dir: number;
    try {
      dir = this.#dirs.openToWrite(parentOf(path));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      throw error;
    }
    const name = nameOf(path);
    const now = this.#port.lstat(at(dir, name));
    if (now === null) return;
    if (!same(host, this.#dirs.asFound(now))) throw new NotApplied(CHANGED);
    if (image !== null && now.type === 'dir') moveOutEmpty(this.#port, this.#dirs, path, image);
    else if (image !== null) moveOut(this.#port, this.#dirs, path, image);
    else if (now.type === 'dir') this.#port.rmdir(at(dir, name));
    else this.#port.unlink(at(dir, name));
  }

  #meta(unit: MetaUnit): string {
    const isReviewed = (now: Stat) => this.#isReviewed(unit.host, now);
    applyMeta(this.#port, this.#dirs, unit, { isReviewed, root: this.#root, resumed: this.#resumed });
    return '';
  }
}

/** Whether the host has what the unit is to leave there. */
export function isInPlace(port: FsPort, dirs: Dirs, unit: Unit): boolean {
  switch (unit.kind) {
    case 'delete':
    case 'move-to-store':
      return dirs.lstat(unit.path) === null;
    case 'meta':
      return isMetaInPlace(port, dirs, unit);
    default:
      return isBornAs(unit.born, dirs.lstat(unit.path));
  }
}

function asidePath({ path, aside }: SwapUnit): BytePath {
  return joinPath(parentOf(path), aside);
}
