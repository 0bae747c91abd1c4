/** One batch of a replay, under the session's lock. */
import { type BytePath, joinPath, parentOf } from '../../shared/bytes.ts';
import type { BaseRecord } from '../../shared/model/base-record.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { hostEntry, lstatEntry, namesOrNone } from '../kernel/fs/entry.ts';
import { errorCode, nodePort as port } from '../kernel/fs/port.ts';
import { refreshMounts } from '../sandbox/inside.ts';
import { liveProcesses } from '../sandbox/live.ts';
import { type SessionContext, upperPath } from '../session/session-context.ts';
import { decide, isOld, type Step } from './decide-entry.ts';
import { dirsOfMounts } from './kept-trees.ts';
import { lookUpper, type Room, type Spot } from './live-view.ts';
import { Placer } from './placer.ts';
import { type Aside, putOver, stir, takeOut } from './swap.ts';

type Put = Extract<Step, { do: 'put' }>;
type Take = Extract<Step, { do: 'take' }>;

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
  readonly #placer: Placer;
  #mounted: ReadonlySet<BytePath> | null = null;

  constructor(ctx: SessionContext, room: Room) {
    this.#ctx = ctx;
    this.#room = room;
    this.#placer = new Placer(ctx, room);
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
    this.#placer.save();
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
    for (const path of await this.#settle(asides)) this.#placer.removed(path);
    return cleared;
  }

  #clear(path: BytePath): void {
    const spot = this.#room.spot(path);
    if (spot === null) return;
    port.rmdir(spot.at);
    this.#placer.removed(path);
    this.result.replayed.push(path);
  }

  async #take(step: Take): Promise<Aside | null> {
    const aside = await takeOut(this.#room, step.spot, (kept) => isOld(kept, step, null));
    this.#placer.record(parentOf(step.spot.path));
    await this.#unmark(step.spot);
    return aside;
  }

  async #stirIfGone(path: BytePath): Promise<void> {
    const step = await this.#decide(path);
    if (step.do !== 'stir') return;
    stir(this.#room, step.spot);
    this.#placer.record(parentOf(path));
    await this.#unmark(step.spot);
  }

  /** A name that the host has created again leaves a whiteout: it would count as the sandbox's deletion. */
  async #unmark(spot: Spot): Promise<void> {
    const upper = lookUpper(spot);
    if (upper === null || !isWhiteout(upper)) return;
    const host = hostEntry(spot.path);
    if (host === null || host === 'closed') return stir(this.#room, spot);
    const [copied] = (await this.#placer.copy([{ spot, host }])).copied;
    if (copied === undefined) {
      this.result.again.push(spot.path);
      return;
    }
    port.link(copied.from.at, spot.at);
    this.#placer.placed(copied.record);
  }

  async #puts(paths: readonly BytePath[]): Promise<void> {
    const puts: Put[] = [];
    for (const path of paths) {
      await this.#guarded(path, async () => {
        const step = await this.#decide(path);
        if (step.do === 'put') puts.push(step);
        else if (step.do === 'touch' && this.#placer.touch(step.spot, step.shown))
          this.result.replayed.push(path);
        else if (step.do === 'leave') this.result.left.push(path);
      });
    }
    const records = new Map<BytePath, BaseRecord>();
    const asides: Aside[] = [];
    const { copied, again, left } = await this.#placer.copy(puts);
    this.result.again.push(...again);
    this.result.left.push(...left);
    for (const { step, from, record } of copied) {
      records.set(record.path, record);
      await this.#guarded(step.spot.path, async () => {
        const aside = await putOver(this.#room, step.spot, from, (kept) => isOld(kept, step, step.host));
        if (aside === null) this.#held(step.spot.path);
        else asides.push(aside);
      });
    }
    for (const path of await this.#settle(asides)) {
      const record = records.get(path);
      if (record !== undefined) this.#placer.placed(record);
    }
  }

  async #settle(asides: readonly Aside[]): Promise<BytePath[]> {
    const settled = await this.#placer.settle(asides);
    for (const { path } of settled.back) this.#held(path);
    this.result.saved.push(...settled.saved);
    this.result.replayed.push(...settled.done.map(({ path }) => path));
    return settled.done.map(({ path }) => path);
  }

  async #clearKept(): Promise<void> {
    const pids = (await liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
    // Without processes the quiet session clears them.
    if (pids.length === 0) return;
    const { saved, waiting } = this.#room.clear(pids);
    this.result.saved.push(...saved);
    this.result.kept += waiting;
  }

  async #decide(path: BytePath): Promise<Step> {
    const step = await decide(this.#ctx, this.#room, this.#placer.bases, path);
    if (step.do !== 'put' && step.do !== 'take' && step.do !== 'clear') return step;
    this.#mounted ??= dirsOfMounts((await liveProcesses(this.#ctx.source)).map(({ pid }) => pid));
    return this.#mounted.has(path) ? { do: 'leave' } : step;
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
