import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { processArguments, processIds, processStat } from '../../core/kernel/proc/proc.ts';

/** Groups that are running now; a signal to us must end them, since they do not get the terminal's signals. */
const running = new Set<ChildProcess>();
const cleanups: (() => Promise<void>)[] = [];
/** Those that write output which was held back: also what a signal ends is shown. */
const heldBack = new Set<() => void>();
let handling = false;

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

/** Command lines of a group's processes. One that has ended counts no more, however late init takes note of it. */
function groupMembers(group: number): string[] {
  return processIds().flatMap((pid) => {
    const stat = processStat(pid);
    if (stat === null || stat.group !== group || stat.state === 'Z') return [];
    return [(processArguments(pid) ?? []).join(' ').slice(0, 200) || stat.name];
  });
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits until nobody is left in the group; false when somebody still is after `ms`. */
async function groupGone(pid: number, ms: number): Promise<boolean> {
  for (let waited = 0; groupMembers(pid).length > 0; waited += 50) {
    if (waited >= ms) return false;
    await pause(50);
  }
  return true;
}

/** Ends what is left of a process group: TERM, five seconds, KILL. */
async function endGroup(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  if (await groupGone(pid, 5_000)) return;
  signalGroup(pid, 'SIGKILL');
  await groupGone(pid, 1_000);
}

/** After the leader's end: gives the others a second to follow it, then ends them. Resolves to those that had to be ended. */
async function sweepGroup(pid: number): Promise<string[]> {
  if (await groupGone(pid, 1_000)) return [];
  const left = groupMembers(pid);
  await endGroup(pid);
  return left;
}

let ending: Promise<void> | null = null;

/** Ends everything that was started here and runs the clean-ups, the newest first; once, however often it is called. */
export function endAll(): Promise<void> {
  ending ??= (async () => {
    const pids = [...running].flatMap((child) => (child.pid === undefined ? [] : [child.pid]));
    await Promise.all(pids.map(endGroup));
    for (const show of heldBack) show();
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  })();
  return ending;
}

/** True from the first endAll() on: what ends now ends because of it. */
export function isEnding(): boolean {
  return ending !== null;
}

function handleSignals(): void {
  if (handling) return;
  handling = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A second Ctrl-C finds the clean-up under way and waits for the same end.
    process.on(signal, () => void endAll().then(() => process.exit(128 + constants.signals[signal])));
  }
}

/** Runs `cleanup` in endAll() and when a signal ends this program. */
export function atEnd(cleanup: () => Promise<void>): void {
  handleSignals();
  cleanups.push(cleanup);
}

export interface RunOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** Where the output goes: shown as it comes, shown whole at the end, collected (both streams), or nowhere. */
  output?: 'show' | 'show-whole' | 'collect' | 'ignore';
  /** Stands before the output of `show-whole`. */
  title?: string;
}

export interface RunResult {
  /** Exit status; 128+n for a signal; 127 when it could not be started. */
  status: number;
  /** Standard output and standard error, in `collect` and `show-whole` only. */
  text: string;
  /** Command lines of others of its group that the process left behind; they were ended. */
  leftGroup: readonly string[];
}

export interface Running {
  pid: number;
  /** Resolves when the process has ended and nobody of its group is left. */
  ended: Promise<RunResult>;
  /** Ends the whole group and waits for it. */
  stop(): Promise<void>;
}

const STDIO = {
  show: ['ignore', 'inherit', 'inherit'],
  'show-whole': ['ignore', 'pipe', 'pipe'],
  collect: ['ignore', 'pipe', 'pipe'],
  ignore: ['ignore', 'ignore', 'ignore'],
} as const satisfies Record<string, SpawnOptions['stdio']>;

/** Starts a program in a session of its own, without standard input. */
export function start(file: string, args: readonly string[], options: RunOptions): Running {
  handleSignals();
  const env = options.env ?? process.env;
  const child = spawn(file, args, {
    cwd: options.cwd,
    env,
    detached: true,
    stdio: [...STDIO[options.output ?? 'show']],
  });
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const show = () => {
    if (heldBack.delete(show)) process.stdout.write(`${options.title ?? ''}${text}`);
  };
  if (options.output === 'show-whole') heldBack.add(show);
  const pid = child.pid ?? 0;
  const ended = new Promise<RunResult>((resolve) => {
    const end = (status: number, leftGroup: readonly string[]) => {
      running.delete(child);
      show();
      resolve({ status, text, leftGroup });
    };
    child.once('error', (error) => {
      text += `${error.message}\n`;
      end(127, []);
    });
    child.once('exit', (code, signal) => {
      const status = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
      // Who left the group may hold the output open for ever.
      const closed = new Promise<void>((done) => child.once('close', () => done()));
      void sweepGroup(pid).then(async (leftGroup) => {
        await Promise.race([closed, pause(1_000)]);
        end(status, leftGroup);
      });
    });
  });
  const stop = async (): Promise<void> => {
    if (running.has(child)) await endGroup(pid);
    await ended;
  };
  return { pid, ended, stop };
}

/** Runs a program to its end, in a process group of its own of which nothing is left afterwards. */
export function run(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  return start(file, args, options).ended;
}
