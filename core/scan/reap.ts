/** The reaper: a copy-up without a change (by `ln`, a sqlite SELECT) hides later changes of the host. */

import { chmodSync, rmdirSync, unlinkSync } from 'node:fs';
import { type BytePath, joinPath, parentOf } from '../../shared/bytes.ts';
import { type Bases, makeBases } from '../../shared/model/base-record.ts';
import { sameEntry } from '../../shared/model/conflict.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import {
  holdsOutOfReach,
  hostEntry,
  isClosed,
  lstatEntry,
  namesOrNone,
  readEntries,
  toHostStat,
} from '../kernel/fs/entry.ts';
import { collect } from '../kernel/fs/pace.ts';
import { errorCode, fsPath, orIfRefused, type Stat, useAndCloseAsync } from '../kernel/fs/port.ts';
import { otherXattrs } from '../kernel/fs/xattrs.ts';
import { dropBases, readBaseFile } from '../overlay/base-file.ts';
import { xattrHash } from '../overlay/base-of.ts';
import { showsHost } from '../overlay/opaque.ts';
import { openViewer } from '../overlay/viewer.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import type { QuietSession } from '../sandbox/lock.ts';
import type { SessionContext } from '../session/session-context.ts';
import type { UpperDirs } from './cache/upper-listing.ts';
import { equalsBase, judgeSameType, metaChanged, onlyTouched } from './judge.ts';

/**
 * Removes entries that equal their base record or the host, then empty directories. In a live session the
 * next writes of a process would go to the host.
 * @param listed what the uppers' directories held a moment ago, which spares reading those that have not changed
 * @throws TraiError `unsupported` when the merged view is needed and can't be mounted
 */
export async function reap(
  ctx: QuietSession,
  listed: UpperDirs['dirs'] = new Map(),
): Promise<{ removed: number }> {
  const file = readBaseFile(ctx);
  const directories: Directory[] = [];
  const finder = new Finder(ctx, makeBases(file.records), listed);
  for (const { path, upper } of ctx.coveredDirs) {
    // A disk that is not mounted, or a project moved away, maybe with a link left: what was deleted there may be back with it.
    if (lstatEntry(path)?.type !== 'dir') continue;
    for (const directory of await collect(finder.find(path, upper))) directories.push(directory);
  }
  keepXattrs(directories);
  const asked = directories.filter(
    ({ root, unchanged, entries }) => !root && (unchanged || entries.length > 0),
  );
  const visible = asked.length === 0 ? new Set<BytePath>() : await showing(ctx, asked);
  const going = directories.filter(({ root, path }) => root || visible.has(path));
  const removed = await collect(removeFrom(going));
  const gone = removed.filter((path) => file.records.has(path));
  dropBases(ctx, file, gone);
  return { removed: removed.length };
}

interface Directory {
  path: BytePath;
  upperPath: BytePath;
  /** Else a name below might be looked up through a link. */
  onHost: boolean;
  root: boolean;
  /** Removed when empty: mode and owner are not the sandbox's. */
  unchanged: boolean;
  entries: string[];
  /** Hash of those in the base record. */
  xattrs?: string | undefined;
  /** The host has no directory here and never had. */
  fresh?: true;
}

interface Child {
  path: BytePath;
  upperPath: BytePath;
  upper: Stat;
  /** Null also when the host has no directory above. */
  host: Stat | null;
}

class Finder {
  private readonly ctx: SessionContext;
  private readonly bases: Bases;
  private readonly listed: UpperDirs['dirs'];

  constructor(ctx: SessionContext, bases: Bases, listed: UpperDirs['dirs']) {
    this.ctx = ctx;
    this.bases = bases;
    this.listed = listed;
  }

