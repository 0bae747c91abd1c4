/**
 * Ends a benchmark within two seconds of a signal. What measures is a process of its own: it may be inside a scan or a
 * copy of a million names when the signal comes, and removing what it made takes longer than two seconds.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { constants, homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { pause } from '../lib/exec.ts';
import { findLeftovers, processKeys } from '../lib/leftovers.ts';

/** Set in the process that measures and in all that it starts. */
const RUN = 'TRAI_BENCH_RUN';
/** How long the process that measures may take to end by itself. */
const GRACE_MS = 1_200;

/** True in the process that measures. There a signal is acknowledged, as soon as the event loop turns. */
export function isMeasuring(): boolean {
  if (process.env[RUN] === undefined) return false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => process.connected && process.send?.('ending'));
  return true;
}

/** Runs a command as the process that measures. Resolves to the exit status. */
export async function supervise([program = '', ...args]: readonly string[]): Promise<number> {
  const before = processKeys();
  const cache = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  mkdirSync(cache, { recursive: true });
  const dirs = [cache, tmpdir()].map((dir) => mkdtempSync(path.join(dir, 'trai-bench-')));
  const [disk = '', scratch = ''] = dirs;
  const id = path.basename(scratch);
  const worker = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [RUN]: id, TMPDIR: scratch, XDG_CACHE_HOME: disk },
  });
  let acknowledged = false;
  worker.on('message', () => {
    acknowledged = true;
  });
  const ended = new Promise<number>((resolve) => {
    worker.once('error', () => resolve(127));
    worker.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
  const signalled = new Promise<number>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.once(signal, () => {
        worker.kill('SIGTERM');
        resolve(128 + constants.signals[signal]);
      });
  });
  const status = await Promise.race([ended, signalled]);
  const gone = await Promise.race([ended.then(() => true), pause(GRACE_MS).then(() => false)]);
  // It cleans up after itself, and goes on with that alone.
  if (!gone && acknowledged) {
    console.error(`bench: stopped; process ${worker.pid} still removes what was made for it.`);
    worker.disconnect();
    worker.unref();
    return status;
  }
  for (const { pid } of findLeftovers(before, [`${RUN}=${id}`, ...dirs])) kill(pid);
  const remove = 'chmod -R u+rwX "$@"; rm -rf "$@"';
  spawn('sh', ['-c', remove, 'sh', ...dirs], { detached: true, stdio: 'ignore', cwd: '/' }).unref();
  return status;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
