/**
 * What an undo has made pending again stays so until it is written again: the user's word is newer than the rule's. The
 * journals of the undos, also of sessions whose overlay was adopted, say which paths, and when; the upper says whether one
 * was written since.
 */
import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { commitNumbers, readJournal } from '../../commit/journal/journal.ts';
import { entriesOf } from '../../commit/journal/unit.ts';
import { lstatOrNone } from '../../kernel/fs/entry.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { readPlainJson } from '../../kernel/fs/state-file.ts';
import { sessionDir } from '../../session/dirs.ts';
import { isSessionMeta, metaPath } from '../../session/meta-file.ts';
import { type SessionContext, upperPathIn } from '../../session/session-context.ts';

interface Undone {
  paths: ReadonlySet<BytePath>;
  /** ms since the epoch. */
  endedAt: number;
}

/** By session directory and number; null = no undo. A closed journal never says anything else. */
const known = new Map<string, Map<number, Undone | null>>();

/** Of `changes`, the paths that an undo has made pending again, and nothing has written since. */
export function leftAlone(ctx: SessionContext, changes: Iterable<Change>): Set<BytePath> {
  const undone = undonePaths(ctx);
  const found = new Set<BytePath>();
  if (undone.size === 0) return found;
  const dirs: BytePath[] = [];
  const needed = new Set<BytePath>();
  for (const { path, pending, host } of changes) {
    const endedAt = undone.get(path);
    if (endedAt !== undefined && (pending ?? host)?.type === 'dir') dirs.push(path);
    else if (endedAt !== undefined && !wasWritten(ctx, path, endedAt)) found.add(path);
    else for (let at = parentOf(path); at !== '/' && !needed.has(at); at = parentOf(at)) needed.add(at);
  }
  // Cleaning up touches a directory, too: it goes again for the sake of an entry.
  for (const path of dirs) if (!needed.has(path)) found.add(path);
  return found;
}

/** With the end of the last undo of each. */
function undonePaths(ctx: SessionContext): Map<BytePath, number> {
  const found = new Map<BytePath, number>();
  for (const owner of ownersOf(ctx)) {
    for (const n of commitNumbers(nodePort, owner)) {
      const { paths = [], endedAt = 0 } = undoneBy(owner, n) ?? {};
      for (const path of paths) found.set(path, Math.max(endedAt, found.get(path) ?? 0));
    }
  }
  return found;
}

type Owner = Pick<SessionContext, 'sessionDir'>;

/** The session, and those whose overlay it has adopted. */
function ownersOf({ stateDir, session }: SessionContext): Owner[] {
  const owners = new Map<string, Owner>();
  const visit = (id: string): void => {
    if (owners.has(id)) return;
    const owner = { sessionDir: sessionDir(stateDir, id) };
    owners.set(id, owner);
    const meta = readPlainJson(metaPath(owner.sessionDir));
    if (isSessionMeta(meta)) for (const from of meta.adopted ?? []) visit(from);
  };
  visit(session);
  return [...owners.values()];
}

function undoneBy(ctx: Owner, n: number): Undone | null {
  const ofSession = known.get(ctx.sessionDir) ?? new Map<number, Undone | null>();
  known.set(ctx.sessionDir, ofSession);
  const before = ofSession.get(n);
  if (before !== undefined) return before;
  const record = readJournal(nodePort, ctx, n);
  if (record?.phase !== 'closed') return null;
  const { begin, units, done, pending, endedAt } = record;
  const paths = units.filter(({ i }) => done.has(i)).flatMap((unit) => entriesOf(unit));
  const undone =
    begin.undoes === undefined || endedAt === null
      ? null
      : { paths: new Set([...paths, ...pending].map(({ path }) => path)), endedAt };
  ofSession.set(n, undone);
  return undone;
}

/** By the time of its content: what cleaning up does changes only the change time. */
function wasWritten({ coveredDirs }: SessionContext, path: BytePath, endedAt: number): boolean {
  for (let at = path; at !== '/'; at = parentOf(at)) {
    const upper = upperPathIn(coveredDirs, at);
    const entry = upper === null ? null : lstatOrNone(upper);
    if (entry === null) continue;
    // Above a deleted entry only its directory's whiteout tells.
    return (at === path || isWhiteout(entry)) && entry.mtimeNs > BigInt(endedAt) * 1_000_000n;
  }
  return false;
}