  /** Parents first. */
  *find(root: BytePath, upperRoot: BytePath): Generator<Directory | null, void> {
    const onHost = lstatEntry(root)?.type === 'dir';
    const first = { path: root, upperPath: upperRoot, onHost, root: true, unchanged: false, entries: [] };
    const stack: Directory[] = [first];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      yield null;
      if (at.fresh === true) {
        stack.push(...this.fresh(at));
        yield at;
        continue;
      }
      for (const name of namesOrNone(at.upperPath)) {
        const path = joinPath(at.path, name);
        const upperPath = joinPath(at.upperPath, name);
        const upper = isExcluded(path, this.ctx.excluded) ? null : lstatEntry(upperPath);
        if (upper === null) continue;
        const host = at.onHost ? hostEntry(path) : null;
        if (host === 'closed' || isClosed(upper, this.ctx.root) || holdsOutOfReach(upperPath)) continue;
        if (upper.type !== 'dir') {
          if (yield* this.unchangedEntry({ path, upperPath, upper, host })) at.entries.push(name);
        } else {
          stack.push(this.directory({ path, upperPath, upper, host }));
        }
      }
      yield at;
    }
  }

  private *unchangedEntry({ path, upperPath, upper, host }: Child): Generator<null, boolean> {
    if (isWhiteout(upper)) return host === null;
    // Harmless until the host changes, and its time may be the result of `touch`.
    if (host?.type === upper.type && host.mtimeNs === upper.mtimeNs) {
      const kind = yield* judgeSameType({ path, host, upperPath, upper, base: { state: 'none' } });
      if (kind === null) return true;
    }
    const base = this.bases.lookup(path);
    if (base.state !== 'known') return false;
    const moved = host === null || !sameEntry(base.host, toHostStat(host, path));
    return moved && equalsBase(upperPath, upper, base);
  }

  /** Only whiteouts are no changes: readdir would show names without entries. Returns directories below. */
  private fresh(at: Directory): Directory[] {
    const { dirs, devices } = this.inside(at);
    const below: Directory[] = [];
    for (const name of dirs) {
      const [path, upperPath] = [joinPath(at.path, name), joinPath(at.upperPath, name)];
      if (!isExcluded(path, this.ctx.excluded)) below.push({ ...at, path, upperPath, entries: [] });
    }
    for (const name of devices) {
      if (isExcluded(joinPath(at.path, name), this.ctx.excluded)) continue;
      const entry = lstatEntry(joinPath(at.upperPath, name));
      if (entry !== null && isWhiteout(entry)) at.entries.push(name);
    }
    return below;
  }

  /** Names of directories and of what may be whiteouts. */
  private inside({ path, upperPath }: Directory): { dirs: string[]; devices: string[] } {
    const was = this.listed.get(path);
    if (was !== undefined && was.ctimeNs === String(lstatEntry(upperPath)?.ctimeNs))
      return { dirs: was.dirs, devices: [...was.marks.keys()] };
    const found = orIfRefused(() => readEntries(upperPath), []);
    const named = (is: (one: (typeof found)[number]) => boolean) => found.filter(is).map(({ name }) => name);
    return {
      dirs: named((one) => one.isDirectory()),
      devices: named((one) => one.isCharacterDevice()),
    };
  }

  private directory({ path, upperPath, upper, host }: Child): Directory {
    const base = this.bases.lookup(path);
    const onHost = host?.type === 'dir';
    if (!onHost && base.state !== 'known')
      return { path, upperPath, onHost, root: false, unchanged: false, entries: [], fresh: true };
    // Without a host directory only the base record shows whether the sandbox changed it.
    const unchanged = onHost ? !metaChanged({ host, upper, base }) : onlyTouched(upper, base);
    const xattrs = base.state === 'known' ? base.xattrs : undefined;
    return { path, upperPath, onHost, root: false, unchanged, entries: [], xattrs };
  }
}

/** An entry whose attributes differ from the host's stays, but not a directory with its base record's. */
function keepXattrs(directories: readonly Directory[]): void {
  const pairs = directories.flatMap((directory) => {
    const { path, upperPath, onHost, root, unchanged, entries } = directory;
    if (!onHost) return [];
    const inside = entries.map((name) => ({
      directory,
      path: joinPath(path, name),
      upperPath: joinPath(upperPath, name),
    }));
    return unchanged && !root ? [...inside, { directory, path, upperPath }] : inside;
  });
  for (const { pair, upper } of otherXattrs(pairs)) {
    const { directory, path } = pair;
    if (directory.path === path) directory.unchanged = directory.xattrs === xattrHash(upper);
    else directory.entries = directory.entries.filter((name) => joinPath(directory.path, name) !== path);
  }
}

/** Directories where removing a name uncovers the host's entry. In an opaque one the name would be gone. */
async function showing(ctx: SessionContext, directories: readonly Directory[]): Promise<Set<BytePath>> {
  // Closed before anything is removed from the mounted uppers.
  return await useAndCloseAsync(await openViewer(ctx), async (viewer) => {
    const shows = ({ path, upperPath, onHost }: Directory) =>
      !onHost || orIfRefused(() => showsHost(viewer, { host: path, upper: upperPath }), false);
    return new Set(directories.filter(shows).map(({ path }) => path));
  });
}

/** Children before parents. */
function* removeFrom(directories: readonly Directory[]): Generator<BytePath | null, void> {
  for (const { path, upperPath, unchanged, entries } of directories.toReversed()) {
    for (const name of entries) {
      yield null;
      removeOne(() => unlinkSync(fsPath(joinPath(upperPath, name))), upperPath);
      yield joinPath(path, name);
    }
    if (!unchanged || namesOrNone(upperPath).length > 0) continue;
    removeOne(() => rmdirSync(fsPath(upperPath)), parentOf(upperPath));
    yield path;
  }
}

function removeOne(take: () => void, parent: BytePath): void {
  try {
    take();
  } catch (error) {
    const mode = errorCode(error) === 'EACCES' ? lstatEntry(parent)?.mode : undefined;
    if (mode === undefined) throw error;
    // A copy-up without write permission, as in Go module trees.
    chmodSync(fsPath(parent), mode | 0o300);
    try {
      take();
    } finally {
      chmodSync(fsPath(parent), mode);
    }
  }
}
