import { collectContexts } from '../../../core/jobs/all-sessions.ts';
import { diskUse } from '../../../core/jobs/disk.ts';
import { loadConfig } from '../../../core/session/config-file.ts';
import type { Env } from '../../../core/session/dirs.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { Handlers } from '../../../shared/api/contract.ts';
import type { DiskUse, GcReport } from '../../../shared/api/disk.ts';
import type { EventHub } from '../../events/hub.ts';
import type { JobRunner } from '../../worker/runner.ts';

interface Parts {
  stateDir: string;
  env: Env;
  runner: JobRunner;
  hub: EventHub;
}

/** The disk's part of the server's backend. */
export function diskBackend({
  stateDir,
  env,
  runner,
  hub,
}: Parts): Pick<Handlers, 'disk' | 'gcPreview' | 'gc'> {
  /** Of one answer for all who ask meanwhile: counting goes through every session. */
  let counting: Promise<DiskUse> | null = null;
  const contexts = async (): Promise<SessionContext[]> => await collectContexts(stateDir, env);
  return {
    disk: async () => {
      counting ??= (async () => {
        const sizes = (ctx: SessionContext, live: boolean) => runner.run('disk', ctx, { live });
        const { warnFreeBytes } = loadConfig(env).config.disk;
        return await diskUse({ stateDir, contexts: await contexts(), warnFreeBytes, sizes });
      })().finally(() => {
        counting = null;
      });
      return await counting;
    },
    gcPreview: async () => {
      const all = await contexts();
      const [first] = all;
      return first === undefined ? { found: [], bytes: 0 } : await runner.run('garbage', first, all);
    },
    gc: async (order) => {
      const all = await contexts();
      const [first] = all;
      const none: GcReport = { removed: [], kept: [], freed: 0 };
      const report =
        first === undefined ? none : await runner.run('collect', first, { contexts: all, order });
      hub.emit({ type: 'sessions' });
      return report;
    },
  };
}
