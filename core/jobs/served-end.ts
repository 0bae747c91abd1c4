/** What only the end of a client needs that `bin/trai` has waited for, whoever does it: the server, or Node after it (client-end.ts). */
import { rmSync } from 'node:fs';
import { hasRun } from '../box/bwrap.ts';
import { runFiles } from '../box/instance.ts';
import { notMade } from '../box/messages/errors.ts';
import { argsOf, gateOf } from '../box/start-files.ts';
import { knownBoxRecord } from '../sandbox/box-record.ts';
import { sessionDir } from '../session/dirs.ts';
import type { WantedBox } from './box-start.ts';
import { lastClientCall } from './client-processes.ts';
import { NOT_ENTERED } from './no-room.ts';

export interface ClientEnded {
  /** To leave with. */
  code: number;
  keepsRunning: boolean;
}

/**
 * From the words of `bin/trai`: the status, `lost` where bash did not get it, which makes it a guess (the launcher has logged
 * it), and `keep-running`.
 */
export async function clientEndOf(
  sessionDir: string,
  [status, ...marks]: readonly string[],
): Promise<ClientEnded> {
  const guess = Number(status);
  const keepsRunning = marks.includes('keep-running');
  return { code: marks.includes('lost') ? await loggedStatus(sessionDir, guess) : guess, keepsRunning };
}

async function loggedStatus(sessionDir: string, guess: number): Promise<number> {
  const call = await lastClientCall(sessionDir);
  return call?.state === 'not-entered' ? NOT_ENTERED : (call?.rc ?? guess);
}

/**
 * Removes what a box was started with. Does nothing without one.
 * @throws TraiError `not-entered`: bwrap could not make it
 */
export function endBox(
  { stateDir, session, pid }: Pick<WantedBox, 'stateDir' | 'session' | 'pid'>,
  code: number,
): void {
  const record = knownBoxRecord(sessionDir(stateDir, session));
  if (record === null) return;
  const { status } = runFiles(record.instance, session, pid);
  const ran = code !== 1 || hasRun(status);
  for (const file of [status, argsOf(status), gateOf(status)]) rmSync(file, { force: true });
  if (!ran) throw notMade();
}
