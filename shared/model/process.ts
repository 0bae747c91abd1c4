import type { LiveProcess } from './commit.ts';

/** The kernel reuses pids: the start time tells processes of one pid apart. */
export interface ProcessKey {
  pid: number;
  /** Clock ticks from boot to its start, in decimal (field 22 of /proc/PID/stat). */
  start: string;
}

export interface SessionProcess extends LiveProcess, ProcessKey {
  /** The call that started it, directly or through other processes; null = not known. */
  call: string | null;
  /** TCP ports in the host's network namespace on which it listens, ascending. */
  ports: number[];
}
