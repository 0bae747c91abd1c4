import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Bench } from './bench.ts';

/** Pid of the resident server; fails when server.json names none. */
export function serverPid(bench: Bench): number {
  const text = readFileSync(bench.seen(path.join(bench.state, 'server.json')), 'utf8');
  const pid = Number(/"pid":(\d+)/.exec(text)?.[1]);
  if (!(pid > 1)) throw new Error(`server.json names no process: ${text.slice(0, 40)}`);
  return pid;
}

/** Pid of the launcher of the newest call that has begun. */
export function launcherPid(bench: Bench): number {
  const started = bench.log().findLast((event) => event['t'] === 'call.started');
  const pid = Number(started?.['pid']);
  if (!(pid > 1)) throw new Error('no call has begun');
  return pid;
}

/** The pid that a pending file of this name holds: what a command wrote with `echo $$`. */
export async function pidIn(bench: Bench, name: string): Promise<number> {
  let pid = 0;
  await bench.until(async () => {
    pid = Number(await bench.pending(name));
    return pid > 1;
  });
  return pid;
}

/** SIGKILL, and waits until the process is gone. Only for processes of the bench: fails for any other. */
export async function kill(bench: Bench, pid: number): Promise<void> {
  if (!bench.processes().includes(pid)) throw new Error(`${pid} is no process of this bench`);
  process.kill(pid, 'SIGKILL');
  await bench.until(() => !isThere(pid));
}

/** True while a process runs; a zombie is gone. */
export function isThere(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Processes of the bench that run the client's program. */
export function clientPids(bench: Bench): number[] {
  return bench.processes().filter((pid) => programOf(pid) === bench.program);
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}
