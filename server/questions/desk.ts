/**
 * Questions: of the client, whether a call may run (PermissionRequest), and of a box, whether a host may be reached. One of
 * the client is held here, while its hook waits, until the first of these:
 *
 *     an answer        of a tab or of `trai answer`: the hook says it to the client. `session`, `always` and `never` add
 *                      a rule before that
 *     a sign           the call ran, or was refused: somebody has answered in the client's own dialog. A yes there does
 *                      not end the hook (docs/client.md), so the client's other events are watched for it
 *     the hook's end   its connection is closed; a no in the dialog does that
 *     its time         where the client shows no dialog while the hook waits
 *     the client's end, and the server's
 *
 * In each case but the first the hook says nothing, and the client goes on as without trai. Meanwhile the question is a
 * file of the session (core/session/questions.ts), a row of the dashboard, and a line of `trai answer`.
 *
 * One about a host (server/network/) ends with an answer, its time, its box, or when no connection waits for it any more.
 *
 *     answer-rule.ts   the rule of an answer: what it would mean, and writing it
 *     answer-host.ts   the same, of an answer about a host
 *     call-key.ts      tells a call by its input
 *     diff.ts          what Edit and Write would make of a file
 *     notify.ts        the client's terminal is told
 *     popup.ts         the client's terminal shows `trai answer N`
 *     prompts.ts       the prompt that a question came from
 *     typed-answer.ts  whether an answer is the one that the user typed in the client
 */
import { randomBytes } from 'node:crypto';
import { processStat } from '../../core/kernel/proc/proc.ts';
import { propose } from '../../core/rules/propose/propose.ts';
import { homeDir } from '../../core/session/dirs.ts';
import {
  forgetQuestion,
  keepQuestion,
  keepQuestionNumber,
  lastQuestionNumber,
} from '../../core/session/questions.ts';
import type { Input } from '../../shared/api/contract.ts';
import { bytePath, toDisplay } from '../../shared/bytes.ts';
import type { Config } from '../../shared/config/config.ts';
import { isObject } from '../../shared/json-lines.ts';
import {
  type Answer,
  type Answered,
  type AnsweredBy,
  type EndedQuestion,
  type Question,
  type QuestionEnd,
  type QuestionList,
  subjectOf,
} from '../../shared/model/question.ts';
import type { Verdict } from '../../shared/model/rule.ts';
import type { EventHub } from '../events/hub.ts';
import { judgeCall } from '../hooks/permission/judge-call.ts';
import { outcomeOf } from '../hooks/permission/outcomes.ts';
import {
  type HookAnswer,
  type HookEvent,
  type HookHeaders,
  permissionAnswer,
  SILENT,
} from '../hooks/world/answer.ts';
import { type HookInput, list, type ToolInput, text, toolInput } from '../hooks/world/input.ts';
import type { HookSession, Judged, QuestionDesk } from '../hooks/world/world.ts';
import { message } from '../messages/hooks.ts';
import { refusal } from '../messages/refusals.ts';
import type { AskHost, HostQuestion } from '../network/host-questions.ts';
import { describeHost, writeAnswerHost } from './answer-host.ts';
import { deniedNow, writeAnswerRule } from './answer-rule.ts';
import { callKey } from './call-key.ts';
import type { Held } from './held.ts';
import { notifyTerminal } from './notify.ts';
import { type PopupParts, Popups } from './popup.ts';
import { LastPrompts } from './prompts.ts';
import { isTypedAnswer } from './typed-answer.ts';

export interface DeskParts extends Omit<PopupParts, 'isOpen'> {
  hub: Pick<EventHub, 'emit' | 'listeners'>;
  report: (thrown: unknown) => void;
  now?: () => number;
}

