/** One batch of a replay, under the session's lock. */
import { type BytePath, joinPath, parentOf } from '../../shared/bytes.ts';
import { type BaseRecord, type Bases, makeBases } from '../../shared/model/base-record.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { copyOut } from '../commit/stage/copy.ts';
import { hostEntry, identityOf, lstatEntry, namesOrNone, toHostStat } from '../kernel/fs/entry.ts';
import { sameFields } from '../kernel/fs/fingerprint.ts';
import { at, errorCode, nodePort as port, type Stat, withHandle } from '../kernel/fs/port.ts';
import { appendBases, type BaseFile, readBaseFile } from '../overlay/base-file.ts';
import { knownBase } from '../overlay/base-of.ts';
import { refreshMounts } from '../sandbox/inside.ts';
import { liveProcesses } from '../sandbox/live.ts';
import { type SessionContext, upperPath } from '../session/session-context.ts';
import { decide, isOld, type Step } from './decide-entry.ts';
import { lookUpper, type Room, type Spot } from './live-view.ts';
import { type Aside, putOver, settle, stir, takeOut } from './swap.ts';

type Put = Extract<Step, { do: 'put' }>;
/** A copy of the host's entry in `incoming`, with its future base record. */
interface Copied<S> {
  step: S;
  from: Spot;
  record: BaseRecord;
}

type Take = Extract<Step, { do: 'take' }>;
type Touch = Extract<Step, { do: 'touch' }>;

export interface RoundResult {
  replayed: BytePath[];
  /** The sandbox changed them, has them open for writing, or they can't be read. */
  left: BytePath[];
  /** The sandbox's versions under other names. */
  saved: BytePath[];
  /** Of `left`: only an open file blocked them, so another try may succeed. */
  held: BytePath[];
  again: BytePath[];
  /** Kept files, which a replay after REPLAY_KEPT_MS removes. */
  kept: number;
}

export class Round {
  readonly result: RoundResult = { replayed: [], left: [], held: [], saved: [], again: [], kept: 0 };
  readonly #ctx: SessionContext;
  readonly #room: Room;
  readonly #file: BaseFile;
  readonly #bases: Bases;
  readonly #records = new Map<BytePath, BaseRecord | null>();

  constructor(ctx: SessionContext, room: Room) {
    this.#ctx = ctx;
    this.#room = room;
    this.#file = readBaseFile(ctx);
    this.#bases = makeBases(this.#file.records);
  }

  /** @returns why the refresh of the overlay failed, or null */
  async run(paths: readonly BytePath[]): Promise<string | null> {
    const removed = paths.filter((path) => hostEntry(path) === null);
    const cleared = await this.#removals(removed.flatMap((path) => [...this.#below(path), path]));
    this.#room.letGo();
    const { inside, covered } = this.#room;
    const problem = await refreshMounts(this.#ctx, inside.pid, [covered.path]);
    // Only after the refresh do they show what the host removed from them.
    for (const path of cleared) await this.#guarded(path, async () => this.#clear(path));
    for (const path of removed) await this.#guarded(path, () => this.#stirIfGone(path));
    // Includes removed entries that the host has created again.
    await this.#puts(paths.filter((path) => hostEntry(path) !== null));
    this.#record(this.#room.parent);
    appendBases(this.#ctx, this.#file, this.#records);
    await this.#clearKept();
    return problem;
  }

  /** Children first. */
  *#below(dir: BytePath): Generator<BytePath> {
    const upper = upperPath(this.#room.covered, dir);
    if (lstatEntry(upper)?.type !== 'dir') return;
    for (const name of namesOrNone(upper)) {
      const path = joinPath(dir, name);
      yield* this.#below(path);
      yield path;
    }
  }

  /** Returns the directories to remove, children first. */
  async #removals(paths: readonly BytePath[]): Promise<BytePath[]> {
    const asides: Aside[] = [];
    const cleared: BytePath[] = [];
    for (const path of paths) {
      await this.#guarded(path, async () => {
        const step = await this.#decide(path);
        if (step.do === 'take') {
          const aside = await this.#take(step);
          if (aside === null) this.#held(path);
          else asides.push(aside);
        } else if (step.do === 'clear') cleared.push(path);
        else if (step.do === 'leave') this.result.left.push(path);
      });
    }
    for (const path of await this.#settle(asides)) this.#records.set(path, null);
    return cleared;
  }

