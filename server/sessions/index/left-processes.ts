import { processStat, startedMs } from '../../../core/kernel/proc/proc.ts';
import type { LogEvent, NewEvent } from '../../../shared/log/events.ts';
import type { LogFold } from '../../../shared/log/fold.ts';
import { addTo } from '../../../shared/maps.ts';
import type { CallProcess } from '../../../shared/model/process.ts';

export class LeftProcesses {
  /** `start` is empty for a process known from the log only: which one has that pid now is checked first. */
  readonly #left = new Map<number, { start: string; command: string }>();

  get some(): boolean {
    return this.#left.size > 0;
  }

  take(event: LogEvent): void {
    if (event.t === 'call.left') {
      for (const pid of event.pids) if (!this.#left.has(pid)) this.#left.set(pid, { start: '', command: '' });
    } else if (event.t === 'processes' && event.state === 'ended') {
      for (const pid of event.pids) this.#left.delete(pid);
    }
  }

  /** Per call the processes not known yet. `ended`: for those without a call; null = not logged. */
  found(processes: readonly CallProcess[], ended: string | null, running: LogFold['running']): NewEvent[] {
    const byCall = new Map<string, number[]>();
    for (const { pid, start, command, call } of processes) {
      if (call !== null && running.has(call)) continue;
      const known = this.#left.get(pid);
      this.#left.set(pid, { start, command });
      const owner = call ?? ended;
      if (owner === null || (known !== undefined && (known.start === '' || known.start === start))) continue;
      addTo(byCall, owner, pid);
    }
    return [...byCall].map(([call, pids]) => ({ t: 'call.left', call, pids }));
  }

  /** Checks each; `list`, which reads all of /proc, only when one has ended or is not identified. */
  async ended(list: () => Promise<CallProcess[]>, running: LogFold['running']): Promise<NewEvent[]> {
    const unsure = [...this.#left.values()].some(({ start }) => start === '');
    if (!unsure && [...this.#left].every(([pid, { start }]) => isThere(pid, start))) return [];
    const processes = await list();
    const there = new Map(processes.map(({ pid, start }) => [pid, start]));
    const ended = [...this.#left].filter(
      ([pid, { start }]) => !there.has(pid) || (start !== '' && there.get(pid) !== start),
    );
    for (const [pid] of ended) this.#left.delete(pid);
    const events = this.found(processes, null, running);
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

/** The log's clock and the kernel's are rounded (ms). */
const SLACK_MS = 2_000;

/** A reused pid belongs to a process that started after `startedAt`. */
export function isLauncherAlive(pid: number, startedAt: string): boolean {
  const stat = processStat(pid);
  if (stat === null || stat.state === 'Z' || stat.state === 'X') return false;
  return startedMs(stat.start) <= Date.parse(startedAt) + SLACK_MS;
}
