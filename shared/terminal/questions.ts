/** Questions of the client as `trai answer` shows them. */
import { isObject } from '../json-lines.ts';
import { isShell } from '../log/calls.ts';
import {
  type Answered,
  type Question,
  type QuestionEnd,
  type RuleDraft,
  subjectOf,
} from '../model/question.ts';
import { replaceHidden } from '../text/hidden-characters.ts';
import { clockText, type Style } from './text.ts';

const MOST_SHOWN = 100;

function spelled(text: string): string {
  return replaceHidden(text, (code) => `\\u{${code.toString(16)}}`);
}

/** A line of its own cannot be made by what is cited. */
function cited(text: string): string {
  return spelled(text).replace(/\n/g, ' ⏎ ');
}

function oneLine(text: string): string {
  const line = cited(text);
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN - 1)}…` : line;
}

export function questionLine(question: Question, style: Style): string {
  const { n, at, tool, session } = question;
  return `${style.bold(String(n).padStart(3))}  ${clockText(at)}  ${oneLine(tool)}  ${oneLine(subjectOf(question))}  ${style.dim(session)}`;
}

export interface Size {
  rows: number;
  columns: number;
}

/**
 * All that the user has to know, and the whole call, or as much of it as a terminal shows without scrolling, with a line that
 * says how much is missing.
 * @param below what comes below it on the same screen
 */
export function questionText(question: Question, style: Style, size: Size, below: string): string {
  const { tool, project, session, agent, prompt, why, runs, uncovered, noRule, allow, deny, network } =
    question;
  const isOutside = question.input['dangerouslyDisableSandbox'] === true;
  const entry = (draft: RuleDraft): string =>
    network === undefined ? draftText(draft) : cited(draft.pattern);
  const named = uncovered.length > MOST_UNCOVERED ? uncovered.slice(0, MOST_UNCOVERED - 1) : uncovered;
  const facts: [string, string][] = [
    ['project', cited(project)],
    ['session', agent === '' ? session : `${session}, subagent ${cited(agent)}`],
    ...(prompt === '' ? [] : [['prompt', cited(prompt)] as [string, string]]),
    ['why', cited(why)],
    ...(runs === null ? [] : [['runs', RUNS[runs]] as [string, string]]),
    ...(isOutside ? [['client', OUTSIDE] as [string, string]] : []),
    ...named.map((text): [string, string] => ['no rule', oneLine(text)]),
    ...(named === uncovered ? [] : [['', `and ${uncovered.length - named.length} more`] as [string, string]]),
    ['always', allow === null ? cited(noRule) : entry(allow)],
    ['never', entry(deny)],
  ];
  const rows = facts.map(([name, text]) => `  ${style.dim(name.padEnd(8))} ${text}`);
  const around = [...rows, ...below.split('\n')].flatMap((line) => wrapped(line, size.columns));
  const room = Math.max(LEAST_LINES, size.rows - around.length - OTHER_ROWS);
  const call = wholeText(question).split('\n');
  const lines = call.flatMap((line) => wrapped(line, size.columns - INDENT.length));
  const shown = lines.slice(0, lines.length > room ? room - 1 : room);
  const more = lines.length - shown.length;
  if (more > 0) shown.push(style.bold(`… ${more} more lines; the dashboard shows all`));
  const title = style.bold(`${question.n}  ${cited(tool)}`);
  return [title, ...shown.map((line) => INDENT + line), '', ...rows].join('\n');
}

const INDENT = '  ';
const MOST_UNCOVERED = 6;
/** Title, the empty line below the call, the cursor's. */
const OTHER_ROWS = 3;
const LEAST_LINES = 4;

/** As a terminal breaks it; at least one row. */
function wrapped(line: string, columns: number): string[] {
  const rows = [''];
  let left = Math.max(2, columns);
  for (const character of line) {
    const width = widthOf(character);
    if (width > left) {
      rows.push('');
      left = Math.max(2, columns);
    }
    rows[rows.length - 1] += character;
    left -= width;
  }
  return rows;
}

/** At most: from Hangul on, a character may be two columns wide. */
function widthOf(character: string): number {
  return (character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2;
}

const RUNS = {
  sandbox: 'in the sandbox: what it writes stays pending',
  host: 'on the host',
  refuse: 'not at all: trai refuses it',
} as const;

const OUTSIDE = 'not in Claude Code’s own sandbox, if that is on: dangerouslyDisableSandbox is set';

function wholeText(question: Question): string {
  const { tool, input, network } = question;
  if (network !== undefined) return spelled(subjectOf(question));
  const isCommand = isShell(tool) && typeof input['command'] === 'string';
  const text = isCommand
    ? String(input['command'])
    : (editText(tool, input) ?? JSON.stringify(input, null, 2));
  return spelled(text).replaceAll('\t', '    ');
}

/** What Edit and Write take away and put there, of their input alone; null for other tools and other input. */
function editText(tool: string, input: Question['input']): string | null {
  const { file_path: path, content, edits } = input;
  if (typeof path !== 'string') return null;
  const name = path.replaceAll('\n', ' ⏎ ');
  if (tool === 'Write' && typeof content === 'string')
    return [`${name}, the whole file:`, ...marked('+', content)].join('\n');
  const all: readonly unknown[] = tool === 'Edit' ? [input] : tool === 'MultiEdit' ? list(edits) : [];
  const lines = all.map((edit) => {
    const { old_string: old, new_string: fresh, replace_all: every } = isObject(edit) ? edit : {};
    const isKnown =
      typeof old === 'string' && typeof fresh === 'string' && typeof (every ?? false) === 'boolean';
    if (!isKnown) return null;
    const where = every === true ? ['wherever it is:'] : [];
    return [...where, ...(old === '' ? [] : marked('-', old)), ...marked('+', fresh)];
  });
  return lines.length === 0 || lines.includes(null) ? null : [name, ...lines.flat()].join('\n');
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function marked(mark: string, text: string): string[] {
  return text.split('\n').map((line) => `${mark} ${line}`);
}

export function draftText({ tool, field, pattern }: RuleDraft): string {
  return cited(field === '' ? tool : `${tool} ${field}=${pattern}`);
}

const ENDS: Readonly<Record<QuestionEnd, string>> = {
  once: 'Allowed, once.',
  session: 'Allowed, in this session.',
  always: 'Allowed, always.',
  no: 'Denied.',
  never: 'Denied, always.',
  leave: 'Left to Claude Code.',
  ran: 'Answered in Claude Code: it runs.',
  refused: 'Answered in Claude Code: it does not run.',
  ended: 'Claude Code waits for no answer any more.',
  late: 'Nobody answered in time; Claude Code goes on by itself.',
  gone: 'Claude Code or the server has ended.',
};

/** Of a question about a host, where it is said otherwise. */
const HOST_ENDS: Partial<Record<QuestionEnd, string>> = {
  session: 'Allowed, in this box.',
  no: 'Refused, for a minute.',
  never: 'Refused, always.',
  leave: 'Left unanswered, so refused.',
};

export function answeredText({ end, rule }: Answered, { network }: Pick<Question, 'network'>): string {
  const text = (network === undefined ? undefined : HOST_ENDS[end]) ?? ENDS[end];
  return rule === null ? text : `${text}\n${ruleText(rule, network === undefined ? 'rule' : 'host')}`;
}

function ruleText(rule: NonNullable<Answered['rule']>, what: string): string {
  if (!rule.written) return `The ${what} was not added: ${rule.why}`;
  return `Added to ${rule.file} (${rule.list}).`;
}
