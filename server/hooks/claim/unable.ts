import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionMeta } from '../../../core/session/types.ts';
import type { HookWorld } from '../world/world.ts';
import type { Decided } from './decide-call.ts';

/**
 * `sessions/ID/unable` stands where doctor found at the start of the session that the sandbox can't be entered. As long as
 * that holds, a call of the session ends with 125; doctor is asked again for each, since the user may have put it right.
 */
const fileOf = (world: HookWorld, session: string): string => path.join(world.sessionDir(session), 'unable');

export function rememberUnable(world: HookWorld, session: string, why: string | null): void {
  if (why === null) rmSync(fileOf(world, session), { force: true });
  else writeFileSync(fileOf(world, session), `${why}\n`, { mode: 0o600 });
}

/** What the user has decided holds without a sandbox, too: trai's own commands, a passthrough, trai switched off. */
const WITHOUT_SANDBOX: ReadonlySet<Decided['reason']> = new Set(['own-program', 'config-off', 'session-off']);

/** The decision, or a refusal with doctor's remedy. */
export async function unlessUnable(
  world: HookWorld,
  session: SessionMeta,
  decision: Decided,
): Promise<Decided> {
  if (decision.mode === 'refuse' || decision.usedOneShot || WITHOUT_SANDBOX.has(decision.reason))
    return decision;
  if (!existsSync(fileOf(world, session.id))) return decision;
  const why = await world.unable();
  if (why === null) {
    rememberUnable(world, session.id, null);
    return decision;
  }
  const text = `the sandbox can’t be entered here. ${why} Nothing of the command was run.`;
  return { ...decision, mode: 'refuse', reason: 'unavailable', text, ask: '', uses: [] };
}
