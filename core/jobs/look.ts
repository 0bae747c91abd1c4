import type { BytePath } from '../../shared/bytes.ts';
import { addTo } from '../../shared/maps.ts';
import { areCurrent, mayInspect, namesInUse, type Shown } from '../live-sync/held-names.ts';
import { noteLook, readBaseFile } from '../overlay/base-file.ts';
import { HostClocks, SeenWindow } from '../overlay/seen.ts';
import { mountedDevices, openInsideOf, refreshMounts } from '../sandbox/inside.ts';
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

/**
 * What is in use at a refresh and let go before anybody looks stays cached as it was. It would have to be in use at each of
 * these, and never when looked at.
 */
const REFRESHES = 2;

async function isSeen(session: LiveSession): Promise<boolean> {
  const since = new SeenWindow(session, readBaseFile(session), {}).latest;
  const clocks = new HostClocks(session);
  let processes = await liveProcesses(session.source);
  const shown: Shown[] = [];
  try {
    for (const covered of session.coveredDirs) {
      const inside = openInsideOf(processes, session.source, covered);
      if (inside !== null) shown.push({ inside, covered });
    }
    const used = new Map<string, BytePath[]>();
    const note = () => {
      for (const [device, names] of namesInUse(processes, shown))
        for (const name of names) addTo(used, device, name);
    };
    note();
    for (let i = 0; i < REFRESHES; i++) {
      if (!(await refreshAll(session, shown))) return false;
      processes = await liveProcesses(session.source);
      if (!processes.every(({ pid }) => mayInspect(pid))) return false;
      note();
    }
    const devices = new Set(shown.map(({ inside }) => inside.device));
    return (
      // What is left of one may be a box, which shows a part of it elsewhere.
      mountedDevices(processes, session.source).every((device) => devices.has(device)) &&
      shown.every(
        (one) =>
          // The base of a copy is what was copied.
          one.covered.copied !== undefined ||
          areCurrent(session, one, used.get(one.inside.device) ?? [], since - clocks.lag(one.covered.path)),
      )
    );
  } finally {
    for (const { inside } of shown) inside.close();
  }
}

async function refreshAll(session: LiveSession, shown: readonly Shown[]): Promise<boolean> {
  for (const pid of new Set(shown.map(({ inside }) => inside.pid))) {
    const points = shown.filter(({ inside }) => inside.pid === pid).map(({ covered }) => covered.path);
    if ((await refreshMounts(session, pid, points)) !== null) return false;
  }
  return true;
}
