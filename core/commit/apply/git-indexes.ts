/** Git indexes that a commit has left on the host: `git status` writes them anew, for the times of files alone. */
import { type BytePath, nameOf } from '../../../shared/bytes.ts';
import { identityOf, lstatEntry } from '../../kernel/fs/entry.ts';
import { errorCode, type FsPort, type Stat } from '../../kernel/fs/port.ts';
import { isAsLeft } from '../../kernel/fs/stat-identity.ts';
import { indexDigest } from '../../overlay/git-index.ts';
import type { CommitRecord } from '../journal/journal.ts';
import { stampOf } from '../journal/stamps.ts';
import { resultOf } from '../journal/unit.ts';
import type { Expected } from '../plan/last-results.ts';

/** What each of them says, for the line `end`; of one that is not as it was left nothing is said. */
export function indexesIn(port: FsPort, record: CommitRecord): Pick<CommitRecord, 'indexes'> | object {
  const indexes: CommitRecord['indexes'] = {};
  if (!record.begin.reversible) return {};
  for (const unit of record.units) {
    const { i } = unit;
    if (!record.done.has(i)) continue;
    // Most trees hold none, and need not be unpacked.
    if (unit.kind === 'move-to-host' && !unit.tree.text.includes('/index//')) continue;
    for (const { path, id } of resultOf(unit)) {
      if (id === null || nameOf(path) !== 'index') continue;
      const now = lstatOrNone(port, path);
      if (now === null || !isAsLeft(id, now, null, stampOf(record, i, path, id))) continue;
      const digest = digestNow(path, now);
      if (digest !== null) indexes[path] = digest;
    }
  }
  return Object.keys(indexes).length === 0 ? {} : { indexes };
}

/** Whether the host's index still says what it said when it was left, with the same mode and owner. */
export function saysAsLeft(path: BytePath, { id, index }: Expected, now: Stat | null): boolean {
  if (index === undefined || id === null || now?.type !== 'file' || now.nlink !== 1) return false;
  const [type, mode, uid, gid] = id.split(':');
  const fields = [now.type, now.mode, now.uid, now.gid].map(String);
  if ([type, mode, uid, gid].some((value, i) => value !== fields[i])) return false;
  return digestNow(path, now) === index;
}

function lstatOrNone(port: FsPort, path: BytePath): Stat | null {
  try {
    return port.lstat(path);
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}

/** Of exactly the file that was looked at. */
function digestNow(path: BytePath, now: Stat): string | null {
  try {
    const entry = lstatEntry(path);
    if (entry === null || entry.ino !== now.ino || entry.ctimeNs !== now.ctimeNs) return null;
    return indexDigest(path, identityOf(entry));
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}
