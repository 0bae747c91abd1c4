/** Which rules a command is about: those of a project, and of a session when one is named. */
import type { RulesRequest } from '../../../core/rules/files/rule-set.ts';
import { type JudgeFacts, judgeFacts } from '../../../core/rules/judge/judge-facts.ts';
import { compilePattern, PatternError } from '../../../core/rules/model/pattern.ts';
import { loadConfig } from '../../../core/session/config-file.ts';
import { homeDir } from '../../../core/session/dirs.ts';
import { projectOf } from '../../../core/session/project.ts';
import { toText } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import type { Mode } from '../../../shared/model/decision.ts';
import { badUsage, type Command } from '../../context/command.ts';
import type { Cli } from '../../context/world.ts';
import { USAGE } from '../../messages/errors.ts';

export interface Place {
  config: Config;
  request: RulesRequest;
  projectRoot: string;
}

export function placeOf(cli: Cli): Place {
  const { config, problems } = loadConfig(cli.env);
  for (const { text } of problems) cli.remark(text);
  const project = projectOf(cli.dir);
  const home = homeDir(cli.env);
  const request = { env: cli.env, stateDir: cli.state, project, session: cli.session, home, config };
  return { config, request, projectRoot: toText(project.root) };
}

export function factsOf({ config, request: { home } }: Place, runs: Mode | null = null): JudgeFacts {
  return judgeFacts({ view: 'none', home, config, runs });
}

/** Errors: `bad-usage`. */
export function patternOf(command: Command, source: string | undefined): RegExp | null {
  if (source === undefined) return null;
  try {
    return compilePattern(source).regexp;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw badUsage(command, USAGE.noPattern(source, error.message));
  }
}
