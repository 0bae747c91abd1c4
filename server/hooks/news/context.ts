import { type HookAnswer, json } from '../world/answer.ts';
import { isObject, object, text } from '../world/input.ts';

/** Adds a text for the agent to an answer; what others said in it is kept. */
export function withContext(
  answer: HookAnswer,
  hookEventName: 'PostToolBatch' | 'UserPromptSubmit',
  more: string,
): HookAnswer {
  const value: unknown = answer.text === '' ? {} : JSON.parse(answer.text);
  const said = isObject(value) ? value : {};
  const output = object(said, 'hookSpecificOutput');
  const before = text(output, 'additionalContext');
  const additionalContext = before === '' ? more : `${before}\n${more}`;
  return json({ ...said, hookSpecificOutput: { ...output, hookEventName, additionalContext } });
}
