/** Before `--end-processes`: what it leaves alone. */
import { byClient } from '../../core/jobs/end-processes.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { clientStays } from '../messages/errors.ts';
import type { Cli } from './world.ts';

export async function announceClient(cli: Cli, ctx: SessionContext): Promise<void> {
  const stays = clientStays((await byClient(ctx)).own);
  if (stays !== '') cli.remark(stays);
}
