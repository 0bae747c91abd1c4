/** The user's config.json: read, and changed by trai for the user. */
import { isUtf8 } from 'node:buffer';
import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Config,
  type ConfigProblem,
  DEFAULT_CONFIG,
  type ParsedConfig,
  parseConfig,
} from '../../shared/config/config.ts';
import { isObject } from '../../shared/json-lines.ts';
import { RULES_LOCK_S } from '../../shared/limits.ts';
import { hash } from '../kernel/crypto.ts';
import { errorCode, orNull } from '../kernel/fs/port.ts';
import { readPlainFile, replaceFile, writing } from '../kernel/fs/state-file.ts';
import { withFileLock } from '../kernel/proc/file-lock.ts';
import { absolute, configDir, type Env, ensureStateDir } from './dirs.ts';
import {
  CONFIG_IS_NO_FILE,
  configIsNoJson,
  configNotUsable,
  configTooLarge,
  configUnreadable,
  configUnusable,
} from './messages/errors.ts';

const MAX_CONFIG_BYTES = 256 * 1024;

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
  try {
    // It may be a link, which the managers of dotfiles make.
    bytes = readPlainFile(orNull(() => realpathSync(file)) ?? file);
  } catch (error) {
    return unusable(configUnreadable(errorCode(error)));
  }
  if (bytes === null) return orNull(() => statSync(file)) === null ? null : unusable(CONFIG_IS_NO_FILE);
  if (bytes.length > MAX_CONFIG_BYTES) return unusable(configTooLarge(MAX_CONFIG_BYTES, bytes.length));
  try {
    return parseConfig(JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')));
  } catch (error) {
    return unusable(configIsNoJson(error));
  }
}

type Content = Readonly<Record<string, unknown>>;

/**
 * Changes config.json: other keys and the mode stay, and so does a link to it. With the lock of rule files, and a backup beside theirs: `<state>/rules/<hash of the path>.before.json`.
 * @param change null = the file is not of the expected form
 * @returns the file
 * Errors: `corrupt`, `busy`, `io`.
 */
export async function changeConfig(
  { env, stateDir }: { env: Env; stateDir: string },
  change: (content: Content) => Content | null,
): Promise<string> {
  const named = loadConfig(env).file ?? configFiles(env)[0] ?? '';
  const file = orNull(() => realpathSync(named)) ?? named;
  ensureStateDir(stateDir);
  return await withFileLock(
    join(stateDir, 'rules.lock'),
    async () => {
      const bytes = readPlainFile(file);
      // A link to nothing would become a file, and bytes that are no UTF-8 other ones.
      if (bytes === null ? isThere(file) : !isUtf8(bytes)) throw configNotUsable(file);
      const text = bytes?.toString('utf8') ?? null;
      const next = change(contentOf(text, file));
      const made = `${JSON.stringify(next, null, 2)}\n`;
      // Nothing would be read of a larger one.
      if (next === null || Buffer.byteLength(made) > MAX_CONFIG_BYTES) throw configNotUsable(file);
      await writing(file, async () => {
        if (text !== null) {
          const backup = join(stateDir, 'rules', `${hash('sha256', file)}.before.json`);
          mkdirSync(dirname(backup), { recursive: true, mode: 0o700 });
          await writing(backup, () => replaceFile(backup, text));
        }
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        await replaceFile(file, made, modeOf(file));
      });
      return file;
    },
    RULES_LOCK_S,
  );
}

const modeOf = (file: string): number | undefined => {
  const found = orNull(() => lstatSync(file));
  return found === null ? undefined : found.mode & 0o777;
};

const isThere = (file: string): boolean => orNull(() => lstatSync(file)) !== null;

function contentOf(text: string | null, file: string): Content {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw configNotUsable(file);
}

/** The object of that name, empty where there is none; null for anything else. */
export function objectIn(content: Content, name: string): Content | null {
  const value = content[name];
  return value === undefined ? {} : isObject(value) ? value : null;
}
