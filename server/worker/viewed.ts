import {
  contentKey,
  etagOfChange,
  readViewed,
  type ViewedMark,
  writeViewed,
} from '../../core/content/viewed.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import type { Input } from '../../shared/api/contract.ts';
import type { ViewedState } from '../../shared/api/types.ts';
import { type ChangeList, sameRevision } from '../../shared/model/change.ts';
import { refusal } from '../messages/refusals.ts';

/** Entries whose content is compared; more count as changed. */
const MAX_READ = 200;

export async function viewedState(ctx: SessionContext, list: ChangeList): Promise<ViewedState> {
  const marks = await readViewed(ctx.sessionDir);
  const state: ViewedState = { viewed: [], updated: [] };
  const renewed: [string, ViewedMark][] = [];
  let reads = 0;
  for (const change of marks.size === 0 ? [] : list.changes) {
    const mark = marks.get(change.id);
    if (mark === undefined) continue;
    const etag = etagOfChange(change);
    let isSame = mark.etag === etag;
    // Rewritten with the same content: it stays viewed.
    if (!isSame && mark.content !== null && reads++ < MAX_READ) {
      isSame = (await contentKey(ctx, change)) === mark.content;
      if (isSame) renewed.push([change.id, { ...mark, etag }]);
    }
    (isSame ? state.viewed : state.updated).push(change.id);
  }
  if (renewed.length > 0) await writeViewed(ctx.sessionDir, renewed);
  return state;
}

/** Gives all marks. @throws TraiError `stale-revision`: a mark must never cover later content */
export async function markViewed(
  ctx: SessionContext,
  list: ChangeList,
  order: Input<'markViewed'>,
): Promise<ViewedState> {
  const marks = order.viewed
    ? await marksFor(ctx, list, order)
    : order.entries.map((id): [string, null] => [id, null]);
  await writeViewed(ctx.sessionDir, marks);
  return await viewedState(ctx, list);
}

async function marksFor(
  ctx: SessionContext,
  list: ChangeList,
  order: Input<'markViewed'>,
): Promise<[string, ViewedMark][]> {
  const wanted = new Set(order.entries);
  const changes = list.changes.filter(({ id }) => wanted.has(id));
  const [only] = changes;
  const isSeen =
    order.etag === null
      ? sameRevision(list.revision, order.revision, true)
      : changes.length === 1 && only !== undefined && etagOfChange(only) === order.etag;
  if (!isSeen || changes.length < order.entries.length) throw refusal('not-as-seen');
  const marks: [string, ViewedMark][] = [];
  for (const change of changes) {
    const content = changes.length > MAX_READ ? null : await contentKey(ctx, change);
    marks.push([change.id, { id: change.id, etag: etagOfChange(change), content }]);
  }
  return marks;
}
