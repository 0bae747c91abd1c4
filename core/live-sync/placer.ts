/**
 * Puts copies of the host's entries into a live view, and records the base of each. What a replay and a discard
 * of a live session share: round.ts and discard.ts decide which entries.
 */
import { type BytePath, parentOf } from '../../shared/bytes.ts';
import { type BaseRecord, type Bases, makeBases } from '../../shared/model/base-record.ts';
import { copyOut } from '../commit/stage/copy.ts';
import { basesBack } from '../commit/upper/drop-entries.ts';
import { hostEntry, identityOf, lstatEntry, toHostStat } from '../kernel/fs/entry.ts';
import { sameFields } from '../kernel/fs/fingerprint.ts';
import { at, nodePort as port, type Stat, withHandle } from '../kernel/fs/port.ts';
import { appendBases, type BaseFile, readBaseFile } from '../overlay/base-file.ts';
import { knownBase } from '../overlay/base-of.ts';
import { liveProcesses } from '../sandbox/live.ts';
import { type SessionContext, upperPath } from '../session/session-context.ts';
import { lookUpper, type Room, type Spot } from './live-view.ts';
import { type Aside, type Settled, settle, type Together } from './swap.ts';

/** The host's entry is wanted at a place of the view. */
export interface Wanted {
  spot: Spot;
  host: Stat;
}

/** A copy of the host's entry in `incoming`, with its future base record. */
export interface Copied<S> {
  step: S;
  from: Spot;
  record: BaseRecord;
}

export class Placer {
  readonly bases: Bases;
  readonly #ctx: SessionContext;
  readonly #room: Room;
  readonly #file: BaseFile;
  readonly #records = new Map<BytePath, BaseRecord | null>();

  constructor(ctx: SessionContext, room: Room) {
    this.#ctx = ctx;
    this.#room = room;
    this.#file = readBaseFile(ctx);
    this.bases = makeBases(this.#file.records);
  }

  /**
   * `copied`: their copy equals the host. `again`: the host changed meanwhile. `left`: they can't be copied, for lack
   * of permission or of an owner's mapping in the namespace.
   */
  async copy<S extends Wanted>(
    steps: readonly S[],
  ): Promise<{ copied: Copied<S>[]; again: BytePath[]; left: BytePath[] }> {
    const found = { copied: [] as Copied<S>[], again: [] as BytePath[], left: [] as BytePath[] };
    if (steps.length === 0) return found;
    const root = this.#room.covered.path;
    const name = ({ spot }: Wanted): BytePath => spot.path.slice(root.length + 1) as BytePath;
    await copyOut(port, root, steps.map(name), this.#room.incoming);
    for (const step of steps) {
      const { path } = step.spot;
      const from = this.#room.copied(name(step));
      const [host, copy] = [hostEntry(path), lookUpper(from)];
      const base = copy === null ? null : knownBase(this.#ctx, from.upper, copy, copy);
      if (host === 'closed' || identityOf(host) !== identityOf(step.host)) found.again.push(path);
      else if (copy !== null && base?.state === 'known' && isLike(copy, step.host))
        found.copied.push({ step, from, record: recordOf(step, from, base) });
      else found.left.push(path);
    }
    return found;
  }

  /**
   * Sets the times of a directory, so that watchers of its parent get an event. Sets the mode only where the
   * view shows another: an open directory shows a cached one, which would count as the sandbox's change.
   */
  touch({ path, at: place }: Spot, shown: Stat): boolean {
    const host = hostEntry(path);
    if (host === 'closed' || host?.type !== 'dir' || lstatEntry(place)?.type !== 'dir') return false;
    withHandle(port, port.openDir(place), (fd) => {
      // Not the host's time: names created meanwhile must not be older than their directory.
      if (shown.mode === host.mode) port.utimes(at(fd), BigInt(Date.now()) * 1_000_000n);
      else port.chmod(at(fd), host.mode);
    });
    this.record(path);
    return true;
  }

  async settle(asides: readonly Aside[], together?: Together): Promise<Settled> {
    if (asides.length === 0) return { done: [], back: [], saved: [] };
    // Not those of the beginning: a process started since may have opened the old entry.
    const pids = (await liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
    return settle(this.#room, pids, asides, together);
  }

  placed(record: BaseRecord): void {
    this.#records.set(record.path, record);
    this.record(parentOf(record.path));
  }

  /** Pending again, with the base records that they had. */
  restored(entries: ReadonlySet<BytePath>, before: ReadonlyMap<BytePath, BaseRecord>): void {
    for (const [path, record] of basesBack(this.#file.records, before, entries))
      this.#records.set(path, record);
  }

  removed(path: BytePath): void {
    this.#records.set(path, null);
  }

  /** Records directories that were copied up for this: the sandbox has not changed them. */
  record(dir: BytePath): void {
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

  save(): void {
    this.record(this.#room.parent);
    appendBases(this.#ctx, this.#file, this.#records);
    this.#records.clear();
  }
}

/** Made before the rename: afterwards the sandbox may have written to the copy. */
function recordOf(
  { spot, host }: Wanted,
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
