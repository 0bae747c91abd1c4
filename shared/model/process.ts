/** Processes that keep a session live. Pure data. */
import type { LiveProcess } from './commit.ts';

/** Names one process: a pid comes back for another one, which then began at another time. */
export interface ProcessKey {
  pid: number;
  /** Clock ticks from boot to its start, in decimal (field 22 of /proc/PID/stat). */
  start: string;
}

/** A process of the session, with what is known of where it came from. */
export interface SessionProcess extends LiveProcess, ProcessKey {
  /** Id of the call that it was started by, itself or through others; null = not known. */
  call: string | null;
  /** TCP ports on which it listens in this machine's own network, ascending. */
  ports: number[];
}

/** A call of the log that may have started processes. */
export interface KnownCall {
  id: string;
  /** Pid of its launcher. */
  pid: number;
  /** When the launcher said that it began, milliseconds since 1970. */
  at: number;
}
