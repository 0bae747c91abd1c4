/**
 * `trai claude`: Claude Code itself in a session's sandbox, so that whatever it writes is pending; and what `trai box`
 * (box.ts) does in the same way:
 *
 *     find the program and the session; refuse one in which a client runs
 *     core/jobs/client-files.ts prepares what the client keeps on the host, or in the box's instance
 *     the start is handed over to the bin/trai that waits, and a server does what follows (waiter.ts); or client-beside.ts does:
 *     the launcher enters (origin `client`); the client has this terminal, its signals and its exit status
 *     processes that it left are named, and end with it
 *     what it keeps of its own goes to the host; what is pending is counted
 *
 * All of trai's own words go to stderr: stdout is the client's.
 */
import { randomUUID } from 'node:crypto';
import { alreadyInside, INSIDE } from '../../core/box/messages/errors.ts';
import { saveArgs } from '../../core/box/start-files.ts';
import { beginClient, beginFirst, firstRecord } from '../../core/jobs/client-files.ts';
import { defaultsIn, findClient, ownOptions } from '../../core/jobs/client-start.ts';
import { CLIENT_RECORD } from '../../core/sandbox/client-door.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import { sessionOfClaude } from '../../core/session/attach.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import { type ClientLevel, readMeta, updateMeta } from '../../core/session/meta-file.ts';
import { findSession } from '../../core/session/store.ts';
import { messageOf } from '../../shared/errors.ts';
import { quoted } from '../../shared/terminal/quoted.ts';
import { type Args, badUsage, type Command } from '../context/command.ts';
import { findServer, hello, needServer } from '../context/server-process.ts';
import { type ClientRun, handOver, isAutostart, waiterOf } from '../context/waiter.ts';
import type { Cli } from '../context/world.ts';
import { noSessionHere, USAGE } from '../messages/errors.ts';
import { enterable, orNotEntered, withRoom } from './exec.ts';

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
    return await orNotEntered(async () => {
      const session = await sessionOf(claude, cli, args);
      const program = findClient(cli.env);
      return await runClient(cli, {
        session,
        text: ['claude', ...args.words].map(quoted).join(' '),
        argv: [program, ...ownWords(cli, args)],
        variables: defaultsIn(cli.env),
        keepsRunning: args.flags.has('keep-running'),
        box: null,
        waiter: await waiterOf(cli, false),
      });
    });
  },
};

/** All words are one of the launcher's, and the kernel takes none of more than 128 KB. */
const TEXT_MOST = 30_000;

/** Returns the client's own exit status; 125 when nothing ran; 0 where it was handed over. */
export async function runClient(cli: Cli, wanted: ClientRun): Promise<number> {
  const { session: named, box, waiter } = wanted;
  const level = box === null ? 'claude' : 'box';
  const starting = { box: box?.start ?? null, served: waiter?.by ?? null };
  // Answers while the session is made; none is started for a session that cannot be entered.
  const asked = waiter === null && isAutostart(cli) ? findServer(cli).catch(() => null) : null;
  const { session, created } = await enterable(cli, named, {
    level,
    files: ({ root }) => ({ [CLIENT_RECORD]: JSON.stringify(firstRecord(cli.env, root, starting)) }),
  });
  const dir = sessionDir(cli.state, session);
  await withRoom(cli, async () => {
    if (created) return beginFirst(dir, cli.env, starting.box);
    await beginClient(await sessionContext(cli.state, session, cli.env), cli.env, starting);
    await noteLevel(dir, level);
  });
  const run = { ...wanted, session, text: wanted.text.slice(0, TEXT_MOST) };
  if (waiter !== null) {
    await withRoom(cli, async () => {
      if (box !== null) saveArgs(box);
      await handOver(cli, waiter, run);
    });
    return 0;
  }
  if (asked !== null && (await asked) === null)
    await needServer(cli, hello).catch((error: unknown) => cli.remark(`trai: ${messageOf(error)}`));
  // Not where it is handed over, which is waited for.
  const { runBeside } = await import('./client-beside.ts');
  return await runBeside(cli, run);
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

/** Errors: `not-entered`. Claude Code turns trai's hooks off there, and no namespace can be made. */
export function expectOutside(command: 'claude' | 'box', { env }: Cli): void {
  if (env['SANDBOX_RUNTIME'] === '1') throw alreadyInside(command, INSIDE.client);
}

/** Errors: `no-session` where there is none to continue; `bad-usage`. */
export async function sessionOf(command: Command, cli: Cli, { words, flags }: Args): Promise<string> {
  // The newest conversation may be another session's.
  if (cli.session !== null && flags.has('continue')) throw badUsage(command, USAGE.twoSessions);
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
