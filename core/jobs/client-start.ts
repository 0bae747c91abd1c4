/** How Claude Code is started in a session: by the server where one answers, else by `trai claude` and `trai box` themselves. */
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BytePath } from '../../shared/bytes.ts';
import { toText } from '../../shared/bytes.ts';
import { orIfRefused } from '../kernel/fs/port.ts';
import { type Env, homeDir, sessionDir } from '../session/dirs.ts';
import { logTo } from '../session/log/append.ts';
import type { ClientLevel } from '../session/meta-file.ts';
import { ensureSession, type NewSession } from '../session/store.ts';
import { VERSION } from '../session/version.ts';
import { noClient } from './messages/errors.ts';

/** Updates would be downloaded into the overlay at each start. */
export const DISABLED = {
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
};

/** Those of `DISABLED` that the environment does not have. */
export const defaultsIn = (env: Env): Record<string, string> =>
  Object.fromEntries(Object.entries(DISABLED).filter(([name]) => env[name] === undefined));

/** Where its installers put it without changing PATH. */
const PLACES = ['.local/bin/claude', '.claude/local/claude'] as const;

/** Errors: `no-program`. */
export function findClient(env: Env): string {
  const dirs = (env['PATH'] ?? '').split(':').filter((dir) => dir.startsWith('/'));
  const more = PLACES.map((place) => join(homeDir(env), place));
  const found = [...dirs.map((dir) => join(dir, 'claude')), ...more].find(isProgram);
  if (found === undefined) throw noClient(more);
  return found;
}

function isProgram(path: string): boolean {
  return orIfRefused(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);
}

/**
 * Given as options, nothing of it changes the user's settings. The client takes the last `--settings` only.
 * @param root the plugin's folder
 */
export function ownOptions(root: string, words: readonly string[]): string[] {
  const given = (name: string) => words.some((word) => word === name || word.startsWith(`${name}=`));
  return [
    '--plugin-dir',
    root,
    // Its entry in the desktop's database would be pending, and is one of the machine.
    ...(given('--settings') ? [] : ['--settings', '{"disableDeepLinkRegistration":"disable"}']),
  ];
}

/** A client that will run in the session itself. */
export interface ForClient {
  level: ClientLevel;
  /** What a new session is made with. */
  files: NonNullable<NewSession['files']>;
  fill?: NewSession['fill'];
}

/** The session, made if there is none, with the start in its log. Errors: those of ensureSession. */
export async function sessionForClient(
  stateDir: string,
  id: string,
  { cwd, level, files, fill }: ForClient & { cwd: BytePath },
): Promise<{ session: string; created: boolean }> {
  const { meta, created } = await ensureSession(stateDir, id, { cwd, levels: [level], files, fill });
  const dir = sessionDir(stateDir, meta.id);
  logTo(dir, { t: 'session', claude: '', source: 'client', cwd: toText(cwd), plugin: VERSION });
  return { session: meta.id, created };
}
