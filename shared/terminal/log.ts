/** The calls of a session for a terminal. */

import { durationText } from '../format.ts';
import { type CallState, type CallView, shownCommand } from '../log/calls.ts';
import { clockText, countText, type Style } from './style.ts';

const STATES = {
  'requested': 'waiting',
  'running': 'running',
  'ended': '',
  'not-entered': 'not entered, nothing ran',
  'refused': 'refused',
  'not-run': 'not run',
  'unsandboxed': 'NOT SANDBOXED',
  'lost': 'end unknown (the launcher was killed)',
} as const satisfies Record<CallState, string>;

/** How many pending changes each call is among the last writers of. */
export type Wrote = ReadonlyMap<string, number>;

/** The newest `most` calls, oldest first. */
export function logText(calls: readonly CallView[], style: Style, most: number, wrote: Wrote): string {
  if (calls.length === 0) return 'No calls yet.';
  const newest = calls.slice(-most);
  const head =
    newest.length === calls.length
      ? countText(calls.length, 'call')
      : `The last ${newest.length} of ${calls.length} calls`;
  const lines = newest.flatMap((call) => [
    callLine(call, style, wrote.get(call.id) ?? 0),
    ...savedLines(call, style),
  ]);
  return [head, ...lines].join('\n');
}

function callLine(call: CallView, style: Style, wrote: number): string {
  const at = clockText(call.startedAt ?? call.requestedAt ?? '');
  const place =
    call.mode === 'host'
      ? style.yellow('host   ')
      : call.mode === 'refuse'
        ? style.red('refused')
        : 'sandbox';
  const exit =
    call.rc === null
      ? ' '.repeat(8)
      : (call.rc === 0 ? style.green : style.red)(`exit ${String(call.rc).padEnd(3)}`);
  const time = call.ms === null ? '' : style.dim(` ${durationText(call.ms)}`);
  const state = STATES[call.state];
  const reach = call.mode === 'sandbox' && call.text !== '' ? ` ${style.yellow('may act on the host')}` : '';
  const ended = state === '' ? '' : ` ${call.state === 'unsandboxed' ? style.red(state) : style.dim(state)}`;
  const pending = wrote === 0 ? '' : ` ${style.cyan(`${wrote} pending`)}`;
  const said = call.state === 'unsandboxed' ? ended : ended + reach;
  return `${style.dim(at.padEnd(8))} ${place} ${exit} ${oneLine(shownCommand(call))}${time}${said}${pending}${leftText(call, style)}`;
}

/** Processes that it left and that have not been seen to end. */
function leftText({ left, gone }: CallView, style: Style): string {
  const running = left.filter((pid) => !gone.includes(pid)).length;
  return running === 0
    ? ''
    : ` ${style.yellow(`${countText(running, 'process', 'processes')} of it still running: trai ps`)}`;
}

/** What it threw away on the host, with the exact lines that restore it. */
function savedLines({ saved }: CallView, style: Style): string[] {
  return saved.flatMap(({ what, restore, text }) => [
    ...restore.map(
      (line) =>
        `  ${style.yellow('saved')} what \`${what}\` threw away; restore it in a terminal with: ${line}`,
    ),
    ...(text === '' ? [] : [`  ${style.red('not saved')} what \`${what}\` threw away: ${oneLine(text)}`]),
  ]);
}

/** A command on one line, cut at 100 characters, with control characters made visible. */
export function oneLine(command: string): string {
  const text = command.replace(/\s+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}
