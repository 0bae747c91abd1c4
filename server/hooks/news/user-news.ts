import { takeAgentNews } from '../../../core/jobs/door/agent-news.ts';
import type { HookAnswer } from '../world/answer.ts';
import { type HookInput, text } from '../world/input.ts';
import type { HookWorld } from '../world/world.ts';
import { withContext } from './context.ts';

/** The agent is told, once, what the user has committed, discarded or taken back since its last turn. */
export async function withUserNews(
  world: HookWorld,
  input: HookInput,
  event: 'PostToolBatch' | 'UserPromptSubmit',
  answer: HookAnswer,
): Promise<HookAnswer> {
  // A subagent ends with its task, and a slash command of ours never reaches the model.
  if (answer.exit !== 0 || input.agent !== '' || text(input.all, 'prompt').startsWith('/trai:'))
    return answer;
  const session = await world.session(input.claude);
  if (session === null) return answer;
  const news = takeAgentNews(world.sessionDir(session.id));
  return news.length === 0
    ? answer
    : withContext(answer, event, news.map((line) => `trai: ${line}`).join('\n'));
}
