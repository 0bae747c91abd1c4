/** Questions of the client, and what an answer does. */
import type { Answered, Question, QuestionEnd, RulePreview } from '../../shared/model/question.ts';
import { count, plural } from '../text/format.ts';

export const NO_QUESTIONS = 'Claude Code asks nothing';
export const NO_QUESTIONS_HINT =
  'When it asks whether a call may run, you can answer here, in its own terminal, or with trai answer. The first answer counts.';

export const ANSWER_WORDS = {
  once: ['Allow once', 'y'],
  session: ['Allow in this session…', 's'],
  always: ['Always allow…', 'a'],
  no: ['Deny', 'n'],
  message: ['Deny with a message…', 'm'],
  never: ['Never allow…', 'd'],
  leave: ['Leave it to Claude Code', 'Esc'],
} as const;

export const RUN_WORDS = {
  sandbox: ['Sandbox', 'It would run in the sandbox: what it writes stays pending'],
  host: ['Host', 'It would run on the host, and act at once'],
  refuse: ['Refused', 'trai would refuse to run it'],
} as const;

const ENDS: Readonly<Record<QuestionEnd, string>> = {
  once: 'Allowed, once',
  session: 'Allowed, in this session',
  always: 'Always allowed',
  no: 'Denied',
  never: 'Denied, and never allowed',
  leave: 'Left to Claude Code',
  ran: 'Answered in Claude Code: it runs',
  refused: 'Answered in Claude Code: it does not run',
  ended: 'Claude Code waits for no answer any more',
  late: 'Nobody answered in time; Claude Code goes on by itself',
  gone: 'Claude Code or the server has ended',
};

export const endWords = (end: QuestionEnd): string => ENDS[end];

export const ruleWords = (rule: NonNullable<Answered['rule']>): string =>
  rule.written ? `Added to the ${rule.list} rules in ${rule.file}` : `The rule was not added: ${rule.why}`;

export const waitWords = ({ dialog, until }: Question): string =>
  dialog
    ? 'Claude Code’s own dialog is open, too'
    : until === null
      ? 'Claude Code waits'
      : 'Claude Code waits a while, and then goes on by itself';

export const headingWords = (open: number): string => (open === 0 ? '' : `${plural(open, 'question')} open`);

export const askedWords = ({ tool }: Pick<Question, 'tool'>): string => `${tool} waits for your answer.`;

export const matchWords = ({ matches, problem, decision }: RulePreview): string => {
  if (!matches) return `It does not decide this call: ${problem}.`;
  return decision === 'ask'
    ? 'It matches this call, but another rule still asks about it.'
    : 'It decides this call.';
};

export const historyWords = ({ looked, decides, denied }: RulePreview): string => {
  if (looked === 0) return 'No calls of the last 30 days are recorded.';
  const them = `It would have decided ${count(decides)} of the last ${plural(looked, 'call')}`;
  return denied === 0 ? `${them}.` : `${them}; ${count(denied)} of these were denied.`;
};

export const OUTSIDE = 'Not in Claude Code’s own sandbox, if that is on: dangerouslyDisableSandbox is set.';
