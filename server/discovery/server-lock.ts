/**
 * One server a state directory. The lock belongs to the running server; a newer version asks the older one to finish and waits.
 * last-port.ts remembers the port, so that open tabs find the next server.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../core/kernel/fs/state-file.ts';
import { takeFileLock } from '../../core/kernel/proc/file-lock.ts';
import { mayRun, readServerFile, type ServerFile } from '../../core/session/server-file.ts';
import { isNewer } from '../../core/session/version.ts';
import { TraiError } from '../../shared/errors.ts';

/** How long an older server may take to finish its work, in seconds: a commit is given the time it needs. */
const DRAIN_WAIT_S = 60;

/**
 * One server for a state directory: holds `server.lock` while it lives (the kernel gives it back when it is killed).
 * An older server is asked to leave and waited for; null = one of this version or newer runs, and this one is not
 * needed.
 */
export async function becomeTheServer(
  stateDir: string,
  version: string,
): Promise<(() => Promise<void>) | null> {
  const file = path.join(stateDir, 'server.lock');
  const free = await tryLock(file, 0);
  if (free !== null) return free;
  const running = readServerFile(stateDir);
  if (running === null) {
    // It is just starting or just leaving.
    return await tryLock(file, 5);
  }
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
  } catch {
    // It is gone already; its lock tells.
  }
}

const fileOf = (stateDir: string): string => path.join(stateDir, 'last-port');

/** 0 (any port) when none is known. */
export function readLastPort(stateDir: string): number {
  let text: string;
  try {
    text = readFileSync(fileOf(stateDir), 'latin1');
  } catch {
    return 0;
  }
  const port = /^\d{1,5}\n$/.test(text) ? Number(text) : 0;
  return port > 1023 && port < 65_536 ? port : 0;
}

/** Best effort: without it the next server has another port, as if there had been none before. */
export async function writeLastPort(stateDir: string, port: number): Promise<void> {
  await replaceFile(fileOf(stateDir), `${port}\n`).catch(() => {});
}
