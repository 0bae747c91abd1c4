import { useAndCloseAsync } from '../kernel/fs/port.ts';
import { isAllInUseCurrent } from '../live-sync/held-names.ts';
import { noteLook, readBaseFile } from '../overlay/base-file.ts';
import { HostClocks, SeenWindow } from '../overlay/seen.ts';
import { mountedDevices, openInside, refreshMounts } from '../sandbox/inside.ts';
import { liveProcesses } from '../sandbox/live.ts';
import type { LiveSession } from '../sandbox/lock.ts';
import type { SessionContext } from '../session/session-context.ts';
import { withSession } from './door/with-session.ts';
import { tidy } from './tidy.ts';

/**
 * Shows a live session what the host has now, in all covered directories, as a fresh mount would: what the session writes
 * from now on has seen it. A process that works in a directory which the host has replaced goes on in the old one: as
 * long as it does, nothing counts as seen.
 * @throws TraiError `busy` when the lock can't be had
 */
export async function look(ctx: SessionContext): Promise<void> {
  if ((await liveProcesses(ctx.source)).length === 0) return;
  await withSession(ctx, 'live', async (session) => {
    const from = Date.now();
    if (await isSeen(session)) noteLook(session, { from, until: Date.now() + 1 });
  });
  // A look counts for what is made after the next pass.
  await tidy(ctx, null);
}

async function isSeen(session: LiveSession): Promise<boolean> {
  const since = new SeenWindow(session, readBaseFile(session), {}).latest;
  const clocks = new HostClocks(session);
  const devices = new Set<string>();
  let isAll = true;
  for (const covered of session.coveredDirs) {
    const inside = await openInside(session.source, covered);
    if (inside === null) continue;
    devices.add(inside.device);
    await useAndCloseAsync(inside, async () => {
      const problem = await refreshMounts(session, inside.pid, [covered.path]);
      // The base of a copy is what was copied.
      const isCopy = covered.copied !== undefined;
      const processes = await liveProcesses(session.source);
      isAll &&=
        problem === null &&
        (isCopy ||
          isAllInUseCurrent(session, { inside, covered }, processes, since - clocks.lag(covered.path)));
    });
  }
  // What is left of one may be a box, which shows a part of it elsewhere.
  return isAll && (await mountedDevices(session.source)).every((device) => devices.has(device));
}
