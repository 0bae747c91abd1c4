/**
 * Bash and Monitor before and after they run. PreToolUse refuses, warns, or opens a request, which the launcher's claim is
 * matched with later; PostToolUse logs the outcome, checks that the launcher really ran the call, and closes the request.
 */
import { normalise } from '../../../core/decide/call-text.ts';
import { DENIED_TEXT } from '../../../core/decide/texts.ts';
import { updateMeta } from '../../../core/session/meta-file.ts';
import { excerpt } from '../../../shared/log/lines.ts';
import type { Decision } from '../../../shared/model/decision.ts';
import { decideCall } from '../claim/decide-call.ts';
import { blocked, type HookAnswer, type HookHeaders, json, SILENT } from '../world/answer.ts';
import {
  flag,
  type HookInput,
  isObject,
  type JsonObject,
  list,
  number,
  object,
  type ToolInput,
  text,
} from '../world/input.ts';
import type { OpenCall } from '../world/requests.ts';
import { eventsNaming } from '../world/session-files.ts';
import type { HookSession, HookWorld } from '../world/world.ts';

const START_ANEW = 'Ask the user to type /clear, which starts the session anew.';

/** What can be wrong with the env file, and what it means. */
const ENV_PROBLEMS: Readonly<Record<string, string>> = {
  missing:
    "this session's env file is missing, so the command would not run in the sandbox. Nothing was run.",
  changed:
    "this session's env file was changed, so the command might not run in the sandbox. Nothing was run.",
  '': 'the hook did not look at the env file. Nothing was run.',
};

/** A background call's shell starts within this time, also on a busy machine with a large snapshot to source. */
const LAUNCH_WAIT_MS = 15_000;
const LAUNCH_POLL_MS = 50;

export async function beforeCommand(
  world: HookWorld,
  call: ToolInput,
  headers: HookHeaders,
): Promise<HookAnswer> {
  const session = await world.session(call.claude);
  if (session === null) {
    return blocked(
      `this session was not set up (the SessionStart hook failed). Nothing was run. ${START_ANEW}`,
    );
  }
  if (session.meta.off !== null) return SILENT;
  const command = text(call.toolInput, 'command');
  const refused = async (reason: Decision['reason'], why: string): Promise<HookAnswer> => {
    await logRequest(session, call, { command, mode: 'refuse', reason, text: why, twins: 0 });
    return blocked(why);
  };
  if (session.meta.caught !== null) {
    const reason = 'an earlier call of this session ran outside the sandbox unnoticed, so no more are run';
    return await refused('caught', `${reason}. ${START_ANEW}`);
  }
  if (headers.env !== 'ok') return await refused('env-file', `${ENV_PROBLEMS[headers.env]} ${START_ANEW}`);
  const { config } = world.config();
  const decision = await decideCall(session, { command, cwd: call.cwd, config, at: 'request' });
  if (decision.mode === 'refuse') return await refused(decision.reason, decision.text);
  return await letThrough(session, call, decision);
}

/**
 * Equal commands that run at the same time can't be told apart by their text, so that output and exit status could be
 * shown at the wrong one. Leading blanks make them differ and change nothing else: permission rules, prompts and
 * here-documents behave the same (measured). `updatedInput` replaces the whole input, so all of it is repeated.
 */
async function letThrough(session: HookSession, call: ToolInput, decision: Decision): Promise<HookAnswer> {
  const asked = text(call.toolInput, 'command');
  const { mode, reason, ask } = decision;
  const { command, twins } = await session.alone(() => openRequest(session, call, ask !== ''));
  const said = ask === '' ? decision.text : ask;
  await logRequest(session, call, { command: asked, mode, reason, text: said, twins });
  const output = {
    // The question is in the prompt, or (where nobody can be asked) in the denial: no second line beside it.
    ...(ask === ''
      ? {}
      : { permissionDecision: 'ask', permissionDecisionReason: `trai: ${ask} ${DENIED_TEXT}` }),
    ...(command === asked ? {} : { updatedInput: { ...call.toolInput, command } }),
  };
  const warning = mode === 'host' && ask === '' ? decision.text : '';
  const answer = {
    ...(warning === '' ? {} : { systemMessage: `trai: ${warning}` }),
    ...(Object.keys(output).length === 0
      ? {}
      : { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } }),
  };
  return Object.keys(answer).length === 0 ? SILENT : json(answer);
}

/** Writes the request down in a spelling that no other open one has. Of two at a time both would take the same. */
function openRequest(
  { requests }: HookSession,
  { request, claude, tool, cwd, toolInput }: ToolInput,
  asked: boolean,
): { command: string; twins: number } {
  let command = text(toolInput, 'command');
  const open = requests.list().filter((other) => other.call === '' && other.request !== request);
  const wanted = command.trimStart();
  const twins = open.filter((other) => other.command.trimStart() === wanted).length;
  const taken = new Set(open.map((other) => other.command));
  while (taken.has(command)) command = ` ${command}`;
  const at = new Date().toISOString();
  requests.save({ request, claude, tool, command, cwd, at, call: '', mode: '', asked });
  return { command, twins };
}

async function logRequest(
  session: HookSession,
  { request, claude, tool, cwd, agent, toolInput }: ToolInput,
  said: { command: string; mode: Decision['mode']; reason: Decision['reason']; text: string; twins: number },
): Promise<void> {
  const background = flag(toolInput, 'run_in_background');
  await session.log({ t: 'call.requested', request, claude, tool, cwd, agent, background, ...said });
}

