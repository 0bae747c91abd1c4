/** Applies one journalled unit to the host. Idempotent: recognises what an earlier run has done. */
import { type BytePath, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { chmodEntry, Dirs, moveOut, moveOutEmpty, relativeTo } from '../../kernel/fs/dir-handles.ts';
import { NotApplied, refusalOf } from '../../kernel/fs/entry-errors.ts';
import { isBornAs, isRenamed, isSame, typeOf } from '../../kernel/fs/fingerprint.ts';
import { at, errorCode, type FsPort, orIfRefused, type Stat } from '../../kernel/fs/port.ts';
import { COPY_GONE, HOST_CHANGED } from '../../kernel/messages/reasons.ts';
import { commitDir } from '../journal/journal.ts';
import type { MoveToHostUnit, PutUnit, SwapUnit, Unit } from '../journal/unit.ts';
import {
  hostHas,
  hostHasIn,
  NOT_MOVED_OUT,
  replacedKept,
  SANDBOX_CHANGED,
  SESSION_LIVE,
} from '../messages/reasons.ts';
import { expectUnmoved, moveWhole } from '../stage/moves.ts';
import { Uppers } from '../stage/uppers.ts';
import { isTaken, takeTree } from '../upper/take-tree.ts';
import { BEFORE, linkedImage } from './images.ts';
import { applyMeta, isMetaBegun, isMetaInPlace } from './meta-unit.ts';
import type { Task } from './task.ts';

type StagedUnit = PutUnit | SwapUnit;

export class UnitApplier {
  readonly #task: Task;
  readonly #port: FsPort;
  readonly #dirs: Dirs;
  readonly #commit: BytePath;
  /** The before-images of the commit that this undoes. */
  readonly #images: BytePath;
  readonly #resumed: boolean;
  readonly #uppers: Uppers;
  readonly #stageFds = new Map<number, number | null>();

  constructor(task: Task, dirs: Dirs) {
    const { port, ctx, journal, earlier } = task;
    this.#task = task;
    this.#port = port;
    this.#dirs = dirs;
    const { n, undoes = n } = journal.record.begin;
    this.#commit = commitDir(ctx, n);
    this.#images = joinPath(commitDir(ctx, undoes), BEFORE);
    this.#resumed = earlier !== undefined;
    this.#uppers = new Uppers(port, ctx, null);
  }

  /** Returns a note on an applied unit, usually ''. @throws see `entryMessage` */
  apply(unit: Unit): string {
    switch (unit.kind) {
      case 'put':
        return this.#put(unit);
      case 'swap':
        return this.#swap(unit);
      case 'meta':
        applyMeta(this.#port, this.#dirs, unit, { root: this.#task.ctx.root, resumed: this.#resumed });
        return '';
      case 'delete':
        this.#remove(unit.path, unit.host, isSame, linkedImage(this.#task.ctx, this.#commit, unit));
        return '';
      case 'move-to-host':
        return this.#moveToHost(unit);
      case 'move-to-store':
        return takeTree({ ...this.#taking(), resumed: this.#resumed, dirs: this.#dirs }, unit);
    }
  }

  isInPlace(unit: Unit): boolean {
    return orIfRefused(() => isInPlace(this.#port, this.#dirs, unit), false);
  }

  isBegun(unit: Unit): boolean {
    if (this.isInPlace(unit)) return true;
    switch (unit.kind) {
      case 'swap':
        return this.#dirs.lstat(asidePath(unit)) !== null;
      case 'meta':
        return isMetaBegun(this.#port, this.#dirs, unit, this.#task.ctx.root);
      case 'move-to-store':
        return isTaken(this.#taking(), unit);
      default:
        return false;
    }
  }

  close(): void {
    for (const fd of this.#stageFds.values()) if (fd !== null) this.#port.close(fd);
    this.#stageFds.clear();
    this.#uppers.close();
  }

  #staged({ stage, rel, born, path: target, entries }: StagedUnit): BytePath | null {
    if (stage === null) {
      // As for a moved directory.
      if (!this.#task.ctx.quiet) throw new NotApplied(SESSION_LIVE);
      // The fingerprint identifies the file, wherever its directory may be.
      const from = this.#uppers.placedHere(target);
      const now = from === null ? null : this.#port.lstat(from);
      if (!isBornAs(born, now)) return null;
      if (!isSame(entries[0]?.id ?? null, now)) throw new NotApplied(SANDBOX_CHANGED);
      return from;
    }
    if (stage === 'before') {
      const image = joinPath(this.#images, rel);
      // This run has compared it, and nobody else works in that directory under the lock.
      if (!this.#resumed) return image;
      return isBornAs(born, this.#port.lstat(image)) ? image : null;
    }
    if (!this.#stageFds.has(stage)) this.#stageFds.set(stage, this.#openStage(stage));
    const fd = this.#stageFds.get(stage) ?? null;
    if (fd === null) return null;
    const path = at(fd, rel);
    return isBornAs(born, this.#port.lstat(path)) ? path : null;
  }

  #openStage(index: number): number | null {
    const stage = this.#task.journal.record.stages[index];
    if (stage === undefined) return null;
    const base = new Dirs(this.#port, '/' as BytePath, 0, null);
    try {
      return this.#port.openDir(at(base.open(stage.base), stage.name));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    } finally {
      base.close();
    }
  }

  #isReviewed(identity: string | null, now: Stat | null): boolean {
    return isSame(identity, now === null ? null : this.#dirs.asFound(now));
  }

  #put(unit: PutUnit): string {
    const target = this.#dirs.target(unit.path);
    const now = this.#port.lstat(target);
    const inPlace = isBornAs(unit.born, now);
    const staged = inPlace && unit.stage === null ? null : this.#staged(unit);
    if (inPlace) {
      if (staged !== null) this.#port.unlink(staged);
      this.#setMode(unit, target);
      return '';
    }
    const image = now === null ? null : linkedImage(this.#task.ctx, this.#commit, unit);
    const linked = image === null || !this.#resumed ? null : this.#port.lstat(image);
    const ours = linked !== null && linked.ino === now?.ino && isRenamed(unit.host, now);
    if (!ours && !this.#isReviewed(unit.host, now)) throw new NotApplied(HOST_CHANGED);
    if (staged === null) throw new NotApplied(unit.stage === null ? SANDBOX_CHANGED : COPY_GONE);
    if (image !== null && linked === null) this.#port.link(target, image);
    const isDir = typeOf(unit.born) === 'dir';
    if (isDir) this.#setMode(unit, staged, 0o700);
    if (unit.stage === null) moveWhole(this.#port, this.#task.ctx, [staged, target], NOT_MOVED_OUT);
    else if (unit.host !== null || isDir || !this.#linked(staged, target)) this.#port.rename(staged, target);
    this.#setMode(unit, target);
    return '';
  }

  #moveToHost(unit: MoveToHostUnit): string {
    const target = this.#dirs.target(unit.path);
    const now = this.#port.lstat(target);
    if (isBornAs(unit.born, now)) return '';
    if (now !== null) throw new NotApplied(HOST_CHANGED);
    const { ctx } = this.#task;
    // A process that has the overlay mounted would go on writing to the moved files.
    if (!ctx.quiet) throw new NotApplied(SESSION_LIVE);
    if (!isBornAs(unit.born, this.#uppers.lstat(unit.path))) throw new NotApplied(SANDBOX_CHANGED);
    if (this.#resumed) {
      expectUnmoved(this.#port, ctx, this.#uppers, unit);
      // Checked again, since the proof takes time and rename(2) replaces an empty directory.
      if (this.#port.lstat(target) !== null) throw new NotApplied(HOST_CHANGED);
    }
    const from = this.#uppers.placed(unit.path);
    if (from === null) throw new NotApplied(SANDBOX_CHANGED);
    moveWhole(this.#port, ctx, [from, target], NOT_MOVED_OUT);
    return '';
  }

  #taking() {
    return { port: this.#port, ctx: this.#task.ctx, commit: this.#commit };
  }

  /**
   * link(2) never replaces a new entry, unlike rename(2). The staged name is removed at once, before the
   * stamp is taken: unlink changes the change time.
   */
  #linked(staged: BytePath, target: BytePath): boolean {
    try {
      this.#port.link(staged, target);
    } catch (error) {
      // No hard links, or fs.protected_hardlinks forbids them: rename does it, with a tiny window.
      if (['EPERM', 'EMLINK', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCode(error))) return false;
      throw error;
    }
    this.#port.unlink(staged);
    return true;
  }

  /** A directory gets a mode that lets it be renamed, which rewrites its `..`; then its final one. */
  #setMode({ closedMode }: StagedUnit, path: BytePath, bits = 0): void {
    if (closedMode !== null) chmodEntry(this.#port, path, closedMode | bits);
  }

  #swap(unit: SwapUnit): string {
    const staged = this.#staged(unit);
    const now = this.#port.lstat(this.#dirs.target(unit.path));
    if (!isBornAs(unit.born, now)) {
      const old = this.#dirs.lstat(asidePath(unit));
      if (now !== null) this.#mayMoveAside(unit, now, old, staged);
      else if (old === null || !isRenamed(unit.host, old)) throw new NotApplied(HOST_CHANGED);
      const dir = this.#dirs.openToWrite(parentOf(unit.path));
      if (now !== null) this.#port.rename(at(dir, nameOf(unit.path)), at(dir, unit.aside));
      this.#moveIn(unit, dir, staged);
    }
    // First: if the mode failed before, the entry aside would be left behind under a hidden name.
    const note = this.#removeAside(unit);
    this.#setMode(unit, this.#dirs.target(unit.path));
    return note;
  }

  #mayMoveAside(unit: SwapUnit, now: Stat, old: Stat | null, staged: BytePath | null): void {
    const same = this.#isReviewed(unit.host, now) || (this.#resumed && isRenamed(unit.host, now));
    if (!same) throw new NotApplied(HOST_CHANGED);
    if (staged === null) throw new NotApplied(COPY_GONE);
    if (old !== null) throw new NotApplied(hostHas(asidePath(unit)));
    if (now.type === 'dir') this.#onlyReviewed(unit);
  }

  /** Until the rename the target has no entry; recovery closes that gap. */
  #moveIn(unit: SwapUnit, dir: number, staged: BytePath | null): void {
    const target = at(dir, nameOf(unit.path));
    try {
      if (staged === null) throw new NotApplied(COPY_GONE);
      if (typeOf(unit.born) === 'dir') this.#setMode(unit, staged, 0o700);
      this.#port.rename(staged, target);
    } catch (error) {
      this.#port.rename(at(dir, unit.aside), target);
      throw error;
    }
  }

  /** @throws NotApplied when the replaced host directory does not hold exactly the reviewed entries */
  #onlyReviewed(unit: SwapUnit): void {
    const known = new Map(unit.below.map(({ path, host }) => [path, host]));
    let met = 0;
    const walk = (dir: BytePath): void => {
      for (const name of this.#port.readdir(at(this.#dirs.openToList(dir)))) {
        const path = joinPath(dir, name);
        const stat = this.#dirs.lstat(path);
        if (stat === null || !this.#isReviewed(known.get(path) ?? null, stat)) {
          throw new NotApplied(hostHasIn(path));
        }
        met++;
        if (stat.type === 'dir') walk(path);
      }
    };
    walk(unit.path);
    if (met !== known.size) throw new NotApplied(HOST_CHANGED);
  }

  /** Removes the replaced entries by the reviewed list. Others stay and are named in the note. */
  #removeAside(unit: SwapUnit): string {
    const aside = asidePath(unit);
    const message = refusalOf(() => {
      if (this.#dirs.lstat(aside) === null) return;
      const image = linkedImage(this.#task.ctx, this.#commit, unit);
      if (image !== null) return moveOut(this.#port, this.#dirs, aside, image);
      for (const { path, host } of unit.below.toReversed()) {
        this.#remove(joinPath(aside, relativeTo(unit.path, path)), host);
      }
      this.#remove(aside, unit.host, isRenamed);
    });
    return message === null ? '' : replacedKept(aside, message);
  }

  #remove(path: BytePath, host: string | null, same = isSame, image: BytePath | null = null): void {
    const target = this.#dirs.targetOrNone(path);
    const now = target === null ? null : this.#port.lstat(target);
    if (target === null || now === null) return;
    if (!same(host, this.#dirs.asFound(now))) throw new NotApplied(HOST_CHANGED);
    if (image !== null && now.type === 'dir') moveOutEmpty(this.#port, this.#dirs, path, image);
    else if (image !== null) moveOut(this.#port, this.#dirs, path, image);
    else if (now.type === 'dir') this.#port.rmdir(target);
    else this.#port.unlink(target);
  }
}

function asidePath({ path, aside }: SwapUnit): BytePath {
  return joinPath(parentOf(path), aside);
}

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
