/**
 * A refresh drops the names that the kernel has cached, but for those in use: whoever works in a directory, or has a file
 * open, goes on with what the host had when it began. Tells whether that is still what the host has.
 */
import { type BytePath, isWithin, joinPath, parentOf } from '../../shared/bytes.ts';
import { addTo } from '../../shared/maps.ts';
import { hostEntry, lstatEntry, namesOrNone, readNames } from '../kernel/fs/entry.ts';
import type { Mount } from '../kernel/fs/mounts.ts';
import { at, orNull, type Stat } from '../kernel/fs/port.ts';
import { usersBelow } from '../kernel/proc/open-files.ts';
import { processLink, processStat } from '../kernel/proc/proc.ts';
import { aboveRoot, putThere } from '../overlay/seen.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import type { Inside } from '../sandbox/inside.ts';
import { type CoveredDir, type SessionContext, upperPath } from '../session/session-context.ts';
import { mountsOf } from './kept-trees.ts';

/** What is shown there, and where. */
export interface Shown {
  inside: Inside;
  covered: CoveredDir;
}

/** Not keepers of keys. True for one that has ended. */
export function mayInspect(pid: number): boolean {
  return processLink(pid, 'cwd') !== null || processStat(pid) === null;
}

/**
 * What these processes have in use of each overlay, by its device. A box shows parts of one elsewhere: a name is taken for one
 * in each of them that it may be in.
 */
export function namesInUse(
  processes: readonly { pid: number }[],
  shown: readonly Shown[],
): Map<string, BytePath[]> {
  const coveredOf = new Map(shown.map(({ inside, covered }) => [inside.device, covered.path]));
  const parts = new Map<string, Mount>();
  for (const mount of mountsOf(processes.map(({ pid }) => pid)))
    if (coveredOf.has(mount.device)) parts.set(`${mount.device} ${mount.point}\0${mount.root}`, mount);
  const points = new Set([...parts.values()].map(({ point }) => point));
  const paths = usersBelow(processes, points).map(({ path }) => path);
  const names = new Map<string, BytePath[]>();
  for (const { device, point, root } of parts.values())
    for (const path of [point, ...paths.filter((one) => isWithin(one, point))])
      addTo(names, device, pathOf(coveredOf.get(device) ?? '', root, path.slice(point.length)));
  return names;
}

/**
 * Call it after a refresh. False also where nobody can tell.
 * @param since nanoseconds: what is in use since before was the host's then
 */
export function areCurrent(
  { excluded }: Pick<SessionContext, 'excluded'>,
  { inside, covered }: Shown,
  used: readonly BytePath[],
  since: bigint,
): boolean {
  const names = new NamesInUse(inside, covered, { used, since });
  // As the state directory, over which something else shows.
  return [covered.path, ...used].every((path) => isExcluded(path, excluded) || names.isCurrent(path));
}

function pathOf(...parts: readonly string[]): BytePath {
  const names = parts.flatMap((part) => part.split('/')).filter((name) => name !== '');
  return `/${names.join('/')}` as BytePath;
}

/** `own`: nothing of the host shows here. */
type Answer = 'current' | 'own' | 'stale';

/** Some entries may be changing just now. */
const MOST_TRIED = 16;

class NamesInUse {
  readonly #inside: Inside;
  readonly #covered: CoveredDir;
  readonly #since: bigint;
  /** With all directories above. */
  readonly #used = new Set<BytePath>();
  readonly #known = new Map<BytePath, Answer>();

