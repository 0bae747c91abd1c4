import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isFull } from '../../core/kernel/fs/free-space.ts';
import { programPath } from '../../core/kernel/programs.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { ensureStateDir } from '../../core/session/dirs.ts';
import { mayRun, readServerFile, type ServerFile } from '../../core/session/server-file.ts';
import { ERROR_TABLE, type ErrorCode, TraiError } from '../../shared/errors.ts';
import { isObject } from '../../shared/json-lines.ts';
import { noSpaceForServer, portTaken, serverNotStarted, stateNotWritable } from '../messages/errors.ts';
import type { Cli } from './world.ts';

/** Null unless the server answers with its proof. */
export type Ask<T> = (server: ServerFile) => Promise<T | null>;

export const hello: Ask<ServerFile> = async (server) =>
  (await post(server, 'hello', '{}')).startsWith(`${server.proof}\n`) ? server : null;

export async function findServer(cli: Cli, ask = hello): Promise<ServerFile | null> {
  return await asked(cli, ask);
}

async function asked<T>(cli: Cli, ask: Ask<T>): Promise<T | null> {
  const server = readServerFile(cli.state);
  if (server === null || !mayRun(server)) return null;
  try {
    return await ask(server);
  } catch (error) {
    if (error instanceof TraiError) throw error;
    return null;
  }
}

/**
 * Asks the server, and starts it if needed, like SessionStart. The question itself shows whether it runs: another one
 * before it would be waited for twice.
 * Errors: `io` with the reason and what to do, those of `ask`.
 */
export async function needServer<T>(cli: Cli, ask: Ask<T>, stop?: AbortSignal): Promise<T> {
  const running = await asked(cli, ask);
  if (running !== null) return running;
  stop?.throwIfAborted();
  ensureStateDir(cli.state);
  canWrite(cli.state);
  const log = join(cli.state, 'server.log');
  const before = sizeOf(log);
  const pid = await startServer(cli);
  const until = Date.now() + START_MS;
  for (;;) {
    // Before it is asked: it leaves when another one was faster, which then answers.
    const ended = pid !== null && !mayRun({ pid });
    const started = await asked(cli, ask);
    if (started !== null) return started;
    stop?.throwIfAborted();
    const said = sizeOf(log) > before ? readFileSync(log).subarray(before).toString('utf8') : '';
    const last = /^\S+Z ended: (.*)/m.exec(said)?.[1];
    if (last !== undefined || ended || Date.now() > until) throw notStarted(cli, log, last ?? reason(said));
    await setTimeout(START_STEP_MS);
  }
}

/** A busy machine takes seconds. */
const START_MS = 10_000;
const START_STEP_MS = 10;

/** Its process id, or null where none could be started. */
async function startServer(cli: Cli): Promise<number | null> {
  const child = spawn(programPath('bash'), [`${cli.root}/hooks/start-server.sh`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TRAI_STATE_HOME: cli.state },
  });
  let said = '';
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    said += text;
  });
  await once(child, 'close');
  return /^\d+\n$/.test(said) ? Number(said) : null;
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

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

const ANSWER_MS = 5_000;

/** Posts JSON to a hook endpoint of the server; returns the answer's text, whatever its status. */
export async function post(
  server: ServerFile,
  endpoint: string,
  body: string,
  stop?: AbortSignal,
): Promise<string> {
  // Neither fetch nor node:http, whose parts take 20 and 4 ms to load.
  const socket = connect(server.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const late = globalThis.setTimeout(() => socket.destroy(new Error('no answer')), ANSWER_MS);
  try {
    const head = [
      `POST /hook/${endpoint} HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${server.hook}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    await once(socket, 'end', stop === undefined ? {} : { signal: stop });
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
  return bodyOf(Buffer.concat(chunks));
}

/** Errors: where that is no whole answer. */
function bodyOf(answer: Buffer): string {
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.toString('latin1', 0, Math.max(end, 0));
  const status = /^HTTP\/1\.1 (\d)\d\d /.exec(head)?.[1];
  // Still processing: the answer comes behind it.
  if (status === '1') return bodyOf(answer.subarray(end + 4));
  const length = /^content-length: *(\d+) *$/im.exec(head)?.[1];
  const body = answer.subarray(end + 4);
  if (status === undefined || Number(length) !== body.length) throw new Error('expected a whole answer');
  return body.toString('utf8');
}

/** The server's answer; null without its proof. Errors: those of the server. */
export async function postJson(
  server: ServerFile,
  endpoint: string,
  body: object,
  stop?: AbortSignal,
): Promise<Record<string, unknown> | null> {
  const said: unknown = JSON.parse(await post(server, endpoint, JSON.stringify(body), stop));
  if (!isObject(said)) return null;
  const { error, proof } = said;
  if (!isObject(error)) return proof === server.proof ? said : null;
  const code = String(error['code']);
  const known = Object.hasOwn(ERROR_TABLE, code) ? (code as ErrorCode) : 'internal';
  const hint = 'hint' in error ? String(error['hint']) : undefined;
  throw new TraiError(known, String(error['message'] ?? ''), { hint });
}
