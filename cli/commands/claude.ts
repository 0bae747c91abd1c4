/**
 * `trai claude`: Claude Code itself in a session's sandbox, so that whatever it writes is pending; and what `trai box`
 * (box.ts) does in the same way:
 *
 *     find the program and the session; refuse one in which a client runs
 *     core/jobs/client-files.ts prepares what the client keeps on the host, or in the box's instance
 *     the launcher enters (origin `client`); the client has this terminal, its signals and its exit status
 *     processes that it left are named, and end with it
 *     what it keeps of its own goes to the host; what is pending is counted
 *
 * All of trai's own words go to stderr: stdout is the client's.
 */
import { randomUUID } from 'node:crypto';
import { alreadyInside, INSIDE } from '../../core/box/messages/errors.ts';
import { type Ending, endOfClient } from '../../core/jobs/client-end.ts';
import {
  type BoxStart,
  beginClient,
  beginFirst,
  firstRecord,
  followCredentials,
} from '../../core/jobs/client-files.ts';
import { DISABLED, findClient, ownOptions } from '../../core/jobs/client-start.ts';
import { orIfRefused } from '../../core/kernel/fs/port.ts';
import { CLIENT_RECORD, readClientRecord } from '../../core/sandbox/client-door.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import { sessionOfClaude } from '../../core/session/attach.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import { type ClientLevel, readMeta, updateMeta } from '../../core/session/meta-file.ts';
import { mayRun, readServerFile } from '../../core/session/server-file.ts';
import { findSession } from '../../core/session/store.ts';
import { messageOf } from '../../shared/errors.ts';
import { quoted } from '../../shared/terminal/quoted.ts';
import { type Args, badUsage, type Command } from '../context/command.ts';
import { runLauncher } from '../context/launcher.ts';
import { findServer, hello, needServer } from '../context/server-process.ts';
import type { Cli } from '../context/world.ts';
import { noSessionHere, USAGE } from '../messages/errors.ts';
import { enterable, remarkOnRoom, withRoom } from './exec.ts';

export const claude: Command = {
  name: 'claude',
  usage: '[--session ID | --continue] [--keep-running] [--] [ARGUMENT…]',
  summary: 'run Claude Code itself in a session, so that all that it writes is pending',
  arguments: [
    ['--continue', 'goes on with this project’s newest session, and with its conversation'],
    ['--keep-running', 'leaves what still runs when Claude Code ends'],
    ['ARGUMENT…', 'of claude: all words from the first that is none of these options'],
  ],
  words: Number.POSITIVE_INFINITY,
  handsOn: true,
  session: 'goes on with this session; a new ID creates one (default: a new session)',
  json: false,
  async run(cli, args) {
    expectOutside('claude', cli);
    const program = findClient(cli.env);
    return await runClient(cli, {
      session: await sessionOf(cli, args),
      text: ['claude', ...args.words].map(quoted).join(' '),
      argv: [program, ...ownWords(cli, args)],
      env: { ...DISABLED, ...cli.env },
      keepsRunning: args.flags.has('keep-running'),
    });
  },
};

/** How the client is started. */
export interface ClientRun {
  session: string;
  /** For the log. */
  text: string;
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  keepsRunning: boolean;
  box?: BoxStart & {
    /** Its arguments, as descriptor 3. */
    fd: number;
    /** Signals that its terminal cannot send it. */
    signals: readonly NodeJS.Signals[];
  };
}

/** Returns the client's own exit status; 125 when nothing ran. */
export async function runClient(
  cli: Cli,
  { session: named, keepsRunning, box, ...run }: ClientRun,
): Promise<number> {
  const level = box === undefined ? 'claude' : 'box';
  // Answers while the session is made; none is started for a session that cannot be entered.
  const asked = isAutostart(cli) ? findServer(cli).catch(() => null) : null;
  const { session, created } = await enterable(cli, named, {
    level,
    files: ({ root }) => ({ [CLIENT_RECORD]: JSON.stringify(firstRecord(cli.env, root, box ?? null)) }),
  });
  const dir = sessionDir(cli.state, session);
  await withRoom(cli, async () => {
    if (created) return beginFirst(dir, cli.env, box ?? null);
    await beginClient(await sessionContext(cli.state, session, cli.env), cli.env, box ?? null);
    await noteLevel(dir, level);
  });
  if (asked !== null && (await asked) === null)
    await needServer(cli, hello).catch((error: unknown) => cli.remark(`trai: ${messageOf(error)}`));
  const follows = followCredentials({ stateDir: cli.state, session }, cli.env);
  const keeping = setInterval(() => void keepServer(cli), SERVER_LOOK_MS);
  try {
    const status = await runLauncher(cli, { ...run, session, origin: 'client', box });
    remarkOnRoom(cli, status);
    return status;
  } finally {
    clearInterval(keeping);
    await endHere(cli, session, { keepsRunning, follows });
  }
}

