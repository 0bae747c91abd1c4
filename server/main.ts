/** Entry of the resident server. SessionStart and `trai ui` start it with `env -i` and a few variables. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { loadConfig } from '../core/session/config-file.ts';
import { ensureStateDir, isInsideSandbox, stateDir } from '../core/session/dirs.ts';
import { VERSION } from '../core/session/version.ts';
import { becomeTheServer } from './discovery/server-lock.ts';
import { programsBeside } from './hooks/world/session-files.ts';
import { type RunningServer, startServer } from './start.ts';
import { WorkerRunner } from './worker/runner.ts';

/** Interval (ms) of the idle check, or shorter for a short idle time. */
const IDLE_LOOK_MS = 30_000;

/** stderr goes to server.log of the state directory. No text holds a credential. */
function report(thrown: unknown, before = ''): void {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  process.stderr.write(`${new Date().toISOString()} ${before}${text}\n`);
}

/** By default V8 lets each thread's heap grow to a multiple: 1 GB after a few scans, 320 MB with this. */
const HEAP_GROWS_PERCENT = 15;

async function main(): Promise<number> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWS_PERCENT}`);
  const { values } = parseArgs({
    options: { port: { type: 'string' }, 'idle-minutes': { type: 'string' } },
    strict: true,
  });
  const { config } = loadConfig(process.env);
  const state = stateDir(process.env);
  process.umask(0o077);
  if (isInsideSandbox(state)) throw new Error('the server can not run inside a sandboxed call');
  ensureStateDir(state);
  const release = await becomeTheServer(state, VERSION);
  if (release === null) return 0;
  const lib = path.dirname(process.argv[1] ?? '');
  let leave: (why: string) => void = () => {};
  const left = new Promise<string>((resolve) => {
    leave = resolve;
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => leave('the server was stopped'));
  const here = path.dirname(fileURLToPath(import.meta.url));
  const server = await startServer({
    stateDir: state,
    env: process.env,
    port: numberIn(values.port, /^\d{1,5}$/) ?? config.server.port,
    webRoot: path.join(here, '../web'),
    programs: programsBeside(lib),
    runner: new WorkerRunner(new URL('./scan-worker.mjs', import.meta.url)),
    report,
    onDrain: () => leave('a newer version takes over'),
  });
  // What a turn asks is asked rarely: for most of a session V8 would interpret it. Not before the start, which runs once.
  setFlagsFromString('--always-sparkplug');
  const idleMinutes = numberIn(values['idle-minutes'], /^\d{1,5}(\.\d{1,3})?$/) ?? config.server.idleMinutes;
  const timer = setInterval(
    () => {
      if (isIdle(server, idleMinutes)) leave('nobody used it for a while');
    },
    Math.min(IDLE_LOOK_MS, idleMinutes * 15_000 || IDLE_LOOK_MS),
  );
  const why = await left;
  clearInterval(timer);
  await server.stop(why);
  await release();
  return 0;
}

/** 0 minutes = never. */
function isIdle(server: RunningServer, minutes: number): boolean {
  if (minutes === 0 || server.isBusy()) return false;
  return Date.now() - server.lastUse() > minutes * 60_000;
}

function numberIn(text: string | undefined, form: RegExp): number | null {
  return text !== undefined && form.test(text) ? Number(text) : null;
}

// A log for which there is no room must not end the server.
process.stderr.on('error', () => undefined);
process.on('unhandledRejection', (thrown) => report(thrown));
main().then(
  (status) => process.exit(status),
  (thrown) => {
    // `trai ui` searches server.log for this mark (cli/context/server-process.ts).
    report(thrown, 'ended: ');
    process.exit(1);
  },
);
