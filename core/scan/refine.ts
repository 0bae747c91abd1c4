/** Steps on the whole list, in place: drop conflicts without a difference, mark databases, pair renames. */
import { type BytePath, nameOf, parentOf } from '../../shared/bytes.ts';
import type { BaseState, Bases } from '../../shared/model/base-record.ts';
import type { Change } from '../../shared/model/change.ts';
import { SQLITE } from '../../shared/model/conflict.ts';
import { identityFields, lookIdentity } from '../../shared/model/identity.ts';
import { lstatEntry, lstatOrNone, namesOrNone } from '../kernel/fs/entry.ts';
import { hashSame, sameContent } from '../kernel/fs/file-content.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { areCopies, xattrsOf } from '../kernel/fs/xattrs.ts';
import { indexDigest } from '../overlay/git-index.ts';
import { HostClocks } from '../overlay/seen.ts';
import { type SessionContext, upperPathIn } from '../session/session-context.ts';

/** Drops conflicts whose host file equals the base record except for times and inode. */
export function* forgiveSame(
  ctx: SessionContext,
  changes: readonly Change[],
  bases: Bases,
): Generator<null, void> {
  const same: Change[] = [];
  for (const change of changes) {
    const base = change.conflict === 'host-changed' ? bases.lookup(change.path) : null;
    if (base === null || !looksSame(change, base)) continue;
    yield null;
    if (saysSame(change, base)) same.push(change);
  }
  // Base records of files have no attributes: the host's could be lost unless neither side has any.
  const texts = xattrsOf(same.flatMap(({ path }) => [path, upperPathIn(ctx.coveredDirs, path) ?? path]));
  same.forEach((change, i) => {
    const none = texts[2 * i] === '' && texts[2 * i + 1] === '';
    if (none || change.host?.type === 'symlink') change.conflict = null;
  });
}

type Known = Extract<BaseState, { state: 'known' }>;

function saysSame({ path, hostIdentity }: Change, { host, sha256, index }: Known): boolean {
  if (host.type === 'symlink') return true;
  // `git status` rewrites an index when only times of files changed.
  if (index !== undefined) return indexDigest(path, hostIdentity) === index;
  return hashSame(path, hostIdentity) === sha256;
}

function looksSame({ pending, host, hostLinks }: Change, base: BaseState): base is Known {
  if (base.state !== 'known') return false;
  const { type, mode, uid, gid, size, nlink, target } = base.host;
  if (pending?.type !== host?.type || host?.type !== type) return false;
  const isKnown = type === 'symlink' ? target !== undefined && host.target === target : type === 'file';
  if (!isKnown || (type === 'file' && base.sha256 === undefined && base.index === undefined)) return false;
  // Another hard link is a host change that the sandbox has not seen.
  if (nlink !== 1 || hostLinks !== undefined) return false;
  const sameMode = type === 'symlink' || host.mode === mode;
  const sameSize = host.size === size || base.index !== undefined;
  return sameMode && host.uid === uid && host.gid === gid && sameSize;
}

/** Of one database, with `path`. Without -shm, to which a host process writes that only reads. */
function databaseFiles(path: BytePath): BytePath[] {
  const base = path.replace(SQLITE, '');
  return [base, `${base}-wal`, `${base}-journal`] as BytePath[];
}

/** Marks changes as conflicts when the host has changed another file of the same database since. */
export function findMovedPartners(
  ctx: Pick<SessionContext, 'coveredDirs'>,
  changes: readonly Change[],
): void {
  const names = new Map<BytePath, Set<string>>();
  let listed: ReadonlySet<BytePath> | null = null;
  const clocks = new HostClocks(ctx);
  for (const change of changes) {
    if (change.conflict !== null || change.pending?.type === 'dir') continue;
    if (change.host === null && !SQLITE.test(change.path)) continue;
    const dir = parentOf(change.path);
    const inDir = names.get(dir) ?? new Set(namesOrNone(dir));
    names.set(dir, inDir);
    const partners = databaseFiles(change.path).filter(
      (path) => path !== change.path && inDir.has(nameOf(path)),
    );
    if (partners.length === 0) continue;
    const since = birthOf(ctx, change.path) - clocks.lag(change.path);
    listed ??= new Set(changes.map(({ path }) => path));
    const others = partners.filter((path) => listed?.has(path) === false);
    const moved = others.some((path) => (lstatEntry(path)?.ctimeNs ?? 0n) >= since);
    if (moved) change.conflict = 'host-changed';
  }
}

