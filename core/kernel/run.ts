/** Runs a helper program with a hard time limit, never through a shell. */
import { spawn } from 'node:child_process';

export interface RunResult {
  /** 128+n for a signal; 127 when it could not be started. */
  status: number;
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

export interface RunOptions {
  /** Milliseconds; then the whole process group is killed. */
  timeout?: number;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

const SIGNALS: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGTERM: 15,
};

export function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A timeout also kills the children of a hanging mount helper.
      detached: true,
    });
    let stdout = '';
    let stderr = '';
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      if (child.pid !== undefined) {
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
      }
    }, options.timeout ?? 5_000);
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ status: 127, stdout, stderr: stderr + error.message, timedOut });
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({
        status: code ?? 128 + (signal === null ? 0 : (SIGNALS[signal] ?? 0)),
        stdout,
        stderr,
        timedOut,
      });
    });
  });
}
