import { unfinishedCommit } from '../commit/journal/journal.ts';
import { lowSpace } from '../kernel/fs/free-space.ts';
import { ruleNews } from '../rules/effects/effects.ts';
import { liveProcesses } from '../sandbox/live.ts';
import { loadConfig } from '../session/config-file.ts';
import type { Env } from '../session/dirs.ts';
import type { SessionContext } from '../session/session-context.ts';
import { overlapsOf } from './overlaps.ts';

/** What a status says beside the list. */
export async function statusFacts(ctx: SessionContext, env: Env) {
  const { stateDir, session } = ctx;
  return {
    processes: await liveProcesses(ctx.source),
    unfinished: unfinishedCommit(ctx) !== null,
    overlaps: await overlapsOf(stateDir, env, session),
    rules: ruleNews(ctx),
    low: lowSpace(stateDir, loadConfig(env).config.disk.warnFreeBytes),
  };
}
