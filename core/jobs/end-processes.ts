/** Ending what runs in a session, of which Claude Code itself may be a part (`trai claude`, `trai box`). */
import type { SessionProcess } from '../../shared/model/process.ts';
import { sessionProcesses } from '../attribution/processes.ts';
import { endWhile } from '../kernel/proc/proc.ts';
import { isClientRunning } from '../sandbox/client-door.ts';
import { liveProcesses } from '../sandbox/live.ts';
import { readFold } from '../session/log/read.ts';
import type { SessionContext } from '../session/session-context.ts';

type Session = Pick<SessionContext, 'sessionDir' | 'source'>;

/** `own`: Claude Code itself, its MCP servers and its hooks, which a request to end all leaves alone. */
export async function withoutClient(
  { sessionDir }: Pick<Session, 'sessionDir'>,
  processes: readonly SessionProcess[],
): Promise<{ own: readonly SessionProcess[]; others: readonly SessionProcess[] }> {
  if (!isClientRunning(sessionDir)) return { own: [], others: processes };
  const views = (await readFold(sessionDir)).views();
  const running = new Set(
    views.flatMap(({ id, origin, state }) => (origin === 'client' && state === 'running' ? [id] : [])),
  );
  const isOwn = ({ call }: SessionProcess) => call !== null && running.has(call);
  return {
    own: processes.filter(isOwn),
    others: processes.filter((one) => !isOwn(one)),
  };
}

export async function byClient(session: Session): ReturnType<typeof withoutClient> {
  const calls = async () => (await readFold(session.sessionDir)).spans();
  return await withoutClient(session, await sessionProcesses(session.source, calls));
}

/** Also of a client that starts meanwhile. Resolves to the pids that were signalled. @throws TraiError `live` */
export async function endOthers(session: Session): Promise<number[]> {
  return await endWhile(async () =>
    isClientRunning(session.sessionDir)
      ? (await byClient(session)).others
      : await liveProcesses(session.source),
  );
}
