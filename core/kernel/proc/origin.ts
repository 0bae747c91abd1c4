/** Which call a process belongs to. Pure: the facts from /proc are parameters. */
import type { Span } from '../../../shared/log/call-times.ts';

export interface ProcessFacts {
  pid: number;
  parent: number;
  sid: number;
  /** ms since 1970. */
  began: number;
  /** TRAI_CALL in its initial environment; null = absent or not readable. */
  marker: string | null;
  /** A launcher has not mounted the overlay. */
  inside: boolean;
}

/** A call of the sandbox, as the log knows it. */
export type KnownCall = Pick<Span, 'call' | 'pid' | 'from'>;

/** A longer chain is a loop, caused by a reused pid. */
const MOST_ANCESTORS = 256;
/** The log's clock and the kernel's are rounded, and the former may be set (ms). */
const SLACK_MS = 2_000;
/** A launcher logs its start only after the shell's start-up files and the server's answer (ms). */
const START_UP_MS = 120_000;

/**
 * Returns a function from a pid to its call, or null. TRAI_CALL decides first: it survives the end of the
 * parents and setsid(2). If the environment was cleared, the kernel's session id decides: the client gives
 * each shell a session, the launcher replaces the shell, and that pid is not reused while the session has a
 * process. Otherwise the nearest ancestor decides.
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
  for (const one of calls) {
    ids.add(one.call);
    byLauncher.set(one.pid, one);
  }
  return (pid) => {
    let at = byPid.get(pid);
    for (let i = 0; at !== undefined && i < MOST_ANCESTORS; i++) {
      if (at.marker !== null && ids.has(at.marker)) return at.marker;
      const known = byLauncher.get(at.inside ? at.sid : at.pid);
      if (known !== undefined && mayBe(at, byPid.get(known.pid), known)) return known.call;
      at = byPid.get(at.parent);
    }
    return null;
  };
}

/** The launcher's pid may be reused by an older process or by a later session leader. */
function mayBe(one: ProcessFacts, leader: ProcessFacts | undefined, { from }: KnownCall): boolean {
  if (one.began < from - START_UP_MS) return false;
  return leader === undefined || (leader.began <= from + SLACK_MS && leader.began >= from - START_UP_MS);
}
