/**
 * Questions of the client, answered from any terminal: a list, one by its number, or in turn with single keys. The
 * questions are files of the state directory; answers go to the server, which holds the hooks that wait for them.
 */
import { emitKeypressEvents } from 'node:readline';
import { callerOf } from '../../core/kernel/proc/caller.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import { permitText, wordsOf } from '../../core/session/grants.ts';
import { readQuestions } from '../../core/session/questions.ts';
import { mayRun, readServerFile } from '../../core/session/server-file.ts';
import { TraiError } from '../../shared/errors.ts';
import {
  ANSWER_SCOPES,
  type Answer,
  type Answered,
  type AnswerScope,
  addsRule,
  answerNamed,
  type NewRule,
  proposedRule,
  type Question,
  type RuleAnswer,
} from '../../shared/model/question.ts';
import { answeredText, draftText, questionLine, questionText } from '../../shared/terminal/questions.ts';
import { visible } from '../../shared/terminal/visible.ts';
import { type Args, badUsage, type Command, choiceOf, readArgs } from '../context/command.ts';
import { postJson } from '../context/server-process.ts';
import { chosenMeta } from '../context/session.ts';
import type { Cli } from '../context/world.ts';
import { ANSWER, needsPermit, noQuestion, USAGE } from '../messages/errors.ts';

export const answer: Command = {
  name: 'answer',
  usage: '[N [ANSWER]] [--message TEXT] [--pattern RE] [--scope S] [--list]',
  summary: 'answer Claude Code’s questions whether a call may run; alone: in turn, with single keys',
  arguments: [
    ['N', 'the number of the question, as listed; alone in a terminal: shows it, and ends with it'],
    ['ANSWER', 'once (y), session (s), always (a), no (n), never (d), or leave: Claude Code asks by itself'],
    ['--message TEXT', 'with no: what the model is told'],
    ['--pattern RE', 'with session, always and never: instead of the proposed pattern'],
    ['--scope S', 'always, never: session, project or user (the default)'],
    ['--list', 'only lists the questions'],
  ],
  words: 2,
  session: null,
  run: answerRun,
};

/** The words that the user typed in the client, and where their permit is. */
interface Permit {
  session: string;
  what: string;
}

async function answerRun(cli: Cli, given: Args): Promise<number> {
  const caller = callerOf(process.pid, cli.state);
  const isBelow = given.fromPrompt || caller.kind !== 'user';
  const open = openQuestions(cli);
  const isList = given.words.length === 0 && !given.fromPrompt;
  if (given.flags.has('list') || (isList && (isBelow || cli.json || !isTerminal()))) return listed(cli, open);
  if (isList) return await inTurn(cli);
  const permit = isBelow ? await permitOf(cli) : null;
  if (isBelow && permit === null) throw needsPermit('answer', caller);
  const args = permit === null ? given : readArgs(answer, wordsOf(permit.what).slice(1));
  const [n = '', word = ''] = args.words;
  if (n === '') return listed(cli, open);
  if (!/^[1-9]\d{0,8}$/.test(n)) throw badUsage(answer, USAGE.noQuestionNumber(n));
  const question = open.find((one) => one.n === Number(n));
  if (word === '' && !isBelow && !cli.json && isTerminal()) {
    if (question === undefined) throw noQuestion(Number(n));
    return await inTurn(cli, Number(n));
  }
  const end = answerNamed(word);
  if (end === null) throw badUsage(answer, USAGE.noAnswer(word));
  if (question === undefined) throw noQuestion(Number(n));
  const rule = ruleFor(question, end, args);
  const message = args.options.get('message') ?? null;
  if (message !== null && end !== 'no') throw badUsage(answer, USAGE.messageWithNo);
  const answered = await send(cli, { question, answer: end, message, rule }, permit);
  cli.print(answeredText(answered, question), answered);
  return 0;
}

function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Without a server nothing waits, and what a killed one left is no question. */
function openQuestions(cli: Cli): Question[] {
  const server = readServerFile(cli.state);
  return server === null || !mayRun(server) ? [] : readQuestions(cli.state);
}

function listed(cli: Cli, open: readonly Question[]): number {
  const lines = open.map((question) => questionLine(question, cli.style));
  cli.print(open.length === 0 ? ANSWER.none : [...lines, ANSWER.how].join('\n'), { open });
  return 0;
}

async function permitOf(cli: Cli): Promise<Permit | null> {
  const meta = await chosenMeta(cli);
  const what = meta === null ? null : await permitText(sessionDir(cli.state, meta.id), 'answer');
  return meta === null || what === null ? null : { session: meta.id, what };
}

