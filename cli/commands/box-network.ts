/** `trai box --net list` where this process waits for the box (core/box/gate.ts); where `bin/trai` does, the server opens it. */
import { constants as os } from 'node:os';
import { endUnopened, firstProcess, type Gate } from '../../core/box/gate.ts';
import { processStat } from '../../core/kernel/proc/proc.ts';
import type { ServerFile } from '../../core/session/server-file.ts';
import { needServer, postJson } from '../context/server-process.ts';
import type { Cli } from '../context/world.ts';

export interface Opening {
  session: string;
  /** bwrap's status. */
  status: string;
  gate: Gate;
}

/** The launcher forwards them to the command, which is not there yet. */
const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Resolves to null when the box goes on, or has ended by itself; to a status when a signal has ended it meanwhile.
 * Errors: `not-entered` where its network cannot be opened; then the box is ended, and nothing has run in it.
 */
export async function openGate(
  cli: Cli,
  { session, status, gate }: Opening,
  ended: AbortSignal,
): Promise<number | null> {
  const stop = new AbortController();
  let stopped: number | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    stopped = 128 + os.signals[signal];
    stop.abort();
  };
  for (const signal of STOPPING) process.on(signal, onSignal);
  try {
    const pid = await firstProcess(status, () => ended.aborted);
    if (pid === null) return null;
    const began = processStat(pid)?.start;
    try {
      await needServer(cli, (server) => opened(server, { session, pid }, stop.signal), stop.signal);
      stop.signal.throwIfAborted();
      gate.open();
      return null;
    } catch (error) {
      const failed = endUnopened(pid, began, error);
      if (stopped !== null) return stopped;
      throw failed;
    }
  } finally {
    for (const signal of STOPPING) process.off(signal, onSignal);
  }
}

/** Null: another program at the server's port. Errors: those of the server. */
async function opened(server: ServerFile, box: object, stop: AbortSignal): Promise<true | null> {
  return (await postJson(server, 'box-network', box, stop)) === null ? null : true;
}
