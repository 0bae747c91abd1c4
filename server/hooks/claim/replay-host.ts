import { type ReplayRequest, replay } from '../../../core/live-sync/replay.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import type { NewEvent } from '../../../shared/log/events.ts';
import { failureText } from '../world/failure.ts';

/** What a process wrote to a file while the host's version took its place. */
export function savedNotice(path: BytePath): NewEvent {
  const text = `a process of the session wrote to a file while the host's change of it was taken over; its version is pending as ${toDisplay(path)}`;
  return { t: 'notice', code: 'replay-saved', text };
}

/** Where nobody follows the host: replays what it has changed. What fails is told; the next call of the session tries again. */
export async function replayHost(
  ctx: SessionContext,
  request: ReplayRequest,
  log: (event: NewEvent) => Promise<void>,
): Promise<void> {
  try {
    const { saved } = await replay(ctx, request);
    for (const path of saved) await log(savedNotice(path));
  } catch (error) {
    const text = `a running process was not told of a change on the host: ${failureText(error, ctx.stateDir)}`;
    await log({ t: 'notice', code: 'not-replayed', text });
  }
}
