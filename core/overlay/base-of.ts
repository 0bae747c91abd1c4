import { hash } from 'node:crypto';
import { type BytePath, isWithin, nameOf, parentOf } from '../../shared/bytes.ts';
import { BASE_BLOB_BYTES } from '../../shared/limits.ts';
import type { BaseRecord, BaseState } from '../../shared/model/base-record.ts';
import { isBinary } from '../../shared/text/sniff.ts';
import { hostEntry, identityOf, lstatEntry, toHostStat } from '../kernel/fs/entry.ts';
import { hashSame, readSame } from '../kernel/fs/file-content.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { askXattrs } from '../kernel/fs/xattrs.ts';
import { isSame, readCopies } from '../sandbox/prepare/copies.ts';
import { type CoveredDir, coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';
import { appendBases, type BaseFile, readBaseFile, storeBlob } from './base-file.ts';
import { indexDigest } from './git-index.ts';

type Base = BaseRecord['base'];

/** With a hash if the copy may be unchanged, and a blob if the content can be merged. */
export function knownBase(ctx: SessionContext, path: BytePath, host: Stat, upper: Stat): Base {
  const seen = { state: 'known' as const, host: toHostStat(host, path) };
  if (host.type !== 'file' || upper.type !== 'file') return seen;
  const index = indexDigest(path, identityOf(host));
  const known = index === null ? seen : { ...seen, index };
  const text = readSame(path, identityOf(host), BASE_BLOB_BYTES);
  if (text !== null && !isBinary(text)) {
    const sha256 = hash('sha256', text);
    storeBlob(ctx, sha256, text);
    return { ...known, sha256, blob: true };
  }
  const sha256 = host.size === upper.size ? hashSame(path, identityOf(host)) : null;
  return sha256 === null ? known : { ...known, sha256 };
}

/** The upper decides, not the paths: a directory that the host made later may be covered by itself. */
export function copiedDirOf(
  ctx: Pick<SessionContext, 'coveredDirs'>,
  path: BytePath,
): CoveredDir | undefined {
  return ctx.coveredDirs.find(
    (covered) =>
      covered.copied !== undefined &&
      path !== covered.path &&
      isWithin(path, covered.path) &&
      lstatEntry(upperPath(covered, path)) !== null,
  );
}

/** What was copied is the base, whatever the times say. `upper` is null when only the record is wanted. */
export function copiedBase(
  ctx: SessionContext,
  covered: CoveredDir,
  path: BytePath,
  upper: Stat | null,
): Base {
  const seen = parentOf(path) === covered.path ? readCopies(covered)?.entries[nameOf(path)] : undefined;
  if (seen === undefined) return { state: 'absent' };
  const host = lstatEntry(path);
  // While the host still has what was copied, its content can be kept for a merge.
  if (host !== null && upper !== null && isSame(seen, toHostStat(host, path)))
    return knownBase(ctx, path, host, upper);
  return { state: 'known', host: seen };
}

/**
 * An upper's root is no copy-up, so only this tells a call's chmod of a covered directory from the host's.
 * Null if the upper could not be made like the host's directory, as for one of others.
 */
export function rootBase({ path, upper }: Pick<CoveredDir, 'path' | 'upper'>): Base | null {
  const [host, made] = [lstatEntry(path), lstatEntry(upper)];
  if (host?.type !== 'dir' || made === null) return null;
  if (host.mode !== made.mode || host.uid !== made.uid || host.gid !== made.gid) return null;
  return { state: 'known', host: toHostStat(host, path) };
}

/** Must precede any change of the new uppers. */
export function recordRoots(ctx: Pick<SessionContext, 'sessionDir'>, made: readonly CoveredDir[]): void {
  const entries = made.flatMap((covered): [BytePath, BaseRecord][] => {
    const { path } = covered;
    const base = rootBase(covered);
    return base === null ? [] : [[path, { path, base, listed: false }]];
  });
  if (entries.length > 0) appendBases(ctx, readBaseFile(ctx), entries);
}

/**
 * For a commit in a live session, whose entries stay in the upper: the host's present state becomes the base.
 * `paths` has all paths below a directory.
 * @param hiding where the upper hides what the host has: a directory there is recorded with its names
 * @param file if the caller has read it
 * @returns the host's entries that are the bases now
 */
export async function rebase(
  ctx: SessionContext,
  paths: readonly BytePath[],
  hiding: ReadonlySet<BytePath> = new Set(),
  file: BaseFile = readBaseFile(ctx),
): Promise<ReadonlyMap<BytePath, Stat | null>> {
  const seen = new Map<BytePath, Stat | null>();
  const entries = paths.map((path): [BytePath, BaseRecord] => {
    const host = lstatEntry(path);
    seen.set(path, host);
    const base: Base = host === null ? { state: 'absent' } : knownBase(ctx, path, host, host);
    const covered = host?.type === 'dir' ? coveringDir(ctx.coveredDirs, path) : null;
    const upper = covered === null ? null : lstatEntry(upperPath(covered, path));
    const born = upper?.type === 'dir' ? { born: String(upper.birthNs) } : {};
    return [path, { path, base, listed: host?.type === 'dir' && hiding.has(path), ...born }];
  });
  await noteXattrs(entries.map(([, record]) => record));
  appendBases(ctx, file, entries);
  return seen;
}

/**
 * Directories get a hash of their extended attributes, as their times change with every name.
 * @param known bases that were asked about before; returned with those of `records`
 */
export async function noteXattrs(
  records: Iterable<BaseRecord>,
  known: ReadonlySet<Base> = new Set(),
): Promise<ReadonlySet<Base>> {
  const asked: { path: BytePath; base: Extract<BaseState, { state: 'known' }> }[] = [];
  for (const { path, base } of records)
    if (base.state === 'known' && base.host.type === 'dir' && !known.has(base)) asked.push({ path, base });
  const texts = await askXattrs(asked.map(({ path }) => path));
  asked.forEach(({ path, base }, i) => {
    const text = texts[i] ?? null;
    const now = text === null ? null : hostEntry(path);
    if (text === null || now === null || now === 'closed') return;
    if (String(now.ino) === base.host.ino && String(now.ctimeNs) === base.host.ctimeNs)
      base.xattrs = xattrHash(text);
  });
  return new Set([...known, ...asked.map(({ base }) => base)]);
}

/** `none`: as most directories. */
export function xattrHash(text: string): string {
  return text === '' ? 'none' : hash('sha256', text).slice(0, 16);
}