/** The end of a client that the server has started for `bin/trai` (hooks/lib/start-client.sh), and that no server does. */
export const clientEnded: Command = {
  name: 'client-ended',
  usage: 'SESSION STATUS [lost]',
  summary: 'do what follows when Claude Code has ended',
  arguments: [],
  words: 3,
  session: null,
  json: false,
  async run(cli, { words: [session = '', ...status] }) {
    // A start does not need it.
    const { endBox, statusOfClient } = await import('../../core/jobs/served-end.ts');
    const dir = sessionDir(cli.state, session);
    const record = readClientRecord(dir);
    const code = await statusOfClient(dir, status);
    // The server had done it when it was killed.
    if (record === null) return code;
    if (record.pid !== process.ppid) throw badUsage(clientEnded, USAGE.notStartedBy);
    // As beside the client: what follows it is done once.
    process.on('SIGINT', () => undefined);
    remarkOnRoom(cli, code);
    const follows = followCredentials({ stateDir: cli.state, session }, cli.env);
    await endHere(cli, session, { keepsRunning: false, follows });
    endBox({ stateDir: cli.state, session, pid: process.ppid }, code);
    return code;
  },
};

type How = Pick<Ending, 'keepsRunning' | 'follows'>;

async function endHere(cli: Cli, session: string, { keepsRunning, follows }: How): Promise<void> {
  const { state: stateDir, env, dir: cwd } = cli;
  const asked = () => findServer(cli).catch(() => null);
  await endOfClient({
    stateDir,
    session,
    env,
    cwd,
    keepsRunning,
    follows,
    say: (text) => cli.remark(text),
    isServed: () => seemsServed(cli),
    port: async () => (await asked())?.port ?? null,
    count: async (ctx) => await (await import('../../core/scan/scan.ts')).scan(ctx),
  });
}

async function noteLevel(dir: string, level: ClientLevel): Promise<void> {
  // The lock that a change takes is a process.
  if ((await readMeta(dir)).levels?.at(-1) === level) return;
  await updateMeta(dir, (meta) => {
    const before = meta.levels ?? [];
    return before.at(-1) === level
      ? null
      : { ...meta, levels: [...before.filter((one) => one !== level), level] };
  });
}

const isAutostart = ({ env }: Cli): boolean => loadConfig(env).config.server.autostart;

/** How often a server that was killed is missed (ms). */
const SERVER_LOOK_MS = 2_000;

/** Without asking it. */
function seemsServed(cli: Cli): boolean {
  const file = orIfRefused(() => readServerFile(cli.state), null);
  return file !== null && mayRun(file);
}

/**
 * What is needed later and at the end, once the client has started: it runs for days, and the plugin may be updated or built
 * anew meanwhile.
 */
async function loadRest(): Promise<void> {
  await Promise.all([
    import('../../core/attribution/processes.ts'),
    import('../../core/jobs/door/outcome.ts'),
    import('../../core/jobs/door/with-session.ts'),
    import('../../core/jobs/tidy.ts'),
    import('../../core/sandbox/inside.ts'),
    import('../../core/sandbox/lock.ts'),
    import('../../core/scan/scan.ts'),
    import('../../core/session/log/read.ts'),
  ]);
}

/** The client cannot start one. A new server gives the sessions of running clients new credentials. */
async function keepServer(cli: Cli): Promise<void> {
  await loadRest().catch(() => undefined);
  if (!seemsServed(cli) && isAutostart(cli)) await needServer(cli, hello).catch(() => undefined);
}

/** Errors: `not-entered`. Claude Code turns trai's hooks off there, and no namespace can be made. */
export function expectOutside(command: 'claude' | 'box', { env }: Cli): void {
  if (env['SANDBOX_RUNTIME'] === '1') throw alreadyInside(command, INSIDE.client);
}

/** Errors: `no-session` where there is none to continue. */
export async function sessionOf(cli: Cli, { words, flags }: Args): Promise<string> {
  if (cli.session !== null) return cli.session;
  const resumed = resumedBy(words);
  const known = resumed === null ? null : await sessionOfClaude(cli.state, resumed);
  if (known !== null) return known;
  if (!flags.has('continue') && !words.some((word) => word === '--continue' || word === '-c'))
    return randomUUID();
  const newest = await findSession(cli.state, { cwd: cli.dir });
  if (newest === null) throw noSessionHere(cli.cwd);
  return newest.id;
}

/** The conversation that the client is to resume, as far as it is named. */
function resumedBy(words: readonly string[]): string | null {
  for (const [at, word] of words.entries()) {
    if (word.startsWith('--resume=')) return word.slice('--resume='.length);
    const next = words[at + 1];
    if ((word === '--resume' || word === '-r') && next !== undefined && !next.startsWith('-')) return next;
  }
  return null;
}

/** Of `trai claude` and `trai box`. */
export function ownWords({ root }: Cli, { flags, words }: Args): string[] {
  return [...ownOptions(root, words), ...(flags.has('continue') ? ['--continue'] : []), ...words];
}
