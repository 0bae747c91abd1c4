/**
 * What tests get of the environment of whoever runs them: as little as possible. vitest.config.ts, playwright.config.ts
 * and `npm test` call this before any test is started, so a single file run by hand has it too.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { release, userInfo } from 'node:os';
import path from 'node:path';
import { ROOT } from './root.ts';

/** Set in every process of a run; names its temporary directory. */
const RUN = 'TRAI_TEST_SCRATCH';

/** Read by git, by a shell, by the libraries of the locale, or by trai itself. */
const READ = /^(GIT_.*|XDG_.*|LC_.*|LANGUAGE|BASH_ENV|ENV|CDPATH|ZDOTDIR|TMP|TEMP|TRAI_STATE_HOME)$/;

/** Such an environment from that of whoever runs the tests, with directories that are the run's own. */
export function neutralVariables(
  env: NodeJS.ProcessEnv,
  { home, scratch }: { home: string; scratch: string },
): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !READ.test(name))),
    HOME: home,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    XDG_RUNTIME_DIR: path.join(scratch, 'run'),
    [RUN]: scratch,
    // An install goes through the caller's own registry and cache; no test reads them.
    TRAI_NPM_HOME: env['TRAI_NPM_HOME'] ?? env['HOME'] ?? '',
    ...browsers(env),
  };
}

/** Playwright's own Chromium lies in the caller's cache. */
function browsers(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const found = path.join(env['XDG_CACHE_HOME'] || path.join(env['HOME'] ?? '', '.cache'), 'ms-playwright');
  return env['PLAYWRIGHT_BROWSERS_PATH'] === undefined && existsSync(found)
    ? { PLAYWRIGHT_BROWSERS_PATH: found }
    : {};
}

/** For a program that fetches packages. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, HOME: process.env['TRAI_NPM_HOME'] || process.env['HOME'] };
}

/** Makes this process and all that it starts neutral, once a run. Returns the run's directories, which go with the process. */
export function makeNeutral(): string[] {
  process.umask(0o022);
  if (process.env[RUN] !== undefined) return [];
  const scratch = mkdtempSync(path.join(scratchBase(), 'trai-t-'));
  // Root's tests start the client as an ordinary user, who has to get to what lies in it.
  if (process.getuid?.() === 0) chmodSync(scratch, 0o711);
  mkdirSync(path.join(scratch, 'run'), { mode: 0o700 });
  // Not there: /tmp may be a tmpfs, and the sandbox leaves it to the host.
  const home = mkdtempSync(path.join(homeBase(), 'trai-h-'));
  const neutral = neutralVariables(process.env, { home, scratch });
  for (const name of Object.keys(process.env)) if (!(name in neutral)) delete process.env[name];
  Object.assign(process.env, neutral);
  process.on('exit', () => {
    // Directories that a test made unreadable would stop a plain removal half-way.
    spawnSync('chmod', ['-R', 'u+rwX', scratch, home]);
    spawnSync('rm', ['-rf', scratch, home]);
  });
  return [scratch, home];
}

/**
 * Whatever TMPDIR says: a link or a space in its name must not matter. In memory, where the thousands of sessions of a
 * run wait for no disk; root's are on the disk, so that the suites that both run meet both.
 */
function scratchBase(): string {
  const memory = '/dev/shm';
  const [major = 0, minor = 0] = release().split('.').map(Number);
  // User xattrs on tmpfs, which an overlay of an ordinary user needs there, came with Linux 6.6.
  const holds = major > 6 || (major === 6 && minor >= 6);
  const usable = process.getuid?.() !== 0 && holds && existsSync(memory) && statfsSync(memory).bavail > 0;
  return usable ? memory : '/tmp';
}

/** In the home that the system knows for this user, not in that of the environment; else beside the tree. */
function homeBase(): string {
  const own = userInfo().homedir;
  for (const dir of [path.join(own, '.cache'), path.join(ROOT, '.cache')]) {
    try {
      mkdirSync(dir, { recursive: true });
      accessSync(dir, constants.W_OK);
      return dir;
    } catch {
      // The next one.
    }
  }
  throw new Error(`no place for the tests' home: neither ${own} nor ${ROOT} can be written to`);
}
