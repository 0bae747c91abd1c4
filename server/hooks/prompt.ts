import { PROMPT_CHARS } from '../../shared/limits.ts';
import { type HookAnswer, json, SILENT } from './answer.ts';
import { answerText } from './answers.ts';
import { foldBlanks } from './decide-call.ts';
import { type HookInput, text } from './input.ts';
import { closeNotRun } from './post-tool-use.ts';
import type { HookWorld } from './world.ts';

/** Requests younger than this may belong to a launcher that is on its way (ms). */
const STALE_REQUEST_MS = 20_000;

/**
 * A slash command that the person typed: this event fires for nothing else, in particular not for the Skill tool
 * (measured), so it is what a permit can be founded on.
 */
export async function userPromptExpansion(world: HookWorld, input: HookInput): Promise<HookAnswer> {
  const [plugin, name] = text(input.all, 'command_name').split(':');
  if (plugin !== 'trai' || name === undefined || text(input.all, 'expansion_type') !== 'slash_command')
    return SILENT;
  const session = await world.session(input.claude);
  if (session === null) return SILENT;
  const args = foldBlanks(text(input.all, 'command_args'));
  const answer = await answerText(world, session, { name, args, cwd: input.cwd });
  // Answered here it costs no model turn, and needs no exemption from the sandbox.
  if (answer !== null) return json({ decision: 'block', reason: answer });
  await world.grants.openPermit(session.id, name, args);
  await world.log(session.id, { t: 'grant', kind: 'permit', what: `${name} ${args}`.trim(), state: 'open' });
  return SILENT;
}

/** A prompt: it goes on record; what the person allowed for one call and did not use goes; requests that never ran are closed. */
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
