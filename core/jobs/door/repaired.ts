/** Discards, and undos of discards, that were interrupted: what became of them stands in the log. */

import type { NewEvent } from '../../../shared/log/events.ts';
import { readManifest } from '../../commit/journal/trash.ts';
import { interruptedDiscard, type RepairedSession } from '../../commit/recover/repair.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import type { Locked } from '../../sandbox/lock.ts';
import { readLog } from '../../session/log/read.ts';

/** Runs what may finish one. */
export async function repairAndLog(
  ctx: Locked<RepairedSession>,
  log: (event: NewEvent) => Promise<void>,
  repair: () => unknown,
): Promise<void> {
  const before = interruptedDiscard(ctx);
  repair();
  if (before === null || interruptedDiscard(ctx) !== null) return;
  if (before.what === 'discard' && (await isLogged(ctx, before.trash))) return;
  const event = outcomeOf(ctx, before);
  if (event !== null) await log(event);
}

/** Then it was over long since: an adoption that took the overlay away and was killed leaves the same as a discard. */
async function isLogged({ sessionDir }: RepairedSession, trash: string): Promise<boolean> {
  const { events } = await readLog(sessionDir);
  return events.some((event) => event.t === 'discard' && event.trash === trash);
}

function outcomeOf(
  ctx: RepairedSession,
  { trash, what }: { trash: string; what: 'discard' | 'undo' },
): NewEvent | null {
  const manifest = readManifest(nodePort, ctx, trash);
  if (manifest === null) return null;
  const { entries, state } = manifest;
  const done = what === 'discard' ? 'discarded' : 'replaced';
  if (state === done)
    return what === 'discard'
      ? { t: 'discard', trash, entries, ended: [] }
      : { t: 'undo', what: 'discard', trash, entries };
  const text =
    what === 'discard'
      ? 'a discard was interrupted, and taken back: the session had written to what was to go; all of it is pending'
      : 'the undo of a discard was interrupted, and not all of it could come back: the rest can still be taken back';
  return { t: 'notice', code: 'unfinished', text };
}