/** A tab counts as present for this long after it was last in sight (ms). */
const PRESENT_MS = 120_000;
/** A further question is the client's alone. */
const MAX_OPEN = 200;
const MAX_ENDED = 50;
/** Tabs show for this long what became of a question (ms). */
const ENDED_MS = 10 * 60_000;
const MAX_ENDED_CHARS = 500;
/** Calls that were judged and are about to run or to be asked about; their question comes within this time (ms). */
const MAX_JUDGED = 100;
const JUDGED_MS = 60_000;
/** Nothing reports a killed client whose hook lives on (ms). */
const LOOK_MS = 500;

export class Desk implements QuestionDesk {
  readonly #parts: DeskParts;
  readonly #now: () => number;
  readonly #open = new Map<string, Held>();
  #ended: EndedQuestion[] = [];
  /** By session and call. */
  readonly #judged = new Map<string, { judged: Judged; at: number }>();
  readonly #prompts = new LastPrompts();
  readonly #popups: Popups;
  #seenAt = Number.NEGATIVE_INFINITY;
  #last: number;
  #look: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(parts: DeskParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#last = lastQuestionNumber(parts.stateDir);
    this.#popups = new Popups({ ...parts, isOpen: (id) => this.#open.has(id) });
  }

  get waiting(): number {
    return this.#open.size;
  }

  /** A tab is in sight of the user. */
  seen(): void {
    this.#seenAt = this.#now();
  }

  judged(session: string, call: ToolInput, judged: Judged): void {
    const key = judgedKey(session, call);
    this.#judged.delete(key);
    this.#judged.set(key, { judged, at: this.#now() });
    const [oldest] = this.#judged.keys();
    if (oldest !== undefined && this.#judged.size > MAX_JUDGED) this.#judged.delete(oldest);
  }

  async ask(session: HookSession, call: ToolInput, headers: HookHeaders): Promise<HookAnswer> {
    const { config } = session.world.config();
    const hold = this.#holdOf(call, headers, config);
    if (hold.ms === 0 || this.#closed || this.#open.size >= MAX_OPEN) return SILENT;
    let isGone = false;
    let end: () => void = () => undefined;
    headers.whenGone(() => {
      isGone = true;
      end();
    });
    const known = this.#takeJudged(session.id, call);
    const prompt = this.#prompts.of(call.claude, headers.inside, session.dir);
    const described = await describeQuestion({ session, call, config, known });
    if (isGone || this.#closed) return SILENT;
    const now = this.#now();
    const question: Question = {
      ...this.#numbered(now),
      ...described,
      prompt,
      dialog: hold.dialog,
      until: Number.isFinite(hold.ms) ? new Date(now + hold.ms).toISOString() : null,
    };
    return await new Promise<HookAnswer>((resolve) => {
      const { claudePid, claudePidStart } = headers;
      const isRunning = claudePid !== null && processStat(claudePid)?.start === claudePidStart;
      const held: Held = {
        question,
        session,
        inside: headers.inside !== null,
        key: callKey(call),
        since: now,
        client: isRunning && claudePidStart !== null ? { pid: claudePid, start: claudePidStart } : null,
        target: null,
        taken: false,
        timer: null,
        say: (answer, words) => resolve(saidFor(answer, words)),
      };
      end = () => this.#end(held, 'ended', 'client');
      if (Number.isFinite(hold.ms))
        held.timer = setTimeout(() => this.#end(held, 'late', 'client'), hold.ms).unref();
      this.#begin(held, config.rules, headers.caller);
    });
  }

  #numbered(now: number): Pick<Question, 'v' | 'id' | 'n' | 'at'> {
    const id = `q${randomBytes(8).toString('hex')}`;
    return { v: 1, id, n: ++this.#last, at: new Date(now).toISOString() };
  }

  /** Whether a box may reach a host. */
  askHost(session: HookSession, { target, inner, ms, signal }: HostQuestion): ReturnType<AskHost> {
    const { config } = session.world.config();
    if (!config.rules.questions || this.#closed || signal.aborted || this.#open.size >= MAX_OPEN)
      return Promise.resolve('not-asked');
    const now = this.#now();
    const question: Question = {
      ...this.#numbered(now),
      session: session.id,
      project: toDisplay(bytePath(session.meta.projectRoot)),
      ...NO_CALL,
      uncovered: [],
      ...describeHost(target),
      until: new Date(now + ms).toISOString(),
    };
    return new Promise((resolve) => {
      const held: Held = {
        question,
        session,
        target,
        inside: true,
        key: '',
        since: now,
        client: inner,
        taken: false,
        timer: setTimeout(() => this.#end(held, 'late', 'client'), ms).unref(),
        say: (answer) =>
          resolve(answer === null || answer === 'leave' ? 'late' : isYes(answer) ? 'yes' : 'no'),
      };
      signal.addEventListener('abort', () => this.#end(held, 'ended', 'client'), { once: true });
      this.#begin(held, config.rules, null);
    });
  }

  /** Once: an equal call later may have been judged by nobody, and has another id. */
  #takeJudged(session: string, call: ToolInput): Judged | null {
    const key = judgedKey(session, call);
    const found = this.#judged.get(key);
    this.#judged.delete(key);
    return found !== undefined && this.#now() - found.at < JUDGED_MS ? found.judged : null;
  }

  /**
   * Where there is no dialog meanwhile, the client waits for the hook: only where somebody may answer. The dialog is known
   * to be there only of a client in a terminal (docs/client.md).
   */
  #holdOf(
    { agent }: ToolInput,
    { entry }: HookHeaders,
    { rules }: Pick<Config, 'rules'>,
  ): { ms: number; dialog: boolean } {
    if (!rules.enabled || !rules.questions) return { ms: 0, dialog: true };
    if (entry !== 'cli') return { ms: rules.headlessSeconds * 1_000, dialog: false };
    if (agent === '') return { ms: Number.POSITIVE_INFINITY, dialog: true };
    return { ms: this.#isPresent() ? rules.holdSeconds * 1_000 : 0, dialog: false };
  }

  #isPresent(): boolean {
    return this.#now() - this.#seenAt < PRESENT_MS;
  }

  /** @param caller null: no hook of a client */
  #begin(held: Held, { notify, popup }: Config['rules'], caller: HookHeaders['caller'] | null): void {
    const { question, session, client } = held;
    this.#open.set(question.id, held);
    this.#log(held, 'open', 'client', '');
    keepQuestionNumber(this.#parts.stateDir, question.n);
    keepQuestion(session.dir, question);
    this.#look ??= setInterval(() => this.#lookAtClients(), LOOK_MS).unref();
    this.#parts.hub.emit({ type: 'questions' });
    if (notify && client !== null) notifyTerminal(client.pid, question);
    // A program speaks to the terminal that this process names: not to one that a call of the session has made.
    if (popup && caller !== null && isAttached(held) && caller().kind !== 'call') this.#popups.open(held);
  }

  /** Idempotent: the first end counts. */
  #end(held: Held, end: QuestionEnd, by: AnsweredBy, answer: Answer | null = null, words = ''): void {
    const { question, session, timer } = held;
    if (!this.#open.delete(question.id)) return;
    if (timer !== null) clearTimeout(timer);
    held.say(answer, words);
    const at = new Date(this.#now()).toISOString();
    const { id, session: of, request, tool, network } = question;
    const subject = subjectOf(question).slice(0, MAX_ENDED_CHARS);
    const about = network === undefined ? {} : { network };
    const ended = { question: { id, session: of, request, tool, ...about }, subject, end, by, at };
    this.#ended = [ended, ...this.#ended].slice(0, MAX_ENDED);
    if (this.#open.size === 0 && this.#look !== null) {
      clearInterval(this.#look);
      this.#look = null;
    }
    this.#parts.hub.emit({ type: 'questions' });
    forgetQuestion(session.dir, id);
    this.#log(held, end, by, words);
  }

  /** A full disk must not keep an answer back. */
  #log({ question, session, since }: Held, end: QuestionEnd | 'open', by: AnsweredBy, words: string): void {
    const { id, request, claude, agent, tool } = question;
    const waited = this.#now() - since;
    void session
      .log({ t: 'question', question: id, request, claude, agent, tool, end, by, text: words, waited })
      .catch(this.#parts.report);
  }

  list(): QuestionList {
    const since = new Date(this.#now() - ENDED_MS).toISOString();
    return {
      open: [...this.#open.values()].map(({ question }) => question),
      ended: this.#ended.filter(({ at }) => at >= since),
    };
  }

  /** Errors: `not-found`; `answered` where it has ended. */
  held(id: string): Held {
    const held = this.#open.get(id);
    if (held !== undefined) return held;
    const ended = this.#ended.find(({ question }) => question.id === id);
    throw ended === undefined ? refusal('no-question') : refusal('answered', { how: ended.end });
  }

  /**
   * The first answer counts, unless a sign comes while its rule is written: the client has heard of no answer by then.
   * Errors: those of `held`; `forbidden` for a yes where a rule denies the call now.
   */
  async answer(given: Input<'answerQuestion'>, by: AnsweredBy): Promise<Answered> {
    const held = this.held(given.question);
    if (held.taken) throw refusal('answered', { how: 'being answered' });
    const why = isYes(given.answer) && held.target === null ? deniedNow(held) : '';
    if (why !== '') throw refusal('answer-denied', { why });
    held.taken = true;
    const write = held.target === null ? writeAnswerRule : writeAnswerHost;
    const rule = given.rule === null ? null : await write(held, given.answer, given.rule);
    const words = given.message?.trim() ?? '';
    const over = this.#ended.find(({ question }) => question.id === held.question.id);
    const end = rule?.written === false ? withoutRule(given.answer) : given.answer;
    this.#end(held, end, by, given.answer, words);
    return { end: over?.end ?? end, rule };
  }

  /** Of `trai answer`. A permit is for the one answer that was typed. Errors: `needs-permit`, and those of `answer`. */
  async answerTyped(given: Input<'answerQuestion'>, typed: string | null): Promise<Answered> {
    const { question } = this.held(given.question);
    const isTyped = typed === null || isTypedAnswer(typed, given, question);
    if (!isTyped) throw refusal('not-the-user-answers', { who: 'a command that the user did not type' });
    return await this.answer(given, 'answer');
  }

  saw(event: HookEvent, input: HookInput, inside: string | null): void {
    if (event === 'UserPromptSubmit') this.#prompts.saw(input.claude, inside, text(input.all, 'prompt'));
    if (this.#open.size === 0) return;
    const { claude, agent } = input;
    const isIts = ({ question, session, target }: Held): boolean =>
      target === null && question.claude === claude && (inside === null || session.id === inside);
    if (event === 'SessionEnd') this.#endAll(isIts, 'gone');
    // In the main conversation a prompt begins a turn: the one before it is over.
    if (event === 'UserPromptSubmit')
      this.#endAll((held) => isIts(held) && held.question.agent === '', 'refused');
    if (event === 'PermissionDenied') this.#over(toolInput(input), 'refused', isIts);
    if (event === 'PostToolUse' || event === 'PostToolUseFailure') this.#over(toolInput(input), 'ran', isIts);
    if (event !== 'PostToolBatch') return;
    for (const item of list(input.all, 'tool_calls')) {
      if (!isObject(item)) continue;
      const call = toolInput({ claude, agent, cwd: input.cwd, all: item });
      const isDenied = outcomeOf(text(item, 'tool_response')) === 'denied';
      this.#over(call, isDenied ? 'refused' : 'ran', isIts);
    }
  }

  /** A launcher runs the call of this request. */
  began(request: string): void {
    if (request === '') return;
    this.#endAll(({ question }) => question.request === request, 'ran');
  }

  #over(call: ToolInput, end: QuestionEnd, which: (held: Held) => boolean): void {
    const open = [...this.#open.values()].filter(which);
    const isAbout = ({ question }: Pick<EndedQuestion, 'question'>): boolean =>
      call.request !== '' && question.request === call.request;
    const key = callKey(call);
    // PostToolUse may come when an equal call is asked about already.
    const isLate = this.#ended.some(isAbout);
    const held = open.find(isAbout) ?? (isLate ? undefined : open.find((one) => one.key === key));
    if (held !== undefined) this.#end(held, end, 'client');
  }

  #endAll(which: (held: Held) => boolean, end: QuestionEnd): void {
    for (const held of [...this.#open.values()]) if (which(held)) this.#end(held, end, 'client');
  }

  #lookAtClients(): void {
    this.#endAll(({ client }) => client !== null && processStat(client.pid)?.start !== client.start, 'gone');
  }

  close(): void {
    this.#closed = true;
    for (const held of [...this.#open.values()]) this.#end(held, 'gone', 'client');
  }
}

/** The process is one that SessionStart has attached. */
function isAttached({ client, session }: Held): boolean {
  if (client === null) return false;
  return session.meta.claude.some(({ pid, pidStart }) => pid === client.pid && pidStart === client.start);
}

interface DescribeRequest {
  session: HookSession;
  call: ToolInput;
  config: Config;
  /** What PreToolUse found; null where it did not see the call. */
  known: Judged | null;
}

/** A question about a host is about no call: a program of any may want to connect. */
const NO_CALL = {
  claude: '',
  agent: '',
  cwd: '',
  prompt: '',
  request: '',
  mode: '',
  asks: 'trai',
  runs: null,
  dialog: false,
} as const satisfies Partial<Question>;

type Described = Omit<Question, 'v' | 'id' | 'n' | 'at' | 'prompt' | 'dialog' | 'until'>;

/** What a question shows. */
async function describeQuestion({ session, call, config, known }: DescribeRequest): Promise<Described> {
  const { world, meta, id } = session;
  const { tool, toolInput: input, cwd, claude, agent } = call;
  const runs = known?.runs ?? null;
  const verdict = known?.verdict ?? (await judgeCall({ world, session, call, config, runs })).verdict;
  const mode = text(call.all, 'permission_mode');
  const proposed = propose({ tool, input, cwd, mode }, verdict, homeDir(world.env));
  const asks = known !== null && known.asks !== '' ? 'trai' : verdict.decision === 'ask' ? 'rule' : 'client';
  return {
    session: id,
    project: toDisplay(bytePath(meta.projectRoot)),
    claude,
    agent,
    tool,
    input,
    cwd,
    request: known?.request ?? '',
    mode,
    asks,
    why: asks === 'trai' ? (known?.asks ?? '') : asks === 'rule' ? verdict.why : clientAsks(verdict),
    runs,
    ...proposed,
  };
}

function clientAsks({ decision }: Verdict): string {
  return message(decision === 'allow' ? 'client-asks-too' : 'client-asks');
}

function judgedKey(session: string, call: ToolInput): string {
  return `${session} ${callKey(call)}`;
}

function isYes(answer: Answer): boolean {
  return answer === 'once' || answer === 'session' || answer === 'always';
}

/** What an answer is whose rule was not written: the log must name no rule that nobody finds. */
function withoutRule(answer: Answer): Answer {
  return isYes(answer) ? 'once' : 'no';
}

function saidFor(answer: Answer | null, words: string): HookAnswer {
  if (answer === null || answer === 'leave') return SILENT;
  if (isYes(answer)) return permissionAnswer({ behavior: 'allow' });
  const said = words === '' ? message('answered-no') : message('answered-no-with', { words });
  return permissionAnswer({ behavior: 'deny', message: said });
}
