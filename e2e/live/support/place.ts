/** A user's machine in small: a home, a project and a state directory of their own, and the built plugin. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { endLeftovers, type Leftover, processKeys } from '../../../scripts/lib/leftovers.ts';
import { ROOT } from '../../../scripts/lib/root.ts';
import { removeTree } from '../../../testing/remove-tree.ts';
import { type Ended, runToEnd } from './process.ts';

export interface Place {
  /** Everything of the test lies below it; absolute, without symbolic links. */
  dir: string;
  home: string;
  project: string;
  state: string;
  /** The plugin as it is installed. */
  plugin: string;
  /** What programs of the user get: none of the variables that a client sets. */
  env: NodeJS.ProcessEnv;
}

/**
 * Not in the temporary directory: that may be a tmpfs, which older kernels refuse as the upper side of an overlay.
 */
function scratch(name: string): string {
  const base = path.join(homedir(), '.cache');
  mkdirSync(base, { recursive: true });
  return realpathSync(mkdtempSync(path.join(base, `trai-${name}-`)));
}

/** Builds the plugin beside the tree, so that a stale dist/ can't be what is tested. TRAI_TEST_PLUGIN names another. */
export function buildPluginTree(): { plugin: string; remove: () => void } {
  const given = process.env['TRAI_TEST_PLUGIN'];
  if (given !== undefined) return { plugin: given, remove: () => undefined };
  const dir = scratch('plugin');
  const plugin = path.join(dir, 'plugin');
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  try {
    const build = ['scripts/run.mjs', 'build', '--out', plugin];
    execFileSync(process.execPath, build, { cwd: ROOT, stdio: 'inherit' });
  } catch (error) {
    remove();
    throw error;
  }
  return { plugin, remove };
}

/** Makes a place. `close` ends by pid what is left of it, says what that was, and removes everything. */
export function makePlace(plugin: string): { place: Place; close: () => Promise<Leftover[]> } {
  const before = processKeys();
  const dir = scratch('live');
  const [home, project, state] = [
    path.join(dir, 'home'),
    path.join(dir, 'home/project'),
    path.join(dir, 'state'),
  ];
  const tmp = path.join(dir, 'tmp');
  for (const made of [project, tmp]) mkdirSync(made, { recursive: true });
  mkdirSync(state, { mode: 0o700 });
  mkdirSync(path.join(home, '.config/trai'), { recursive: true });
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    USER: process.env['USER'] ?? '',
    LANG: 'C.UTF-8',
    TMPDIR: tmp,
    SHELL: '/bin/bash',
    TRAI_STATE_HOME: state,
  };
  const place = { dir, home, project, state, plugin, env };
  const close = async (): Promise<Leftover[]> => {
    await stopServer(place);
    const left = await endLeftovers(before, [dir]);
    removeTree(dir);
    return left;
  };
  return { place, close };
}

/** Puts the user's config in place. */
export function writeConfig(place: Place, config: object): void {
  writeFileSync(path.join(place.home, '.config/trai/config.json'), JSON.stringify(config));
}

/** Runs `trai ARGS...` in the project, as the user would in a terminal. */
export async function trai(place: Place, args: readonly string[]): Promise<Ended> {
  return await runToEnd('bash', [path.join(place.plugin, 'bin/trai'), ...args], {
    cwd: place.project,
    env: place.env,
  });
}

/** Runs a shell command in a session through `trai exec`; throws unless it ends with `status`. */
export async function exec(place: Place, session: string, command: string, status = 0): Promise<string> {
  const ended = await trai(place, ['exec', '--session', session, '--', 'bash', '-c', command]);
  if (ended.status !== status)
    throw new Error(`trai exec: expected status ${status}, found ${ended.status}: ${ended.out}${ended.err}`);
  return ended.out;
}

/** A fresh address of the dashboard; the code in it works once, for 30 seconds. Starts the server if none runs. */
export async function dashboardUrl(place: Place): Promise<string> {
  const ended = await trai(place, ['ui', '--print']);
  const url = /http:\/\/127\.0\.0\.1:\d+\/#c=[A-Za-z0-9_-]+\S*/.exec(ended.out)?.[0];
  if (ended.status !== 0 || url === undefined)
    throw new Error(
      `trai ui --print: expected an address with a code, found ${ended.status}: ${ended.out}${ended.err}`,
    );
  return url;
}

export interface ServerJson {
  pid: number;
  port: number;
  hook: string;
}

/** What server.json says; null when there is none. */
export function serverJson(place: Place): ServerJson | null {
  const file = path.join(place.state, 'server.json');
  if (!existsSync(file)) return null;
  const json: ServerJson = JSON.parse(readFileSync(file, 'utf8'));
  return json;
}

/** Ends the server and waits until it is gone. SIGKILL = the machine's own way, SIGTERM = in good order. */
export async function stopServer(place: Place, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  const server = serverJson(place);
  if (server === null || !existsSync(`/proc/${server.pid}`)) return;
  // A pid that another process has by now is not ours to end.
  if (!readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').includes(place.plugin)) return;
  process.kill(server.pid, signal);
  while (existsSync(`/proc/${server.pid}`)) await new Promise((resolve) => setTimeout(resolve, 20));
}
