/**
 * The page of the client's questions. A question that has been settled, here or elsewhere, stays where it is until the
 * page is left: a key that was meant for it must not answer another one.
 *
 *     QuestionCard   the call as a whole, why it is asked about, the answers
 *     RuleForm       the rule of an answer, with what it would mean, before it is written
 */
import { useRef } from 'preact/hooks';
import type { EndedQuestion, Question, QuestionList } from '../../shared/model/question.ts';
import { stepFocus } from '../keys/focus.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { endWords, headingWords, NO_QUESTIONS, NO_QUESTIONS_HINT } from '../messages/questions.ts';
import { useApp } from '../state/app.ts';
import * as format from '../text/format.ts';
import { oneLine, visibleText } from '../text/visible.ts';
import { Empty, Loaded } from '../ui/Notice.tsx';
import { Page, Section } from '../ui/Panel.tsx';
import { Prose } from '../ui/Prose.tsx';
import { QuestionCard } from './QuestionCard.tsx';

export function Questions() {
  const { questions } = useApp();
  const step = (by: 1 | -1): void =>
    stepFocus([...document.querySelectorAll<HTMLElement>('.question:not(.question-settled)')], by);
  useShortcuts({
    'next-row': () => step(1),
    'previous-row': () => step(-1),
    refresh: () => void questions.refresh(),
  });
  return (
    <Page title="Questions" about={headingWords(questions.count.value)} busy={questions.list.loading.value}>
      <Loaded resource={questions.list}>{(list) => <Rows list={list} />}</Loaded>
    </Page>
  );
}

function Rows({ list }: { list: QuestionList }) {
  /** In the order in which this page saw them. */
  const shown = useRef(new Map<string, Question>());
  for (const question of list.open) shown.current.set(question.id, question);
  const rows = [...shown.current.values()];
  const open = new Set(list.open.map(({ id }) => id));
  const ended = new Map(list.ended.map((one) => [one.question.id, one]));
  const before = list.ended.filter(({ question }) => !shown.current.has(question.id));
  return (
    <>
      {rows.length === 0 ? (
        <Empty icon="prompt" title={NO_QUESTIONS}>
          <p class="muted">
            <Prose text={NO_QUESTIONS_HINT} />
          </p>
        </Empty>
      ) : null}
      {rows.map((question) => (
        <QuestionCard
          key={question.id}
          question={question}
          isOpen={open.has(question.id)}
          ended={ended.get(question.id) ?? null}
        />
      ))}
      {before.length === 0 ? null : (
        <Section title="Settled a moment ago">
          <ul class="plain settled">
            {before.map((one) => (
              <Settled key={one.question.id} ended={one} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Settled({ ended: { question, subject, end, at } }: { ended: EndedQuestion }) {
  const { now } = useApp();
  return (
    <li class="flex wrap">
      <span class="medium">{endWords(end, question)}</span>
      <span class="mono ellipsis grow" title={visibleText(subject)}>
        {question.tool}: {oneLine(subject)}
      </span>
      <span class="muted small">{format.ago(at, now.value)}</span>
    </li>
  );
}
