import { type Caller, isOfTheUser } from '../../../core/kernel/proc/caller.ts';
import { PROMPT_CHARS } from '../../../shared/limits.ts';
import { foldBlanks } from '../claim/decide-call.ts';
import { type HookAnswer, json, RUN_TYPED, SILENT } from '../world/answer.ts';
import { type HookInput, text } from '../world/input.ts';
import type { HookWorld } from '../world/world.ts';
import { closeNotRun } from './post-tool-use.ts';

/** Requests younger than this may belong to a launcher that is on its way (ms). */
const STALE_REQUEST_MS = 20_000;

/**
 * A slash command that the user typed: this event fires for nothing else, in particular not for the Skill tool
 * (measured), so it is what a permit can be founded on. The credential of hooks can be read by whoever gets at the state
 * directory, so the event counts only when it comes from a process that is no call of a session. It is answered here or
 * by bin/trai, which the hook script then runs: the user sees the text as it is, and the model is not asked.
 */
export async function userPromptExpansion(
  world: HookWorld,
  input: HookInput,
  caller: () => Caller,
): Promise<HookAnswer> {
  const [plugin, name] = text(input.all, 'command_name').split(':');
  if (plugin !== 'trai' || name === undefined || text(input.all, 'expansion_type') !== 'slash_command')
    return SILENT;
  const session = await world.session(input.claude);
  // bin/trai says what is missing, and /trai:doctor why.
  if (session === null) return RUN_TYPED;
  const who = caller();
  if (!isOfTheUser(who)) return json({ decision: 'block', reason: notTyped(name, who) });
  const args = foldBlanks(text(input.all, 'command_args'));
  const answer = await world.answer(session, { name, args, cwd: input.cwd });
  if (answer !== null) return json({ decision: 'block', reason: answer });
  await world.grants.openPermit(session.id, name, args);
  await world.log(session.id, { t: 'grant', kind: 'permit', what: `${name} ${args}`.trim(), state: 'open' });
  return RUN_TYPED;
}

function notTyped(name: string, { found }: Caller): string {
  return `trai: /trai:${name} was not run: only what the user types counts, and this was sent by ${found}. Run in a terminal: trai ${name}`;
}

/** A prompt: it goes on record; what the user allowed for one call and did not use expires; requests that never ran are closed. */
export async function userPromptSubmit(world: HookWorld, input: HookInput): Promise<HookAnswer> {
  const session = await world.session(input.claude);
  // The prompt that opens a passthrough must not be the one that ends it.
  if (session === null || text(input.all, 'prompt').startsWith('/trai:')) return SILENT;
  await world.grants.expireAtPrompt(session.id);
  const before = new Date(world.now().getTime() - STALE_REQUEST_MS).toISOString();
  for (const open of world.requests(session.id).list()) {
    if (open.call === '' && open.claude === input.claude && open.at < before) {
      await closeNotRun(world, session.id, open);
    }
  }
  // Without it the timeline is poorer; the client is to hear the rest. A log that can't be written stops the next call.
  await logPrompt(world, session.id, input).catch(() => undefined);
  world.expectFirstCall(session, input.claude);
  return SILENT;
}

/** The timeline shows what the calls after it were made for. */
async function logPrompt(world: HookWorld, session: string, input: HookInput): Promise<void> {
  const whole = text(input.all, 'prompt');
  if (whole.trim() === '') return;
  // Never half of a surrogate pair.
  const kept = whole.slice(0, PROMPT_CHARS).replace(/[\ud800-\udbff]$/, '');
  const cut = whole.length - kept.length;
  await world.log(session, { t: 'prompt', claude: input.claude, text: kept, cut });
}
