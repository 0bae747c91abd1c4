/**
 * Bash and Monitor before and after they run. PreToolUse refuses, warns, or opens a request, with which the
 * launcher's claim is matched; PostToolUse logs the outcome, checks that the launcher ran the call, and
 * closes the request.
 */
import { normalise } from '../../../core/decide/call-text.ts';
import { DENIED_TEXT } from '../../../core/decide/messages.ts';
import { updateMeta } from '../../../core/session/meta-file.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { isShell } from '../../../shared/log/calls.ts';
import { excerpt } from '../../../shared/log/lines.ts';
import type { Decision } from '../../../shared/model/decision.ts';
import type { Verdict } from '../../../shared/model/rule.ts';
import { message } from '../../messages/hooks.ts';
import { decideCall } from '../claim/decide-call.ts';
import { judgeCall, logDecision, ofTrai, ofVerdict, said } from '../permission/judge-call.ts';
import {
  blocked,
  type HookAnswer,
  type HookHeaders,
  json,
  preToolUseAnswer,
  SILENT,
} from '../world/answer.ts';
import {
  flag,
  type HookInput,
  type JsonObject,
  list,
  number,
  object,
  type ToolInput,
  text,
} from '../world/input.ts';
import type { OpenCall } from '../world/requests.ts';
import { eventsNaming } from '../world/session-files.ts';
import { waitFor } from '../world/within.ts';
import type { HookSession, HookWorld } from '../world/world.ts';

/** Start of a background call's shell, on a busy machine with a large snapshot to source. */
const LAUNCH_WAIT_MS = 15_000;

export async function beforeCommand(
  world: HookWorld,
  call: ToolInput,
  headers: HookHeaders,
): Promise<HookAnswer> {
  const session = await world.session(call.claude);
  if (session === null) return blocked(message('not-set-up'));
  if (session.meta.off !== null) return SILENT;
  const since = performance.now();
  const command = text(call.toolInput, 'command');
  const refused = async (reason: Decision['reason'], why: string): Promise<HookAnswer> => {
    await logRequest(session, call, { command, mode: 'refuse', reason, text: why, twins: 0 });
    await logDecision(session, call, ofTrai('deny', why), since);
    return blocked(why);
  };
  if (session.meta.caught !== null) return await refused('caught', message('caught'));
  if (headers.env !== 'ok')
    return await refused('env-file', message(headers.env === '' ? 'env-unknown' : `env-${headers.env}`));
  const { config } = world.config();
  const decision = await decideCall(session, { command, cwd: call.cwd, config, at: 'request' });
  if (decision.mode === 'refuse') return await refused(decision.reason, decision.text);
  const { verdict } = await judgeCall({ world, session, call, config, runs: decision.mode });
  if (verdict.decision === 'deny') {
    await logRefused(session, call, verdict.why);
    await logDecision(session, call, ofVerdict(verdict), since);
    return preToolUseAnswer(said(verdict));
  }
  const asksItself = decision.ask !== '' && verdict.decision !== 'ask';
  if (decision.ask !== '') {
    const { request } = call;
    world.server?.questions.judged(session.id, call, {
      request,
      verdict,
      runs: decision.mode,
      asks: decision.ask,
    });
  }
  await logDecision(session, call, asksItself ? ofTrai('ask', decision.ask) : ofVerdict(verdict), since);
  if (decision.mode === 'sandbox') session.expectCall(call.claude, config);
  return await letThrough(session, call, decision, verdict);
}

/**
 * Equal commands that run at the same time cannot be told apart by their text, so output and exit status
 * could be attributed wrongly. Leading blanks make them differ: permission rules, prompts and here-documents
 * behave the same (measured). `updatedInput` replaces the whole input, so all of it is repeated.
 */
async function letThrough(
  session: HookSession,
  call: ToolInput,
  decision: Decision,
  verdict: Verdict,
): Promise<HookAnswer> {
  const asked = text(call.toolInput, 'command');
  const { mode, reason, ask } = decision;
  const { command, twins } = await session.alone(() =>
    openRequest(session, call, { asked: ask !== '', sandboxed: verdict.by === 'sandboxed' }),
  );
  const told = ask === '' ? decision.text : ask;
  await logRequest(session, call, { command: asked, mode, reason, text: told, twins });
  // The prompt, or the denial where nobody can be asked, has the question: no second line beside it.
  const warns = mode === 'host' && ask === '' && decision.text !== '';
  return preToolUseAnswer({
    ...(ask === '' ? said(verdict) : { decision: 'ask', reason: questionText(ask, verdict) }),
    updatedInput: command === asked ? undefined : { ...call.toolInput, command },
    systemMessage: warns ? `trai: ${decision.text}` : undefined,
  });
}

/** trai's own question, which no allow rule answers, with that of a rule. */
function questionText(ask: string, verdict: Verdict): string {
  const rule = verdict.decision === 'ask' ? ` Also, ${verdict.why}.` : '';
  return `trai: ${ask} ${DENIED_TEXT}${rule}`;
}

/** For a call of a client that runs in the session itself. Resolves to the input in a spelling of its own, if it needs one. */
export async function openCall(
  session: HookSession,
  call: ToolInput,
  { command, text: said }: { command: string; text: string },
): Promise<JsonObject | undefined> {
  const isBash = 'command' in call.toolInput;
  const named = isBash ? call : { ...call, toolInput: { command } };
  const permitted = { asked: false, sandboxed: false };
  const opened = await session.alone(() => openRequest(session, named, permitted));
  const logged = { command, mode: 'sandbox', reason: 'inside', text: said, twins: opened.twins } as const;
  await logRequest(session, call, logged);
  return isBash && opened.command !== command ? { ...call.toolInput, command: opened.command } : undefined;
}

