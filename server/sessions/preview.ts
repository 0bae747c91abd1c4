/** What is answered before a commit or a discard is confirmed. */
import type { CommitPreview, PreviewOrder } from '../../shared/api/types.ts';
import { bytePath, toDisplay } from '../../shared/bytes.ts';
import type { SessionContext } from '../../shared/sandbox/types.ts';
import type { Env } from '../../shared/session/node/dirs.ts';
import { readMeta } from '../../shared/session/node/meta.ts';
import { contextOrThrow } from './expect.ts';
import type { Reviews } from './reviewed.ts';
import type { JobRunner } from './runner.ts';
import { testedOf } from './tested.ts';
import type { TextLooks } from './text-looks.ts';
import type { WatchedSession } from './watched-session.ts';

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
