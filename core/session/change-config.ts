/** Changes that trai makes to the user's config.json, for the user. */

import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../shared/json-lines.ts';
import { RULES_LOCK_S } from '../../shared/limits.ts';
import { orNull } from '../kernel/fs/port.ts';
import { readPlainFile, replaceFile, writing } from '../kernel/fs/state-file.ts';
import { withFileLock } from '../kernel/proc/file-lock.ts';
import { configFiles, loadConfig, MAX_CONFIG_BYTES } from './config-file.ts';
import { type Env, ensureStateDir } from './dirs.ts';
import { configNotUsable } from './messages/errors.ts';

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
