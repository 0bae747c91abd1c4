import { parseArgs } from 'node:util';
import { wordsOf } from '../../core/session/grants.ts';
import type { Input } from '../../shared/api/contract.ts';
import {
  ANSWER_SCOPES,
  addsRule,
  answerNamed,
  proposedRule,
  type Question,
} from '../../shared/model/question.ts';

/** As in cli/commands/answer.ts. */
const OPTIONS = {
  message: { type: 'string' },
  pattern: { type: 'string' },
  scope: { type: 'string' },
  session: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/**
 * Whether `/trai:answer`, as it was typed, means this answer to this question: whoever uses the permit gives no other one,
 * and adds no other rule. Options may stand before the words.
 */
export function isTypedAnswer(typed: string, given: Input<'answerQuestion'>, question: Question): boolean {
  const args = argsOf(typed);
  if (args === null) return false;
  const { values, positionals } = args;
  const [n, word = '', extra] = positionals;
  const answer = answerNamed(word);
  if (n !== String(question.n) || answer !== given.answer || extra !== undefined) return false;
  if ((values.message ?? null) !== given.message) return false;
  if (!addsRule(answer)) return given.rule === null;
  const proposed = proposedRule(question, answer);
  if (proposed === null || given.rule === null) return false;
  const named = ANSWER_SCOPES.find((one) => one === values.scope);
  const scope = answer === 'session' ? proposed.scope : (named ?? proposed.scope);
  const { tool, field, pattern } = given.rule;
  return (
    scope === given.rule.scope &&
    tool === proposed.tool &&
    field === proposed.field &&
    pattern === (values.pattern ?? proposed.pattern)
  );
}

function argsOf(typed: string) {
  try {
    const args = wordsOf(typed).slice(1);
    return parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true });
  } catch {
    return null;
  }
}
