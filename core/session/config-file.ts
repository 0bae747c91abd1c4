/** Finds and reads the user's config file. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { DEFAULT_CONFIG, parseConfig } from '../../shared/config/config.ts';
import type { Config } from '../../shared/model/config-types.ts';

/** Larger files are no config (bytes). */
const MAX_CONFIG_BYTES = 256 * 1024;

export interface LoadedConfig {
  config: Config;
  /** The file that was taken, or null when there is none and the defaults apply. */
  file: string | null;
  problems: string[];
}

type Env = Readonly<Record<string, string | undefined>>;

/** Where a config file may be, first choice first. Relative values of the variables are ignored, as XDG says. */
export function configFiles(env: Env): string[] {
  const home = absolute(env['HOME']) ?? homedir();
  const files = [join(absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'trai', 'config.json')];
  const data = absolute(env['CLAUDE_PLUGIN_DATA']);
  if (data !== null) files.push(join(data, 'config.json'));
  return files;
}

/**
 * Loads the first config file that exists. Never throws: a file that can't be read or is no JSON is reported, and the
 * defaults apply. The next file is not tried then, so that a typing error does not bring back an old config.
 *
 * @param recorded the file that a session's hooks found, which a terminal's environment may not lead to; it comes first
 */
export function loadConfig(env: Env, recorded: string | null = null): LoadedConfig {
  for (const file of [...(recorded === null ? [] : [recorded]), ...configFiles(env)]) {
    const text = read(file);
    if (text === null) continue;
    const { config, problems } =
      'problem' in text ? { config: DEFAULT_CONFIG, problems: [text.problem] } : parsed(text.text);
    return { config, file, problems: problems.map((problem) => `${file}: ${problem}`) };
  }
  return { config: DEFAULT_CONFIG, file: null, problems: [] };
}

function parsed(text: string): { config: Config; problems: string[] } {
  try {
    return parseConfig(JSON.parse(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { config: DEFAULT_CONFIG, problems: [`expected JSON: ${why}. The defaults are used.`] };
  }
}

/** Null: there is no such file. */
function read(file: string): { text: string } | { problem: string } | null {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > MAX_CONFIG_BYTES) {
      return {
        problem: `expected at most ${MAX_CONFIG_BYTES} bytes, found ${bytes.length}. The defaults are used.`,
      };
    }
    return { text: bytes.toString('utf8').replace(/^\uFEFF/, '') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { problem: `can't be read (${String(code)}). The defaults are used.` };
  }
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}
