/**
 * Hashes of before-images: an undo makes base records of what it puts back, and would have to read every file for that.
 *
 *     hashesIn       a commit, before it drops the base records: those that are of its before-images
 *     restoredBases  its undo: records of the files that went back by a rename, from that hash and the journals alone
 *
 * Only where the before-image is the inode that the base record was made of, unchanged; what is in doubt is looked at
 * and read (results.ts). A record says how the undo left the file: what the host has changed since differs from it.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import { hostStatOf, isOf, isRenamedBy } from '../../kernel/fs/fingerprint.ts';
import { type BaseFile, blobsStored } from '../../overlay/base-file.ts';
import type { CommitRecord } from '../journal/journal.ts';
import type { HashesLine } from '../journal/lines.ts';
import { hostOf, type PutUnit, type Unit } from '../journal/unit.ts';
import type { Task } from './task.ts';

export function hashesIn(
  { begin, units, done }: CommitRecord,
  records: BaseFile['records'],
): HashesLine['of'] {
  const found: HashesLine['of'] = [];
  if (!begin.reversible) return found;
  for (const unit of units) {
    if (unit.kind !== 'put' || unit.image !== 'link' || unit.host === null || !done.has(unit.i)) continue;
    const base = records.get(unit.path)?.base;
    // The digest of a git index is in no hash.
    if (base?.state !== 'known' || base.sha256 === undefined || base.index !== undefined) continue;
    if (isOf(unit.host, base.host)) found.push([unit.i, base.sha256, base.blob === true]);
  }
  return found;
}

/** @param commit that was undone */
export function restoredBases(
  { ctx, journal: { record }, earlier }: Task,
  commit: CommitRecord | null,
): Map<BytePath, BaseRecord> {
  const found = new Map<BytePath, BaseRecord>();
  // After a crash, calls may have run and the machine may have restarted since the fingerprints were taken.
  if (earlier !== undefined || commit === null || commit.hashes.size === 0) return found;
  const isStored = blobsStored(ctx, commit.hashes.size);
  for (const unit of record.units) {
    const stamp = record.stamps.get(unit.i);
    if (stamp === undefined || record.done.get(unit.i) !== '' || !isImage(unit)) continue;
    const { path, result, reverts = [] } = unit;
    const [id, hash] = [result[0]?.id ?? null, commit.hashes.get(reverts[0] ?? -1)];
    if (id === null || hash === undefined || !isUntouched(commit, reverts[0] ?? -1, id)) continue;
    const { sha256, blob } = hash;
    if (blob && !isStored(sha256)) continue;
    const base = { state: 'known' as const, host: hostStatOf(id, stamp), sha256, blob };
    found.set(path, { path, base, listed: false });
  }
  return found;
}

const isImage = (unit: Unit): unit is PutUnit => unit.kind === 'put' && unit.stage === 'before';

/** Since the commit took it off the host nothing has happened to the before-image of unit `i`. @param id at the undo */
function isUntouched({ unitOf, endedAt }: CommitRecord, i: number, id: string): boolean {
  const unit = unitOf.get(i);
  const host = unit === undefined ? null : hostOf(unit);
  return endedAt !== null && host !== null && isRenamedBy(endedAt, host, id);
}
