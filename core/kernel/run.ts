/** Runs programs, never through a shell. */
import { type StdioOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { PROGRAM_DIR } from './programs.ts';

/** Texts are byte strings: one character a byte. */
export interface RunResult {
  /** 128+n for a signal; 124 after a time-out; 127 when it could not be started. */
  status: number;
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: Buffer | string;
  /** Become descriptors 3 and so on. */
  fds?: readonly number[];
  /** A descriptor for its output. */
  stdout?: number | 'ignore' | undefined;
  /** Milliseconds; then the whole process group is ended. */
  timeout?: number;
  /** Milliseconds from SIGTERM to SIGKILL, for a program that removes its locks; 0 if not given. */
  grace?: number;
  /** Bytes of output; with more it is ended as after a time-out. */
  mostOutput?: number;
}

/** From SIGKILL to giving up: a process that hangs in the kernel (a silent file server) does not end. */
const KILL_MS = 500;

/** A process group of its own: Ctrl-C in a terminal stops trai between two steps, not the program in one. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return new Promise((resolve) => {
    const { cwd, env = process.env, fds = [], timeout, grace = 0, mostOutput = Infinity } = options;
    const stdio: StdioOptions = ['pipe', options.stdout ?? 'pipe', 'pipe', ...fds];
    const child = spawn(program, args, { cwd, env, stdio, detached: true });
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    let [size, timedOut] = [0, false];
    let timer: NodeJS.Timeout | undefined;
    const finish = (status: number, error = ''): void => {
      clearTimeout(timer);
      const [stdout, stderr] = [textOf(output), textOf(errors) + error];
      resolve({ status: timedOut ? 124 : status, stdout, stderr, timedOut });
    };
    const kill = (): void => {
      signalGroup(child.pid, 'SIGKILL');
      // A process that left the group holds the pipes open.
      timer = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        child.unref();
        finish(124);
      }, KILL_MS);
    };
    const stop = (): void => {
      if (timedOut) return;
      timedOut = true;
      clearTimeout(timer);
      signalGroup(child.pid, 'SIGTERM');
      timer = setTimeout(kill, grace);
    };
    if (timeout !== undefined) timer = setTimeout(stop, timeout);
    child.stdout?.on('data', (chunk: Buffer) => {
      output.push(chunk);
      size += chunk.length;
      if (size > mostOutput) stop();
    });
    child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', (error) => finish(127, error.message));
    child.on('close', (code, signal) =>
      finish(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
    // EPIPE when the program ends early; its exit status reports the failure.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('latin1');

function signalGroup(pid: number | undefined, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

/** Without the user's variables, in English, and with the system's programs alone: for what trai does itself. */
export function plainEnv(): NodeJS.ProcessEnv {
  return { PATH: PROGRAM_DIR, LC_ALL: 'C' };
}
