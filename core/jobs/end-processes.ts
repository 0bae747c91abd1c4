import type { LiveProcess } from '../../shared/model/commit.ts';
import { endThese } from '../attribution/processes.ts';
import { appendEvent } from '../session/log/append.ts';
import type { SessionContext } from '../session/session-context.ts';

/**
 * The person's order to end these processes of the session. It is on record before the first signal. Resolves to the
 * pids that were signalled. Errors: `live`, with those that could not be ended.
 */
export async function endAndLog(ctx: SessionContext, processes: readonly LiveProcess[]): Promise<number[]> {
  if (processes.length === 0) return [];
  appendEvent(ctx.sessionDir, {
    v: 1,
    at: new Date().toISOString(),
    t: 'processes',
    state: 'ending',
    pids: processes.map(({ pid }) => pid),
    commands: processes.map(({ command }) => command),
    quiet: false,
  });
  return await endThese(ctx.source, processes);
}
