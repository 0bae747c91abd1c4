/** Test support: TypeScript that runs in processes of its own (Node 20 cannot load it itself). */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { builtProgramOf } from '../built.ts';

/**
 * Starting Node takes longer than the race itself: with GO set, a program waits for the others (runTogether).
 */
const WAIT_FOR_GO = `
  import { existsSync as isThere, writeFileSync as sayReady } from 'node:fs';
  const go = process.env['GO'];
  if (go !== undefined) {
    sayReady(go + '.ready.' + process.pid, '');
    while (!isThere(go)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
`;

/**
 * Bundles a program that imports the project's files as `#core/...` into a file in `dir`; returns its path.
 */
export async function bundleProgram(dir: string, name: string, source: string): Promise<string> {
  return await builtProgramOf(dir, name, WAIT_FOR_GO + source);
}

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Waits for the end of a process that was started with piped outputs. */
export function finished(child: ChildProcess): Promise<Finished> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (data: Buffer) => stdout.push(data));
  child.stderr?.on('data', (data: Buffer) => stderr.push(data));
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code, signal) =>
      done({
        code,
        signal,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
  });
}

export function run(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Finished> {
  return finished(spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Runs a bundled program once for each list of arguments, all at the same moment. */
export async function runTogether(program: string, argumentLists: string[][]): Promise<Finished[]> {
  const go = `${program}.go.${argumentLists.length}.${process.hrtime.bigint()}`;
  const children = argumentLists.map((args) =>
    run(process.execPath, [program, ...args], { ...process.env, GO: go }),
  );
  const isReady = (name: string): boolean => name.startsWith(`${basename(go)}.ready.`);
  let ended = false;
  const all = Promise.all(children).finally(() => {
    ended = true;
  });
  while (!ended && readdirSync(dirname(go)).filter(isReady).length < argumentLists.length) {
    await new Promise((done) => setTimeout(done, 2));
  }
  writeFileSync(go, '');
  return all;
}
