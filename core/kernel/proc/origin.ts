/** Which call a process belongs to. Pure: what /proc says comes in as data. */
import type { KnownCall } from '../../../shared/model/process.ts';

export interface ProcessFacts {
  pid: number;
  parent: number;
  /** Kernel's session id (setsid): the pid of the process that made that session. */
  sid: number;
  /** When it began, milliseconds since 1970. */
  began: number;
  /** TRAI_CALL of the environment with which its program was started; null = not there, or not to be read. */
  marker: string | null;
  /** Has the session's overlay mounted. A launcher does not. */
  inside: boolean;
}

/** More ancestors than this are a loop in what was read: pids are used again while one looks. */
const MOST_ANCESTORS = 256;
/** The log's clock and the kernel's are both rounded, and may be set (ms). */
const SLACK_MS = 2_000;
/** A launcher says that it begins after the shell's start-up files and the server's answer (ms). */
const START_UP_MS = 120_000;

/**
 * Makes a function that gives the call of a process, or null when nothing says it.
 *
 * The mark in the environment counts first: it goes along when the parents are gone and when a process makes itself a
 * session of its own. Programs that clear or overwrite their environment are known by the kernel's session id: the
 * client gives each shell a session, the launcher takes the shell's place, and the kernel gives its pid to nobody else
 * while a process of that session is there. What has neither has them from the nearest ancestor that does, and from the
 * launcher itself where that still runs.
 *
 * @param calls in the order of the log
 */
export function originFinder(
  processes: Iterable<ProcessFacts>,
  calls: Iterable<KnownCall>,
): (pid: number) => string | null {
  const byPid = new Map<number, ProcessFacts>();
  for (const one of processes) byPid.set(one.pid, one);
  const ids = new Set<string>();
  const byLauncher = new Map<number, KnownCall>();
  for (const call of calls) {
    ids.add(call.id);
    byLauncher.set(call.pid, call);
  }
  return (pid) => {
    let at = byPid.get(pid);
    for (let i = 0; at !== undefined && i < MOST_ANCESTORS; i++) {
      if (at.marker !== null && ids.has(at.marker)) return at.marker;
      const call = byLauncher.get(at.inside ? at.sid : at.pid);
      if (call !== undefined && mayBe(at, byPid.get(call.pid), call)) return call.id;
      at = byPid.get(at.parent);
    }
    return null;
  };
}

/** The launcher's pid may be another process's by now: what began before the call, or made its session since, is not of it. */
function mayBe(one: ProcessFacts, leader: ProcessFacts | undefined, { at }: KnownCall): boolean {
  if (one.began < at - START_UP_MS) return false;
  return leader === undefined || (leader.began <= at + SLACK_MS && leader.began >= at - START_UP_MS);
}
