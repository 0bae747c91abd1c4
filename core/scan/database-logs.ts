/**
 * A database whose log the host has written to: the sandbox's database in the place of the host's would be read with a
 * log that is not its own. The log is in no upper and has no record, so times decide.
 */
import { type BytePath, joinPath, nameOf, parentOf } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { lstatEntry, namesOrNone } from '../kernel/fs/entry.ts';
import { HostClocks } from '../overlay/seen.ts';
import { coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';

/** Not -shm: a host process that only reads writes to it. */
const ENDS = ['-wal', '-journal'];
const END = /-(?:wal|journal|shm)$/;

/** Makes a conflict of each change beside which the host has changed another file of the same database since. In place. */
export function findMovedPartners(
  ctx: Pick<SessionContext, 'coveredDirs'>,
  changes: readonly Change[],
): void {
  const names = new Map<BytePath, Set<string>>();
  let listed: ReadonlySet<BytePath> | null = null;
  const clocks = new HostClocks(ctx);
  for (const change of changes) {
    if (change.conflict !== null || change.pending?.type === 'dir') continue;
    if (change.host === null && !END.test(change.path)) continue;
    const dir = parentOf(change.path);
    let inDir = names.get(dir);
    if (inDir === undefined) {
      inDir = new Set(namesOrNone(dir));
      names.set(dir, inDir);
    }
    const base = nameOf(change.path).replace(END, '');
    const partners = [base, ...ENDS.map((end) => base + end)].filter((name) => inDir.has(name));
    // Most files have none.
    if (partners.length === (inDir.has(nameOf(change.path)) ? 1 : 0)) continue;
    const since = birthOf(ctx, change.path) - clocks.lag(change.path);
    listed ??= new Set(changes.map(({ path }) => path));
    const others = partners.map((name) => joinPath(dir, name)).filter((path) => listed?.has(path) === false);
    const moved = others.some((path) => (lstatEntry(path)?.ctimeNs ?? 0n) >= since);
    if (moved) change.conflict = 'host-changed';
  }
}

/** Whether another file of the same database has changed on the host since then (ns). */
export function partnerMovedSince(path: BytePath, since: bigint): boolean {
  const base = nameOf(path).replace(END, '');
  const others = [base, ...ENDS.map((end) => base + end)].filter((name) => name !== nameOf(path));
  return others.some((name) => (lstatEntry(joinPath(parentOf(path), name))?.ctimeNs ?? 0n) > since);
}

/** The other files of its database that the host has now. Also -shm: where it goes the others may have gone before. */
export function partnersOf(path: BytePath): BytePath[] {
  const base = nameOf(path).replace(END, '');
  return [base, ...[...ENDS, '-shm'].map((end) => base + end)]
    .filter((name) => name !== nameOf(path))
    .map((name) => joinPath(parentOf(path), name))
    .filter((other) => lstatEntry(other) !== null);
}

export function isSameDatabase(a: BytePath, b: BytePath): boolean {
  return a.replace(END, '') === b.replace(END, '');
}

function birthOf(ctx: Pick<SessionContext, 'coveredDirs'>, path: BytePath): bigint {
  const covered = coveringDir(ctx.coveredDirs, path);
  // Deleted with its directory: the directory's own line says what the host has below it.
  return (covered === null ? undefined : lstatEntry(upperPath(covered, path))?.birthNs) ?? 0n;
}
