/**
 * Discards are transactions in `trash/<session>.<time>/` of the state directory:
 *
 *     journal.jsonl   begin, for a selection its units and base records; `discarded` when it is complete
 *     overlay         of everything: a link to the session's overlay; of a selection: the entry of unit i as `<i>`,
 *                     of a live session a copy of it
 *     replaced-<i>    a link to the overlay that an undo or an adoption (`replaced`) replaced
 *
 * A discard in a live session has the phases of a commit: copies until `ready`, then `done` or `fail` for each unit
 * (upper/stored.ts). Otherwise phase `staging` means that a discard, or the undo of one (`reopen`), was begun. Of a selection `abort` puts the
 * entries back; of everything the session's link tells whether it has happened (recover/repair.ts). An undone
 * discard ends with `end`.
 */
import { type BytePath, fromText, joinPath } from '../../../shared/bytes.ts';
import { type FsPort, orIfRefused, syncDirs, withHandle } from '../../kernel/fs/port.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { beginJournal, type CommitRecord, JOURNAL, type Journal, readJournalIn } from './journal.ts';
import type { DiscardInfo } from './lines.ts';
import { overlayOf } from './overlays.ts';

/** https://bford.info/cachedir/ */
export const TAG = 'CACHEDIR.TAG';
const CACHE_TAG =
  'Signature: 8a477f597d28d172789f06886806bc55\n# Overlays that were discarded; `trai undo` undoes a discard.\n';

type Where = Pick<SessionContext, 'stateDir' | 'session'>;

export interface Discard extends DiscardInfo {
  /** `<session>.<time>` */
  name: string;
  dir: BytePath;
  record: CommitRecord;
}

export function trashDir(ctx: Pick<SessionContext, 'stateDir'>): BytePath {
  return joinPath(fromText(ctx.stateDir), 'trash');
}

/** ISO time from a discard's name; null for other names, which must not reach a path. */
export function timeOf({ session }: Pick<Where, 'session'>, name: string): string | null {
  if (!name.startsWith(`${session}.`)) return null;
  const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(name.slice(session.length + 1));
  if (time === null) return null;
  const [, year, month, day, hour, minute, second, ms] = time;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
}

export function trashNames(port: FsPort, ctx: Where): string[] {
  if (port.lstat(trashDir(ctx)) === null) return [];
  return port
    .readdir(trashDir(ctx))
    .filter((name) => timeOf(ctx, name) !== null)
    .sort();
}

export function readDiscard(port: FsPort, ctx: Where, name: string): Discard | null {
  if (timeOf(ctx, name) === null) return null;
  const dir = joinPath(trashDir(ctx), name);
  const record = readJournalIn(port, dir)?.record;
  const about = record?.begin.discards;
  if (record === undefined || about === undefined || record.begin.session !== ctx.session) return null;
  return { ...about, entries: record.entries ?? about.entries, name, dir, record };
}

/** Without those that took nothing: interrupted before, or an overlay that an adoption replaced. */
export function readDiscards(port: FsPort, ctx: Where): Discard[] {
  return trashNames(port, ctx)
    .flatMap((name) => readDiscard(port, ctx, name) ?? [])
    .filter((discard) => discard.record.reopened !== null || isReturnable(port, discard));
}

export function isReturnable(port: FsPort, { dir, record }: Discard): boolean {
  return record.discarded && port.lstat(joinPath(dir, 'overlay')) !== null;
}

/** Whether a discard ended before it moved anything (or is about to begin, which the lock rules out). */
export function isLeftover(port: FsPort, ctx: Where, name: string): boolean {
  const dir = joinPath(trashDir(ctx), name);
  return orIfRefused(() => {
    if (port.readdir(dir).some((one) => one !== 'overlay' && one !== JOURNAL)) return false;
    const overlay = joinPath(dir, 'overlay');
    if (port.lstat(overlay) !== null && port.readdir(overlay).length > 0) return false;
    return readJournalIn(port, dir) === null;
  }, false);
}

/** Begins a discard under a name that sorts after all others of the session. */
export function beginDiscard(port: FsPort, ctx: Where, discards: DiscardInfo): Journal {
  ensureTrash(port, ctx);
  const last = trashNames(port, ctx).at(-1) ?? '';
  let time = Date.now();
  const nameAt = () => `${ctx.session}.${new Date(time).toISOString().replace(/[-:.]/g, '')}`;
  while (nameAt() <= last) time++;
  const journal = beginJournal(port, joinPath(trashDir(ctx), nameAt()), {
    n: 0,
    session: ctx.session,
    revision: '',
    live: false,
    leftOut: [],
    kept: 0,
    ignored: 0,
    reversible: true,
    discards,
  });
  journal.sync();
  return journal;
}

/** Begins a discard of everything, whose link `as` names the session's overlay. The caller replaces that. */
export function beginWhole(
  port: FsPort,
  ctx: Where & Pick<SessionContext, 'sessionDir'>,
  entries: number,
  as: 'overlay' | 'replaced',
): Journal {
  const journal = beginDiscard(port, ctx, { kind: 'all', entries });
  port.symlink(overlayOf(port, ctx), joinPath(journal.dir, as));
  syncDirs(port, [journal.dir, trashDir(ctx)]);
  return journal;
}

export function ensureTrash(port: FsPort, ctx: Where): void {
  if (port.lstat(trashDir(ctx)) === null) port.mkdir(trashDir(ctx), 0o700);
  tag(port, trashDir(ctx));
}

/** Keeps a directory out of backups. */
export function tag(port: FsPort, dir: BytePath): void {
  const file = joinPath(dir, TAG);
  if (port.lstat(file) === null) writeFile(port, file, CACHE_TAG);
}

/** Writes a file atomically, by a rename. */
export function writeFile(port: FsPort, path: BytePath, text: string): void {
  const temporary = `${path}.new` as BytePath;
  if (port.lstat(temporary) !== null) port.unlink(temporary);
  withHandle(port, port.openAppend(temporary), (fd) => {
    port.append(fd, text);
    port.fsync(fd);
  });
  port.rename(temporary, path);
}
