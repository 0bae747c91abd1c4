import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { isShell } from '../../shared/log/calls.ts';
import { type DiffModel, OMITTED_REASONS } from '../../shared/model/diff.ts';
import {
  type Answer,
  type Answered,
  type EndedQuestion,
  type NewRule,
  type Question,
  type RuleAnswer,
  subjectOf,
} from '../../shared/model/question.ts';
import { CallCommand } from '../calls/CallCommand.tsx';
import { DiffText } from '../diff/rows/DiffText.tsx';
import {
  ANSWER_WORDS,
  endWords,
  HOST_CAPTION,
  HOST_TITLE,
  HOST_WORDS,
  OUTSIDE,
  RUN_WORDS,
  ruleWords,
  waitWords,
} from '../messages/questions.ts';
import { useApp } from '../state/app.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import * as format from '../text/format.ts';
import { oneLine, visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ErrorPanel, Loaded } from '../ui/Notice.tsx';
import { FactList, type FactRow, scrolls } from '../ui/Panel.tsx';
import { Prose } from '../ui/Prose.tsx';
import { RuleForm } from './RuleForm.tsx';

type Choice = keyof typeof ANSWER_WORDS;

const KEYS = new Map<string, Choice>([
  ['y', 'once'],
  ['s', 'session'],
  ['a', 'always'],
  ['n', 'no'],
  ['m', 'message'],
  ['d', 'never'],
  ['Escape', 'leave'],
]);

const PRIMARY = { kind: 'primary' } as const;

/** Keys answer the question that has the focus. */
const focusable = { tabIndex: 0 } as const;

interface Props {
  question: Question;
  isOpen: boolean;
  ended: EndedQuestion | null;
}

export function QuestionCard({ question, isOpen, ended }: Props) {
  const { backend, questions, announcement, settings, now } = useApp();
  const { running, error, run } = useWork();
  const answered = useSignal<Answered | null>(null);
  /** What is asked for before the answer is given. */
  const asking = useSignal<RuleAnswer | 'message' | null>(null);
  const title = useId();

  const give = (answer: Answer, more: { message?: string; rule?: NewRule } = {}): Promise<void> =>
    run(
      async () => {
        const { message = null, rule = null } = more;
        answered.value = await backend.answerQuestion({ question: question.id, answer, message, rule });
        asking.value = null;
        announcement.value = `${endWords(answered.value.end, question)}.`;
        await questions.refresh();
      },
      () => void questions.refresh(),
    );
  const choose = (choice: Choice): void => {
    if (choice === 'session' || choice === 'always') {
      if (question.allow !== null) asking.value = choice;
    } else if (choice === 'never' || choice === 'message') asking.value = choice;
    else void give(choice);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape' && asking.value !== null) {
      asking.value = null;
      event.preventDefault();
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
      return;
    }
    // Only on the question itself: in a field a letter is text, and on a link or button Escape means nothing.
    const choice = event.target === event.currentTarget ? KEYS.get(event.key) : undefined;
    if (choice === undefined || !(choice in wordsFor(question))) return;
    if (asking.value !== null || !settings.keys.value) return;
    event.preventDefault();
    choose(choice);
  };
  const end = answered.value?.end ?? ended?.end ?? null;
  return (
    <article
      class={`question boxed ${isOpen ? '' : 'question-settled'}`}
      aria-labelledby={title}
      {...focusable}
      onKeyDown={onKeyDown}
    >
      <header class="flex wrap">
        <h2 id={title}>
          <span class="muted">{question.n}</span>{' '}
          {question.network === undefined ? visibleText(question.tool) : HOST_TITLE}
        </h2>
        {question.runs === null ? null : (
          <Badge
            tone={question.runs === 'sandbox' ? 'accent' : 'warning'}
            title={RUN_WORDS[question.runs][1]}
          >
            {RUN_WORDS[question.runs][0]}
          </Badge>
        )}
        {question.agent === '' ? null : <Badge>subagent</Badge>}
        <span class="muted small">{format.ago(question.at, now.value)}</span>
        <a class="mono small" href={formatRoute({ view: 'calls', session: question.session, call: null })}>
          {visibleText(question.session)}
        </a>
      </header>
      <Whole question={question} isOpen={isOpen} />
      <FactList facts={factsOf(question, isOpen)} />
      <ErrorPanel error={error.value} />
      {isOpen ? (
        <>
          <Answers question={question} off={running.value} choose={choose} />
          {asking.value === null ? null : asking.value === 'message' ? (
            <MessageForm
              off={running.value}
              onSend={(message) => void give('no', { message })}
              onClose={() => set(asking, null)}
            />
          ) : (
            <RuleForm
              key={asking.value}
              question={question}
              answer={asking.value}
              off={running.value}
              onGive={(answer, rule) => void give(answer, { rule })}
              onClose={() => set(asking, null)}
            />
          )}
        </>
      ) : (
        <Settled
          end={end === null ? '' : endWords(end, question)}
          rule={answered.value?.rule ?? null}
          question={question}
        />
      )}
    </article>
  );
}

interface SettledProps {
  end: string;
  rule: Answered['rule'];
  question: Question;
}