function ruleFor(question: Question, end: Answer, args: Args): NewRule | null {
  const pattern = args.options.get('pattern');
  if (!addsRule(end)) {
    if (pattern !== undefined) throw badUsage(answer, USAGE.patternWithRule);
    return null;
  }
  const proposed = proposedRule(question, end);
  if (proposed === null) throw badUsage(answer, question.noRule);
  const scope: AnswerScope =
    end === 'session' || !args.options.has('scope')
      ? proposed.scope
      : choiceOf(answer, args, 'scope', ANSWER_SCOPES);
  return { ...proposed, scope, pattern: pattern ?? proposed.pattern };
}

interface Given {
  question: Question;
  answer: Answer;
  message: string | null;
  rule: NewRule | null;
}

/** Errors: those of the server: `answered`, `not-found`, `needs-permit`. */
async function send(cli: Cli, { question, ...given }: Given, permit: Permit | null): Promise<Answered> {
  const server = readServerFile(cli.state);
  if (server === null || !mayRun(server)) throw noQuestion(question.n);
  const said = await postJson(server, 'answer', { question: question.id, ...given, ...permit });
  if (said === null) throw noQuestion(question.n);
  return said as unknown as Answered;
}

// In turn

/** How often the state directory is looked at (ms). */
const LOOK_MS = 250;
/** Whoever types when a question comes up does not mean it: keys count after so long without one (ms). */
const PAUSE_MS = 1_000;
/** Of a terminal that does not tell its size. */
const MIN_ROWS = 24;
const MIN_COLUMNS = 80;

/**
 * Shows one question at a time. It stays until it is answered or the user moves on, also when it was settled elsewhere:
 * a key that was meant for it must not answer another one.
 */
class Turn {
  readonly #cli: Cli;
  #open: Question[] = [];
  #shown: Question | null = null;
  /** What became of the shown one; empty while it is open. */
  #settled = '';
  #asked: RuleAnswer | null = null;
  /** The message to the model that is being typed. */
  #typing: string | null = null;
  #drawn = '';
  /** The user is to read what became of the answer, before any key ends it. */
  #stays = false;
  /** When the shown one came up by itself, or the last key since that did not count; null: keys count. */
  #unmeant: number | null = null;
  #isFirstLook = true;
  /** The number of the one that alone is shown. */
  readonly #only: number | null;

  constructor(cli: Cli, only: number | null) {
    this.#cli = cli;
    this.#only = only;
  }

  get settled(): string {
    return this.#settled;
  }

  /** The one question is over. */
  get isOver(): boolean {
    return this.#only !== null && !this.#stays && (this.#shown === null || this.#settled !== '');
  }

  #questions(): Question[] {
    const open = openQuestions(this.#cli);
    return this.#only === null ? open : open.filter(({ n }) => n === this.#only);
  }

