import { type HookAnswer, SILENT } from '../world/answer.ts';
import { type HookInput, text } from '../world/input.ts';
import type { HookWorld } from '../world/world.ts';

/**
 * A client session ends; the client waits 1.5 s at most. The hook script has taken the env line out already (it must
 * work without a server too); here the record says so.
 */
export async function sessionEnd(world: HookWorld, input: HookInput): Promise<HookAnswer> {
  const session = await world.session(input.claude);
  if (session === null) return SILENT;
  await world.log(session.id, { t: 'session.end', claude: input.claude, reason: text(input.all, 'reason') });
  return SILENT;
}
