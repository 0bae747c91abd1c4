/**
 * Renames that are certain. A file of the host that the sandbox renames is copied up, and the copy's inode keeps
 * overlayfs' mark of that (`overlay.origin`); a file that the sandbox made has none. So a new file with the mark came from
 * a host file under another name: from the one deleted file that has its size, its modification time to the nanosecond
 * and its content. When two could be it, or the content is another one, it is a deletion and an addition. So it is for a
 * host file of several names (its copies get no mark), a directory (`mv` copies it), and without perl and python3.
 */
import type { BytePath } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { identityFields, lookIdentity } from '../../shared/model/identity.ts';
import { sameContent } from '../kernel/fs/compare.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { areCopies } from '../kernel/xattr/values.ts';
import { coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';

/** Files of the same size and time: more than this are a build or a checkout, and comparing each with each takes long. */
const ALIKE_MAX = 16;

interface Candidate {
  to: Change;
  upper: BytePath;
  from: Change[];
}

/** Sets `renamedFrom` of changes. Changes the list in place; null steps are moments for others. */
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
  // Two new names of one deleted file: one of them is a link or a copy, and which can't be told.
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
    const covered =
      from === undefined || from.length > ALIKE_MAX ? null : coveringDir(ctx.coveredDirs, to.path);
    return from === undefined || covered === null ? [] : [{ to, upper: upperPath(covered, to.path), from }];
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
    // What can't be read is not certain.
    return false;
  }
}

/** The entry, if it is the one that the scan saw. */
function entryOf(path: BytePath, identity: string | undefined): Stat | null {
  const entry = lstatEntry(path);
  return entry !== null && lookIdentity(entry) === identity ? entry : null;
}
