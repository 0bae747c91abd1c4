import type { BytePath } from '../bytes.ts';
import { durationText } from '../format.ts';
import { type CallState, type CallView, shownCommand, type ToolView } from '../log/calls.ts';
import { addTo } from '../maps.ts';
import { errorOfTool } from '../model/call-outcome.ts';
import type { Change } from '../model/change.ts';
import type { SessionProcess } from '../model/process.ts';
import type { QuestionEnd } from '../model/question.ts';
import type { Permission } from '../model/rule.ts';
import { changeLine } from './status.ts';
import { clockText, countText, type Style } from './text.ts';

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

/** Pending changes by call, of which it may be the last writer. */
export type Wrote = ReadonlyMap<string, number>;

export interface LogInput {
  calls: readonly CallView[];
  /** Of them, those that were not left to the client are shown among the calls. */
  tools: readonly ToolView[];
  wrote: Wrote;
}

/** Oldest first; `most`: of the calls, and of the other tools. */
export function logText({ calls, tools, wrote }: LogInput, style: Style, most: number): string {
  const decided = tools.filter(({ decision }) => decision !== 'pass');
  if (calls.length + decided.length === 0) return 'No calls yet.';
  const newest = calls.slice(-most);
  const head =
    newest.length === calls.length
      ? countText(calls.length, 'call')
      : `The last ${newest.length} of ${calls.length} calls`;
  const from = newest.length === calls.length ? '' : beganAt(newest[0]);
  let at = '';
  const lines = newest.map((call) => {
    // One without a time stays behind the one before it.
    at = beganAt(call) || at;
    const text = [callLine(call, style, wrote.get(call.id) ?? 0), ...savedLines(call, style)].join('\n');
    return { at, text };
  });
  const shown = decided.filter(({ at }) => at >= from).slice(-most);
  lines.push(...shown.map((tool) => ({ at: tool.at, text: toolLine(tool, style) })));
  lines.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
  return [head, ...lines.map(({ text }) => text)].join('\n');
}

function beganAt(call: CallView | undefined): string {
  return call?.startedAt ?? call?.requestedAt ?? '';
}

const DECISIONS = { allow: 'allowed', ask: 'asked', deny: 'denied', pass: 'client' } as const;

function toolLine(tool: ToolView, style: Style): string {
  const color = tool.decision === 'deny' ? style.red : style.dim;
  const said = color(DECISIONS[tool.decision].padEnd(7));
  const by = tool.outcomeBy === 'classifier' ? ' by the classifier' : '';
  const type = tool.outcome === 'failed' ? `: ${errorOfTool(tool.error)}` : '';
  const outcome = tool.outcome === null ? '' : style.dim(` ${tool.outcome}${type}${by}`);
  return `${style.dim(clockText(tool.at).padEnd(8))} ${said}          ${tool.tool} ${oneLine(tool.subject)}${outcome}${byText(tool, style)}`;
}

/** Nothing for a call that only reads: most do. */
function byText(permission: Permission | null, style: Style): string {
  if (permission === null || permission.by === 'read-only') return '';
  if (permission.decision === 'pass' && permission.answered === null) return '';
  return style.dim(` (${permissionText(permission)})`);
}

/** `denied by /home/kim/.config/trai/rules.json deny[0], for rm -rf build` */
export function permissionText({ decision, by, rule, segment, subject, answered }: Permission): string {
  const who = { 'trai': 'trai itself', 'client': 'Claude Code', 'broken': `the unusable rule file ${rule}` };
  const named = by === 'trai' || by === 'client' || by === 'broken' ? who[by] : rule === '' ? by : rule;
  const part = segment === '' || segment === subject ? '' : `, for ${oneLine(segment)}`;
  const said =
    decision === 'pass' ? 'left to' : decision === 'ask' ? 'asked about by' : `${DECISIONS[decision]} by`;
  return `${said} ${named}${part}${answered === null ? '' : answerText(answered)}`;
}

const PLACES = { tab: 'in the dashboard', answer: 'with trai answer', client: 'in Claude Code' } as const;
const ANSWERS: Readonly<Record<QuestionEnd, string>> = {
  once: 'allowed',
  session: 'allowed, with a rule for the session,',
  always: 'allowed, with a rule,',
  no: 'denied',
  never: 'denied, with a rule,',
  leave: 'left to Claude Code',
  ran: 'allowed',
  refused: 'denied',
  ended: '',
  late: '',
  gone: '',
};

