/**
 * Live or quiet: does any process have one of the session's uppers mounted? Whatever renames out of, removes
 * from or adds to an upper asks first, with the session's lock held.
 *
 *   isQuiet(session):
 *     real root, or a client runs in the session (`trai claude`), and a process has the source mounted -> live
 *     probe.ts mounts each upper: none is busy         -> quiet
 *     a process has the source mounted                 -> live
 *     else the last process is exiting: retry for 300 ms
 *
 * core/sandbox/ makes sandboxes: plan/ decides what is mounted, prepare/ makes the directories,
 * hooks/launcher/ mounts and enters (tests: entry/), doctor/ checks the machine. lock.ts is the session's
 * lock, inside.ts reaches a live overlay from outside, host-mask.ts hides trai's directories from host calls.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveProcess } from '../../shared/model/commit.ts';
import {
  ageSeconds,
  commandLine,
  endWhile,
  processArguments,
  processIds,
  processLink,
  processStat,
  processText,
} from '../kernel/proc/proc.ts';
import type { SessionContext } from '../session/session-context.ts';
import { isClientRunning } from './client-door.ts';
import { isBusy } from './probe.ts';

const RETRIES = 20;
const RETRY_MS = 15;

/**
 * Requires the lock. The kernel is asked by mounting, because an exiting process shows no namespace in /proc
 * while its mounts still exist. Real root's processes may unmount the guard and keep the uppers, so they
 * count too.
 * @throws TraiError `not-entered`: an upper could not be probed
 */
export async function isQuiet(
  ctx: Pick<SessionContext, 'sessionDir' | 'coveredDirs' | 'root' | 'source'>,
): Promise<boolean> {
  // Asked after each call of that client: a walk of /proc is cheaper than a mount of each upper.
  const seen = ctx.root || isClientRunning(ctx.sessionDir);
  for (let i = 0; i < RETRIES; i++) {
    if (seen && (await liveProcesses(ctx.source)).length > 0) return false;
    if (!(await isBusy(ctx))) return true;
    if (!seen && (await liveProcesses(ctx.source)).length > 0) return false;
    await sleep(RETRY_MS);
  }
  return false;
}

/**
 * The sessions' overlays that each process has mounted; nested namespaces included. A mount table without any is read once
 * for its namespace. The others are each process's own: the kernel gives the number of a namespace that ends meanwhile to
 * the next one, whose processes may belong to no session.
 */
export function* mountedSources(): Generator<{ pid: number; sources: ReadonlySet<string> }> {
  const without = new Set<string>();
  const of = new Map<string, { pid: number; sources: ReadonlySet<string> }>();
  const chrooted: { pid: number; namespace: string }[] = [];
  for (const pid of processIds()) {
    const namespace = processLink(pid, 'ns/mnt');
    if (namespace === null || without.has(namespace)) continue;
    const mounts = processText(pid, 'mountinfo');
    if (mounts === null) continue;
    const sources = new Set([...mounts.matchAll(/ - overlay (trai:\S+) /g)].map(([, source = '']) => source));
    if (sources.size > 0) {
      of.set(namespace, { pid, sources });
      yield { pid, sources };
    } else if (processLink(pid, 'root') === '/') without.add(namespace);
    // Its table has only what is below its root.
    else chrooted.push({ pid, namespace });
  }
  for (const { pid, namespace } of chrooted) {
    const other = of.get(namespace);
    const isThere = (one: number): boolean => processLink(one, 'ns/mnt') === namespace;
    if (other !== undefined && isThere(pid) && isThere(other.pid)) yield { pid, sources: other.sources };
  }
}

export async function liveProcesses(source: string): Promise<LiveProcess[]> {
  const found: LiveProcess[] = [];
  for (const { pid, sources } of mountedSources()) {
    const stat = sources.has(source) ? processStat(pid) : null;
    if (stat === null) continue;
    const command = commandLine(processArguments(pid) ?? [], stat.name);
    found.push({ pid, start: stat.start, command, seconds: ageSeconds(stat.start) });
  }
  return found;
}

/** The sources of all live sessions, from one walk of /proc. */
export function liveSources(): Set<string> {
  return new Set([...mountedSources()].flatMap(({ sources }) => [...sources]));
}

/** TERM, then KILL. Resolves to the pids that were signalled. */
export async function endProcesses(source: string): Promise<number[]> {
  return await endWhile(() => liveProcesses(source));
}
