/**
 * Was this process started by a Claude client? Then bin/trai wants the person's permit. Each sign alone can be taken
 * away (`env -u`, a renamed program), so every ancestor is looked at for every sign. A process that left its parents
 * (setsid and a double fork) is known by its own environment only: this stops accidents, not an attack.
 */
import { isClaudeClient } from '../client-process.ts';
import { processArguments, processEnvironment, processProgram, processStat } from './proc.ts';

export interface ClientProcess {
  pid: number;
  /** Start time, see processStat. */
  start: string;
}

/** More ancestors than this are a loop in what we read (pids are used again while we look). */
const MOST_ANCESTORS = 256;

/**
 * The nearest Claude client above a process, or null. Where only the client's variables are found (the client itself
 * is gone, or cannot be looked at), the process that carries them stands for it.
 */
export function claudeAncestor(
  pid: number = process.pid,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ClientProcess | null {
  let marked: ClientProcess | null = null;
  let current = pid;
  for (let i = 0; i < MOST_ANCESTORS && current > 0; i++) {
    const stat = processStat(current);
    if (stat === null) break;
    const found = { pid: current, start: stat.start };
    // The process that asks is trai itself; everything above it may be a client.
    if (current !== pid && isClient(current)) return found;
    if (carriesMarks(current) || (current === process.pid && isMarked(new Map(Object.entries(env)))))
      marked ??= found;
    current = stat.parent;
  }
  return marked;
}

function isClient(pid: number): boolean {
  return isClaudeClient({ program: processProgram(pid), argv: processArguments(pid) ?? [] });
}

/** Variables that the client gives to hooks and to Bash. */
function isMarked(variables: ReadonlyMap<string, string | undefined>): boolean {
  return variables.get('CLAUDECODE') === '1' || (variables.get('CLAUDE_PID') ?? '') !== '';
}

function carriesMarks(pid: number): boolean {
  return isMarked(processEnvironment(pid) ?? new Map());
}
