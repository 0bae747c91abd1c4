/** Ends processes of a session. Apart from what explains calls (calls.ts): `trai claude` loads this at every start. */
import type { LiveProcess } from '../../shared/model/commit.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import { endThese, sessionProcesses } from '../attribution/processes.ts';
import { readFold } from '../session/log/read.ts';
import type { SessionContext } from '../session/session-context.ts';
import { log } from './door/outcome.ts';

/**
 * Ends these processes, logged before the first signal, and returns the pids signalled.
 * @throws TraiError `live` with those that could not be ended
 */
export async function endAndLog(ctx: SessionContext, processes: readonly LiveProcess[]): Promise<number[]> {
  if (processes.length === 0) return [];
  const pids = processes.map(({ pid }) => pid);
  const commands = processes.map(({ command }) => command);
  await log(ctx, { t: 'processes', state: 'ending', pids, commands, quiet: false });
  return await endThese(ctx.source, processes);
}

/** Of the session's client and what it started; not of `trai exec` and `trai explore` in other terminals. */
export async function clientProcesses(ctx: SessionContext): Promise<SessionProcess[]> {
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
