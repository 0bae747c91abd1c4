/**
 * `trai box --net list`: nothing runs in the box before the server listens in its network namespace. bwrap waits at a FIFO
 * meanwhile (core/box/argv.ts), and notes the number of the first process, which is what the server needs.
 */
import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { constants as os } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { noGate, noNetwork } from '../../core/box/messages/errors.ts';
import { orNull } from '../../core/kernel/fs/port.ts';
import { processStat } from '../../core/kernel/proc/proc.ts';
import { programPath } from '../../core/kernel/programs.ts';
import { run } from '../../core/kernel/run.ts';
import type { ServerFile } from '../../core/session/server-file.ts';
import { messageOf, TraiError } from '../../shared/errors.ts';
import { needServer, postJson } from '../context/server-process.ts';
import type { Cli } from '../context/world.ts';

export interface BoxGate {
  path: string;
  /** Held open for writing, so that bwrap does not wait for somebody who opens it. */
  fd: number;
}

/** Errors: `not-entered`. */
export async function makeGate(path: string): Promise<BoxGate> {
  rmSync(path, { force: true });
  const { status, stderr } = await run(programPath('mkfifo'), ['-m', '600', path]);
  if (status !== 0) throw noGate(stderr.trim());
  return { path, fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK) };
}

export function removeGate({ path, fd }: BoxGate): void {
  closeSync(fd);
  rmSync(path, { force: true });
}

interface Opening {
  session: string;
  /** bwrap's status. */
  status: string;
  gate: BoxGate;
}

const LOOK_MS = 10;

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
    const pid = await firstProcess(status, ended);
    if (pid === null) return null;
    const began = processStat(pid)?.start;
    try {
      await needServer(cli, (server) => opened(server, { session, pid }, stop.signal), stop.signal);
      stop.signal.throwIfAborted();
      writeSync(gate.fd, 'x');
      return null;
    } catch (error) {
      // It may have ended while a server was started, and another process have its number.
      if (processStat(pid)?.start === began) orNull(() => process.kill(pid, 'SIGKILL'));
      if (stopped !== null) return stopped;
      throw noNetwork(messageOf(error), error instanceof TraiError ? error.hint : undefined);
    }
  } finally {
    for (const signal of STOPPING) process.off(signal, onSignal);
  }
}

/** Null: bwrap has ended before. */
async function firstProcess(status: string, ended: AbortSignal): Promise<number | null> {
  while (!ended.aborted) {
    // What follows shows that the number is whole.
    const text = orNull(() => readFileSync(status, 'latin1')) ?? '';
    const found = /"child-pid": (\d+)[\s,}]/.exec(text)?.[1];
    if (found !== undefined) return Number(found);
    await setTimeout(LOOK_MS);
  }
  return null;
}

/** Null: another program at the server's port. Errors: those of the server. */
async function opened(server: ServerFile, box: object, stop: AbortSignal): Promise<true | null> {
  return (await postJson(server, 'box-network', box, stop)) === null ? null : true;
}
