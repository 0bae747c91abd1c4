import { type Caller, isOfTheUser } from '../../../core/kernel/proc/caller.ts';
import { openGrant } from '../../../core/session/grants.ts';
import { PROMPT_CHARS } from '../../../shared/limits.ts';
import { message } from '../../messages/hooks.ts';
import { foldBlanks } from '../claim/decide-call.ts';
import { type HookAnswer, json, RUN_TYPED, SILENT } from '../world/answer.ts';
import { type HookInput, text } from '../world/input.ts';
import { expirePassthroughs } from '../world/session-files.ts';
import type { HookSession, HookWorld } from '../world/world.ts';
import { closeNotRun } from './bash-calls.ts';

/** Younger requests (ms) may belong to a launcher that is about to send its claim. */
const STALE_REQUEST_MS = 20_000;

/**
 * A typed slash command. The event fires for nothing else, not even for the Skill tool (measured), so a
 * permit can rest on it. A process that reads the state directory has the hook credential, so the event
 * counts only from a process that is no call of a session. The answer comes from here, or from bin/trai,
 * which the hook script runs: the user sees the text unchanged, and the model is not asked.
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
  if (!isOfTheUser(who))
    return json({ decision: 'block', reason: `trai: ${message('not-typed', { name, who: who.found })}` });
  const args = foldBlanks(text(input.all, 'command_args'));
  const answer = (await world.server?.typed(session, { name, args, cwd: input.cwd })) ?? null;
  if (answer !== null) return json({ decision: 'block', reason: answer });
  const what = `${name} ${args}`.trim();
  await openGrant(session.dir, { kind: 'permit', what });
  await session.log({ t: 'grant', kind: 'permit', what, state: 'open' });
  return RUN_TYPED;
}

/** Logs the prompt, expires passthroughs that were not used, closes requests that never ran. */
export async function userPromptSubmit(session: HookSession, input: HookInput): Promise<void> {
  const prompt = text(input.all, 'prompt');
  // The prompt that opens a passthrough must not end it.
  if (prompt.startsWith('/trai:')) return;
  expirePassthroughs(session.dir);
  const before = new Date(Date.now() - STALE_REQUEST_MS).toISOString();
  for (const open of session.requests.list())
    if (open.call === '' && open.claude === input.claude && open.at < before)
      await closeNotRun(session, open);
  if (prompt.trim() !== '') {
    // Never half of a surrogate pair.
    const kept = prompt.slice(0, PROMPT_CHARS).replace(/[\ud800-\udbff]$/, '');
    const cut = prompt.length - kept.length;
    // An unlogged prompt only leaves a gap in the timeline; a log that cannot be written stops the next call.
    await session.log({ t: 'prompt', claude: input.claude, text: kept, cut }).catch(() => undefined);
  }
  session.expectFirstCall(input.claude);
}
