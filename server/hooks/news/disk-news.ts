import { existsSync, writeFileSync } from 'node:fs';
import { lowSpace } from '../../../core/jobs/disk.ts';
import { lowText } from '../../../shared/terminal/disk.ts';
import { type HookAnswer, json } from '../world/answer.ts';
import type { HookInput } from '../world/input.ts';
import type { HookWorld } from '../world/world.ts';

/** At a prompt: the user is told, once a session, that the state directory's file system runs full. */
export async function withDiskWarning(
  world: HookWorld,
  input: HookInput,
  answer: HookAnswer,
): Promise<HookAnswer> {
  const low = lowSpace(world.stateDir, world.config().config.disk.warnFreeBytes);
  if (low === null || answer.exit !== 0) return answer;
  const session = await world.session(input.claude);
  if (session === null || session.off !== null) return answer;
  const told = `${world.sessionDir(session.id)}/told-disk`;
  if (existsSync(told)) return answer;
  // First: where not even this can be written, every prompt says so.
  writeQuietly(told);
  const said: unknown = answer.text === '' ? {} : JSON.parse(answer.text);
  return json({ ...(typeof said === 'object' ? said : {}), systemMessage: `trai: ${lowText(low)}` });
}

function writeQuietly(file: string): void {
  try {
    writeFileSync(file, '', { mode: 0o600 });
  } catch {
    // The disk is full: that is what is being said.
  }
}
