/** Disk usage of all sessions and removal of garbage, for `GET /disk`, `trai sessions` and `trai gc`. */

import { existsSync } from 'node:fs';
import type { Input } from '../../shared/api/contract.ts';
import type {
  DiskUse,
  GarbageItem,
  GcPreview,
  GcReport,
  SessionDisk,
  UnreadSession,
} from '../../shared/api/types.ts';
import { toErrorBody } from '../../shared/errors.ts';
import { findGarbage, removeGarbage, sweepTrash, sweepUnmade } from '../commit/retention/collect.ts';
import type { DiskSizes } from '../commit/retention/disk-use.ts';
import { freeSpace } from '../kernel/fs/free-space.ts';
import { errorCode } from '../kernel/fs/port.ts';
import { sessionContext } from '../sandbox/context.ts';
import { liveSources } from '../sandbox/live.ts';
import type { SessionMeta } from '../session/meta-file.ts';
import type { SessionContext } from '../session/session-context.ts';
import { listSessions } from '../session/store.ts';
import { unreadSession } from '../session/unread.ts';
import { withSession } from './door/with-session.ts';
import { NEEDED_AGAIN } from './messages/texts.ts';

export interface DiskParts {
  stateDir: string;
  found: Contexts;
  warnFreeBytes: number;
  sizes: (ctx: SessionContext, live: boolean) => Promise<DiskSizes>;
}

/** Counts one session after the other: the disk is the bottleneck. */
export async function diskUse({
  stateDir,
  found: { sessions: all, broken },
  warnFreeBytes,
  sizes,
}: DiskParts): Promise<DiskUse> {
  const live = liveSources();
  const sessions: SessionDisk[] = [];
  const problems: UnreadSession[] = [...broken];
  for (const { ctx } of all) {
    try {
      const found = await sizes(ctx, live.has(ctx.source));
      sessions.push({
        session: ctx.session,
        projectRoot: ctx.projectRoot,
        projectGone: !existsSync(Buffer.from(ctx.projectRoot, 'latin1')),
        ...found,
        total: found.upper + found.images + found.trash + found.other,
      });
    } catch (error) {
      problems.push(unreadSession(ctx.session, error));
    }
  }
  sessions.sort((a, b) => b.total - a.total);
  const { free, size } = freeSpace(stateDir);
  return {
    at: new Date().toISOString(),
    sessions,
    problems,
    total: sessions.reduce((sum, { total }) => sum + total, 0),
    free,
    size,
    warnFreeBytes,
    low: free < warnFreeBytes,
  };
}

export interface Contexts {
  sessions: { meta: SessionMeta; ctx: SessionContext }[];
  broken: UnreadSession[];
}

export async function contextsOf(stateDir: string, env: NodeJS.ProcessEnv): Promise<Contexts> {
  const { sessions: found, broken } = await listSessions(stateDir);
  const sessions: Contexts['sessions'] = [];
  const unread = broken.map(({ id, error }) => unreadSession(id, error));
  for (const meta of found) {
    try {
      sessions.push({ meta, ctx: await sessionContext(stateDir, meta.id, env) });
    } catch (error) {
      // Removed since.
      if (errorCode(error) !== 'no-session') unread.push(unreadSession(meta.id, error));
    }
  }
  return { sessions, broken: unread };
}

export async function previewGc({ sessions, broken }: Contexts): Promise<GcPreview> {
  const contexts = sessions.map(({ ctx }) => ctx);
  const { found, problems } = await findGarbage(contexts, Date.now());
  return {
    found,
    problems: [...broken, ...problems],
    bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Removes the requested items that are garbage still; one that can't be removed does not stop the others. */
export async function collect(
  stateDir: string,
  contexts: readonly SessionContext[],
  { items }: Input<'gc'>,
): Promise<GcReport> {
  const now = Date.now();
  const found = new Map((await findGarbage(contexts, now)).found.map((one) => [keyOf(one), one]));
  const report: GcReport = { removed: [], kept: [], freed: 0 };
  for (const item of items) {
    const garbage = found.get(keyOf(item));
    const ctx = contexts.find(({ session }) => session === item.session);
    const why = garbage === undefined || ctx === undefined ? NEEDED_AGAIN : await remove(ctx, garbage, now);
    const { kind, session, name } = item;
    if (garbage === undefined || why !== null) {
      report.kept.push({ kind, session, name, why: why ?? NEEDED_AGAIN });
      continue;
    }
    report.removed.push(garbage);
    report.freed += garbage.bytes;
  }
  const [first] = contexts;
  if (first !== undefined) sweepTrash(first);
  sweepUnmade(stateDir);
  return report;
}

async function remove(ctx: SessionContext, garbage: GarbageItem, now: number): Promise<string | null> {
  try {
    const went = await withSession(ctx, 'read', (session) => removeGarbage(session, garbage, now));
    return went ? null : NEEDED_AGAIN;
  } catch (error) {
    return toErrorBody(error).error.message;
  }
}

function keyOf({ kind, session, name }: Input<'gc'>['items'][number]): string {
  return `${kind} ${session} ${name}`;
}
