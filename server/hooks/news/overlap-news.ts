import { forgetOverlap, takeNews } from '../../../core/jobs/overlaps.ts';
import { bytePath } from '../../../shared/bytes.ts';
import { overlapText } from '../../../shared/terminal/overlap.ts';
import type { HookAnswer } from '../world/answer.ts';
import type { HookInput } from '../world/input.ts';
import type { HookWorld } from '../world/world.ts';
import { withContext } from './context.ts';

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
        `trai: ${overlapText(other, overlap, bytePath(session.projectRoot))}. Each session's Bash sees only its own versions, and whichever is committed second will conflict: tell the user.`,
      );
  }
  return lines.length === 0 ? answer : withContext(answer, 'PostToolBatch', lines.join('\n'));
}
