/** Apart from what explains calls (calls.ts): `trai claude` loads this at every start. */
import type { CallView } from '../../shared/log/calls.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import { liveProcesses } from '../sandbox/live.ts';
import type { SessionContext } from '../session/session-context.ts';

/** Of the session's client and what it started; not of `trai exec` and `trai explore` in other terminals. */
export async function clientProcesses(ctx: SessionContext): Promise<SessionProcess[]> {
  if ((await liveProcesses(ctx.source)).length === 0) return [];
  // Loaded when needed, as most clients leave none.
  const { sessionProcesses } = await import('../attribution/processes.ts');
  const { readFold } = await import('../session/log/read.ts');
  const fold = async () => await readFold(ctx.sessionDir);
  const found = await sessionProcesses(ctx.source, async () => (await fold()).spans());
  if (found.length === 0) return [];
  const others = new Set(
    (await fold())
      .views()
      .flatMap(({ id, origin }) => (origin === 'exec' || origin === 'explore' ? [id] : [])),
  );
  return found.filter(({ call }) => call === null || !others.has(call));
}

/** The newest start of a client in the session, as the launcher has logged it. */
export async function lastClientCall(sessionDir: string): Promise<CallView | undefined> {
  const { readFold } = await import('../session/log/read.ts');
  const calls = await readFold(sessionDir).then(
    (fold) => fold.views(),
    () => [],
  );
  return calls.findLast(({ origin }) => origin === 'client');
}
