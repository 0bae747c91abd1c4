import { normalise } from '../../../core/decide/shell/unquote-call.ts';
import type { SessionMeta } from '../../../core/session/types.ts';
import { excerpt } from '../../../shared/log/lines.ts';
import { type HookAnswer, json, SILENT } from '../world/answer.ts';
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
  toolInput,
} from '../world/input.ts';
import { eventsNaming } from '../world/log-search.ts';
import type { OpenCall, RequestFiles } from '../world/requests.ts';
import type { HookWorld } from '../world/world.ts';

/** A background call's shell starts within this time, also on a busy machine with a large snapshot to source. */
const LAUNCH_WAIT_MS = 15_000;
const LAUNCH_POLL_MS = 50;

/** After a tool ran, or failed: the outcome goes on record, with the check that the launcher really ran it. */
export async function postToolUse(world: HookWorld, input: HookInput, failed: boolean): Promise<HookAnswer> {
  const call = toolInput(input);
  if (call.tool !== 'Bash' && call.tool !== 'Monitor') return SILENT;
  const session = await world.session(call.claude);
  if (session === null || session.off !== null) return SILENT;
  const requests = world.requests(session.id);
  const response = object(call.all, 'tool_response');
  const early = startsLater(call.tool, call.toolInput) || text(response, 'backgroundTaskId') !== '';
  const dir = world.sessionDir(session.id);
  if (early && isUnderWay(dir, requests, call.request)) {
    await world.later(async () => {
      await begun(dir, requests, call.request);
      await recordOutcome(world, session, call, failed);
    });
    return SILENT;
  }
  return (await recordOutcome(world, session, call, failed))
    ? json({ systemMessage: notSandboxed(call) })
    : SILENT;
}

/** Writes the outcome down; gives true when the call was caught outside the sandbox. */
async function recordOutcome(
  world: HookWorld,
  session: SessionMeta,
  call: ToolInput,
  failed: boolean,
): Promise<boolean> {
  const requests = world.requests(session.id);
  const unsandboxed = !wasLaunched(world, session, call, requests.find(call.request));
  const response = object(call.all, 'tool_response');
  const { head, tail, cut } = excerpt(failed ? text(call.all, 'error') : text(response, 'stdout'));
  await world.log(session.id, {
    t: 'call.outcome',
    request: call.request,
    ok: !failed,
    interrupted: wasInterrupted(call),
    background: text(response, 'backgroundTaskId'),
    head,
    tail,
    cut,
    ms: number(call.all, 'duration_ms'),
    unsandboxed,
  });
  requests.close(call.request);
  if (unsandboxed) {
    // From now on PreToolUse refuses: what made this call slip out would let the next one out too.
    await world.change(session.id, (meta) => ({ ...meta, caught: meta.caught ?? call.request }));
    await world.log(session.id, { t: 'notice', code: 'caught', text: notSandboxed(call) });
  }
  return unsandboxed;
}

function notSandboxed(call: ToolInput): string {
  const command = text(call.toolInput, 'command');
  const shown = command.length > 80 ? `${command.slice(0, 80)}…` : command;
  return `trai: NOT SANDBOXED: this command ran on the host: ${shown}. Bash is refused until you type /clear.`;
}

/** Waits until the launcher of a request has begun, or long enough to say that none will. */
async function begun(dir: string, requests: RequestFiles, request: string): Promise<void> {
  const end = Date.now() + LAUNCH_WAIT_MS;
  while (isUnderWay(dir, requests, request) && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, LAUNCH_POLL_MS));
  }
}

/** True when no launcher has asked for an open request yet, or one has and has not begun. */
function isUnderWay(dir: string, requests: RequestFiles, request: string): boolean {
  const open = requests.find(request);
  return open !== null && (open.call === '' || (open.mode === 'sandbox' && !wroteItself(dir, open.call)));
}

/** The launcher's own line about a call. */
function wroteItself(dir: string, call: string): boolean {
  const events = eventsNaming(dir, call);
  return events.includes('call.started') || events.includes('call.failed');
}

/**
 * True when something shows that our launcher had this call: its claim on the request, or a claim that matched no
 * request because somebody rewrote the command. A claim that was to be sandboxed also needs the launcher's own line
 * in the log. Where nothing ran at all (the launcher said so), there is nothing to catch.
 */
function wasLaunched(
  world: HookWorld,
  session: SessionMeta,
  call: ToolInput,
  open: OpenCall | null,
): boolean {
  const dir = world.sessionDir(session.id);
  if (open !== null && open.call !== '') {
    return (
      open.mode !== 'sandbox' || wroteItself(dir, open.call) || wasInterrupted(call) || saysNothingRan(call)
    );
  }
  if (eventsNaming(dir, call.request).includes('call.decided')) return true;
  const command = normalise(open?.command ?? text(call.toolInput, 'command')).trim();
  const loose = world
    .requests(session.id)
    .takeLoose(
      (claim) =>
        claim.at >= (open?.at ?? '') && (claim.command === '' || normalise(claim.command).includes(command)),
      world.now().getTime(),
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
 * The one event that also sees denied calls. A request of the batch that no launcher claimed never ran; left open, a
 * later equal `!` command would be taken for it.
 */
export async function postToolBatch(world: HookWorld, input: HookInput): Promise<void> {
  const session = await world.session(input.claude);
  if (session === null) return;
  const requests = world.requests(session.id);
  for (const item of list(input.all, 'tool_calls')) {
    if (!isObject(item)) continue;
    const open = requests.find(text(item, 'tool_use_id'));
    // A background call's launcher may still be on its way; the next prompt closes it if not.
    if (open === null || open.call !== '' || startsLater(open.tool, object(item, 'tool_input'))) continue;
    await closeNotRun(world, session.id, open);
  }
}

/** A request that nobody launched. */
export async function closeNotRun(world: HookWorld, session: string, open: OpenCall): Promise<void> {
  await world.log(session, { t: 'call.closed', call: '', request: open.request, why: 'not-run' });
  world.requests(session).close(open.request);
}

/** Tools that answer before their shell has run: their Post event may be here before the launcher's claim. */
function startsLater(tool: string, input: JsonObject): boolean {
  return tool === 'Monitor' || flag(input, 'run_in_background');
}
