import { expect, test } from 'vitest';
import type { Question, QuestionList } from '../../shared/model/question.ts';
import { createQuestions } from './questions.ts';

const question = (id: string): Question => ({ id }) as Question;

function make(visibilityState: DocumentVisibilityState = 'visible') {
  let open: Question[] = [];
  const told: string[] = [];
  let seen = 0;
  const page = { visibilityState };
  const backend = {
    questions: async (): Promise<QuestionList> => ({ open, ended: [] }),
    seen: async () => {
      seen++;
      return { seen: true } as const;
    },
  };
  const state = createQuestions(backend, ({ id }) => told.push(id), page);
  const now = async (...ids: string[]): Promise<void> => {
    open = ids.map(question);
    await state.refresh();
  };
  return { state, told, now, seen: () => seen };
}

test('counts the open questions, and tells of each new one once, but not of those that it begins with', async () => {
  const { state, told, now } = make();
  expect(state.count.value).toBe(0);
  await now('q1', 'q2');
  expect([state.count.value, told]).toEqual([2, []]);
  await now('q1', 'q2', 'q3');
  await now('q3');
  await now('q3', 'q4');
  expect([state.count.value, told]).toEqual([2, ['q3', 'q4']]);
});

test.each([
  ['visible', 1],
  ['hidden', 0],
] as const)('a tab that is %s says so', (visibility, times) => {
  const { state, seen } = make(visibility);
  state.seen();
  expect(seen()).toBe(times);
});
