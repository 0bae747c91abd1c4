import { expect, it } from 'vitest';
import type { Input } from '../../shared/api/contract.ts';
import type { Question } from '../../shared/model/question.ts';
import { isTypedAnswer } from './typed-answer.ts';

const allow = { tool: '^Bash$', field: 'command', pattern: '^make( |$)' };
const deny = { ...allow, pattern: '^make\\b' };
const question = { n: 3, allow, deny, noRule: '' } as unknown as Question;
type Given = Partial<Input<'answerQuestion'>>;
const is = (typed: string, given: Given, about = question) =>
  isTypedAnswer(typed, { question: 'q', answer: 'once', message: null, rule: null, ...given }, about);
const always: Given = { answer: 'always', rule: { scope: 'user', ...allow } };

it.each<[string, Given]>([
  ['answer 3 y', {}],
  ['answer 3 once', {}],
  ['answer 3 no --message "not this one"', { answer: 'no', message: 'not this one' }],
  ['answer --message x 3 no', { answer: 'no', message: 'x' }],
  ['answer --message "x y" 3 n', { answer: 'no', message: 'x y' }],
  ['answer --session s 3 l', { answer: 'leave' }],
  ['answer 3 always', always],
  ['answer --scope project 3 a', { answer: 'always', rule: { scope: 'project', ...allow } }],
  ['answer --pattern ^make$ 3 a', { answer: 'always', rule: { scope: 'user', ...allow, pattern: '^make$' } }],
  ['answer 3 s --scope user', { answer: 'session', rule: { scope: 'session', ...allow } }],
  ['answer 3 never', { answer: 'never', rule: { scope: 'user', ...deny } }],
])('%s is %o', (typed, given) => {
  expect(is(typed, given)).toBe(true);
});

it.each<[string, Given]>([
  ['answer 4 y', {}],
  ['answer 3 n', {}],
  ['answer y 3', {}],
  ['answer 3', {}],
  ['answer', {}],
  ['answer 3 y z', {}],
  ['answer 3 y --unknown', {}],
  ['answer --message 3 no', { answer: 'no' }],
  ['answer 3 no', { answer: 'no', message: 'something that nobody typed' }],
  ['answer 3 a', { answer: 'always', rule: { scope: 'user', ...allow, pattern: '' } }],
  ['answer 3 a', { answer: 'always', rule: { scope: 'user', ...allow, tool: '.' } }],
  ['answer 3 a', { answer: 'always', rule: { scope: 'user', ...allow, field: 'description' } }],
  ['answer 3 a --scope session', always],
  ['answer 3 s', { answer: 'session', rule: { scope: 'user', ...allow } }],
])('%s is not %o', (typed, given) => {
  expect(is(typed, given)).toBe(false);
});

it('no answer adds a rule where none is proposed', () => {
  expect(is('answer 3 a', always, { ...question, allow: null })).toBe(false);
});
