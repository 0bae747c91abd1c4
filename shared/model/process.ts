import type { LiveProcess } from './commit.ts';

/** The kernel reuses pids: the start time tells processes of one pid apart. */
export type ProcessKey = Pick<LiveProcess, 'pid' | 'start'>;

export interface CallProcess extends LiveProcess {
  /** The call that started it, directly or through other processes; null = not known. */
  call: string | null;
}

export interface SessionProcess extends CallProcess {
  /** TCP ports in the host's network namespace on which it listens, ascending. */
  ports: number[];
}
