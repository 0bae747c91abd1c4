/**
 * One server a state directory. `server.lock` belongs to the running server; the kernel releases it with the
 * process.
 *
 *     the lock is free               take it, serve
 *     a server of this version       exit: it is not needed
 *     an older server                ask it to drain, wait for the lock, serve
 *
 * The port is remembered, so that open tabs find the next server.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { orNull } from '../../core/kernel/fs/port.ts';
import { replaceFile } from '../../core/kernel/fs/state-file.ts';
import { takeFileLock } from '../../core/kernel/proc/file-lock.ts';
import { mayRun, readServerFile, type ServerFile } from '../../core/session/server-file.ts';
import { isNewer } from '../../core/session/version.ts';
import { TraiError } from '../../shared/errors.ts';

/** An older server finishes its work first, such as a commit. */
const DRAIN_WAIT_S = 60;

/** Null: a server of this version or newer runs. Otherwise the result releases the lock. */
export async function becomeTheServer(
  stateDir: string,
  version: string,
): Promise<(() => Promise<void>) | null> {
  const file = path.join(stateDir, 'server.lock');
  const free = await tryLock(file, 0);
  if (free !== null) return free;
  const running = readServerFile(stateDir);
  // It is starting or exiting.
  if (running === null) return await tryLock(file, 5);
  if (!isNewer(version, running.version)) return null;
  await askToLeave(running);
  return await tryLock(file, DRAIN_WAIT_S);
}

async function tryLock(file: string, seconds: number): Promise<(() => Promise<void>) | null> {
  try {
    return await takeFileLock(file, seconds);
  } catch (error) {
    if (error instanceof TraiError && error.code === 'busy') return null;
    throw error;
  }
}

async function askToLeave(running: ServerFile): Promise<void> {
  if (!mayRun(running)) return;
  try {
    await fetch(`http://127.0.0.1:${running.port}/hook/drain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.hook}` },
    });
  } catch {}
}

const fileOf = (stateDir: string): string => path.join(stateDir, 'last-port');

/** 0 (any port) when none is known. */
export function readLastPort(stateDir: string): number {
  const text = orNull(() => readFileSync(fileOf(stateDir), 'latin1')) ?? '';
  const port = /^\d{1,5}\n$/.test(text) ? Number(text) : 0;
  return port > 1023 && port < 65_536 ? port : 0;
}

/** Best effort: otherwise the next server has another port. */
export async function writeLastPort(stateDir: string, port: number): Promise<void> {
  await replaceFile(fileOf(stateDir), `${port}\n`).catch(() => {});
}
