/** Starts the launcher for `trai exec` and `trai explore`, as the env line does for calls of the client. */
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { orNull } from '../../core/kernel/fs/port.ts';
import { processProgram } from '../../core/kernel/proc/proc.ts';
import { ENDS_WITH_PARENT, launchWords } from '../../core/sandbox/launcher-files.ts';
import { bashNotStarted } from '../messages/errors.ts';
import type { Cli } from './world.ts';

/** Forwarded to the command. A terminal sends its own to the whole process group. */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

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
export async function runLauncher(cli: Cli, wanted: Launch): Promise<number> {
  const { session, origin, text, argv, box } = wanted;
  const { TRAI_ROOT: _, ...env } = wanted.env ?? cli.env;
  const own = [...launchWords(cli.state, origin, session, text), ...argv];
  const [program = '', ...words] = box === undefined ? own : [...ENDS_WITH_PARENT, ...own];
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

/** Without the launcher itself, which still has to log the end. */
function descendants(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  const text = orNull(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')) ?? '';
  const children = text.split(' ').filter((word) => word.trim() !== '');
  return children.map(Number).flatMap((child) => [child, ...descendants(child)]);
}
