/**
 * The processes that keep a session live, each with its age, its ports (ports.ts) and the call that started it
 * (core/kernel/proc/origin.ts). end-these.ts ends some of them and logs that.
 */
import type { KnownCall, SessionProcess } from '../../../shared/model/process.ts';
import { startedMs } from '../../kernel/proc/describe.ts';
import { originFinder, type ProcessFacts } from '../../kernel/proc/origin.ts';
import { processArguments, processEnvironment, processStat } from '../../kernel/proc/proc.ts';
import { liveProcesses } from '../../sandbox/live.ts';
import { isRefresh } from '../../sandbox/refresh.ts';
import { listeningSockets, portsOf } from './ports.ts';

/**
 * Sorted by start. `calls` gives those of the log, oldest first; it is asked after the processes were listed, since a
 * call is in the log before anything of it is in the sandbox.
 */
export async function sessionProcesses(
  source: string,
  calls: () => Promise<Iterable<KnownCall>>,
): Promise<SessionProcess[]> {
  const found = (await liveProcesses(source)).filter(({ pid }) => !isOwnOrOver(pid));
  if (found.length === 0) return [];
  const facts = new Map<number, ProcessFacts>();
  for (const { pid } of found) learn(facts, pid, true);
  for (const one of facts.values()) {
    // The Map grows while it is walked: ancestors of ancestors, and who made the kernel's session.
    for (const pid of [one.parent, one.sid]) if (pid > 1 && !facts.has(pid)) learn(facts, pid, false);
  }
  const origin = originFinder(facts.values(), await calls());
  const sockets = listeningSockets();
  return found
    .map((process) => ({ ...process, call: origin(process.pid), ports: portsOf(process.pid, sockets) }))
    .sort((a, b) => Number(a.start) - Number(b.start) || a.pid - b.pid);
}

/** A refresh of trai's own, a `mount` that it starts, or a process that has ended since it was listed. */
function isOwnOrOver(pid: number): boolean {
  if (isRefresh(argumentsOf(pid))) return true;
  const stat = processStat(pid);
  return stat === null || stat.state === 'Z' || isRefresh(argumentsOf(stat.parent));
}

/** In the middle of an exec the kernel shows no arguments for a moment. */
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
