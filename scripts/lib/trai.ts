import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { buildPlugin } from '../build/plugin.ts';
import { isUnbuilt, newerThanBuild } from '../build/stale.ts';
import { atEnd, pause, type Running, type RunResult, run, start } from './exec.ts';
import { endLeftovers, processKeys } from './leftovers.ts';
import { PLUGIN_DIST, ROOT } from './root.ts';

/** A trai of its own beside the user's: its own state and config, a scratch project, its own server. */
export interface Trai {
  /** Absolute. */
  project: string;
  state: string;
  env: NodeJS.ProcessEnv;
}

/** What the server may know of the environment: the list of hooks/lib/start-server.sh. */
const SERVER_ENVIRONMENT = [
  'HOME',
  'USER',
  'LOGNAME',
  'PATH',
  'LANG',
  'TZ',
  'TMPDIR',
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_CACHE_HOME',
  'TRAI_STATE_HOME',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'DBUS_SESSION_BUS_ADDRESS',
  'BROWSER',
];
const SERVER_START_MS = 10_000;

/** dist/ is committed; it is built where somebody removed it or went on with the sources. */
export async function ensureDist(): Promise<void> {
  const unbuilt = isUnbuilt(PLUGIN_DIST);
  const newer = unbuilt ? null : newerThanBuild(ROOT, PLUGIN_DIST);
  if (!unbuilt && newer === null) return;
  // Not on standard output, which is the table of a benchmark.
  console.error(`Building dist/plugin${newer === null ? '' : `: ${newer} is newer`} ...`);
  const { problems } = await buildPlugin(PLUGIN_DIST);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

async function removeTree(dir: string): Promise<void> {
  // The kernel makes overlay work directories with mode 000.
  await run('chmod', ['-R', 'u+rwX', dir], { cwd: '/', output: 'ignore' });
  await run('rm', ['-rf', dir], { cwd: '/', output: 'collect' });
}

/**
 * Makes one. Everything of it is removed by endAll(), or when a signal ends this program: its processes first.
 * The project lies below the temporary directory, which the sandbox covers on its own; the state does not, since the
 * temporary directory may be a tmpfs, which older kernels refuse as the upper side of an overlay.
 */
export function makeTrai(name: string): Trai {
  const before = processKeys();
  const base = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  mkdirSync(base, { recursive: true });
  const home = mkdtempSync(path.join(base, `trai-${name}-`));
  const scratch = mkdtempSync(path.join(tmpdir(), `trai-${name}-`));
  const [state, config, project] = [
    path.join(home, 'state'),
    path.join(home, 'config'),
    path.join(scratch, 'project'),
  ];
  mkdirSync(state, { mode: 0o700 });
  mkdirSync(path.join(config, 'trai'), { recursive: true });
  mkdirSync(project);
  // It stays until Ctrl-C.
  writeFileSync(path.join(config, 'trai/config.json'), JSON.stringify({ server: { idleMinutes: 1440 } }));
  atEnd(async () => {
    await endLeftovers(before, [home, scratch]);
    await removeTree(home);
    await removeTree(scratch);
  });
  return { project, state, env: { ...process.env, TRAI_STATE_HOME: state, XDG_CONFIG_HOME: config } };
}

/** Runs `bin/trai ARGS...` in the project and returns status and output. */
export function trai(
  on: Trai,
  args: readonly string[],
  output: 'show' | 'collect' = 'collect',
): Promise<RunResult> {
  return run('bash', [path.join(ROOT, 'bin/trai'), ...args], { cwd: on.project, env: on.env, output });
}

/** Starts `bin/trai exec --session SESSION -- bash -c COMMAND` and does not wait for it. */
export function startInSession(
  on: Trai,
  session: string,
  command: string,
  output: 'show' | 'ignore',
): Running {
  const args = [path.join(ROOT, 'bin/trai'), 'exec', '--session', session, '--', 'bash', '-c', command];
  return start('bash', args, { cwd: on.project, env: on.env, output });
}

/** The port in server.json once the server of this process id has written it; null before. */
function portOf(state: string, pid: number): number | null {
  const file = path.join(state, 'server.json');
  if (!existsSync(file)) return null;
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (json === null || typeof json !== 'object' || Reflect.get(json, 'pid') !== pid) return null;
  const port: unknown = Reflect.get(json, 'port');
  return typeof port === 'number' ? port : null;
}

export interface RunningServer extends Running {
  port: number;
}

/**
 * Starts the server, with the little environment that the hooks give it.
 * @throws when it ends, or is not there after ten seconds; its own output is shown.
 */
export async function startServer(on: Trai): Promise<RunningServer> {
  const env = Object.fromEntries(
    Object.entries(on.env).filter(([name]) => SERVER_ENVIRONMENT.includes(name)),
  );
  const server = start(process.execPath, [path.join(PLUGIN_DIST, 'lib/server.mjs')], { cwd: '/', env });
  let gone: RunResult | null = null;
  void server.ended.then((result) => {
    gone = result;
  });
  for (let waited = 0; waited < SERVER_START_MS && gone === null; waited += 50) {
    const port = portOf(on.state, server.pid);
    if (port !== null) return { ...server, port };
    await pause(50);
  }
  await server.stop();
  throw new Error(
    `expected the server to write ${path.join(on.state, 'server.json')} within 10 s, it did not`,
  );
}
