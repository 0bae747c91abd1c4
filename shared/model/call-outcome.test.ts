import { expect, it } from 'vitest';
import {
  answerOf,
  CALL_ANSWERS,
  endingOf,
  errorOfCommand,
  errorOfTool,
  eventOf,
  isCommandTimeout,
} from './call-outcome.ts';
import { type AnsweredBy, QUESTION_ENDS, type QuestionEnd } from './question.ts';
import { CALL_OUTCOMES, type CallOutcome, type RuleDecision } from './rule.ts';

const call = (
  decision: RuleDecision,
  end: QuestionEnd | null,
  outcome: CallOutcome,
  by: AnsweredBy = 'client',
) => ({
  ...{ decision, outcome },
  answered: end === null ? null : { end, by },
});

it.each<[RuleDecision, QuestionEnd | null, CallOutcome, string]>([
  ['allow', null, 'ran', 'allow'],
  ['deny', null, 'denied', 'deny'],
  ['ask', 'once', 'ran', 'ask_allowed_once'],
  ['pass', 'once', 'failed', 'pass_allowed_once'],
  ['pass', 'session', 'ran', 'pass_allowed_always'],
  ['ask', 'always', 'ran', 'ask_allowed_always'],
  ['pass', 'no', 'denied', 'pass_denied_once'],
  ['ask', 'never', 'denied', 'ask_denied_always'],
  // In the client's own dialog.
  ['pass', 'ran', 'ran', 'pass_allowed_unknown'],
  ['ask', 'refused', 'denied', 'ask_denied_unknown'],
  ['pass', 'ended', 'denied', 'pass_denied_unknown'],
  // Nobody answered, so that what became of the call tells.
  ['pass', 'leave', 'ran', 'pass_allowed_unknown'],
  ['pass', 'late', 'denied', 'pass_denied_unknown'],
  ['ask', 'gone', 'unknown', 'ask'],
  ['ask', null, 'ran', 'ask_allowed_unknown'],
  ['ask', null, 'denied', 'ask_denied_unknown'],
  // The client may have allowed it by its own settings.
  ['pass', null, 'ran', 'pass'],
  ['pass', null, 'denied', 'pass_denied_unknown'],
])('%s, answered %s, %s: %s', (decision, end, outcome, event) => {
  expect(eventOf(call(decision, end, outcome))).toBe(event);
});

it('every end of a question and every outcome has one of the classes, or none', () => {
  for (const end of [...QUESTION_ENDS, null])
    for (const outcome of CALL_OUTCOMES)
      expect([...CALL_ANSWERS, null]).toContain(answerOf(call('pass', end, outcome)));
});

it('a failure has a type; a time limit and an interruption are no failures', () => {
  expect([0, null, 2, 143].map(errorOfCommand)).toEqual(['', '', 'exit 2', 'signal 15']);
  expect(
    [
      '<tool_use_error>InputValidationError: x',
      'MCP error -32601: no such method',
      '<tool_use_error>String to replace not found',
      'Some words',
    ].map(errorOfTool),
  ).toEqual(['InputValidationError', 'MCP error -32601', 'error', 'error']);
  const endings = CALL_OUTCOMES.map((outcome) => endingOf({ outcome, error: 'exit 2' }));
  expect(endings).toEqual(['', 'failed: exit 2', 'timed-out', 'interrupted', '', '']);
});

it.each([
  ['Exit code 143\nCommand timed out after 1s', true],
  ['Exit code 143\nCommand timed out after 2m 0.0s\nsome output', true],
  ['Exit code 1\nCommand timed out after 1s', false],
  ['Exit code 143\nit says: Command timed out after 1s', false],
  ['', false],
])('%j is a time limit of the client: %s', (head, expected) => {
  expect(isCommandTimeout(head)).toBe(expected);
});
