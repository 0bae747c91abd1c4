/**
 * Questions of the client, whether a tool call may run, as the user sees and answers them. A question is open from its
 * PermissionRequest until somebody answers, or until it is known that nobody will.
 */
import type { Mode } from './decision.ts';

/** `session`, `always` and `never` add a rule. `leave`: the client goes on as without trai. */
export const ANSWERS = ['once', 'session', 'always', 'no', 'never', 'leave'] as const;
export type Answer = (typeof ANSWERS)[number];

/** Answers that add a rule. */
export type RuleAnswer = Extract<Answer, 'session' | 'always' | 'never'>;

export function addsRule(answer: Answer): answer is RuleAnswer {
  return answer === 'session' || answer === 'always' || answer === 'never';
}

const LETTERS: Readonly<Record<string, Answer>> = {
  y: 'once',
  s: 'session',
  a: 'always',
  n: 'no',
  d: 'never',
  l: 'leave',
};

/** A word, or the letter that stands for it; null for another one. */
export function answerNamed(word: string): Answer | null {
  return (
    ANSWERS.find((one) => one === word) ?? (Object.hasOwn(LETTERS, word) ? (LETTERS[word] ?? null) : null)
  );
}

/**
 * How a question ended: by an answer; `ran`, `refused`: the client went on without one, since it was answered in its
 * terminal; `ended`: the hook that waited was ended, as by a no in the terminal; `late`: its time was over; `gone`: the
 * client or the server ended.
 */
export const QUESTION_ENDS = [...ANSWERS, 'ran', 'refused', 'ended', 'late', 'gone'] as const;
export type QuestionEnd = (typeof QUESTION_ENDS)[number];

/** `tab`: the dashboard; `answer`: `trai answer`; `client`: its own dialog, or nobody. */
export const ANSWERED_BY = ['tab', 'answer', 'client'] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

/** Scopes that an answer may add a rule to. */
export const ANSWER_SCOPES = ['session', 'project', 'user'] as const;
export type AnswerScope = (typeof ANSWER_SCOPES)[number];

/** A rule that an answer would add; `field` is empty where only the tool counts. */
export interface RuleDraft {
  tool: string;
  field: string;
  pattern: string;
}

/** Proposed rules for a call; null with the reason where none is of use. */
export interface Proposals {
  allow: RuleDraft | null;
  deny: RuleDraft;
  /** Why no rule can allow it; empty when one can. */
  noRule: string;
}

export interface HostTarget {
  host: string;
  port: number;
}

/** `tool` of a question about a host. */
export const NETWORK = 'Network';

/** As it is kept in `sessions/<id>/questions/` while it is open. */
export interface Question extends Proposals {
  v: 1;
  /** It is about this host, which a program in a box wants to reach; missing: about a call. */
  network?: HostTarget;
  id: string;
  /** For `trai answer N`: counted up, also from one server to the next. */
  n: number;
  at: string;
  session: string;
  /** The project's directory, for display. */
  project: string;
  claude: string;
  /** Of a subagent; empty in the main conversation. */
  agent: string;
  tool: string;
  /** The client's: unchecked. */
  input: Readonly<Record<string, unknown>>;
  cwd: string;
  /** tool_use_id of the call that it was matched with; empty where it is not known. */
  request: string;
  mode: string;
  /** The start of the user's last prompt in that conversation; empty where it is not known. */
  prompt: string;
  /** Who asks. */
  asks: 'client' | 'rule' | 'trai';
  why: string;
  /** Where a command would run; null for other tools, and where it is not known. */
  runs: Mode | null;
  /** Commands of a Bash text that no rule allows. */
  uncovered: string[];
  /** The client shows its own dialog meanwhile. */
  dialog: boolean;
  /** ISO time at which it ends without an answer; null = never. */
  until: string | null;
}

const SUBJECTS = ['command', 'file_path', 'notebook_path', 'url', 'path', 'query', 'skill'];

/** What stands for the call in one line; with hidden characters. */
export function subjectOf({ input }: Pick<Question, 'input'>): string {
  const found = SUBJECTS.find((name) => typeof input[name] === 'string');
  return found === undefined ? JSON.stringify(input) : String(input[found]);
}

export interface EndedQuestion {
  /** Without its input, which may have megabytes. */
  question: Pick<Question, 'id' | 'session' | 'request' | 'tool' | 'network'>;
  /** `subjectOf`, cut. */
  subject: string;
  end: QuestionEnd;
  by: AnsweredBy;
  at: string;
}

export interface QuestionList {
  /** In the order in which they were asked. */
  open: Question[];
  /** Of the last minutes, newest first. */
  ended: EndedQuestion[];
}

export interface NewRule extends RuleDraft {
  scope: AnswerScope;
}

/** The rule that an answer adds unless another one is given; null where none is of use. */
export function proposedRule({ allow, deny }: Proposals, answer: RuleAnswer): NewRule | null {
  const draft = answer === 'never' ? deny : allow;
  return draft === null ? null : { scope: answer === 'session' ? 'session' : 'user', ...draft };
}

/** Whether the rule of an answer was written, and why not. */
export interface Answered {
  /** The answer; or how the question ended while its rule was written. */
  end: QuestionEnd;
  rule: { written: true; file: string; list: 'allow' | 'deny' } | { written: false; why: string } | null;
}

/** What a rule would mean, before it is written. */
export interface RulePreview {
  /** What keeps it from being written; empty = nothing. */
  problem: string;
  /** It decides the call of the question. */
  matches: boolean;
  /** What all rules together would say to that call. */
  decision: 'allow' | 'ask' | 'deny' | 'pass';
  why: string;
  /** Recorded calls that were looked at, and those of them that it decides. */
  looked: number;
  decides: number;
  /** Of these, those that were denied then, or were allowed. */
  denied: number;
  allowed: number;
  /** Some of them, newest first. */
  examples: { tool: string; subject: string; denied: boolean }[];
}
