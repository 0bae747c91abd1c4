/**
 * Live or quiet: does any process have one of the session's uppers mounted? Whatever renames out of, removes from or adds to
 * an upper asks here first, with the session's lock held.
 *
 * core/sandbox/ has what makes a sandbox: plan/ decides what is mounted, prepare/ makes the directories, the launcher in
 * hooks/launcher/ mounts and enters, entry/ tests that, and doctor/ checks the machine. Here in the folder itself: live or
 * quiet (live.ts, probe.ts asks the kernel), the session's lock (lock.ts), refreshing a live overlay (refresh.ts), and what
 * hides trai's own directories from host calls (host-mask.ts).
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveProcess } from '../../shared/model/commit.ts';
import { ageSeconds, commandLine } from '../kernel/proc/describe.ts';
import { endWhile } from '../kernel/proc/end.ts';
import { processArguments, processStat } from '../kernel/proc/proc.ts';
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

/** The processes of this user that have an overlay of that source mounted, nested namespaces included. */
export async function liveProcesses(source: string): Promise<LiveProcess[]> {
  const known = new Map<string, boolean>();
  const mark = ` - overlay ${source} `;
  const found: LiveProcess[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    try {
      const namespace = readlinkSync(`/proc/${name}/ns/mnt`);
      let named = known.get(namespace);
      if (named === undefined) {
        named = readFileSync(`/proc/${name}/mountinfo`, 'latin1').includes(mark);
        known.set(namespace, named);
      }
      const process = named ? describeProcess(Number(name)) : null;
      if (process !== null) found.push(process);
    } catch {
      // Gone meanwhile, or somebody else's.
    }
  }
  return found;
}

/** Null when it has gone between the two looks. */
function describeProcess(pid: number): LiveProcess | null {
  const stat = processStat(pid);
  if (stat === null) return null;
  const command = commandLine(processArguments(pid) ?? [], stat.name);
  return { pid, start: stat.start, command, seconds: ageSeconds(stat.start) };
}

/** Ends every process of the session by pid: TERM, then KILL. Resolves to the pids that were signalled. */
export async function endProcesses(source: string): Promise<number[]> {
  return await endWhile(() => liveProcesses(source));
}