/** Whether the host changed another file of the same database after `since` (ns). */
export function partnerMovedSince(path: BytePath, since: bigint): boolean {
  const others = databaseFiles(path).filter((other) => other !== path);
  return others.some((other) => (lstatOrNone(other)?.ctimeNs ?? 0n) > since);
}

/** The database's other files on the host; none where names are too long. With -shm, which may be the last one left. */
export function partnersOf(path: BytePath): BytePath[] {
  const all = [...databaseFiles(path), `${path.replace(SQLITE, '')}-shm` as BytePath];
  return all.filter((other) => other !== path && lstatOrNone(other) !== null);
}

export function isSameDatabase(a: BytePath, b: BytePath): boolean {
  return a.replace(SQLITE, '') === b.replace(SQLITE, '');
}

function birthOf(ctx: Pick<SessionContext, 'coveredDirs'>, path: BytePath): bigint {
  const upper = upperPathIn(ctx.coveredDirs, path);
  // Null when it was deleted with its directory, which has a change of its own.
  return (upper === null ? null : lstatEntry(upper))?.birthNs ?? 0n;
}

/** More come from a build or a checkout; comparing all pairs takes long. */
const ALIKE_MAX = 16;

interface Candidate {
  to: Change;
  upper: BytePath;
  from: Change[];
}

export function* findRenames(ctx: SessionContext, changes: readonly Change[]): Generator<null, void> {
  const candidates = candidatesIn(ctx, changes);
  if (candidates.length === 0) return;
  const copies = areCopies(candidates.map(({ upper }) => upper));
  const claims = new Map<Change, Candidate[]>();
  for (const candidate of candidates.filter((_, i) => copies[i])) {
    yield null;
    const equal: Change[] = [];
    for (const from of candidate.from) if (yield* sameFile(candidate, from)) equal.push(from);
    const [only] = equal;
    if (only === undefined || equal.length > 1) continue;
    claims.set(only, [...(claims.get(only) ?? []), candidate]);
  }
  // Of two candidates one is a link or a copy; which is unknown.
  for (const [from, claimed] of claims) {
    const [only] = claimed;
    if (only !== undefined && claimed.length === 1) only.to.renamedFrom = from.path;
  }
}

function candidatesIn(ctx: SessionContext, changes: readonly Change[]): Candidate[] {
  const deleted = new Map<string, Change[]>();
  for (const change of changes) {
    if (change.kind !== 'deleted' || change.host?.type !== 'file') continue;
    const key = sizeAndTime(change.hostIdentity);
    const alike = deleted.get(key);
    if (alike === undefined) deleted.set(key, [change]);
    else alike.push(change);
  }
  if (deleted.size === 0) return [];
  return changes.flatMap((to) => {
    if (to.kind !== 'added' || to.pending?.type !== 'file') return [];
    const from = deleted.get(sizeAndTime(to.upperIdentity));
    if (from === undefined || from.length > ALIKE_MAX) return [];
    const upper = upperPathIn(ctx.coveredDirs, to.path);
    return upper === null ? [] : [{ to, upper, from }];
  });
}

function sizeAndTime(identity: string | undefined): string {
  const fields = identityFields(identity);
  return `${fields?.size}.${fields?.mtimeNs}`;
}

function* sameFile({ to, upper }: Candidate, from: Change): Generator<null, boolean> {
  try {
    const [old, now] = [entryOf(from.path, from.hostIdentity), entryOf(upper, to.upperIdentity)];
    return old !== null && now !== null && (yield* sameContent(from.path, old, upper, now));
  } catch {
    return false;
  }
}

function entryOf(path: BytePath, identity: string | undefined): Stat | null {
  const entry = lstatEntry(path);
  return entry !== null && lookIdentity(entry) === identity ? entry : null;
}
