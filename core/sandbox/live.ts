/**
 * Live or quiet: does any process have one of the session's uppers mounted? Whatever renames out of, removes from or adds to
 * an upper asks here first, with the session's lock held.
 *
 * core/sandbox/ has what makes a sandbox: plan/ decides what is mounted, prepare/ makes the directories, the launcher in
 * hooks/launcher/ mounts and enters, entry/ tests that, and doctor/ checks the machine. Here in the folder itself: live or
 * quiet (live.ts, probe.ts asks the kernel), the session's lock (lock.ts), a live overlay from outside (inside.ts), and what
 * hides trai's own directories from host calls (host-mask.ts).
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveProcess } from '../../shared/model/commit.ts';
import { orNull } from '../kernel/fs/port.ts';
import { ageSeconds, commandLine, endWhile, processArguments, processStat } from '../kernel/proc/proc.ts';
import type { SessionContext } from '../session/session-context.ts';
import { isBusy } from './probe.ts';

/** How often a namespace that is going away is looked at again. */
const RETRIES = 20;
const RETRY_MS = 15;

/**
 * True when nobody has an upper of the session mounted. The lock must be held. The kernel is asked by mounting: a
 * process that is just exiting shows no namespace in /proc any more while its mounts are still there. Real root's guard
 * may have been unmounted by a process that kept the rest, so there the processes are looked at as well.
 *
 * @throws TraiError `not-entered`: an upper could not be asked about
 */
export async function isQuiet(
  ctx: Pick<SessionContext, 'sessionDir' | 'coveredDirs' | 'root' | 'source'>,
): Promise<boolean> {
  for (let i = 0; i < RETRIES; i++) {
    if (ctx.root && (await liveProcesses(ctx.source)).length > 0) return false;
    if (!(await isBusy(ctx))) return true;
    if (!ctx.root && (await liveProcesses(ctx.source)).length > 0) return false;
    // No process, yet busy: the last one is on its way out.
    await sleep(RETRY_MS);
  }
  return false;
}

/**
 * The processes of this user, each with the sources of the sessions that it has mounted, nested namespaces included.
 * The mount table of a namespace is read once.
 */
function* mountedSources(): Generator<{ pid: number; sources: ReadonlySet<string> }> {
  const known = new Map<string, ReadonlySet<string>>();
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    // Null: gone meanwhile, or somebody else's.
    const namespace = orNull(() => readlinkSync(`/proc/${name}/ns/mnt`));
    if (namespace === null) continue;
    let sources = known.get(namespace);
    if (sources === undefined) {
      const mounts = orNull(() => readFileSync(`/proc/${name}/mountinfo`, 'latin1'));
      if (mounts === null) continue;
      sources = new Set([...mounts.matchAll(/ - overlay (trai:\S+) /g)].map(([, source = '']) => source));
      known.set(namespace, sources);
    }
    yield { pid: Number(name), sources };
  }
}

/** The processes that have an overlay of that source mounted. */
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

/** The mount sources of all sessions that are live, from one walk of /proc: 200 of `liveProcesses` would take long. */
export function liveSources(): Set<string> {
  return new Set([...mountedSources()].flatMap(({ sources }) => [...sources]));
}

/** Ends every process of the session by pid: TERM, then KILL. Resolves to the pids that were signalled. */
export async function endProcesses(source: string): Promise<number[]> {
  return await endWhile(() => liveProcesses(source));
}
