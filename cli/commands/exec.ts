import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isFull } from '../../core/jobs/disk.ts';
import { tidy } from '../../core/jobs/tidy.ts';
import { callerOf } from '../../core/kernel/proc/ancestry.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import { ensureStateDir, isSessionId, sessionDir } from '../../core/session/dirs.ts';
import { appendEvent } from '../../core/session/log/append.ts';
import { ensureSession, findSession } from '../../core/session/store.ts';
import { VERSION } from '../../core/session/version.ts';
import { fromText } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { fullText } from '../../shared/terminal/disk.ts';
import { installLauncher, runLauncher } from '../context/launcher.ts';
import { quoted } from '../context/permit.ts';
import { badUsage, type Command } from '../context/read-args.ts';
import { findServer } from '../context/server-process.ts';
import type { Cli } from '../context/world.ts';

export const exec: Command = {
  name: 'exec',
  usage: 'exec [--session ID] -- COMMAND [ARGUMENT…]',
  summary: 'run a command in a session’s sandbox (a new ID creates a session)',
  flags: [],
  options: [],
  words: Number.POSITIVE_INFINITY,
  async run(cli, args) {
    if (args.words.length === 0) throw badUsage(exec, 'expected a command after --');
    const session = await ready(cli);
    const status = await runLauncher(cli, session, 'exec', args.words.map(quoted).join(' '), args.words);
    if (status === NOT_ENTERED && isFull(cli.state)) cli.remark(fullText(cli.state));
    await tidyAlone(cli, session);
    return status;
  },
};

/** The launcher's status when nothing ran; a command may end with it, too. */
const NOT_ENTERED = 125;

export const explore: Command = {
  name: 'explore',
  usage: 'explore [--session ID]',
  summary: 'open an interactive shell in the session’s view of your files',
  flags: [],
  options: [],
  words: 0,
  async run(cli, args) {
    const session = await sessionFor(cli);
    const isBelow = args.fromPrompt || callerOf(process.pid, cli.state).kind !== 'user';
    if (isBelow || process.stdin.isTTY !== true) {
      const line = `${quoted(join(cli.root, 'bin/trai'))} explore --session ${session}`;
      cli.print(`Run this in a terminal of your own:\n  ${line}`, { command: line });
      return 0;
    }
    await installLauncher(cli);
    cli.remark(`A shell in session ${session}: what it writes stays pending. Leave with exit.`);
    const shell = cli.env['SHELL'] ?? '/bin/bash';
    const status = await runLauncher(cli, session, 'explore', `explore (${shell})`, [shell, '-i']);
    await tidyAlone(cli, session);
    return status;
  },
};

/** Every reason why the command cannot start ends with 125, like every other case in which nothing ran. */
async function ready(cli: Cli): Promise<string> {
  try {
    const session = await sessionFor(cli);
    await installLauncher(cli);
    return session;
  } catch (error) {
    if (!(error instanceof TraiError) || error.code === 'bad-usage') throw error;
    const hint = error.hint ?? (isFull(cli.state) ? fullText(cli.state) : undefined);
    throw new TraiError('not-entered', error.message, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** Base records and reaping are the server's work; without a server they are done here. */
async function tidyAlone(cli: Cli, session: string): Promise<void> {
  try {
    // A bad server.json must not change the command's status.
    if ((await findServer(cli).catch(() => null)) !== null) return;
    await tidy(await sessionContext(cli.state, session, cli.env), null);
  } catch {
    // Without a base record a change of the host is a conflict, the safe side; the next call's work makes up for it.
    // The command's own status counts here.
  }
}

/** --session (made if it is new), else the newest of this project. */
async function sessionFor(cli: Cli): Promise<string> {
  if (cli.session === null) {
    const meta = await findSession(cli.state, { cwd: fromText(cli.cwd) });
    if (meta !== null) return meta.id;
    throw new TraiError('no-session', `no session of this project (${cli.cwd})`, {
      hint: 'Name a new one: trai exec --session NAME -- COMMAND',
    });
  }
  if (!isSessionId(cli.session)) {
    throw new TraiError(
      'bad-usage',
      `expected a session id (letters, digits, ".", "_", "-", at most 64), found ${JSON.stringify(cli.session)}`,
    );
  }
  ensureStateDir(cli.state);
  const { meta, created } = await ensureSession(cli.state, cli.session, { cwd: fromText(cli.cwd) });
  if (created || !existsSync(join(sessionDir(cli.state, meta.id), 'calls.jsonl'))) {
    appendEvent(sessionDir(cli.state, meta.id), {
      v: 1,
      at: new Date().toISOString(),
      t: 'session',
      claude: '',
      source: 'exec',
      cwd: cli.cwd,
      plugin: VERSION,
    });
  }
  return meta.id;
}
