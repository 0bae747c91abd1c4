/** What `trai claude` says when Claude Code has ended. */
import type { SessionProcess } from '../model/process.ts';
import { countText } from './text.ts';

export interface ClientEnd {
  /** Without ignored entries. */
  pending: number;
  conflicts: number;
  /** Null = the newest of its project, which commands mean by themselves. */
  session: string | null;
  /** Of the dashboard; null = no server runs. */
  port: number | null;
}

/** Empty when nothing is pending. */
export function clientEndText({ pending, conflicts, session, port }: ClientEnd): string {
  if (pending === 0) return '';
  const named = session === null ? '' : ` --session ${session}`;
  const commands = ['diff', 'commit', 'discard'].map((name) => `trai ${name}${named}`).join(', ');
  const where = port === null ? 'dashboard: trai ui' : `dashboard: http://127.0.0.1:${port}/ (trai ui)`;
  const moved = conflicts === 0 ? '' : `, ${conflicts} in conflict with changes of yours`;
  return `${countText(pending, 'change')} pending${moved}: ${commands}, ${where}`;
}

export function leftRunningText(processes: readonly SessionProcess[], kept: boolean): string {
  const lines = processes.map(({ pid, ports, command }) => {
    const listens = ports.length === 0 ? '' : ` (${ports.map((port) => `:${port}`).join(' ')})`;
    return `  ${pid}  ${command}${listens}`;
  });
  const count = countText(processes.length, 'process', 'processes');
  const what = kept
    ? `${count} of the session still running:`
    : `Ending ${count} that Claude Code left running:`;
  return [what, ...lines, ...(kept ? ['See: trai ps'] : [])].join('\n');
}

/** @param names dotted names of keys */
export function stateLeftText(names: readonly string[]): string {
  return `Not carried to your ~/.claude.json, since Claude Code obeys it: ${names.join(', ')}. To keep it, do the same in claude outside of the session (claude mcp add ...).`;
}
