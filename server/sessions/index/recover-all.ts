import type { NewEvent } from '../../../shared/log/events.ts';
import type { ManagerParts } from './manager-parts.ts';
import type { WatchedSession } from './watched-session.ts';

/** Commits that a kill stopped in the middle are finished before anything else is done with the sessions. Never rejects. */
export async function recoverAll(
  sessions: readonly WatchedSession[],
  { context, runner, report }: Pick<ManagerParts, 'context' | 'runner' | 'report'>,
  log: (session: WatchedSession, event: NewEvent) => Promise<void>,
): Promise<void> {
  for (const session of sessions) {
    try {
      const ctx = await context(session.id);
      if (ctx === null) continue;
      const finished = await runner.run('recover', ctx, null);
      if (finished !== null) session.markOrdered();
    } catch (error) {
      report(error);
      const text = `an unfinished commit could not be finished: ${error instanceof Error ? error.message : String(error)}`;
      await log(session, { t: 'notice', code: 'unfinished', text }).catch(report);
    }
  }
}
