import { TraiError } from '../../shared/errors.ts';
import { sessionContext } from '../sandbox/context.ts';
import type { SessionContext } from '../session/session-context.ts';
import { listSessions } from '../session/store.ts';
import type { SessionMeta } from '../session/types.ts';

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