  look(): void {
    this.#open = this.#questions();
    const shown = this.#shown;
    if (shown === null) this.#comeUp(this.#open[0] ?? null);
    else if (this.#settled === '' && !this.#open.some(({ id }) => id === shown.id))
      this.#settled = ANSWER.elsewhere;
    this.#draw();
    this.#isFirstLook = false;
  }

  /** Not by a key. The one that stands there when the user has started this is expected; a popup is not. */
  #comeUp(question: Question | null): void {
    this.#show(question);
    if (question !== null && (this.#only !== null || !this.#isFirstLook)) this.#unmeant = performance.now();
  }

  #isUnmeant(): boolean {
    if (this.#unmeant !== null && performance.now() - this.#unmeant >= PAUSE_MS) this.#unmeant = null;
    return this.#unmeant !== null;
  }

  #show(question: Question | null): void {
    this.#shown = question;
    this.#settled = '';
    this.#asked = null;
    this.#typing = null;
  }

  #move(by: number): void {
    // A question that has just been answered is not open any more, also before the next look.
    this.#open = this.#questions();
    const at = this.#open.findIndex(({ id }) => id === this.#shown?.id);
    const to = at === -1 ? 0 : Math.min(Math.max(at + by, 0), this.#open.length - 1);
    this.#show(this.#open[to] ?? null);
  }

  /** True when the user has had enough. */
  async press(name: string, text: string): Promise<boolean> {
    if (name === 'ctrl-c' || this.#stays) return true;
    if (this.#isUnmeant()) {
      this.#unmeant = performance.now();
      return false;
    }
    if (this.#typing !== null) await this.#type(name, text);
    else if (name === 'q') return true;
    else if (name === 'down' || name === 'j') this.#move(1);
    else if (name === 'up' || name === 'k') this.#move(-1);
    else if (this.#shown === null || this.#settled !== '') this.#move(1);
    else if (this.#asked !== null) await this.#confirm(name);
    else if (name === 'm') this.#typing = '';
    else if (name === 'escape') await this.#choose('leave');
    else if (name.length === 1) await this.#choose(answerNamed(name));
    this.#draw();
    return false;
  }

  async #type(name: string, text: string): Promise<void> {
    const typed = this.#typing ?? '';
    if (name === 'escape') this.#typing = null;
    else if (name === 'backspace') this.#typing = typed.slice(0, -1);
    else if (name === 'return') await this.#give('no', typed);
    else if (text.length >= 1 && text >= ' ') this.#typing = typed + text;
  }

  async #choose(end: Answer | null): Promise<void> {
    if (end === null || this.#shown === null) return;
    if (!addsRule(end)) await this.#give(end, '');
    else if (proposedRule(this.#shown, end) !== null) this.#asked = end;
  }

  async #confirm(name: string): Promise<void> {
    const end = this.#asked;
    this.#asked = null;
    if (name === 'return' && end !== null) await this.#give(end, '');
  }

  async #give(end: Answer, message: string): Promise<void> {
    const question = this.#shown;
    if (question === null) return;
    const rule = addsRule(end) ? proposedRule(question, end) : null;
    this.#typing = null;
    try {
      const given = { question, answer: end, message: message.trim() === '' ? null : message, rule };
      const answered = await send(this.#cli, given, null);
      this.#settled = answeredText(answered, question);
      this.#stays = this.#only !== null && answered.rule !== null;
    } catch (error) {
      if (!(error instanceof TraiError)) throw error;
      this.#settled = `trai: ${error.message}`;
      this.#stays = this.#only !== null;
    }
  }

  #draw(): void {
    const text = this.#text();
    if (text === this.#drawn) return;
    this.#drawn = text;
    process.stdout.write(
      `\x1b[H\x1b[2J${visible(text, this.#cli.style.bold('') !== '').replaceAll('\n', '\r\n')}\r\n`,
    );
  }

  #text(): string {
    const { style } = this.#cli;
    if (this.#shown === null) return `${ANSWER.none}\n\n${style.dim(ANSWER.quit)}`;
    const more = this.#open.filter(({ id }) => id !== this.#shown?.id).length;
    const below = [more === 0 ? '' : ANSWER.more(more), '', this.#prompt(this.#shown)].join('\n');
    const { rows = MIN_ROWS, columns = MIN_COLUMNS } = process.stdout;
    return `${questionText(this.#shown, style, { rows, columns }, below)}\n${below}`;
  }

  #prompt(question: Question): string {
    const { style } = this.#cli;
    if (this.#settled !== '') return `${style.bold(this.#settled)}\n${style.dim(ANSWER.next)}`;
    if (this.#isUnmeant()) return style.dim(ANSWER.unmeant);
    if (this.#typing !== null) return `${ANSWER.message}\n> ${this.#typing}`;
    if (this.#asked === null)
      return style.dim(question.allow === null ? ANSWER.keysWithoutAllow : ANSWER.keys);
    const rule = proposedRule(question, this.#asked);
    const list = this.#asked === 'never' ? 'deny' : 'allow';
    return `${ANSWER.confirm(list, rule === null ? '' : draftText(rule), rule?.scope ?? '')}\n${style.dim(ANSWER.confirmKeys)}`;
  }
}

/** @param only the number of the one question that is asked about, and ends it */
async function inTurn(cli: Cli, only: number | null = null): Promise<number> {
  const turn = new Turn(cli, only);
  const { stdin } = process;
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  process.stdout.write('\x1b[?1049h');
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        turn.look();
        if (turn.isOver) resolve();
      };
      timer = setInterval(look, LOOK_MS);
      look();
      // One after the other: a key is meant for what is shown.
      let last = Promise.resolve();
      stdin.on('keypress', (text: string | undefined, key: { name?: string; ctrl?: boolean }) => {
        const name = key.ctrl === true && key.name === 'c' ? 'ctrl-c' : (key.name ?? '');
        last = last
          .then(async () => {
            if ((await turn.press(name, text ?? '')) || turn.isOver) resolve();
          })
          .catch(reject);
      });
      stdin.once('end', resolve);
    });
  } finally {
    clearInterval(timer);
    stdin.setRawMode(false);
    stdin.pause();
    process.stdout.write('\x1b[?1049l');
  }
  if (only !== null && turn.settled !== '') cli.print(turn.settled, { settled: turn.settled });
  return 0;
}