function answerText({ end, by }: NonNullable<Permission['answered']>): string {
  return ANSWERS[end] === '' ? '' : `; ${ANSWERS[end]} by you ${PLACES[by]}`;
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
  const said = call.state === 'unsandboxed' ? ended : ended + reach + byText(call.permission, style);
  return `${style.dim(at.padEnd(8))} ${place} ${exit} ${oneLine(shownCommand(call))}${time}${said}${pending}${leftText(call, style)}`;
}

function leftText({ left, gone }: CallView, style: Style): string {
  const running = left.filter((pid) => !gone.includes(pid)).length;
  return running === 0
    ? ''
    : ` ${style.yellow(`${countText(running, 'process', 'processes')} of it still running: trai ps`)}`;
}

function savedLines({ saved }: CallView, style: Style): string[] {
  return saved.flatMap(({ what, restore, text }) => [
    ...restore.map(
      (line) =>
        `  ${style.yellow('saved')} what \`${what}\` threw away; restore it in a terminal with: ${line}`,
    ),
    ...(text === '' ? [] : [`  ${style.red('not saved')} what \`${what}\` threw away: ${oneLine(text)}`]),
  ]);
}

/** At most 100 characters, with control characters made visible. */
export function oneLine(command: string): string {
  const text = command.replace(/\s+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}

export interface PsInput {
  session: string;
  processes: readonly SessionProcess[];
  calls: readonly CallView[];
}

export function psText({ session, processes, calls }: PsInput, style: Style): string {
  if (processes.length === 0) return `No processes of session ${style.bold(session)} are running.`;
  const byCall = new Map<string | null, SessionProcess[]>();
  for (const process of processes) addTo(byCall, process.call, process);
  const count = countText(processes.length, 'process', 'processes');
  const lines = [`${count} of session ${style.bold(session)} running`];
  for (const [id, group] of byCall) {
    const call = calls.find((one) => one.id === id);
    lines.push(callHead(call, style));
    for (const process of group) lines.push(processLine(process, style));
  }
  lines.push(style.dim('End them with: trai ps --end [PID...]'));
  return lines.join('\n');
}

function callHead(call: CallView | undefined, style: Style): string {
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

/** One call, or several candidates. */
export interface CallGroup {
  /** In order of their start; empty = unknown. */
  calls: readonly string[];
  /** Empty for a call of an adopted session. */
  commands: string[];
  changes: Change[];
}

const NAMED = 20;

/** In call order, changes of unknown calls last, without ignored entries. */
export function groupByCall(changes: readonly Change[], calls: readonly CallView[]): CallGroup[] {
  const known = new Map(calls.map(({ id, command }, order) => [id, { command, order }]));
  const groups = new Map<string, CallGroup>();
  for (const change of changes) {
    if (change.ignored !== null) continue;
    const { by = [] } = change;
    const key = by.join(' ');
    const commands = by.map((id) => known.get(id)?.command ?? '');
    const group = groups.get(key) ?? { calls: by, commands, changes: [] };
    group.changes.push(change);
    groups.set(key, group);
  }
  const order = ({ calls: [first] }: CallGroup): number =>
    first === undefined ? Number.POSITIVE_INFINITY : (known.get(first)?.order ?? -1);
  const rank = (a: CallGroup, b: CallGroup): number => (order(a) === order(b) ? 0 : order(a) - order(b));
  return [...groups.values()].sort(rank);
}

export function byCallText(groups: readonly CallGroup[], projectRoot: BytePath, style: Style): string {
  if (groups.length === 0) return 'Nothing is pending.';
  return groups
    .map((group) => {
      const lines = [...headLines(group, style)];
      for (const change of group.changes.slice(0, NAMED)) lines.push(changeLine(change, projectRoot, style));
      const more = group.changes.length - NAMED;
      if (more > 0) lines.push(style.dim(`  … and ${more} more`));
      return lines.join('\n');
    })
    .join('\n\n');
}

function headLines({ calls, commands, changes }: CallGroup, style: Style): string[] {
  const count = countText(changes.length, 'change');
  if (calls.length === 0) return [style.bold(`${count}; call unknown`)];
  const named = calls.map(
    (id, i) => `${oneLine(commands[i] || '(a call of another session)')} ${style.dim(id)}`,
  );
  if (named.length === 1) return [style.bold(`${count} by `) + (named[0] ?? '')];
  return [style.bold(`${count} by one of ${named.length} calls:`), ...named.map((name) => `  | ${name}`)];
}
