/**
 * A refresh drops the names that the kernel has cached, but for those in use: whoever works in a directory, or has a file
 * open, goes on with what the host had when it began. Tells whether that is still what the host has.
 */
import { type BytePath, joinPath, parentOf } from '../../shared/bytes.ts';
import { hostEntry, lstatEntry, namesOrNone } from '../kernel/fs/entry.ts';
import { parseMountinfo } from '../kernel/fs/mounts.ts';
import { at, orNull, type Stat } from '../kernel/fs/port.ts';
import { usersBelow } from '../kernel/proc/open-files.ts';
import { processLink, processStat, processText } from '../kernel/proc/proc.ts';
import { putThere } from '../overlay/seen.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import type { Inside } from '../sandbox/inside.ts';
import { type CoveredDir, type SessionContext, upperPath } from '../session/session-context.ts';

/**
 * Call it after a refresh. False also where nobody can tell.
 * @param processes of the session
 * @param since nanoseconds: what is in use since before was the host's then
 */
export function isAllInUseCurrent(
  { excluded }: Pick<SessionContext, 'excluded'>,
  { inside, covered }: { inside: Inside; covered: CoveredDir },
  processes: readonly { pid: number }[],
  since: bigint,
): boolean {
  const used: BytePath[] = usersBelow(processes, new Set([covered.path])).map(({ path }) => path);
  for (const { pid } of processes) {
    // Keepers of keys may not be inspected.
    if (processLink(pid, 'cwd') === null && processStat(pid) !== null) return false;
    // A box shows parts of the overlay.
    for (const { device, root } of parseMountinfo(processText(pid, 'mountinfo') ?? ''))
      if (device === inside.device && root !== '/') used.push(`${covered.path}${root}` as BytePath);
  }
  const names = new NamesInUse(inside, covered, since);
  // As the state directory, over which something else shows.
  return [...new Set(used)].every((path) => isExcluded(path, excluded) || names.isCurrent(path));
}

/** `own`: nothing of the host shows here. */
type Answer = 'current' | 'own' | 'stale';

/** Some entries may be changing just now. */
const MOST_TRIED = 16;

class NamesInUse {
  readonly #inside: Inside;
  readonly #covered: CoveredDir;
  readonly #since: bigint;
  readonly #known = new Map<BytePath, Answer>();

  constructor(inside: Inside, covered: CoveredDir, since: bigint) {
    [this.#inside, this.#covered, this.#since] = [inside, covered, since];
  }

  isCurrent(path: BytePath): boolean {
    return this.#answer(path) !== 'stale';
  }

  #answer(path: BytePath): Answer {
    if (path === this.#covered.path) return 'current';
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const above = this.#answer(parentOf(path));
    const answer = above === 'current' ? this.#look(path) : above;
    this.#known.set(path, answer);
    return answer;
  }

  #look(path: BytePath): Answer {
    const [upper, host, holder] = [lstatEntry(this.#upper(path)), hostEntry(path), hostEntry(parentOf(path))];
    // What comes to this name later is younger than the refresh.
    if (host === null || host === 'closed' || holder === null || holder === 'closed') return 'own';
    if (upper !== null && (upper.type !== 'dir' || host.type !== 'dir')) return 'own';
    const shown = this.#shown(path);
    // Another mount.
    if (shown?.type === 'dir' && shown.dev !== this.#inside.dev) return 'own';
    if (putThere(host, holder) < this.#since) return 'current';
    const isCurrent = upper === null ? this.#isSame(shown, host) : this.#isMerged(path);
    return isCurrent ? 'current' : 'stale';
  }

  /** Of a copied directory only its entries tell which one of the host's it shows. */
  #isMerged(path: BytePath): boolean {
    const [here, there] = [new Set(namesOrNone(this.#upper(path))), namesOrNone(path)];
    const missing = there.filter((name) => !here.has(name));
    for (const name of missing.slice(0, MOST_TRIED)) {
      const child = joinPath(path, name);
      const host = lstatEntry(child);
      // A hard link may be in either.
      if (
        host !== null &&
        (host.type === 'dir' || host.nlink === 1) &&
        this.#isSame(this.#shown(child), host)
      )
        return true;
    }
    // Where the upper has all names, nothing of the host shows but what is below.
    if (missing.length > 0 || !namesOrNone(this.#view(path)).every((name) => here.has(name))) return false;
    return there.every((name) => {
      const child = joinPath(path, name);
      const isDir = lstatEntry(child)?.type === 'dir' && lstatEntry(this.#upper(child))?.type === 'dir';
      return !isDir || this.#isMerged(child);
    });
  }

  /** The number of a directory is the host's only where both layers are on one file system. */
  #isSame(shown: Stat | null, host: Stat): boolean {
    if (shown === null || shown.type !== host.type || shown.size !== host.size) return false;
    if (shown.ctimeNs !== host.ctimeNs || shown.mtimeNs !== host.mtimeNs) return false;
    return (
      shown.ino === host.ino || (host.type === 'dir' && lstatEntry(this.#covered.upper)?.dev !== host.dev)
    );
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