/** A permission rule denies it. */
export async function logRefused(session: HookSession, call: ToolInput, why: string): Promise<void> {
  const command = text(call.toolInput, 'command');
  await logRequest(session, call, { command, mode: 'refuse', reason: 'rule', text: why, twins: 0 });
}

/** In a spelling that no other open request has. Not concurrently: two would choose the same. */
function openRequest(
  { requests }: HookSession,
  { request, claude, tool, cwd, toolInput }: ToolInput,
  permitted: Pick<OpenCall, 'asked' | 'sandboxed'>,
): { command: string; twins: number } {
  let command = text(toolInput, 'command');
  const open = requests.list().filter((other) => other.call === '' && other.request !== request);
  const wanted = command.trimStart();
  const twins = open.filter((other) => other.command.trimStart() === wanted).length;
  const taken = new Set(open.map((other) => other.command));
  while (taken.has(command)) command = ` ${command}`;
  const at = new Date().toISOString();
  requests.open.save({ request, claude, tool, command, cwd, at, call: '', mode: '', ...permitted });
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

/** @param inside of a client in the session itself: whatever ran wrote into its overlay, launched or not */
export async function postToolUse(
  session: HookSession,
  call: ToolInput,
  failed: boolean,
  inside = false,
): Promise<HookAnswer> {
  if (!isShell(call.tool)) return SILENT;
  const response = object(call.all, 'tool_response');
  const early = startsLater(call.tool, call.toolInput) || text(response, 'backgroundTaskId') !== '';
  if (early && isUnderWay(session, call.request)) {
    await session.later(async () => {
      // Until the launcher has started, or it is certain that none will.
      await waitFor(() => !isUnderWay(session, call.request), LAUNCH_WAIT_MS);
      await recordOutcome(session, call, failed, inside);
    });
    return SILENT;
  }
  const caught = await recordOutcome(session, call, failed, inside);
  return caught ? json({ systemMessage: notSandboxed(call) }) : SILENT;
}

/** True when the call was caught outside the sandbox. */
async function recordOutcome(
  session: HookSession,
  call: ToolInput,
  failed: boolean,
  inside: boolean,
): Promise<boolean> {
  const { request } = call;
  const unsandboxed = !inside && !wasLaunched(session, call);
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
    // From now on PreToolUse refuses: whatever let this call out would let out the next.
    await updateMeta(session.dir, (meta) => ({ ...meta, caught: meta.caught ?? request }));
    await session.log({ t: 'notice', code: 'caught', text: notSandboxed(call) });
  }
  return unsandboxed;
}

function notSandboxed(call: ToolInput): string {
  const command = text(call.toolInput, 'command');
  const shown = command.length > 80 ? `${command.slice(0, 80)}…` : command;
  return `trai: ${message('not-sandboxed', { command: shown })}`;
}

/** No launcher has claimed the request yet, or one has and has not started. */
function isUnderWay(session: HookSession, request: string): boolean {
  const open = session.requests.open.find(request);
  return open !== null && (open.call === '' || (open.mode === 'sandbox' && !wroteItself(session, open.call)));
}

function wroteItself({ dir }: HookSession, call: string): boolean {
  const events = eventsNaming(dir, call);
  return events.includes('call.started') || events.includes('call.failed');
}

/**
 * True when something shows that the launcher had this call: a claim of the request, or a claim without a
 * request because a plugin rewrote the command. A sandboxed call also needs the launcher's own log line.
 * Where nothing ran (the launcher said so), there is nothing to catch.
 */
function wasLaunched(session: HookSession, call: ToolInput): boolean {
  const open = session.requests.open.find(call.request);
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

/** Stopped by the user: the launcher may not have reached its first log line. */
function wasInterrupted(call: ToolInput): boolean {
  return flag(object(call.all, 'tool_response'), 'interrupted') || flag(call.all, 'is_interrupt');
}

/** The text of launcher and env line for "not run" (status 125). */
function saysNothingRan(call: ToolInput): boolean {
  const error = text(call.all, 'error');
  return (
    /^Exit code 125\b/.test(error) &&
    /^trai: /m.test(error) &&
    error.includes('Nothing of the command was run')
  );
}

/** The only event that sees denied calls: left open, one would match a later equal `!` command. */
export async function closeDenied(session: HookSession, input: HookInput): Promise<void> {
  for (const item of list(input.all, 'tool_calls')) {
    if (!isObject(item)) continue;
    const open = session.requests.open.find(text(item, 'tool_use_id'));
    // The launcher of a background call may still come; otherwise the next prompt closes the request.
    if (open === null || open.call !== '' || startsLater(open.tool, object(item, 'tool_input'))) continue;
    // Of a file tool the other event may still come; otherwise the next prompt closes it.
    if (open.tool !== 'Bash') continue;
    await closeNotRun(session, open);
  }
}

export async function closeNotRun(session: HookSession, { request }: OpenCall): Promise<void> {
  await session.log({ t: 'call.closed', call: '', request, why: 'not-run' });
  session.requests.close(request);
}

/** Tools that answer before their shell has run: PostToolUse may precede the claim. */
function startsLater(tool: string, input: JsonObject): boolean {
  return tool === 'Monitor' || flag(input, 'run_in_background');
}
