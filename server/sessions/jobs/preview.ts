/** What is answered before a commit or a discard is confirmed. */

import type { Env } from '../../../core/session/dirs.ts';
import { readMeta } from '../../../core/session/meta-file.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { CommitPreview, PreviewOrder } from '../../../shared/api/types.ts';
import { bytePath, toDisplay } from '../../../shared/bytes.ts';
import type { TextLooks } from '../../content/text-looks.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { contextOrThrow, heldOrThrow } from '../index/expect.ts';
import type { Reviews } from '../index/reviewed.ts';
import type { WatchedSession } from '../index/watched-session.ts';
import { testedOf } from './tested.ts';

interface Parts {
  runner: JobRunner;
  context: (session: string) => Promise<SessionContext | null>;
  env: Env;
}

/** Of what is there now, not of what a tab saw a minute ago. */
export async function preview(
  parts: Parts,
  { texts, reviews }: { texts: TextLooks; reviews: Reviews },
  session: WatchedSession,
  order: PreviewOrder,
): Promise<CommitPreview> {
  await session.changesNow();
  const ctx = await contextOrThrow(parts, session.id);
  const held = await heldOrThrow(session);
  const { list } = held;
  const known = reviews.find(session.id, list.revision);
  const { preview, reviewed } = await parts.runner.ask('preview', ctx, held, {
    order,
    texts: texts.known(list),
    review: order.action === 'commit' && known === undefined,
  });
  if (order.action !== 'commit') return preview;
  const fingerprints = known ?? reviewed;
  if (fingerprints !== null) reviews.remember(session.id, list.revision, fingerprints);
  const { projectRoot } = await readMeta(session.dir);
  const facts = { session, env: parts.env, projectRoot: toDisplay(bytePath(projectRoot)) };
  return { ...preview, tested: testedOf(facts, list, preview) };
}
