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
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { alreadyInside, INSIDE } from '../../core/box/messages/errors.ts';
import {
  type BoxStart,
  beginClient,
  beginFirst,
  endClient,
  firstRecord,
  followCredentials,
} from '../../core/jobs/client-files.ts';
import { clientProcesses } from '../../core/jobs/client-processes.ts';
import { orIfRefused } from '../../core/kernel/fs/port.ts';
import { CLIENT_RECORD } from '../../core/sandbox/client-door.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import { hasNothingPending } from '../../core/scan/nothing-pending.ts';
import { sessionOfClaude } from '../../core/session/attach.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { homeDir, sessionDir } from '../../core/session/dirs.ts';
import { type ClientLevel, readMeta, updateMeta } from '../../core/session/meta-file.ts';
import { mayRun, readServerFile } from '../../core/session/server-file.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { findSession } from '../../core/session/store.ts';
import { messageOf, TraiError } from '../../shared/errors.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import { clientEndText, leftRunningText, stateLeftText } from '../../shared/terminal/client.ts';
import type { Args, Command } from '../context/command.ts';
import { runLauncher } from '../context/launcher.ts';
import { quoted } from '../context/quoted.ts';
import { findServer, hello, needServer } from '../context/server-process.ts';
import type { Cli } from '../context/world.ts';
import { noClient, noSessionHere } from '../messages/errors.ts';
import { enterable, remarkOnRoom, tidyAlone, withRoom } from './exec.ts';

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
      argv: [program, ...ownOptions(cli, args), ...args.words],
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
  const stop = followCredentials({ stateDir: cli.state, session }, cli.env);
  const keeping = setInterval(() => void keepServer(cli), SERVER_LOOK_MS);
  try {
    const status = await runLauncher(cli, { ...run, session, origin: 'client', box });
    remarkOnRoom(cli, status);
    return status;
  } finally {
    clearInterval(keeping);
    await end(cli, session, { keepsRunning, stop });
  }
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

/** Updates would be downloaded into the overlay at each start. */
export const DISABLED = {
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
};

/** Errors: `not-entered`. Claude Code turns trai's hooks off there, and no namespace can be made. */
export function expectOutside(command: 'claude' | 'box', { env }: Cli): void {
  if (env['SANDBOX_RUNTIME'] === '1') throw alreadyInside(command, INSIDE.client);
}

/** Where its installers put it without changing PATH. */
const PLACES = ['.local/bin/claude', '.claude/local/claude'] as const;

/** Errors: `no-program`. */
export function findClient(env: NodeJS.ProcessEnv): string {
  const dirs = (env['PATH'] ?? '').split(':').filter((dir) => dir.startsWith('/'));
  const more = PLACES.map((place) => join(homeDir(env), place));
  const found = [...dirs.map((dir) => join(dir, 'claude')), ...more].find(isProgram);
  if (found === undefined) throw noClient(more);
  return found;
}

function isProgram(path: string): boolean {
  return orIfRefused(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);
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

/** Given as options, nothing of it changes the user's settings. The client takes the last `--settings` only. */
export function ownOptions(cli: Cli, { flags, words }: Args): string[] {
  const given = (name: string) => words.some((word) => word === name || word.startsWith(`${name}=`));
  return [
    '--plugin-dir',
    cli.root,
    // Its entry in the desktop's database would be pending, and is one of the machine.
    ...(given('--settings') ? [] : ['--settings', '{"disableDeepLinkRegistration":"disable"}']),
    ...(flags.has('continue') ? ['--continue'] : []),
  ];
}

interface Ending {
  keepsRunning: boolean;
  stop: ReturnType<typeof followCredentials>;
}

async function end(cli: Cli, session: string, { keepsRunning, stop }: Ending): Promise<void> {
  let ctx: SessionContext | null = null;
  try {
    ctx = await sessionContext(cli.state, session, cli.env);
  } catch (error) {
    remarkOn(cli, error);
  }
  await stop(ctx);
  if (ctx === null) return;
  try {
    // Another call may have made a new plan meanwhile.
    if (await endProcesses(cli, ctx, keepsRunning)) ctx = await sessionContext(cli.state, session, cli.env);
    const left = await endClient(ctx, cli.env).catch((error: unknown) => {
      remarkOn(cli, error);
      return [];
    });
    if (left.length > 0) cli.remark(stateLeftText(left));
    if (hasNothingPending(ctx)) {
      if (!seemsServed(cli)) await tidyAlone(cli, session);
      return;
    }
    const server = await findServer(cli).catch(() => null);
    if (server === null) await tidyAlone(cli, session);
    const { scan } = await import('../../core/scan/scan.ts');
    const { changes, conflicts } = await scan(ctx);
    const pending = changes.filter(({ ignored }) => ignored === null).length;
    // Reads every session.
    const newest = pending === 0 ? null : await findSession(cli.state, { cwd: cli.dir });
    const text = clientEndText({
      pending,
      conflicts,
      session: newest?.id === session ? null : session,
      port: server?.port ?? null,
    });
    if (text !== '') cli.remark(text);
  } catch (error) {
    // The status is the client's; what is pending stays so.
    remarkOn(cli, error);
  }
}

function remarkOn(cli: Cli, error: unknown): void {
  const hint = error instanceof TraiError && error.hint !== undefined ? `\n${error.hint}` : '';
  cli.remark(`trai: ${messageOf(error)}${hint}`);
}

const LOOKS = 5;
const LOOK_MS = 100;

/** Whether that took time. */
async function endProcesses(cli: Cli, ctx: SessionContext, keepsRunning: boolean): Promise<boolean> {
  let left: SessionProcess[] = [];
  // What is just ending with the client was not left running.
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await setTimeout(LOOK_MS);
    left = await clientProcesses(ctx);
    if (left.length === 0) return look > 0;
  }
  cli.remark(leftRunningText(left, keepsRunning));
  if (!keepsRunning) {
    const { endAndLog } = await import('../../core/jobs/door/outcome.ts');
    await endAndLog(ctx, left);
  }
  return true;
}
