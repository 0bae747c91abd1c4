/** The processes that keep a session live, with age, TCP ports and call (core/kernel/proc/origin.ts). */
import type { CallProcess, ProcessKey, SessionProcess } from '../../shared/model/process.ts';
import { type KnownCall, originFinder, type ProcessFacts } from '../kernel/proc/origin.ts';
import {
  descriptorLinks,
  endWhile,
  processArguments,
  processEnvironment,
  processStat,
  startedMs,
  tcpSockets,
} from '../kernel/proc/proc.ts';
import { isRefresh } from '../sandbox/inside.ts';
import { liveProcesses } from '../sandbox/live.ts';

/** By start. `calls` is read after the processes are listed: a call is logged before it has processes. */
export async function callProcesses(
  source: string,
  calls: () => Promise<Iterable<KnownCall>>,
): Promise<CallProcess[]> {
  const found = (await liveProcesses(source)).filter(({ pid }) => !isOwnOrOver(pid));
  if (found.length === 0) return [];
  const facts = new Map<number, ProcessFacts>();
  for (const { pid } of found) learn(facts, pid, true);
  for (const one of facts.values()) {
    // The Map grows during the loop: ancestors of ancestors, and leaders of kernel sessions.
    for (const pid of [one.parent, one.sid]) if (pid > 1 && !facts.has(pid)) learn(facts, pid, false);
  }
  const origin = originFinder(facts.values(), await calls());
  return found
    .map((process) => ({ ...process, call: origin(process.pid) }))
    .sort((a, b) => Number(a.start) - Number(b.start) || a.pid - b.pid);
}

/** With their ports, for which the kernel goes through a table that is large on a large machine (10 ms). */
export async function sessionProcesses(
  ...asked: Parameters<typeof callProcesses>
): Promise<SessionProcess[]> {
  const found = await callProcesses(...asked);
  if (found.length === 0) return [];
  const sockets = listeningSockets();
  return found.map((process) => ({ ...process, ports: portsOf(process.pid, sockets) }));
}

/** A refresh of trai's own, the `mount` that it runs, or a process that has ended. */
function isOwnOrOver(pid: number): boolean {
  if (isRefresh(argumentsOf(pid))) return true;
  const stat = processStat(pid);
  return stat === null || stat.state === 'Z' || isRefresh(argumentsOf(stat.parent));
}

/** During an exec the kernel shows no arguments for a moment. */
function argumentsOf(pid: number): string[] {
  for (let look = 0; look < 5; look++) {
    const argv = processArguments(pid);
    if (argv === null || argv.some((word) => word !== '')) return argv ?? [];
  }
  return [];
}

function learn(facts: Map<number, ProcessFacts>, pid: number, inside: boolean): void {
  const stat = processStat(pid);
  if (stat === null) return;
  const marker = inside ? (processEnvironment(pid)?.get('TRAI_CALL') ?? null) : null;
  const { parent, sid, start } = stat;
  facts.set(pid, { pid, parent, sid, began: startedMs(start), marker, inside });
}

const LISTEN = '0A';

function listeningSockets(): Map<string, number> {
  const sockets = new Map<string, number>();
  for (const { local, state, inode } of tcpSockets()) {
    const port = Number.parseInt(local.split(':').at(-1) ?? '', 16);
    if (state === LISTEN && port > 0) sockets.set(inode, port);
  }
  return sockets;
}

/** Ascending; empty when the descriptors are not readable. */
function portsOf(pid: number, sockets: ReadonlyMap<string, number>): number[] {
  if (sockets.size === 0) return [];
  const ports = new Set<number>();
  for (const target of descriptorLinks(pid)) {
    const port = sockets.get(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '');
    if (port !== undefined) ports.add(port);
  }
  return [...ports].sort((a, b) => a - b);
}

/** Leaves pids with another start time alone. Resolves to the pids that were signalled. Errors: `live`. */
export async function endThese(source: string, keys: readonly ProcessKey[]): Promise<number[]> {
  const wanted = new Map(keys.map(({ pid, start }) => [pid, start]));
  return await endWhile(async () => {
    const processes = await liveProcesses(source);
    return processes.filter(({ pid, start }) => wanted.get(pid) === start);
  });
}
