import { DENIED_TEXT } from '../../../core/decide/texts.ts';
import type { SessionMeta } from '../../../core/session/types.ts';
import type { Decision } from '../../../shared/model/decision.ts';
import { decideCall } from '../claim/decide-call.ts';
import { refuseFileTool } from '../file-tools/file-tools.ts';
import { beforeFileTool, refusedFileTool } from '../file-tools/file-view.ts';
import { blocked, type HookAnswer, type HookHeaders, json, SILENT } from '../world/answer.ts';
import { flag, type HookInput, type ToolInput, text, toolInput } from '../world/input.ts';
import type { HookWorld } from '../world/world.ts';

const START_ANEW = 'Ask the user to type /clear, which starts the session anew.';

/** What can be wrong with the env file, and what it means. */
const ENV_PROBLEMS: Readonly<Record<string, string>> = {
  missing:
    "this session's env file is missing, so the command would not run in the sandbox. Nothing was run.",
  changed:
    "this session's env file was changed, so the command might not run in the sandbox. Nothing was run.",
  '': 'the hook did not look at the env file. Nothing was run.',
};

/** Before a tool runs: refuses, warns, or records the request and lets it through. */
export async function preToolUse(
  world: HookWorld,
  input: HookInput,
  headers: HookHeaders,
): Promise<HookAnswer> {
  const call = toolInput(input);
  if (call.tool === 'Bash' || call.tool === 'Monitor') return await beforeCommand(world, call, headers);
  if (SKILL_TOOLS.has(call.tool)) return beforeSkill(call);
  if (call.tool === '') throw new Error('the event names no tool');
  const refusal = refuseFileTool(world.stateDir, call);
  return refusal === null ? await beforeFileTool(world, call) : await refusedFileTool(world, call, refusal);
}

/** Tools by which the model runs a slash command; SlashCommand is what older clients call it. */
const SKILL_TOOLS: ReadonlySet<string> = new Set(['Skill', 'SlashCommand']);

/** They would run the command's `!` line without a Bash hook. */
function beforeSkill(call: ToolInput): HookAnswer {
  const named = Object.values(call.toolInput).some(
    (value) => typeof value === 'string' && /^\s*\/?trai:/i.test(value),
  );
  if (!named) return SILENT;
  return blocked("only the user may run trai's commands. Ask the user to type the command.");
}

async function beforeCommand(world: HookWorld, call: ToolInput, headers: HookHeaders): Promise<HookAnswer> {
  const session = await world.session(call.claude);
  if (session === null) {
    return blocked(
      `this session was not set up (the SessionStart hook failed). Nothing was run. ${START_ANEW}`,
    );
  }
  if (session.off !== null) return SILENT;
  const command = text(call.toolInput, 'command');
  if (session.caught !== null) {
    const reason = 'an earlier call of this session ran outside the sandbox unnoticed, so no more are run';
    return await refused(world, session, call, 'caught', `${reason}. ${START_ANEW}`);
  }
  if (headers.env !== 'ok') {
    return await refused(world, session, call, 'env-file', `${ENV_PROBLEMS[headers.env]} ${START_ANEW}`);
  }
  const decision = await decideCall(world, {
    session,
    command,
    cwd: call.cwd,
    config: world.config().config,
    at: 'request',
  });
  if (decision.mode === 'refuse') return await refused(world, session, call, decision.reason, decision.text);
  return await letThrough(world, session, call, decision);
}

async function refused(
  world: HookWorld,
  session: SessionMeta,
  call: ToolInput,
  reason: Decision['reason'],
  why: string,
): Promise<HookAnswer> {
  await logRequest(world, session, call, {
    command: text(call.toolInput, 'command'),
    mode: 'refuse',
    reason,
    text: why,
    twins: 0,
  });
  return blocked(why);
}

/**
 * Equal commands that run at the same time can't be told apart by their text, so that output and exit status could be
 * shown at the wrong one. Leading blanks make them differ and change nothing else: permission rules, prompts and
 * here-documents behave the same (measured). `updatedInput` replaces the whole input, so all of it is repeated.
 */
async function letThrough(
  world: HookWorld,
  session: SessionMeta,
  call: ToolInput,
  decision: Decision,
): Promise<HookAnswer> {
  const asked = text(call.toolInput, 'command');
  const { command, twins } = await world.alone(session.id, () => openRequest(world, session, call, decision));
  await logRequest(world, session, call, {
    command: asked,
    mode: decision.mode,
    reason: decision.reason,
    text: decision.ask === '' ? decision.text : decision.ask,
    twins,
  });
  if (decision.mode === 'sandbox') world.expectCall(session);
  const said: Record<string, unknown> = {};
  // The question is in the prompt, or (where nobody can be asked) in the denial: no second line beside it.
  if (decision.ask !== '') {
    said['permissionDecision'] = 'ask';
    said['permissionDecisionReason'] = `trai: ${decision.ask} ${DENIED_TEXT}`;
  }
  if (command !== asked) said['updatedInput'] = { ...call.toolInput, command };
  const warning = decision.mode === 'host' && decision.ask === '' ? decision.text : '';
  return withHookOutput(said, warning === '' ? {} : { systemMessage: `trai: ${warning}` });
}

/** Writes the request down in a spelling that no other open one has. Of two at a time both would take the same. */
function openRequest(
  world: HookWorld,
  session: SessionMeta,
  call: ToolInput,
  decision: Decision,
): { command: string; twins: number } {
  const asked = text(call.toolInput, 'command');
  const requests = world.requests(session.id);
  const open = requests.list().filter((other) => other.call === '' && other.request !== call.request);
  const twins = open.filter((other) => other.command.trimStart() === asked.trimStart()).length;
  const command = twins > 0 ? freeSpelling(asked, new Set(open.map((other) => other.command))) : asked;
  requests.save({
    request: call.request,
    claude: call.claude,
    tool: call.tool,
    command,
    cwd: call.cwd,
    at: world.now().toISOString(),
    call: '',
    mode: '',
    asked: decision.ask !== '',
  });
  return { command, twins };
}

function withHookOutput(said: object, rest: object): HookAnswer {
  const answer =
    Object.keys(said).length === 0
      ? rest
      : { ...rest, hookSpecificOutput: { hookEventName: 'PreToolUse', ...said } };
  return Object.keys(answer).length === 0 ? SILENT : json(answer);
}

function freeSpelling(command: string, taken: ReadonlySet<string>): string {
  let spelling = command;
  while (taken.has(spelling)) spelling = ` ${spelling}`;
  return spelling;
}

async function logRequest(
  world: HookWorld,
  session: SessionMeta,
  call: ToolInput,
  said: { command: string; mode: Decision['mode']; reason: Decision['reason']; text: string; twins: number },
): Promise<void> {
  await world.log(session.id, {
    t: 'call.requested',
    request: call.request,
    claude: call.claude,
    tool: call.tool,
    cwd: call.cwd,
    agent: call.agent,
    background: flag(call.toolInput, 'run_in_background'),
    ...said,
  });
}
