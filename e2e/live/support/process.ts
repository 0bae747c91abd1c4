/** Programs that the tests start: each to its end, with its output; nothing is ended by name. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';

export interface Ended {
  /** Exit status; 128+n for a signal. */
  status: number;
  out: string;
  err: string;
}

export interface Start {
  cwd: string;
  env: NodeJS.ProcessEnv;
  input?: string;
}

/** Runs a program to its end. Processes that it leaves behind go on. */
export function runToEnd(program: string, args: readonly string[], start: Start): Promise<Ended> {
  const child = spawn(program, args, { cwd: start.cwd, env: start.env, detached: true });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said.err += chunk;
  });
  // A hook may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(start.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ status: statusOf(code, signal), ...said }));
  });
}

/**
 * Runs a program as the client runs a shell: both outputs are one file, so that a process that stays behind in the
 * background keeps nobody waiting.
 */
export async function runWithOutputFile(
  program: string,
  args: readonly string[],
  start: Start,
  file: string,
): Promise<Ended> {
  const output = openSync(file, 'a', 0o600);
  const child = spawn(program, args, {
    cwd: start.cwd,
    env: start.env,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const status = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(statusOf(code, signal)));
  });
  return { status, out: readFileSync(file, 'utf8'), err: '' };
}

function statusOf(code: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}
