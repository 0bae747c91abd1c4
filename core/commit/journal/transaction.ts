/** The beginning of a commit or an undo: its number, its directory, its journal. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { commitDir, commitNumbers, commitsDir, emptyRecord, Journal } from './journal-file.ts';
import { type BeginLine, JOURNAL_VERSION } from './lines.ts';

/** A transaction that is open, and what works on it. */
export interface Transaction {
  port: FsPort;
  ctx: SessionContext;
  journal: Journal;
}

/** Makes the next transaction's directory and its journal, with what is known before anything is looked at. */
export function beginTransaction(
  port: FsPort,
  ctx: SessionContext,
  about: Omit<BeginLine, 't' | 'v' | 'n' | 'session' | 'at'>,
): Journal {
  if (port.lstat(commitsDir(ctx)) === null) port.mkdir(commitsDir(ctx), 0o700);
  const n = (commitNumbers(port, ctx).at(-1) ?? 0) + 1;
  const dir: BytePath = commitDir(ctx, n);
  port.mkdir(dir, 0o700);
  const at = new Date().toISOString();
  const line: BeginLine = { t: 'begin', v: JOURNAL_VERSION, n, session: ctx.session, at, ...about };
  const journal = new Journal(port, dir, emptyRecord(line));
  journal.add(line);
  journal.sync();
  return journal;
}
