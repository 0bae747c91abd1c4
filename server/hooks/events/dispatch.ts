/**
 * The client's events, one function each, over a `HookWorld` (../world/world.ts), so that the resident server
 * and the Node path (../fallback/main.ts) give the same answers.
 *
 *     SessionStart          session-start.ts: attach, run doctor, orient user and agent
 *     PreToolUse            ../permission/: may it run, by the user's rules; before that
 *                           bash-calls.ts: decide, open a request; ../file-tools/: hint or refuse
 *     PermissionRequest     the client asks the user: the question can be answered elsewhere (server/questions/)
 *     PermissionDenied      ../permission/outcomes.ts: log what the client's classifier denied
 *     PostToolUse...        bash-calls.ts: log the outcome; ../file-tools/: replay what was written
 *     PostToolBatch         close denied requests; news.ts: what agent and user have to learn
 *     UserPromptExpansion   prompt.ts: a typed slash command becomes a permit
 *     UserPromptSubmit      prompt.ts: log, expire passthroughs, close requests; news.ts
 *     SessionEnd            log
 *     all of them           inside.ts, for a client that runs in the session itself
 *
 * ../claim/ answers the launcher's claims.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { lowSpace } from '../../../core/kernel/fs/free-space.ts';
import { orNull } from '../../../core/kernel/fs/port.ts';
import { isShell } from '../../../shared/log/calls.ts';
import { lowText } from '../../../shared/terminal/text.ts';
import { message } from '../../messages/hooks.ts';
import {
  afterFileTools,
  beforeFileTool,
  fileTouched,
  logDenied,
  type OwnAnswer,
} from '../file-tools/file-view.ts';
import { judgeCall, logDecision, ofTrai, ofVerdict, said } from '../permission/judge-call.ts';
import { logClassifierDenial, logFailure, logOutcomes } from '../permission/outcomes.ts';
import {
  blocked,
  contextAnswer,
  type HookAnswer,
  type HookEvent,
  type HookHeaders,
  json,
  preToolUseAnswer,
  SILENT,
} from '../world/answer.ts';
import { isFileTool, isFileWriter } from '../world/file-paths.ts';
import {
  type HookInput,
  readInput,
  runsOwnCommand,
  type ToolInput,
  text,
  toolInput,
} from '../world/input.ts';
import { failureText } from '../world/session-files.ts';
import type { HookSession, HookWorld } from '../world/world.ts';
import { beforeCommand, closeDenied, postToolUse } from './bash-calls.ts';
import { answerInside } from './inside.ts';
import { hostNews, overlapNews, resultHints, userNews } from './news.ts';
import { userPromptExpansion, userPromptSubmit } from './prompt.ts';
import { sessionStart } from './session-start.ts';

/** Never throws: on an error an event that guards a call blocks, and any other lets the client go on. */
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
    world.server?.questions.saw(event, input, headers.inside);
    if (headers.inside !== null) {
      const inside = await world.session(headers.inside);
      if (inside === null) throw new Error(`there is no session ${headers.inside}`);
      return await answerInside(world, inside, event, input, headers);
    }
    if (event === 'SessionStart') return await sessionStart(world, input, headers);
    if (event === 'PreToolUse') return await preToolUse(world, toolInput(input), headers);
    if (event === 'UserPromptExpansion') return await userPromptExpansion(world, input, headers.caller);
    const session = await world.session(input.claude);
    if (session === null) return SILENT;
    if (event !== 'PermissionRequest') return await ofSession(session, event, input);
    return session.meta.off === null ? await asked(session, input, headers) : SILENT;
  } catch (error) {
    report(error);
    if (event !== 'PreToolUse' && event !== 'SessionStart') return SILENT;
    const why = failureText(error, world.stateDir);
    if (event === 'PreToolUse') return blocked(message('undecided', { why }));
    return json({ systemMessage: `trai: ${message('no-session', { why })}` });
  }
}

