/** What all sessions take on disk, for `GET /disk`, `trai sessions` and `trai gc`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type {
  DiskUse,
  GarbageItem,
  GcPreview,
  GcReport,
  GcRequest,
  LowSpace,
  SessionDisk,
} from '../../shared/api/types.ts';
import { TraiError, toErrorBody } from '../../shared/errors.ts';
import { findGarbage, removeGarbage, sweepTrash } from '../commit/retention/collect.ts';
import { type DiskSizes, freeSpace } from '../commit/retention/disk-use.ts';
import { sessionContext } from '../sandbox/context.ts';
import { liveSources } from '../sandbox/live.ts';
import type { SessionContext } from '../session/session-context.ts';
import { listSessions } from '../session/store.ts';
import type { SessionMeta } from '../session/types.ts';
import { withSession } from './door/with-session.ts';

export interface DiskParts {
  stateDir: string;
  /** Of every session that has run something. */
  contexts: readonly SessionContext[];
  /** `disk.warnFreeBytes`. */
  warnFreeBytes: number;
  sizes: (ctx: SessionContext, live: boolean) => Promise<DiskSizes>;
}

/** One session after the other: counting is the disk's work, and nobody gains by doing it twice at a time. */
export async function diskUse({ stateDir, contexts, warnFreeBytes, sizes }: DiskParts): Promise<DiskUse> {
  const live = liveSources();
  const sessions: SessionDisk[] = [];
  for (const ctx of contexts) {
    const found = await sizes(ctx, live.has(ctx.source));
    sessions.push({
      session: ctx.session,
      projectRoot: ctx.projectRoot,
      projectGone: !existsSync(Buffer.from(ctx.projectRoot, 'latin1')),
      ...found,
      total: found.upper + found.images + found.trash + found.other,
    });
  }
  sessions.sort((a, b) => b.total - a.total);
  const { free, size } = freeSpace(nearest(stateDir));
  return {
    at: new Date().toISOString(),
    sessions,
    total: sessions.reduce((sum, { total }) => sum + total, 0),
    ...{ free, size, warnFreeBytes },
    low: free < warnFreeBytes,
  };
}

/** Set when the file system of the state directory is about to run full. One system call. */
export function lowSpace(stateDir: string, warnFreeBytes: number): LowSpace | null {
  const { free } = freeSpace(nearest(stateDir));
  return free < warnFreeBytes ? { free, warnFreeBytes } : null;
}

/** Less than this, and not even a line of a log can be counted on (bytes). */
const NO_ROOM = 64 * 1024;

/** True where nothing can be written any more: whatever fails then fails for that. */
export function isFull(stateDir: string): boolean {
  return freeSpace(nearest(stateDir)).free < NO_ROOM;
}

/** Before the first session there is no state directory: its file system is that of what will hold it. */
function nearest(dir: string): string {
  let at = dir;
  while (at !== '/' && !existsSync(at)) at = path.dirname(at);
  return at;
}

export interface Contexts {
  sessions: { meta: SessionMeta; ctx: SessionContext }[];
  /** Of these nothing is touched. */
  broken: { id: string; error: TraiError }[];
}

/** The contexts of all sessions; one that is damaged does not keep the others. */
export async function contextsOf(stateDir: string, env: NodeJS.ProcessEnv): Promise<Contexts> {
  const { sessions: found, broken } = await listSessions(stateDir);
  const sessions: Contexts['sessions'] = [];
  for (const meta of found) {
    try {
      sessions.push({ meta, ctx: await sessionContext(stateDir, meta.id, env) });
    } catch (error) {
      if (!(error instanceof TraiError)) throw error;
      if (error.code !== 'no-session') broken.push({ id: meta.id, error });
    }
  }
  return { sessions, broken };
}

/** The contexts of all sessions that can be read. */
export async function collectContexts(stateDir: string, env: NodeJS.ProcessEnv): Promise<SessionContext[]> {
  return (await contextsOf(stateDir, env)).sessions.map(({ ctx }) => ctx);
}

/** Changes nothing. */
export async function previewGc(contexts: readonly SessionContext[]): Promise<GcPreview> {
  const found = await findGarbage(contexts, Date.now());
  return { found, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Removes what is ordered and still is garbage; one that can't be removed does not keep the others. */
export async function collect(contexts: readonly SessionContext[], { items }: GcRequest): Promise<GcReport> {
  const now = Date.now();
  const found = new Map((await findGarbage(contexts, now)).map((one) => [keyOf(one), one]));
  const report: GcReport = { removed: [], kept: [], freed: 0 };
  for (const item of items) {
    const garbage = found.get(keyOf(item));
    const ctx = contexts.find(({ session }) => session === item.session);
    const why = garbage === undefined || ctx === undefined ? STAYS : await remove(ctx, garbage, now);
    const { kind, session, name } = item;
    if (garbage === undefined || why !== null) {
      report.kept.push({ kind, session, name, why: why ?? STAYS });
      continue;
    }
    report.removed.push(garbage);
    report.freed += garbage.bytes;
  }
  const [first] = contexts;
  if (first !== undefined) sweepTrash(first);
  return report;
}

const STAYS = 'it is gone already, or is needed again';

/** Null when it went, else why not. */
async function remove(ctx: SessionContext, garbage: GarbageItem, now: number): Promise<string | null> {
  try {
    const went = await withSession(
      ctx,
      'read',
      async (session) => await removeGarbage(session, garbage, now),
    );
    return went ? null : STAYS;
  } catch (error) {
    return toErrorBody(error).error.message;
  }
}

function keyOf({ kind, session, name }: GcRequest['items'][number]): string {
  return `${kind} ${session} ${name}`;
}