  #clear(path: BytePath): void {
    const spot = this.#room.spot(path);
    if (spot === null) return;
    port.rmdir(spot.at);
    this.#records.set(path, null);
    this.result.replayed.push(path);
  }

  async #take(step: Take): Promise<Aside | null> {
    const aside = await takeOut(this.#room, step.spot, (kept) => isOld(kept, step, null));
    this.#record(parentOf(step.spot.path));
    await this.#unmark(step.spot);
    return aside;
  }

  async #stirIfGone(path: BytePath): Promise<void> {
    const step = await this.#decide(path);
    if (step.do !== 'stir') return;
    stir(this.#room, step.spot);
    this.#record(parentOf(path));
    await this.#unmark(step.spot);
  }

  /** A name that the host has created again leaves a whiteout: it would count as the sandbox's deletion. */
  async #unmark(spot: Spot): Promise<void> {
    const upper = lookUpper(spot);
    if (upper === null || !isWhiteout(upper)) return;
    const host = hostEntry(spot.path);
    if (host === null || host === 'closed') return stir(this.#room, spot);
    const [copied] = await this.#copy([{ spot, host }]);
    if (copied === undefined) {
      this.result.again.push(spot.path);
      return;
    }
    port.link(copied.from.at, spot.at);
    this.#placed(copied.record);
  }

  async #puts(paths: readonly BytePath[]): Promise<void> {
    const puts: Put[] = [];
    for (const path of paths) {
      await this.#guarded(path, async () => {
        const step = await this.#decide(path);
        if (step.do === 'put') puts.push(step);
        else if (step.do === 'touch') this.#touch(step);
        else if (step.do === 'leave') this.result.left.push(path);
      });
    }
    const records = new Map<BytePath, BaseRecord>();
    const asides: Aside[] = [];
    for (const { step, from, record } of await this.#copy(puts)) {
      records.set(record.path, record);
      await this.#guarded(step.spot.path, async () => {
        const aside = await putOver(this.#room, step.spot, from, (kept) => isOld(kept, step, step.host));
        if (aside === null) this.#held(step.spot.path);
        else asides.push(aside);
      });
    }
    for (const path of await this.#settle(asides)) {
      const record = records.get(path);
      if (record !== undefined) this.#placed(record);
    }
  }

  /** Returns those whose copy still equals the host. */
  async #copy<S extends Pick<Put, 'spot' | 'host'>>(steps: readonly S[]): Promise<Copied<S>[]> {
    if (steps.length === 0) return [];
    const root = this.#room.covered.path;
    const name = ({ spot }: Pick<Put, 'spot'>): BytePath => spot.path.slice(root.length + 1) as BytePath;
    await copyOut(port, root, steps.map(name), this.#room.incoming);
    return steps.flatMap((step) => {
      const from = this.#room.copied(name(step));
      const [host, copy] = [hostEntry(step.spot.path), lookUpper(from)];
      const base = copy === null ? null : knownBase(this.#ctx, from.upper, copy, copy);
      if (host === 'closed' || identityOf(host) !== identityOf(step.host))
        this.result.again.push(step.spot.path);
      else if (copy !== null && base?.state === 'known' && isLike(copy, step.host))
        return [{ step, from, record: recordOf(step, from, base) }];
      // No permission, or an owner without a mapping in the namespace.
      else this.result.left.push(step.spot.path);
      return [];
    });
  }

  /**
   * Sets the times of a directory, so that watchers of its parent get an event. Sets the mode only where the
   * view shows another: an open directory shows a cached one, which would count as the sandbox's change.
   */
  #touch({ spot, shown }: Touch): void {
    const host = hostEntry(spot.path);
    if (host === 'closed' || host?.type !== 'dir' || lstatEntry(spot.at)?.type !== 'dir') return;
    withHandle(port, port.openDir(spot.at), (fd) => {
      // Not the host's time: names created meanwhile must not be older than their directory.
      if (shown.mode === host.mode) port.utimes(at(fd), BigInt(Date.now()) * 1_000_000n);
      else port.chmod(at(fd), host.mode);
    });
    this.#record(spot.path);
    this.result.replayed.push(spot.path);
  }

  async #settle(asides: readonly Aside[]): Promise<BytePath[]> {
    if (asides.length === 0) return [];
    // Not those of the round's begin: a process started since may have opened the old entry.
    const pids = (await liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
    const settled = settle(this.#room, pids, asides);
    for (const { path } of settled.back) this.#held(path);
    this.result.saved.push(...settled.saved);
    this.result.replayed.push(...settled.done.map(({ path }) => path));
    return settled.done.map(({ path }) => path);
  }

  #placed(record: BaseRecord): void {
    this.#records.set(record.path, record);
    this.#record(parentOf(record.path));
  }

  /** Records directories that the replay copied up: the sandbox has not changed them. */
  #record(dir: BytePath): void {
    for (let path = dir; path !== this.#room.covered.path && path !== '/'; path = parentOf(path)) {
      if (this.#file.records.has(path) || this.#records.has(path)) continue;
      const host = hostEntry(path);
      if (host === null || host === 'closed' || host.type !== 'dir') continue;
      const upper = lstatEntry(upperPath(this.#room.covered, path));
      if (upper?.type !== 'dir') continue;
      // Changed after the copy-up: the next pass decides which came first.
      if (!sameFields(upper, host, ['mode', 'uid', 'gid'])) continue;
      const base: BaseRecord['base'] = { state: 'known', host: toHostStat(host, path) };
      this.#records.set(path, { path, base, listed: false, born: String(upper.birthNs) });
    }
  }

  async #clearKept(): Promise<void> {
    const pids = (await liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
    // Without processes the quiet session clears them.
    if (pids.length === 0) return;
    const { saved, waiting } = this.#room.clear(pids);
    this.result.saved.push(...saved);
    this.result.kept += waiting;
  }

  #decide(path: BytePath): Promise<Step> {
    return decide(this.#ctx, this.#room, this.#bases, path);
  }

  #held(path: BytePath): void {
    this.result.left.push(path);
    this.result.held.push(path);
  }

  /** A failing entry (read-only directory, full disk) does not stop the others. */
  async #guarded(path: BytePath, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (errorCode(error) === '') throw error;
      this.result.left.push(path);
    }
  }
}

/** Made before the rename: afterwards the sandbox may have written to the copy. */
function recordOf(
  { spot, host }: Pick<Put, 'spot' | 'host'>,
  from: Spot,
  base: Extract<BaseRecord['base'], { state: 'known' }>,
): BaseRecord {
  return { path: spot.path, base: { ...base, host: toHostStat(host, from.upper) }, listed: false };
}

function isLike(copy: Stat, host: Stat): boolean {
  if (copy.type !== host.type || copy.uid !== host.uid || copy.gid !== host.gid || copy.size !== host.size)
    return false;
  return host.type === 'symlink' || (copy.mode === host.mode && copy.mtimeNs === host.mtimeNs);
}
