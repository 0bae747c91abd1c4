/** Making room: what may go is shown first, and then exactly that goes. For `trai gc` and the dashboard. */
import type { GarbageItem, GcOrder, GcPreview, GcReport } from '../../shared/api/types.ts';
import { toErrorBody } from '../../shared/errors.ts';
import { findGarbage, removeGarbage, sweepTrash } from '../commit/retention/collect.ts';
import type { SessionContext } from '../session/session-context.ts';
import { withSession } from './door/with-session.ts';

/** Changes nothing. */
export async function previewGc(contexts: readonly SessionContext[]): Promise<GcPreview> {
  const found = await findGarbage(contexts, Date.now());
  return { found, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Removes what is ordered and still is garbage; one that can't be removed does not keep the others. */
export async function collect(contexts: readonly SessionContext[], { items }: GcOrder): Promise<GcReport> {
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

function keyOf({ kind, session, name }: GcOrder['items'][number]): string {
  return `${kind} ${session} ${name}`;
}
