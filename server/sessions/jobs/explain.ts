/** What the dashboard asks about one entry, one call and the processes of a session. */

import { askAbout } from '../../../core/attribution/why.ts';
import { endAndLog } from '../../../core/jobs/end-processes.ts';
import { whyCall } from '../../../core/jobs/why-call.ts';
import { liveProcesses } from '../../../core/sandbox/live.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { BytePath } from '../../../shared/bytes.ts';
import type { ProcessKey } from '../../../shared/model/process.ts';
import type { WhyCall, WhyPath } from '../../../shared/model/why.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { changeOrThrow } from '../index/expect.ts';
import type { WatchedSession } from '../index/watched-session.ts';

export interface Explained {
  session: WatchedSession;
  ctx: SessionContext;
}

/** Errors: `not-found`, when the entry is not in the list any more. */
export async function explainEntry(
  { session, ctx }: Explained,
  entry: string,
  runner: JobRunner,
): Promise<WhyPath> {
  const change = await changeOrThrow(session, entry);
  const prefix = `${change.path}/`;
  const below = session.list?.changes.filter(({ path }) => path.startsWith(prefix)).length ?? 0;
  // Inode numbers and times are for the commit on this machine.
  const { hostIdentity: _host, upperIdentity: _upper, xattrIdentity: _xattrs, ...shown } = change;
  const question = {
    path: change.path,
    change: shown,
    below,
    ...{ unreadable: false, timed: false },
    written: session.written(change),
  };
  return await runner.run('why', ctx, question);
}

/** Of any path. Errors: as a scan. */
export async function explainPath(
  { session, ctx }: Explained,
  path: BytePath,
  runner: JobRunner,
): Promise<WhyPath> {
  const list = await session.changesNow();
  const found = list.changes.find((change) => change.path === path);
  if (found !== undefined) return await explainEntry({ session, ctx }, found.id, runner);
  return await runner.run('why', ctx, askAbout(ctx, list, path));
}

/** Errors: `not-found`. */
export async function explainCall(session: WatchedSession, call: string): Promise<WhyCall> {
  return await whyCall({ id: session.id, dir: session.dir }, call, process.env);
}

/** Those of the named processes that still are the session's end; the others have ended by themselves. */
export async function endNamed(ctx: SessionContext, keys: readonly ProcessKey[]): Promise<number[]> {
  const processes = await liveProcesses(ctx.source);
  const wanted = new Map(keys.map(({ pid, start }) => [pid, start]));
  return await endAndLog(
    ctx,
    processes.filter(({ pid, start }) => wanted.get(pid) === start),
  );
}
