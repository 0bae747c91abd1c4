/** Starts the launcher for `trai exec` and `trai explore`, as the env line does for calls of the client. */
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { sameBytes } from '../../core/kernel/fs/file-content.ts';
import { resultAtOnce } from '../../core/kernel/fs/pace.ts';
import { nodePort, orNull, withHandle } from '../../core/kernel/fs/port.ts';
import { readPlainFile } from '../../core/kernel/fs/state-file.ts';
import { processProgram } from '../../core/kernel/proc/proc.ts';
import { programPath } from '../../core/kernel/programs.ts';
import { VERSION } from '../../core/session/version.ts';
import { bashNotStarted } from '../messages/errors.ts';
import type { Cli } from './world.ts';

/** Forwarded to the command. A terminal sends its own to the whole process group. */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** `launch` comes last, because it is the entry. */
export async function installLauncher(cli: Cli): Promise<void> {
  const bin = binDir(cli);
  const lib = existsSync(join(cli.root, 'lib/fallback.mjs'))
    ? join(cli.root, 'lib')
    : join(cli.root, 'dist/plugin/lib');
  mkdirSync(join(bin, 'lib'), { recursive: true, mode: 0o700 });
  const source = join(cli.root, 'hooks/launcher');
  const names = readdirSync(source).sort((a, b) => Number(a === 'launch') - Number(b === 'launch'));
  copyNewer(join(lib, 'fallback.mjs'), join(bin, 'lib/fallback.mjs'));
  for (const name of names) copyNewer(join(source, name), join(bin, name));
  const node = join(cli.state, 'node');
  if (namesProgram(node)) return;
  rmSync(node, { recursive: true, force: true });
  writeFileSync(node, `${process.execPath}\n`, { mode: 0o600 });
}

function namesProgram(file: string): boolean {
  const program = readPlainFile(file)?.toString('utf8').trim() ?? '';
  return program.startsWith('/') && existsSync(program);
}

function copyNewer(source: string, target: string): void {
  if (hasSameBytes(source, target)) return;
  // bash reads a script while it runs it: a running one must keep its file.
  const temporary = `${target}.${process.pid}`;
  copyFileSync(source, temporary);
  chmodSync(temporary, 0o700);
  renameSync(temporary, target);
}

/** In pieces: the largest has a megabyte, and every start compares it. */
function hasSameBytes(source: string, target: string): boolean {
  if (!existsSync(target)) return false;
  return withHandle(nodePort, openSync(source, 'r'), (from) =>
    withHandle(nodePort, openSync(target, 'r'), (to) => {
      const { size } = fstatSync(from);
      return fstatSync(to).size === size && resultAtOnce(sameBytes(from, to, size));
    }),
  );
}

function binDir(cli: Cli): string {
  return join(cli.state, 'bin', VERSION);
}

interface Launch {
  session: string;
  origin: 'exec' | 'explore' | 'client';
  text: string;
  argv: readonly string[];
  /** Default: this process's. */
  env?: NodeJS.ProcessEnv;
  /** A box: it ends with this process, and gets `fd` as descriptor 3. */
  box?: { fd: number; signals: readonly NodeJS.Signals[] } | undefined;
}

/** The command's own status, 128+n for a signal, 125 when nothing ran. */
export async function runLauncher(cli: Cli, launch: Launch): Promise<number> {
  const { session, origin, text, argv, box } = launch;
  const { TRAI_ROOT: _, ...env } = launch.env ?? cli.env;
  const own = [programPath('bash'), '-p', join(binDir(cli), 'launch'), '-o', origin, session, text, ...argv];
  const [program = '', ...words] = box === undefined ? own : [...endsWithThis(), ...own];
  const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', ...(box === undefined ? [] : [box.fd])];
  const child = spawn(program, words, { stdio, env });
  const forward = (signal: NodeJS.Signals): void => {
    // One may have ended meanwhile.
    for (const pid of descendants(child.pid)) {
      // With bwrap itself the box would end at once, before the client has ended.
      if (!(processProgram(pid) ?? '').endsWith('/bwrap')) orNull(() => process.kill(pid, signal));
    }
  };
  const forwarded = [...FORWARDED, ...(box?.signals ?? [])];
  for (const signal of forwarded) process.on(signal, forward);
  // Ctrl-C reaches the command directly; this process stays to return its status.
  process.on('SIGINT', () => undefined);
  try {
    const [code, signal] = await Promise.race([
      once(child, 'close'),
      once(child, 'error').then(([error]) => Promise.reject(error)),
    ]);
    return typeof code === 'number' ? code : 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  } catch (error) {
    throw bashNotStarted(error);
  } finally {
    for (const signal of forwarded) process.off(signal, forward);
  }
}

const SETPRIV = programPath('setpriv');

/** Also when this process is killed: nothing of a box may go on without its terminal. */
const endsWithThis = (): string[] => (existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', '--'] : []);

/** Without the launcher itself, which still has to log the end. */
function descendants(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  const text = orNull(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')) ?? '';
  const children = text.split(' ').filter((word) => word.trim() !== '');
  return children.map(Number).flatMap((child) => [child, ...descendants(child)]);
}
