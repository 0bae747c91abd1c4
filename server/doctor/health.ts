import { isHealthy, runDoctor } from '../../core/sandbox/doctor/doctor.ts';
import { configFiles, loadConfig } from '../../core/session/config-file.ts';
import { VERSION } from '../../core/session/version.ts';
import type { Health } from '../../shared/api/types.ts';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import { configRows } from '../../shared/config/config-rows.ts';

/** What the doctor's page shows: the checks, made now; this server; the config as it would be read now. */
export async function health(
  stateDir: string,
  env: NodeJS.ProcessEnv,
  project: BytePath | null,
): Promise<Health> {
  const dir = project === null ? null : textOf(project);
  const checks = await runDoctor({ stateDir, env, ...(dir === null ? {} : { project: dir }) });
  const { config, file, problems } = loadConfig(env);
  return {
    ok: isHealthy(checks),
    checks: checks.map(({ id, ok, level, found, remedy }) => ({ id, ok, level, found, remedy })),
    version: VERSION,
    server: {
      pid: process.pid,
      startedAt: new Date(Date.now() - Math.round(process.uptime() * 1000)).toISOString(),
      memory: process.memoryUsage.rss(),
      stateDir,
    },
    config: { file, candidates: configFiles(env), problems, rows: configRows(config, DEFAULT_CONFIG) },
  };
}

/** The doctor takes text: of a directory whose name is none, only the general checks are made. */
function textOf(path: BytePath): string | null {
  const text = Buffer.from(path, 'latin1').toString('utf8');
  return fromText(text) === path ? text : null;
}