/** After a tool ran, or failed: the outcome goes on record, with the check that the launcher really ran it. */
export async function postToolUse(
  session: HookSession,
  call: ToolInput,
  failed: boolean,
): Promise<HookAnswer> {
  if (call.tool !== 'Bash' && call.tool !== 'Monitor') return SILENT;
  const response = object(call.all, 'tool_response');
  const early = startsLater(call.tool, call.toolInput) || text(response, 'backgroundTaskId') !== '';
  if (early && isUnderWay(session, call.request)) {
    await session.later(async () => {
      // Until the launcher has begun, or long enough to say that none will.
      const end = Date.now() + LAUNCH_WAIT_MS;
      while (isUnderWay(session, call.request) && Date.now() < end)
        await new Promise((resolve) => setTimeout(resolve, LAUNCH_POLL_MS));
      await recordOutcome(session, call, failed);
    });
    return SILENT;
  }
  const caught = await recordOutcome(session, call, failed);
  return caught ? json({ systemMessage: notSandboxed(call) }) : SILENT;
}

/** Writes the outcome down; gives true when the call was caught outside the sandbox. */
async function recordOutcome(session: HookSession, call: ToolInput, failed: boolean): Promise<boolean> {
  const { request } = call;
  const unsandboxed = !wasLaunched(session, call);
  const response = object(call.all, 'tool_response');
  await session.log({
    t: 'call.outcome',
    request,
    ok: !failed,
    interrupted: wasInterrupted(call),
    background: text(response, 'backgroundTaskId'),
    ...excerpt(failed ? text(call.all, 'error') : text(response, 'stdout')),
    ms: number(call.all, 'duration_ms'),
    unsandboxed,
  });
  session.requests.close(request);
  if (unsandboxed) {
    // From now on PreToolUse refuses: what made this call slip out would let the next one out too.
    await updateMeta(session.dir, (meta) => ({ ...meta, caught: meta.caught ?? request }));
    await session.log({ t: 'notice', code: 'caught', text: notSandboxed(call) });
  }
  return unsandboxed;
}

function notSandboxed(call: ToolInput): string {
  const command = text(call.toolInput, 'command');
  const shown = command.length > 80 ? `${command.slice(0, 80)}…` : command;
  return `trai: NOT SANDBOXED: this command ran on the host: ${shown}. Bash is refused until you type /clear.`;
}

/** True when no launcher has asked for an open request yet, or one has and has not begun. */
function isUnderWay(session: HookSession, request: string): boolean {
  const open = session.requests.find(request);
  return open !== null && (open.call === '' || (open.mode === 'sandbox' && !wroteItself(session, open.call)));
}

/** The launcher's own line about a call. */
function wroteItself({ dir }: HookSession, call: string): boolean {
  const events = eventsNaming(dir, call);
  return events.includes('call.started') || events.includes('call.failed');
}

/**
 * True when something shows that our launcher had this call: its claim on the request, or a claim that matched no
 * request because somebody rewrote the command. A claim that was to be sandboxed also needs the launcher's own line
 * in the log. Where nothing ran at all (the launcher said so), there is nothing to catch.
 */
function wasLaunched(session: HookSession, call: ToolInput): boolean {
  const open = session.requests.find(call.request);
  if (open !== null && open.call !== '') {
    return (
      open.mode !== 'sandbox' ||
      wroteItself(session, open.call) ||
      wasInterrupted(call) ||
      saysNothingRan(call)
    );
  }
  if (eventsNaming(session.dir, call.request).includes('call.decided')) return true;
  const command = normalise(open?.command ?? text(call.toolInput, 'command')).trim();
  const loose = session.requests.takeLoose(
    (claim) =>
      claim.at >= (open?.at ?? '') && (claim.command === '' || normalise(claim.command).includes(command)),
    Date.now(),
  );
  return loose !== null || saysNothingRan(call);
}

/** Stopped by the user: a launcher that had asked may not have come to its first line. */
function wasInterrupted(call: ToolInput): boolean {
  return flag(object(call.all, 'tool_response'), 'interrupted') || flag(call.all, 'is_interrupt');
}

/** The launcher's and the env line's own words for "not run" (both exit 125). */
function saysNothingRan(call: ToolInput): boolean {
  const error = text(call.all, 'error');
  return (
    /^Exit code 125\b/.test(error) &&
    /^trai: /m.test(error) &&
    error.includes('Nothing of the command was run')
  );
}

/**
 * PostToolBatch, the one event that also sees denied calls. A request of the batch that no launcher claimed never ran;
 * left open, a later equal `!` command would be taken for it.
 */
export async function closeDenied(session: HookSession, input: HookInput): Promise<void> {
  for (const item of list(input.all, 'tool_calls')) {
    if (!isObject(item)) continue;
    const open = session.requests.find(text(item, 'tool_use_id'));
    // A background call's launcher may still be on its way; the next prompt closes it if not.
    if (open === null || open.call !== '' || startsLater(open.tool, object(item, 'tool_input'))) continue;
    await closeNotRun(session, open);
  }
}

/** A request that nobody launched. */
export async function closeNotRun(session: HookSession, { request }: OpenCall): Promise<void> {
  await session.log({ t: 'call.closed', call: '', request, why: 'not-run' });
  session.requests.close(request);
}

/** Tools that answer before their shell has run: their Post event may be here before the launcher's claim. */
function startsLater(tool: string, input: JsonObject): boolean {
  return tool === 'Monitor' || flag(input, 'run_in_background');
}