function Settled({ end, rule, question }: SettledProps) {
  return (
    <p class="question-end lines wrap" role="status">
      <Icon name="check" /> <strong>{end}</strong>
      {rule === null ? null : (
        <span class={rule.written ? 'path' : 'path tone-danger'}>
          {visibleText(ruleWords(rule, question))}
        </span>
      )}
    </p>
  );
}

/** The answers that there are, with their words and keys. */
function wordsFor({ network }: Question): Partial<Record<Choice, readonly [text: string, key: string]>> {
  return network === undefined ? ANSWER_WORDS : HOST_WORDS;
}

function factsOf(question: Question, isOpen: boolean): FactRow[] {
  const { project, cwd, agent, prompt, why, uncovered, tool, noRule, network, input } = question;
  const isCommand = isShell(tool);
  return [
    ['Prompt', prompt === '' ? null : oneLine(prompt)],
    ['Why', <Prose text={why} />],
    ['Project', <span class="mono">{visibleText(project)}</span>],
    ['Client', input['dangerouslyDisableSandbox'] === true ? OUTSIDE : null],
    [
      'Directory',
      cwd === project || network !== undefined ? null : <span class="mono">{visibleText(cwd)}</span>,
    ],
    ['Subagent', agent === '' ? null : <span class="mono">{visibleText(agent)}</span>],
    [
      'No rule for',
      isCommand && uncovered.length > 0 ? (
        <ul class="plain">
          {uncovered.map((text, i) => (
            <li key={i} class="mono path">
              {oneLine(text)}
            </li>
          ))}
        </ul>
      ) : null,
    ],
    ['Rules', noRule === '' ? null : visibleText(noRule)],
    ['Meanwhile', isOpen ? waitWords(question) : null],
  ];
}

/** The call as a whole. A settled one keeps its text: what a file is now is no part of it. */
function Whole({ question, isOpen }: { question: Question; isOpen: boolean }) {
  const { tool, input, network } = question;
  if (network !== undefined)
    return (
      <figure>
        <figcaption class="muted small">{HOST_CAPTION}</figcaption>
        <pre class="excerpt" {...scrolls}>
          {visibleText(subjectOf(question))}
        </pre>
      </figure>
    );
  const command = input['command'];
  if (isShell(tool) && typeof command === 'string') return <CallCommand command={command} />;
  if (isOpen && /^(Edit|MultiEdit|Write)$/.test(tool) && typeof input['file_path'] === 'string')
    return <WouldWrite question={question} path={input['file_path']} />;
  return (
    <figure>
      <figcaption class="muted small">Input</figcaption>
      <pre class="excerpt" {...scrolls}>
        {visibleText(JSON.stringify(input, null, 2))}
      </pre>
    </figure>
  );
}

function WouldWrite({ question, path }: { question: Question; path: string }) {
  const { backend } = useApp();
  const diff = useResource(
    (abort) => backend.questionDiff({ question: question.id }, abort),
    [backend, question.id],
  );
  return (
    <div class="question-diff stack">
      <p class="mono path">{visibleText(path)}</p>
      <Loaded resource={diff} waiting={<p class="muted">Comparing…</p>}>
        {(model) => differences(model, path)}
      </Loaded>
    </div>
  );
}

function differences(model: DiffModel, path: string): ComponentChildren {
  if (model.kind === 'text')
    return (
      <div class="framed question-scroll" {...scrolls}>
        <DiffText
          diff={model}
          label={visibleText(path)}
          line={null}
          keys={false}
          loadWhole={async () => model}
        />
      </div>
    );
  const notes =
    model.kind === 'meta' ? model.notes : model.kind === 'omitted' ? [OMITTED_REASONS[model.reason]] : [];
  return notes.map((note) => (
    <p key={note} class="lines tone-warning">
      <Icon name="warning" /> {visibleText(note)}
    </p>
  ));
}

function Answers(props: { question: Question; off: boolean; choose(choice: Choice): void }) {
  const { question, off, choose } = props;
  const words = Object.entries(wordsFor(question)) as [Choice, readonly [string, string]][];
  const choices = words.filter(
    ([choice]) => question.allow !== null || (choice !== 'session' && choice !== 'always'),
  );
  return (
    <div class="question-answers flex wrap">
      {choices.map(([choice, [text, key]]) => (
        <Button
          key={choice}
          {...(choice === 'once' ? PRIMARY : {})}
          disabled={off}
          aria-keyshortcuts={key}
          onClick={() => choose(choice)}
        >
          {text} <kbd>{key}</kbd>
        </Button>
      ))}
    </div>
  );
}

interface MessageProps {
  off: boolean;
  onSend(message: string): void;
  onClose(): void;
}

function MessageForm({ off, onSend, onClose }: MessageProps) {
  const message = useSignal('');
  const field = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  // Before painting: what is typed next is text.
  useLayoutEffect(() => box.current?.focus(), []);
  return (
    <form
      class="rule-form stack"
      aria-label="Deny with a message"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(message.value);
      }}
    >
      <label for={field}>What the model is told</label>
      <textarea
        id={field}
        rows={2}
        maxLength={4_000}
        ref={box}
        value={message.value}
        onInput={(event) => set(message, event.currentTarget.value)}
      />
      <div class="flex">
        <Button kind="danger" type="submit" disabled={off}>
          Deny
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
