import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, DEFAULT_CONFIG, type ParsedConfig, parseConfig } from '../../shared/config/config.ts';
import { errorCode } from '../kernel/fs/port.ts';
import { absolute, configDir, type Env } from './dirs.ts';
import { configIsNoJson, configTooLarge, configUnreadable, configUnusable } from './messages/errors.ts';

const MAX_CONFIG_BYTES = 256 * 1024;

interface LoadedConfig {
  config: Config;
  /** Null: the defaults apply. */
  file: string | null;
  problems: string[];
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
    return { ...read, file, problems: read.problems.map((problem) => `${file}: ${problem}`) };
  }
  return { config: DEFAULT_CONFIG, file: null, problems: [] };
}

function readConfig(file: string): ParsedConfig | null {
  const unusable = (why: string) => ({
    config: DEFAULT_CONFIG,
    problems: [configUnusable(why)],
  });
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : unusable(configUnreadable(code));
  }
  if (bytes.length > MAX_CONFIG_BYTES) return unusable(configTooLarge(MAX_CONFIG_BYTES, bytes.length));
  try {
    return parseConfig(JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')));
  } catch (error) {
    return unusable(configIsNoJson(error));
  }
}
