/** The processes of a session for a terminal, under the calls that started them. */

import { durationText } from '../format.ts';
import type { CallView } from '../log/calls.ts';
import type { SessionProcess } from '../model/process.ts';
import { oneLine } from './log.ts';
import { clockText, countText, type Style } from './style.ts';

export interface PsInput {
  session: string;
  processes: readonly SessionProcess[];
  calls: readonly CallView[];
}

export function psText({ session, processes, calls }: PsInput, style: Style): string {
  if (processes.length === 0) return `No processes of session ${style.bold(session)} are running.`;
  const byCall = new Map<string | null, SessionProcess[]>();
  for (const process of processes) byCall.set(process.call, [...(byCall.get(process.call) ?? []), process]);
  const count = countText(processes.length, 'process', 'processes');
  const lines = [`${count} of session ${style.bold(session)} running`];
  for (const [id, group] of byCall) {
    lines.push(
      callLine(
        calls.find((call) => call.id === id),
        style,
      ),
    );
    for (const process of group) lines.push(processLine(process, style));
  }
  lines.push(style.dim('End them with: trai ps --end [PID...]'));
  return lines.join('\n');
}

function callLine(call: CallView | undefined, style: Style): string {
  if (call === undefined) return style.dim('  call unknown:');
  const at = clockText(call.startedAt ?? '');
  const state = call.state === 'running' ? 'running since' : 'ended, started at';
  return `  ${oneLine(call.command)} ${style.dim(`(call ${call.id}, ${state} ${at})`)}`;
}

function processLine({ pid, seconds, ports, command }: SessionProcess, style: Style): string {
  const age = durationText(seconds * 1000).padEnd(12);
  const listens = ports.length === 0 ? '' : `${style.cyan(ports.map((port) => `:${port}`).join(' '))}  `;
  return `  ${String(pid).padStart(9)}  ${style.dim(age)} ${listens}${command}`;
}
