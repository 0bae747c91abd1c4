/** The user's config.json, as it is read. */
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Config,
  type ConfigProblem,
  DEFAULT_CONFIG,
  type ParsedConfig,
  parseConfig,
} from '../../shared/config/config.ts';
import { errorCode, orNull } from '../kernel/fs/port.ts';
import { readPlainFile } from '../kernel/fs/state-file.ts';
import { absolute, configDir, type Env } from './dirs.ts';
import {
  CONFIG_IS_NO_FILE,
  configIsNoJson,
  configTooLarge,
  configUnreadable,
  configUnusable,
} from './messages/errors.ts';

export const MAX_CONFIG_BYTES = 256 * 1024;

interface LoadedConfig {
  config: Config;
  /** Null: the defaults apply. */
  file: string | null;
  problems: ConfigProblem[];
}

export function configFiles(env: Env): string[] {
  const data = absolute(env, 'CLAUDE_PLUGIN_DATA');
  return [configDir(env), ...(data === null ? [] : [data])].map((dir) => join(dir, 'config.json'));
}

/**
 * Loads the first file that exists. Never throws: a broken file is reported and the defaults apply; the next
 * file is not tried, lest a typing error bring back an old config.
 * @param recorded the file that a session's hooks found; it comes first
 */
export function loadConfig(env: Env, recorded: string | null = null): LoadedConfig {
  for (const file of [...(recorded === null ? [] : [recorded]), ...configFiles(env)]) {
    const read = readConfig(file);
    if (read === null) continue;
    const problems = read.problems.map((one) => ({ ...one, text: `${file}: ${one.text}` }));
    return { ...read, file, problems };
  }
  return { config: DEFAULT_CONFIG, file: null, problems: [] };
}

/** Those that may be about what is at that path (`box.network.deny`), above or below it, or about another name for it. */
export function problemsAbout({ problems }: LoadedConfig, path: readonly string[]): string[] {
  const isAbout = ({ path: at, isUnknownKey }: ConfigProblem): boolean => {
    const shared = at.findIndex((key, i) => key !== path[i]);
    const isSibling = at.length === path.length && shared === at.length - 1;
    if (isUnknownKey) return isSibling || (shared === path.length && at.length > path.length);
    return shared === -1 || shared === path.length;
  };
  return problems.filter(isAbout).map(({ text }) => text);
}

function readConfig(file: string): ParsedConfig | null {
  const unusable = (why: string) => ({
    config: DEFAULT_CONFIG,
    problems: [{ path: [], text: configUnusable(why) }],
  });
  let bytes: Buffer | null;
  // Usually there is none, and an error costs more than a look.
  if (isMissing(file)) return null;
  try {
    // It may be a link, which the managers of dotfiles make.
    bytes = readPlainFile(orNull(() => realpathSync(file)) ?? file);
  } catch (error) {
    return unusable(configUnreadable(errorCode(error)));
  }
  if (bytes === null) return unusable(CONFIG_IS_NO_FILE);
  if (bytes.length > MAX_CONFIG_BYTES) return unusable(configTooLarge(MAX_CONFIG_BYTES, bytes.length));
  try {
    return parseConfig(JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')));
  } catch (error) {
    return unusable(configIsNoJson(error));
  }
}

/** Also for a link to nothing. */
function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    // A file is in the place of a directory above it.
    return errorCode(error) === 'ENOTDIR';
  }
}
