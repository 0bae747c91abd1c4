import { fromText } from '../../../shared/bytes.ts';
import { type HookAnswer, SILENT } from '../world/answer.ts';
import { fileOf, followed } from '../world/file-paths.ts';
import type { ToolInput } from '../world/input.ts';
import type { HookWorld } from '../world/world.ts';
import { logFileUse } from './file-view.ts';

/** After a file tool wrote, or failed to: it goes on record, and whoever still shows the old content is told. */
export async function fileTouched(world: HookWorld, call: ToolInput, failed: boolean): Promise<HookAnswer> {
  const session = await world.session(call.claude);
  const file = fileOf(call);
  if (session === null || session.off !== null || file === null) return SILENT;
  await logFileUse(world, session, call, file, failed ? 'failed' : 'written', '');
  if (!failed) await world.hostChanged(session, [fromText(followed(file))]);
  return SILENT;
}
