import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isFull } from '../../core/jobs/disk.ts';
import { orNull } from '../../core/kernel/fs/port.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { ensureStateDir } from '../../core/session/dirs.ts';
import { mayRun, readServerFile, type ServerFile } from '../../core/session/server-file.ts';
import type { TraiError } from '../../shared/errors.ts';
import { noSpaceForServer, portTaken, serverNotStarted, stateNotWritable } from '../messages/errors.ts';
import type { Cli } from './world.ts';

/** Null unless it answers with its proof. */
export async function findServer(cli: Cli): Promise<ServerFile | null> {
  const file = readServerFile(cli.state);
  if (file === null || !mayRun(file)) return null;
  try {
    const answer = await post(file, 'hello', '{}');
    return answer.startsWith(`${file.proof}\n`) ? file : null;
  } catch {
    return null;
  }
}

/** Starts the server if needed, like SessionStart. Errors: `io` with the reason and what to do. */
export async function needServer(cli: Cli): Promise<ServerFile> {
  const running = await findServer(cli);
  if (running !== null) return running;
  ensureStateDir(cli.state);
  canWrite(cli.state);
  const log = join(cli.state, 'server.log');
  const before = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const child = spawn('bash', [`${cli.root}/hooks/start-server.sh`], {
    stdio: 'ignore',
    env: { ...process.env, TRAI_STATE_HOME: cli.state },
  });
  const [status] = await once(child, 'close');
  // The script waits two seconds, too little on a busy machine.
  for (let tries = 0; ; tries++) {
    const started = await findServer(cli);
    if (started !== null) return started;
    const said = orNull(() => readFileSync(log).subarray(before).toString('utf8')) ?? '';
    const last = /^\S+Z ended: (.*)/m.exec(said)?.[1];
    if (last !== undefined || status === DIED || tries === START_TRIES)
      throw notStarted(cli, log, last ?? reason(said));
    await setTimeout(START_STEP_MS);
  }
}

const START_TRIES = 80;
const START_STEP_MS = 100;
/** Exit status of hooks/start-server.sh: the started server ended and no other runs. */
const DIED = 3;

function reason(said: string): string {
  return /^\w*Error\b.*$/m.exec(said)?.[0] ?? said.trim().split('\n')[0] ?? '';
}

function canWrite(state: string): void {
  try {
    accessSync(state, constants.W_OK);
  } catch (cause) {
    throw stateNotWritable(state, cause);
  }
}

function notStarted(cli: Cli, log: string, said: string): TraiError {
  const port = /EADDRINUSE.*:(\d+)/.exec(said)?.[1];
  if (port !== undefined) return portTaken(port, loadConfig(cli.env).file);
  if (isFull(cli.state)) return noSpaceForServer(cli.state);
  return serverNotStarted(said.replace(/^(\S+Z )?(Error: )?/, ''), log);
}

/** Posts JSON to a hook endpoint of the server; returns the answer's text, whatever its status. */
export async function post(server: ServerFile, endpoint: string, body: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${server.port}/hook/${endpoint}`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${server.hook}`, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(5_000),
  });
  return await response.text();
}
