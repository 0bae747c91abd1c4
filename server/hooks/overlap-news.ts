import { bytePath } from '../../shared/bytes.ts';
import { forgetOverlap, takeNews } from '../sessions/overlaps.ts';
import { overlapText } from '../text/overlap.ts';
import { type HookAnswer, json } from './answer.ts';
import { type HookInput, isObject, object, text } from './input.ts';
import type { HookWorld } from './world.ts';

/**
 * PostToolBatch: the agent is told, once, of another session that has come to touch the same paths. The answer of others to
 * the event is kept.
 */
export async function withOverlapNews(
  world: HookWorld,
  input: HookInput,
  answer: HookAnswer,
): Promise<HookAnswer> {
  const session = await world.session(input.claude);
  if (session === null || session.off !== null || answer.exit !== 0) return answer;
  const dir = world.sessionDir(session.id);
  const lines: string[] = [];
  for (const other of takeNews(dir)) {
    const overlap = await world.overlapWith(session, other);
    if (overlap.paths.length === 0) forgetOverlap(dir, other);
    else
      lines.push(
        `trai: ${overlapText(other, overlap, bytePath(session.projectRoot))}. Each session's Bash sees only its own versions, and who commits second meets a conflict: tell the user.`,
      );
  }
  return lines.length === 0 ? answer : withContext(answer, lines.join('\n'));
}

function withContext(answer: HookAnswer, more: string): HookAnswer {
  const said = parse(answer.text);
  const output = object(said, 'hookSpecificOutput');
  const before = text(output, 'additionalContext');
  const additionalContext = before === '' ? more : `${before}\n${more}`;
  return json({
    ...said,
    hookSpecificOutput: { ...output, hookEventName: 'PostToolBatch', additionalContext },
  });
}

function parse(answer: string): Record<string, unknown> {
  if (answer === '') return {};
  const value: unknown = JSON.parse(answer);
  return isObject(value) ? value : {};
}
