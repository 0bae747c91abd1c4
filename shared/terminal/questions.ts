/** Questions of the client as `trai answer` shows them. */
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

function oneLine(text: string): string {
  const line = spelled(text).replace(/\n/g, ' ⏎ ');
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN - 1)}…` : line;
}

export function questionLine(question: Question, style: Style): string {
  const { n, at, tool, session } = question;
  return `${style.bold(String(n).padStart(3))}  ${clockText(at)}  ${tool}  ${oneLine(subjectOf(question))}  ${style.dim(session)}`;
}

/** All that the user has to know, and the whole call. */
export function questionText(question: Question, style: Style): string {
  const { tool, project, session, agent, why, runs, uncovered, noRule, allow, deny } = question;
  const facts: [string, string][] = [
    ['project', project],
    ['session', agent === '' ? session : `${session}, subagent ${agent}`],
    ['why', why],
    ...(runs === null ? [] : [['runs', RUNS[runs]] as [string, string]]),
    ...uncovered.map((text): [string, string] => ['no rule', oneLine(text)]),
    ['always', allow === null ? noRule : draftText(allow)],
    ['never', draftText(deny)],
  ];
  const rows = facts.map(([name, text]) => `  ${style.dim(name.padEnd(8))} ${text}`);
  return [style.bold(`${question.n}  ${tool}`), ...wholeLines(question), '', ...rows].join('\n');
}

const RUNS = {
  sandbox: 'in the sandbox: what it writes stays pending',
  host: 'on the host',
  refuse: 'not at all: trai refuses it',
} as const;

const MOST_LINES = 200;

function wholeLines({ tool, input }: Question): string[] {
  const isCommand = isShell(tool) && typeof input['command'] === 'string';
  const text = isCommand ? String(input['command']) : JSON.stringify(input, null, 2);
  const lines = spelled(text).split('\n');
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${line}`);
  return lines.length > MOST_LINES
    ? [...shown, `  … ${lines.length - MOST_LINES} more lines; the dashboard shows all`]
    : shown;
}

export function draftText({ tool, field, pattern }: RuleDraft): string {
  return field === '' ? tool : `${tool} ${field}=${pattern}`;
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

export function endText(end: QuestionEnd): string {
  return ENDS[end];
}

export function answeredText({ end, rule }: Answered): string {
  if (rule === null) return endText(end);
  const text = rule.written ? `Added to ${rule.file} (${rule.list}).` : `The rule was not added: ${rule.why}`;
  return `${endText(end)}\n${text}`;
}
