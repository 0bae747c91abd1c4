/** Commands that run in the sandbox, and what all programs that trai starts there need (claude.ts, box.ts). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ForClient, sessionForClient } from '../../core/jobs/client-start.ts';
import { noRoomText } from '../../core/jobs/no-room.ts';
import { tidyAlone } from '../../core/jobs/tidy-alone.ts';
import { isFull } from '../../core/kernel/fs/free-space.ts';
import { callerOf } from '../../core/kernel/proc/caller.ts';
import { programPath } from '../../core/kernel/programs.ts';
import { installLauncher } from '../../core/sandbox/launcher-files.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import { logPath, logTo } from '../../core/session/log/append.ts';
import { ensureSession, findSession } from '../../core/session/store.ts';
import { VERSION } from '../../core/session/version.ts';
import { TraiError } from '../../shared/errors.ts';
import { quoted } from '../../shared/terminal/quoted.ts';
import { badUsage, type Command } from '../context/command.ts';
import { runLauncher } from '../context/launcher.ts';
import { findServer } from '../context/server-process.ts';
import type { Cli } from '../context/world.ts';
import { noRoomToEnter, noSessionHere, notEntered, USAGE } from '../messages/errors.ts';

export const exec: Command = {
  name: 'exec',
  usage: '[--session ID] -- COMMAND [ARGUMENT…]',
  summary: 'run a command in a session’s sandbox (a new ID creates a session)',
  arguments: [['-- COMMAND', 'the command and its arguments; no shell interprets them']],
  words: Number.POSITIVE_INFINITY,
  session: 'the session; a new ID creates one (default: this project’s newest)',
  json: false,
  async run(cli, { words }) {
    if (words.length === 0) throw badUsage(exec, USAGE.noCommand);
    const { session } = await enterable(cli, cli.session);
    const text = words.map(quoted).join(' ');
    const status = await runLauncher(cli, { session, origin: 'exec', text, argv: words });
    remarkOnRoom(cli, status);
    await tidyUnlessServed(cli, session);
    return status;
  },
};

export const explore: Command = {
  name: 'explore',
  usage: '[--session ID]',
  summary: 'open an interactive shell in the session’s view of your files',
  arguments: [],
  json: false,
  async run(cli, { fromPrompt }) {
    const { session } = await sessionFor(cli, cli.session);
    const isBelow = fromPrompt || callerOf(process.pid, cli.state).kind !== 'user';
    if (isBelow || process.stdin.isTTY !== true) {
      const line = `${quoted(join(cli.root, 'bin/trai'))} explore --session ${session}`;
      cli.print(`Run this in a terminal of your own:\n  ${line}`, { command: line });
      return 0;
    }
    installLauncher(cli.state, cli.root);
    cli.remark(`A shell in session ${session}: what it writes stays pending. Leave with exit.`);
    const shell = cli.env['SHELL'] ?? programPath('bash');
    const argv = [shell, '-i'];
    const status = await runLauncher(cli, { session, origin: 'explore', text: `explore (${shell})`, argv });
    await tidyUnlessServed(cli, session);
    return status;
  },
};

/** The session, ready for the launcher. */
export async function enterable(
  cli: Cli,
  named: string | null,
  client: ForClient | null = null,
): Promise<{ session: string; created: boolean }> {
  return await orNotEntered(() =>
    withRoom(cli, async () => {
      const found = await sessionFor(cli, named, client);
      installLauncher(cli.state, cli.root);
      return found;
    }),
  );
}

/** What has a status of its own. */
const OTHER_STATUS: ReadonlySet<string> = new Set(['bad-usage', 'bad-input', 'no-program', 'needs-permit']);

/** Any other error is `not-entered` (status 125): nothing ran. */
export async function orNotEntered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TraiError) || OTHER_STATUS.has(error.code) || error.code === 'not-entered')
      throw error;
    throw new TraiError('not-entered', error.message, { cause: error, hint: error.hint, path: error.path });
  }
}

/** Not for want of room. */
const OTHER_CAUSES: ReadonlySet<string> = new Set(['bad-input', 'live', 'busy']);

/**
 * What comes before anything runs.
 * @throws TraiError that of `work`; `not-entered` for any other error, with what to do where the state directory's disk is full
 */
export async function withRoom<T>(cli: Cli, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isSaid = error instanceof TraiError;
    if (!(isSaid && OTHER_CAUSES.has(error.code)) && isFull(cli.state)) throw noRoomToEnter(cli.state, error);
    throw isSaid ? error : notEntered(error);
  }
}

/** Creates a session that is named; null = this project's newest. */
async function sessionFor(
  cli: Cli,
  named: string | null,
  client: ForClient | null = null,
): Promise<{ session: string; created: boolean }> {
  const cwd = cli.dir;
  if (named === null) {
    const meta = await findSession(cli.state, { cwd });
    if (meta !== null) return { session: meta.id, created: false };
    throw noSessionHere(cli.cwd);
  }
  if (client !== null) return await sessionForClient(cli.state, named, { cwd, ...client });
  const { meta, created } = await ensureSession(cli.state, named, { cwd });
  const dir = sessionDir(cli.state, meta.id);
  if (created || !existsSync(logPath(dir)))
    logTo(dir, { t: 'session', claude: '', source: 'exec', cwd: cli.cwd, plugin: VERSION });
  return { session: meta.id, created };
}

/** What the launcher refuses on a full disk. */
export function remarkOnRoom(cli: Cli, status: number): void {
  const text = noRoomText(cli.state, status);
  if (text !== null) cli.remark(text);
}

/** The server does it where one runs. */
async function tidyUnlessServed(cli: Cli, session: string): Promise<void> {
  if ((await findServer(cli).catch(() => null)) === null) await tidyAlone(cli.state, session, cli.env);
}
