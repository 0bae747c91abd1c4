/** Questions of the client, and what an answer does. */
import type { Answered, Question, QuestionEnd, RulePreview } from '../../shared/model/question.ts';
import { count, plural } from '../text/format.ts';

export const NO_QUESTIONS = 'No open questions';
export const NO_QUESTIONS_HINT =
  'When Claude Code asks whether a call may run, you can answer here, in its own terminal, or with `trai answer`. The first answer counts. A box with `--net list` asks here for hosts.';

export const ANSWER_WORDS = {
  once: ['Allow once', 'y'],
  session: ['Allow in this session…', 's'],
  always: ['Always allow…', 'a'],
  no: ['Deny', 'n'],
  message: ['Deny with a message…', 'm'],
  never: ['Never allow…', 'd'],
  leave: ['Leave it to Claude Code', 'Esc'],
} as const;

/** Of a question about a host; the keys mean the same. */
export const HOST_WORDS = {
  once: ['Allow once', 'y'],
  session: ['Allow in this box…', 's'],
  always: ['Always allow…', 'a'],
  no: ['Refuse', 'n'],
  never: ['Never allow…', 'd'],
} as const;

export const HOST_TITLE = 'A box asks for a host';
export const HOST_CAPTION = 'Host and port';
export const HOST_FIELD = 'Host (host, *.host, each also with :port)';
export const HOST_SUBMIT = {
  session: 'Allow in this box',
  always: 'Always allow, and add to config.json',
  never: 'Never allow, and add to config.json',
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

type About = Pick<Question, 'network'>;

/** Of a question about a host, where it is said otherwise. */
const HOST_ENDS: Partial<Record<QuestionEnd, string>> = {
  session: 'Allowed, in this box',
  no: 'Refused',
  never: 'Refused, and never allowed',
  leave: 'Left unanswered, so refused',
  ended: 'No program waits for it any more',
  late: 'Nobody answered in time, so it was refused',
  gone: 'The box or the server has ended',
};

export const endWords = (end: QuestionEnd, { network }: About): string =>
  (network === undefined ? undefined : HOST_ENDS[end]) ?? ENDS[end];

export const ruleWords = (rule: NonNullable<Answered['rule']>, { network }: About): string => {
  const [what, list] = network === undefined ? ['rule', 'rules'] : ['host', 'list'];
  return rule.written
    ? `Added to the ${rule.list} ${list} ${rule.file.startsWith('/') ? 'in' : 'of'} ${rule.file}`
    : `The ${what} was not added: ${rule.why}`;
};

export const waitWords = ({ dialog, until, network }: Question): string =>
  network !== undefined
    ? 'The connection waits for 30 seconds, and is refused then'
    : dialog
      ? 'Claude Code’s own dialog is open, too'
      : until === null
        ? 'Claude Code waits'
        : 'Claude Code waits a while, and then goes on by itself';

export const headingWords = (open: number): string => (open === 0 ? '' : `${plural(open, 'question')} open`);

export const askedWords = ({ tool, network }: Pick<Question, 'tool' | 'network'>): string =>
  network === undefined
    ? `${tool} waits for your answer.`
    : `A box asks for ${network.host}, port ${network.port}.`;

export const hostMatchWords = ({ matches, problem }: RulePreview): string =>
  matches ? 'It names this host.' : `It does not name this host: ${problem}.`;

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
