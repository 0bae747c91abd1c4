/** What is answered before a commit or a discard is confirmed. */

import type { Env } from '../../../core/session/dirs.ts';
import { readMeta } from '../../../core/session/meta-file.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { CommitPreview, PreviewOrder } from '../../../shared/api/types.ts';
import { bytePath, toDisplay } from '../../../shared/bytes.ts';
import type { TextLooks } from '../../content/text-looks.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { contextOrThrow } from '../index/expect.ts';
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
  const list = await session.changesNow();
  const ctx = await contextOrThrow(parts, session.id);
  const preview = await parts.runner.run('preview', ctx, { list, order, texts: texts.known(list) });
  if (order.action !== 'commit') return preview;
  await reviews.remember(list);
  const { projectRoot } = await readMeta(session.dir);
  const facts = { session, env: parts.env, projectRoot: toDisplay(bytePath(projectRoot)) };
  return { ...preview, tested: testedOf(facts, list, preview) };
}
