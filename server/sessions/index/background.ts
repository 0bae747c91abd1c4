import { knownCalls } from '../../../core/attribution/processes.ts';
import { processStat } from '../../../core/kernel/proc/proc.ts';
import type { RunningCalls } from '../../../shared/log/call-times.ts';
import type { LogEvent, NewEvent } from '../../../shared/log/events.ts';
import type { KnownCall, SessionProcess } from '../../../shared/model/process.ts';

interface Left {
  /** Empty for a process that only the log names: who has that pid now is looked up first. */
  start: string;
  command: string;
}

/** The processes of one session that outlived their calls: which call left which, and when they have ended. */
export class Background {
  readonly #calls: KnownCall[] = [];
  /** Their processes are not left over. */
  readonly #running: RunningCalls;
  readonly #left = new Map<number, Left>();

  /** @param running the calls of the session that run; kept up by the caller */
  constructor(running: RunningCalls) {
    this.#running = running;
  }

  /** The calls that entered the sandbox, oldest first. */
  get calls(): readonly KnownCall[] {
    return this.#calls;
  }

  /** Some process has outlived its call, and its end was not seen yet. */
  get some(): boolean {
    return this.#left.size > 0;
  }

  /** Takes the next event of the log. */
  take(event: LogEvent): void {
    if (event.t === 'call.started') {
      this.#calls.push(...knownCalls([event]));
    } else if (event.t === 'call.left') {
      for (const pid of event.pids) if (!this.#left.has(pid)) this.#left.set(pid, { start: '', command: '' });
    } else if (event.t === 'processes' && event.state === 'ended') {
      for (const pid of event.pids) this.#left.delete(pid);
    }
  }

  /** The log is read anew from its beginning. */
  reset(): void {
    this.#calls.length = 0;
    this.#left.clear();
  }

  /**
   * What to write down about the processes that are there, after a call ended: each call with those of its processes
   * that were not known yet. `ended` stands for the call of a process that nothing says it of; null = it is not named.
   */
  left(processes: readonly SessionProcess[], ended: string | null): NewEvent[] {
    const byCall = new Map<string, number[]>();
    for (const { pid, start, command, call } of processes) {
      if (call !== null && this.#running.has(call)) continue;
      const known = this.#left.get(pid);
      this.#left.set(pid, { start, command });
      const owner = call ?? ended;
      if (owner === null || (known !== undefined && (known.start === '' || known.start === start))) continue;
      byCall.set(owner, [...(byCall.get(owner) ?? []), pid]);
    }
    return [...byCall].map(([call, pids]) => ({ t: 'call.left', call, pids }));
  }

  /**
   * Looks whether processes that were left have ended; costs a look at each of them, and only when one has, or when it
   * is not known who they are, at all of the machine's. Gives what to write down.
   */
  async look(list: () => Promise<SessionProcess[]>): Promise<NewEvent[]> {
    const unsure = [...this.#left.values()].some(({ start }) => start === '');
    if (!unsure && [...this.#left].every(([pid, { start }]) => isThere(pid, start))) return [];
    const processes = await list();
    const there = new Map(processes.map(({ pid, start }) => [pid, start]));
    const ended = [...this.#left].filter(
      ([pid, { start }]) => !there.has(pid) || (start !== '' && there.get(pid) !== start),
    );
    for (const [pid] of ended) this.#left.delete(pid);
    const events = this.left(processes, null);
    if (ended.length === 0) return events;
    const pids = ended.map(([pid]) => pid);
    const commands = ended.map(([, { command }]) => command);
    return [{ t: 'processes', state: 'ended', pids, commands, quiet: processes.length === 0 }, ...events];
  }
}

function isThere(pid: number, start: string): boolean {
  const stat = processStat(pid);
  return stat !== null && stat.start === start && stat.state !== 'Z';
}
