import { existsSync } from 'node:fs';
import { boxNotes } from '../../core/box/check.ts';
import { contextsOf } from '../../core/jobs/disk.ts';
import { loadRules, problemsOf } from '../../core/rules/files/rule-set.ts';
import { PASSTHRU } from '../../core/rules/messages.ts';
import { type Check, pass, warn } from '../../core/sandbox/doctor/check.ts';
import { isHealthy, runDoctor } from '../../core/sandbox/doctor/doctor.ts';
import { damagedFiles } from '../../core/sandbox/prepare/covered-dirs.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { homeDir } from '../../core/session/dirs.ts';
import { projectOf } from '../../core/session/project.ts';
import { toDisplay, toText } from '../../shared/bytes.ts';
import { messageWithPath, TraiError } from '../../shared/errors.ts';
import type { Style } from '../../shared/terminal/text.ts';
import type { Command } from '../context/command.ts';
import { findServer } from '../context/server-process.ts';
import type { Cli } from '../context/world.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'test whether the sandbox works here, and print the remedy if it does not',
  arguments: [],
  session: null,
  async run(cli) {
    const checks = await runDoctor({ stateDir: cli.state, project: cli.dir, env: cli.env });
    checks.push(
      configCheck(cli),
      ...(await rulesChecks(cli)),
      await serverCheck(cli),
      await sessionsCheck(cli),
    );
    checks.push(...(await boxNotes(cli.env)));
    const lines = checksText(checks, cli.style);
    const healthy = isHealthy(checks);
    lines.push(
      healthy
        ? 'The sandbox works here.'
        : 'The sandbox does not work here. Bash calls are refused until the above is fixed.',
    );
    cli.print(lines.join('\n'), { ok: healthy, checks });
    return healthy ? 0 : 1;
  },
};

/** A line a check, with its remedy below. */
export function checksText(checks: readonly Check[], style: Style): string[] {
  return checks.flatMap((check) => {
    const mark = check.ok
      ? style.green('ok  ')
      : check.level === 'warning'
        ? style.yellow('note')
        : style.red('FAIL');
    const remedy = check.remedy === '' ? [] : check.remedy.split('\n').map((line) => `       ${line}`);
    return [`${mark}  ${check.id}: ${check.found}`, ...remedy];
  });
}

function configCheck(cli: Cli): Check {
  const { file, problems } = loadConfig(cli.env);
  if (problems.length === 0) return { id: 'config', ...pass(file ?? 'none: the defaults') };
  const remedy =
    'Correct these keys; until then their defaults are used. docs/configuration.md explains every key.';
  return { id: 'config', ...warn(problems.map(({ text }) => text).join(' '), remedy) };
}

async function rulesChecks(cli: Cli): Promise<Check[]> {
  const id = 'rules';
  const { config } = loadConfig(cli.env);
  const home = homeDir(cli.env);
  const about = { env: cli.env, stateDir: cli.state, session: null, home };
  const project = projectOf(cli.dir);
  const { enabled, files } = loadRules({ ...about, project, config });
  if (!enabled) return [{ id, ...pass('turned off by the config') }];
  const broken = files.flatMap((file) => problemsOf(file).map((text) => `${toDisplay(file.path)}: ${text}`));
  const found =
    broken.length === 0
      ? pass('rule files can be used, or there are none')
      : warn(broken.join('; '), 'Repair or remove them. More: trai rules verify');
  const { hasPassthru } = await import('../../core/rules/manage/settings.ts');
  const isShared = hasPassthru({ env: cli.env, home, projectRoot: toText(project.root) });
  return [{ id, ...found }, ...(isShared ? [{ id: 'passthru', ...warn(PASSTHRU.on, PASSTHRU.which) }] : [])];
}

async function serverCheck(cli: Cli): Promise<Check> {
  const id = 'server';
  try {
    const server = await findServer(cli);
    if (server !== null) {
      return { id, ...pass(`server ${server.version} answers on port ${server.port} (pid ${server.pid})`) };
    }
  } catch (error) {
    if (!(error instanceof TraiError)) throw error;
    return { id, ...warn(`${error.message}: ${error.path ?? cli.state}`, error.hint ?? '') };
  }
  const remedy = 'It starts with a session, or with: trai ui. Until then calls are slower.';
  return { id, ...warn('no server is running', remedy) };
}

async function sessionsCheck(cli: Cli): Promise<Check> {
  const id = 'sessions';
  // Another check covers a missing state directory.
  if (!existsSync(`${cli.state}/sessions`)) return { id, ...pass('none yet') };
  const { sessions, broken } = await contextsOf(cli.state, cli.env);
  const anew = sessions.flatMap(({ ctx }) => damagedFiles(ctx.sessionDir));
  const found = [
    ...broken.map((one) => `${one.session}: ${messageWithPath(one)}`),
    ...anew.map((file) => `${file} is damaged`),
  ];
  if (found.length === 0) return { id, ...pass(`${sessions.length}, all can be read`) };
  const remedies = [
    ...broken.map(({ hint }) => hint),
    ...(anew.length === 0
      ? []
      : ['Nothing to do for damaged files: the next call of the session rebuilds them.']),
  ];
  return { id, ...warn(found.join('; '), [...new Set(remedies)].join('\n')) };
}
