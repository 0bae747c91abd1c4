/** Commands about what runs: in the sandbox, in the session, on the host. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sessionProcesses } from '../../core/attribution/processes.ts';
import { isFull } from '../../core/jobs/disk.ts';
import { endAndLog, log } from '../../core/jobs/door/outcome.ts';
import { tidy } from '../../core/jobs/tidy.ts';
import { callerOf } from '../../core/kernel/proc/caller.ts';
import { programPath } from '../../core/kernel/programs.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import { openGrant } from '../../core/session/grants.ts';
import { logPath, logTo } from '../../core/session/log/append.ts';
import { readFold } from '../../core/session/log/read.ts';
import type { ClientLevel } from '../../core/session/meta-file.ts';
import { ensureSession, findSession } from '../../core/session/store.ts';
import { VERSION } from '../../core/session/version.ts';
import { fromText } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import { psText } from '../../shared/terminal/calls.ts';
import { countText, fullText } from '../../shared/terminal/text.ts';
import { badUsage, type Command } from '../context/command.ts';
import { installLauncher, runLauncher } from '../context/launcher.ts';
import { quoted } from '../context/permit.ts';
import { findServer } from '../context/server-process.ts';
import { aboutSession, always } from '../context/session.ts';
import type { Cli } from '../context/world.ts';
import { noRoomToEnter, noSessionHere, noSuchProcesses, USAGE } from '../messages/errors.ts';

/** The launcher's status when nothing ran; a command may end with it too. */
const NOT_ENTERED = 125;

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
    const session = await enterable(cli, cli.session);
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
    const session = await sessionFor(cli, cli.session);
    const isBelow = fromPrompt || callerOf(process.pid, cli.state).kind !== 'user';
    if (isBelow || process.stdin.isTTY !== true) {
      const line = `${quoted(join(cli.root, 'bin/trai'))} explore --session ${session}`;
      cli.print(`Run this in a terminal of your own:\n  ${line}`, { command: line });
      return 0;
    }
    await installLauncher(cli);
    cli.remark(`A shell in session ${session}: what it writes stays pending. Leave with exit.`);
    const shell = cli.env['SHELL'] ?? programPath('bash');
    const argv = [shell, '-i'];
    const status = await runLauncher(cli, { session, origin: 'explore', text: `explore (${shell})`, argv });
    await tidyUnlessServed(cli, session);
    return status;
  },
};

/** The session, ready for the launcher. @param level where a client will run in it. Any error here is `not-entered` (status 125), as whenever nothing ran. */
export async function enterable(
  cli: Cli,
  named: string | null,
  level: ClientLevel | null = null,
): Promise<string> {
  try {
    return await withRoom(cli, async () => {
      const session = await sessionFor(cli, named, level);
      await installLauncher(cli);
      return session;
    });
  } catch (error) {
    const isSaid = !(error instanceof TraiError) || ['bad-input', 'not-entered'].includes(error.code);
    if (isSaid) throw error;
    throw new TraiError('not-entered', error.message, { cause: error, hint: error.hint });
  }
}

/** Not for want of room. */
const OTHER_CAUSES: ReadonlySet<string> = new Set(['bad-input', 'live', 'busy']);

/** @throws what `work` throws; where the state directory's disk is full, `not-entered` with what to do about that */
export async function withRoom<T>(cli: Cli, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOther = error instanceof TraiError && OTHER_CAUSES.has(error.code);
    if (isOther || !isFull(cli.state)) throw error;
    throw noRoomToEnter(cli.state, error);
  }
}

/** Creates a session that is named; null = this project's newest. */
async function sessionFor(cli: Cli, named: string | null, level: ClientLevel | null = null): Promise<string> {
  const cwd = fromText(cli.cwd);
  if (named === null) {
    const meta = await findSession(cli.state, { cwd });
    if (meta !== null) return meta.id;
    throw noSessionHere(cli.cwd);
  }
  const levels = level === null ? {} : { levels: [level] };
  const { meta, created } = await ensureSession(cli.state, named, { cwd, ...levels });
  const dir = sessionDir(cli.state, meta.id);
  const source = level === null ? 'exec' : 'client';
  if (created || level !== null || !existsSync(logPath(dir)))
    logTo(dir, { t: 'session', claude: '', source, cwd: cli.cwd, plugin: VERSION });
  return meta.id;
}

/** What the launcher refuses on a full disk. */
export function remarkOnRoom(cli: Cli, status: number): void {
  if (status === NOT_ENTERED && isFull(cli.state)) cli.remark(fullText(cli.state));
}

/** The server does it where one runs. */
async function tidyUnlessServed(cli: Cli, session: string): Promise<void> {
  if ((await findServer(cli).catch(() => null)) === null) await tidyAlone(cli, session);
}

/** Records bases and reaps where no server does it. */
export async function tidyAlone(cli: Cli, session: string): Promise<void> {
  try {
    await tidy(await sessionContext(cli.state, session, cli.env), null);
  } catch {
    // Safe: without base records a host change is a conflict.
  }
}

export const ps = aboutSession({
  name: 'ps',
  summary: 'list the processes of the session and the calls that started them; --end ends them',
  arguments: [['--end [PID…]', 'ends all of them, or these']],
  words: Number.POSITIVE_INFINITY,
  acts: ({ flags }) => flags.has('end'),
  async run({ cli, meta, ctx, args }) {
    const ends = args.flags.has('end');
    if (!ends && args.words.length > 0) throw badUsage(ps, USAGE.wordWithoutEnd(args.words[0] ?? ''));
    const pids = args.words.map(pidOf);
    const fold = () => readFold(ctx.sessionDir);
    const processes = await sessionProcesses(ctx.source, async () => (await fold()).spans());
    if (!ends) {
      const found = { session: meta.id, processes };
      cli.print(psText({ ...found, calls: (await fold()).views() }, cli.style), found);
      return 0;
    }
    const chosen = pids.length === 0 ? processes : processesNamed(processes, pids, meta.id);
    const ended = await endAndLog(ctx, chosen);
    const count = countText(ended.length, 'process', 'processes');
    cli.print(ended.length === 0 ? 'Nothing to end.' : `Ended ${count}: ${ended.join(', ')}`, { ended });
    return 0;
  },
});

function pidOf(word: string): number {
  if (/^[1-9]\d{0,9}$/.test(word)) return Number(word);
  throw badUsage(ps, USAGE.noPid(word));
}

/** Errors: `not-found` if one is no process of the session; the request was meant for another. */
function processesNamed(
  processes: readonly SessionProcess[],
  pids: readonly number[],
  session: string,
): SessionProcess[] {
  const found = processes.filter(({ pid }) => pids.includes(pid));
  const missing = pids.filter((pid) => !found.some((one) => one.pid === pid));
  if (missing.length > 0) throw noSuchProcesses(missing, session);
  return found;
}

export const passthrough = aboutSession({
  name: 'passthrough',
  summary: 'let the session’s next call run on the host (within 5 minutes)',
  arguments: [],
  acts: always,
  async run({ cli, ctx }) {
    await openGrant(ctx.sessionDir, { kind: 'passthrough' });
    log(ctx, { t: 'grant', kind: 'passthrough', what: 'the next call', state: 'open' });
    cli.print(
      'The next Bash call of this session runs on the host, unsandboxed. Ask for it now: this holds for 5 minutes and one prompt.',
      { open: true },
    );
    return 0;
  },
});
