import { expireSaved } from '../../../core/git-rescue/expire.ts';
import { keepLosses } from '../../../core/git-rescue/keep.ts';
import type { SessionMeta } from '../../../core/session/types.ts';
import type { Decision } from '../../../shared/model/decision.ts';
import type { HookWorld } from '../world/world.ts';

/**
 * Before a host command runs: saves what it throws away, and logs how to restore it. Returns what could not be
 * saved; empty = all of it is.
 */
export async function keepFirst(
  world: HookWorld,
  session: SessionMeta,
  call: string,
  { uses }: Decision,
): Promise<string> {
  if (!uses.some(({ losses }) => losses.length > 0)) return '';
  const saved = `${world.sessionDir(session.id)}/saved`;
  expireSaved(saved, world.config().config.undo.keepDays, world.now().getTime());
  const kept = await keepLosses(uses, saved, call);
  for (const { failed, ...rest } of kept)
    await world.log(session.id, { t: 'call.saved', call, ...rest, text: failed });
  return kept.flatMap(({ what, failed }) => (failed === '' ? [] : [notKeptText(what, failed)])).join(' ');
}

export function notKeptText(what: string, why: string): string {
  return `What \`${what}\` throws away cannot be saved: ${why}.`;
}