/** Without a server nobody can be waited for. */
async function asked(session: HookSession, input: HookInput, headers: HookHeaders): Promise<HookAnswer> {
  return (await session.world.server?.questions.ask(session, toolInput(input), headers)) ?? SILENT;
}

async function ofSession(
  session: HookSession,
  event: Exclude<HookEvent, 'SessionStart' | 'PreToolUse' | 'PermissionRequest' | 'UserPromptExpansion'>,
  input: HookInput,
): Promise<HookAnswer> {
  const isOn = session.meta.off === null;
  switch (event) {
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const call = toolInput(input);
      const failed = event === 'PostToolUseFailure';
      if (!isOn) return SILENT;
      if (failed) await logFailure(session, call);
      return isFileWriter(call.tool)
        ? await fileTouched(session, call, failed)
        : await postToolUse(session, call, failed);
    }
    case 'PermissionDenied':
      await logClassifierDenial(session, input);
      return SILENT;
    case 'PostToolBatch': {
      await closeDenied(session, input);
      await logOutcomes(session, input);
      if (!isOn) return contextAnswer(event, userNews(session, input));
      return contextAnswer(event, [
        ...(await afterFileTools(session, input)),
        ...(await overlapNews(session)),
        ...(await hostNews(session, input)),
        ...userNews(session, input),
        ...resultHints(input),
      ]);
    }
    case 'UserPromptSubmit': {
      await userPromptSubmit(session, input);
      // Renews the hook's marker: a rule file may have changed since the last call.
      session.rules(session.world.config().config);
      const told = isOn ? await hostNews(session, input) : [];
      const news = [...told, ...userNews(session, input)];
      return contextAnswer(event, news, isOn ? diskWarning(session) : undefined);
    }
    case 'SessionEnd':
      // The hook script has removed the env line: that works without a server too. The client waits 1.5 s.
      await session.log({ t: 'session.end', claude: input.claude, reason: text(input.all, 'reason') });
      return SILENT;
  }
}

async function preToolUse(world: HookWorld, call: ToolInput, headers: HookHeaders): Promise<HookAnswer> {
  if (isShell(call.tool)) return await beforeCommand(world, call, headers);
  if (call.tool === '') throw new Error('the event names no tool');
  return await beforeTool(world, call);
}

/** Refusals of trai's own come first; what remains is a matter of permission rules. */
async function beforeTool(world: HookWorld, call: ToolInput): Promise<HookAnswer> {
  const since = performance.now();
  const session = await world.session(call.claude);
  const own = await ownAnswer(world, session, call);
  if (session !== null && session.meta.off !== null)
    return own.refusal === null ? SILENT : blocked(own.refusal);
  if (own.refusal !== null) {
    if (session !== null) await logDecision(session, call, ofTrai('deny', own.refusal), since);
    return blocked(own.refusal);
  }
  const { config } = world.config();
  const { verdict } = await judgeCall({ world, session, call, config, runs: null });
  if (session !== null) {
    await logDecision(session, call, ofVerdict(verdict), since);
    if (verdict.decision === 'deny') await logDenied(session, call, verdict.why);
  }
  return preToolUseAnswer({ ...said(verdict), context: own.context });
}

async function ownAnswer(world: HookWorld, session: HookSession | null, call: ToolInput): Promise<OwnAnswer> {
  if (isFileTool(call.tool)) return await beforeFileTool(world, session, call);
  return { refusal: runsOwnCommand(call) ? message('own-commands') : null, context: [] };
}

function diskWarning({ dir, world }: HookSession): string | undefined {
  const low = lowSpace(world.stateDir, world.config().config.disk.warnFreeBytes);
  const told = `${dir}/told-disk`;
  if (low === null || existsSync(told)) return undefined;
  // If this cannot be written either, every prompt warns.
  orNull(() => writeFileSync(told, '', { mode: 0o600 }));
  return `trai: ${lowText(low)}`;
}
