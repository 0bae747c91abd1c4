/**
 * The client's events. One function an event, over a `HookWorld` (../world/world.ts), so that the resident server and the
 * process of the Node path (../fallback/main.ts) give the same answers.
 *
 * events/ answers the events themselves, claim/ the launcher's claim, file-tools/ what Read, Edit and the like are told, and
 * news/ adds what user and agent have to hear: commits, conflicts, other sessions, a full disk.
 */
import { withHostNews } from '../claim/host-news.ts';
import { fileTouched } from '../file-tools/file-touched.ts';
import { afterFileTools } from '../file-tools/file-view.ts';
import { withDiskWarning } from '../news/disk-news.ts';
import { withOverlapNews } from '../news/overlap-news.ts';
import { withResultHints } from '../news/result-hints.ts';
import { withUserNews } from '../news/user-news.ts';
import { blocked, type HookAnswer, type HookEvent, type HookHeaders, SILENT } from '../world/answer.ts';
import { failureText } from '../world/failure.ts';
import { isFileWriter } from '../world/file-paths.ts';
import { type HookInput, readInput, toolInput } from '../world/input.ts';
import type { HookWorld } from '../world/world.ts';
import { postToolBatch, postToolUse } from './post-tool-use.ts';
import { preToolUse } from './pre-tool-use.ts';
import { userPromptExpansion, userPromptSubmit } from './prompt.ts';
import { sessionEnd } from './session-end.ts';
import { sessionStart } from './session-start.ts';

/**
 * Answers one event of the client; never throws. When something inside fails, an event that guards a call blocks it,
 * every other one lets the client go on, and `report` gets the error.
 */
export async function answerHook(
  world: HookWorld,
  event: HookEvent,
  body: Buffer,
  headers: HookHeaders,
  report: (thrown: unknown) => void,
): Promise<HookAnswer> {
  try {
    const input = readInput(body);
    if (input === null) throw new Error('the event is not a JSON object with a session_id');
    switch (event) {
      case 'SessionStart':
        return await sessionStart(world, input, headers);
      case 'PreToolUse':
        return await preToolUse(world, input, headers);
      case 'PostToolUse':
        return await afterTool(world, input, false);
      case 'PostToolUseFailure':
        return await afterTool(world, input, true);
      case 'PostToolBatch':
        await postToolBatch(world, input);
        return await withResultHints(
          world,
          input,
          await withNews(
            world,
            input,
            event,
            await withOverlapNews(world, input, await afterFileTools(world, input)),
          ),
        );
      case 'UserPromptExpansion':
        return await userPromptExpansion(world, input, headers.caller);
      case 'UserPromptSubmit':
        return await withDiskWarning(
          world,
          input,
          await withNews(world, input, event, await userPromptSubmit(world, input)),
        );
      case 'SessionEnd':
        return await sessionEnd(world, input);
    }
  } catch (error) {
    report(error);
    if (event !== 'PreToolUse' && event !== 'SessionStart') return SILENT;
    const message = failureText(error, world.stateDir);
    if (event === 'PreToolUse')
      return blocked(`this was not run, because it could not be decided: ${message}`);
    return {
      exit: 0,
      stream: 'out',
      text: `${JSON.stringify({ systemMessage: `trai: the session could not be set up: ${message}. Bash calls will be refused.` })}\n`,
    };
  }
}

/** What the agent has to hear of since its last turn. */
async function withNews(
  world: HookWorld,
  input: HookInput,
  event: 'PostToolBatch' | 'UserPromptSubmit',
  answer: HookAnswer,
): Promise<HookAnswer> {
  return await withUserNews(world, input, event, await withHostNews(world, input, event, answer));
}

async function afterTool(world: HookWorld, input: HookInput, failed: boolean): Promise<HookAnswer> {
  const call = toolInput(input);
  return isFileWriter(call.tool)
    ? await fileTouched(world, call, failed)
    : await postToolUse(world, input, failed);
}