  constructor(inside: Inside, covered: CoveredDir, use: { used: Iterable<BytePath>; since: bigint }) {
    [this.#inside, this.#covered, this.#since] = [inside, covered, use.since];
    for (const path of use.used)
      for (let at = path; at !== covered.path && !this.#used.has(at); at = parentOf(at)) this.#used.add(at);
  }

  isCurrent(path: BytePath): boolean {
    return this.#answer(path) !== 'stale';
  }

  #answer(path: BytePath): Answer {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const isRoot = path === this.#covered.path;
    const above = isRoot ? 'current' : this.#answer(parentOf(path));
    const answer = isRoot ? this.#lookAtRoot() : above === 'current' ? this.#look(path) : above;
    this.#known.set(path, answer);
    return answer;
  }

  /** A mount keeps its lower directory, whatever comes to that name. */
  #lookAtRoot(): Answer {
    const host = lstatEntry(this.#covered.path);
    if (host === null) return 'own';
    return aboveRoot(host).movedNs < this.#since || this.#isMerged(this.#covered.path) ? 'current' : 'stale';
  }

  #look(path: BytePath): Answer {
    const [upper, host, holder] = [lstatEntry(this.#upper(path)), hostEntry(path), hostEntry(parentOf(path))];
    // What comes to this name later is younger than the refresh.
    if (host === null || host === 'closed' || holder === null || holder === 'closed') return 'own';
    if (upper !== null && (upper.type !== 'dir' || host.type !== 'dir')) return 'own';
    const shown = this.#shown(path);
    // Another mount.
    if (shown?.type === 'dir' && shown.dev !== this.#inside.dev) return 'own';
    // Opaque, or new in the upper: a merged directory has link count 1 (on btrfs all have).
    if (upper !== null && upper.nlink > 1 && shown !== null && shown.nlink > 1) return 'own';
    if (putThere(host, holder) < this.#since) return 'current';
    const isKnown = upper === null && (host.type !== 'dir' || this.#hasNumbers(host));
    const isCurrent = isKnown ? this.#isSame(shown, host) : this.#isMerged(path);
    return isCurrent ? 'current' : 'stale';
  }

  /** Where a directory's number tells nothing, its entries tell which one of the host's it shows. */
  #isMerged(path: BytePath): boolean {
    const [here, there] = [new Set(namesOrNone(this.#upper(path))), namesOrNone(path)];
    const missing = there.filter((name) => !here.has(name));
    for (const name of missing.slice(0, MOST_TRIED)) {
      const child = joinPath(path, name);
      const host = lstatEntry(child);
      // A hard link may be in either; one in use may have been shown before it was moved here.
      if (
        host !== null &&
        (host.type === 'dir' || host.nlink === 1) &&
        (!this.#used.has(child) || host.ctimeNs < this.#since) &&
        this.#isSame(this.#shown(child), host)
      )
        return true;
    }
    // Where the upper has all names, nothing of the host shows but what is below.
    const view = missing.length > 0 ? null : orNull(() => readNames(this.#view(path)));
    if (view === null || !view.every((name) => here.has(name))) return false;
    return there.every((name) => {
      const child = joinPath(path, name);
      const isDir = lstatEntry(child)?.type === 'dir' && lstatEntry(this.#upper(child))?.type === 'dir';
      return !isDir || this.#isMerged(child);
    });
  }

  #isSame(shown: Stat | null, host: Stat): boolean {
    if (shown === null || shown.type !== host.type || shown.size !== host.size) return false;
    if (shown.ctimeNs !== host.ctimeNs || shown.mtimeNs !== host.mtimeNs) return false;
    return shown.ino === host.ino || (host.type === 'dir' && !this.#hasNumbers(host));
  }

  /** The number of a directory is the host's only where both layers are on one file system. */
  #hasNumbers(host: Stat): boolean {
    return lstatEntry(this.#covered.upper)?.dev === host.dev;
  }

  #upper(path: BytePath): BytePath {
    return upperPath(this.#covered, path);
  }

  #view(path: BytePath): BytePath {
    return joinPath(at(this.#inside.fd), path.slice(this.#covered.path.length + 1));
  }

  /** Not there, or no entry of the host's any more (ESTALE). */
  #shown(path: BytePath): Stat | null {
    return orNull(() => lstatEntry(this.#view(path)));
  }
}
