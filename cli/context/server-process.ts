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
import { TraiError } from '../../shared/errors.ts';
import { fullText } from '../../shared/terminal/text.ts';
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
  const before = sizeOf(log);
  const child = spawn('bash', [`${cli.root}/hooks/start-server.sh`], {
    stdio: 'ignore',
    env: { ...process.env, TRAI_STATE_HOME: cli.state },
  });
  const [status] = await once(child, 'close');
  // The script waits two seconds, too little on a busy machine.
  for (let tries = 0; ; tries++) {
    const started = await findServer(cli);
    if (started !== null) return started;
    const said = logSince(log, before);
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
    throw new TraiError('io', 'the server did not start: this user may not write to the state directory', {
      path: state,
      hint: 'Make it writable for this user, or set TRAI_STATE_HOME to a directory on a local disk that is. More: trai doctor',
      cause,
    });
  }
}

function notStarted(cli: Cli, log: string, said: string): TraiError {
  const port = /EADDRINUSE.*:(\d+)/.exec(said)?.[1];
  if (port !== undefined) {
    const { file } = loadConfig(cli.env);
    return new TraiError('io', `the server did not start: another program has port ${port}`, {
      ...(file === null ? {} : { path: file }),
      hint: 'The config names that port (server.port): name another, or 0 for any. Until then calls take the slower Node path, and nothing is lost.',
    });
  }
  if (isFull(cli.state))
    return new TraiError('no-space', 'the server did not start', { hint: fullText(cli.state) });
  const why = said === '' ? '' : `: ${said.replace(/^(\S+Z )?(Error: )?/, '')}`;
  return new TraiError('io', `the server did not start${why}`, {
    path: log,
    hint: `Look at the end of ${log}, and at: trai doctor`,
  });
}

function logSince(log: string, size: number): string {
  return orNull(() => readFileSync(log).subarray(size).toString('utf8')) ?? '';
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
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
