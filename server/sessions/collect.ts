import { sessionContext } from '../../shared/sandbox/node/context.ts';
import type { SessionContext } from '../../shared/sandbox/types.ts';
import { listSessions } from '../../shared/session/node/store.ts';

/** The contexts of all sessions that can be read; of the others nothing is touched. */
export async function collectContexts(stateDir: string, env: NodeJS.ProcessEnv): Promise<SessionContext[]> {
  const { sessions } = await listSessions(stateDir);
  return await Promise.all(sessions.map(({ id }) => sessionContext(stateDir, id, env)));
}
