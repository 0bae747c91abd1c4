/** What Node does beside the client where no `bin/trai` waits for it, and after it where no server does. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { saveArgs } from '../../core/box/start-files.ts';
import type { MadeBox } from '../../core/jobs/box-start.ts';
import { type Ending, endOfClient } from '../../core/jobs/client-end.ts';
import { followCredentials } from '../../core/jobs/client-files.ts';
import { orIfRefused } from '../../core/kernel/fs/port.ts';
import { readClientRecord } from '../../core/sandbox/client-door.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import { mayRun, readServerFile } from '../../core/session/server-file.ts';
import { badUsage, type Command } from '../context/command.ts';
import { runLauncher } from '../context/launcher.ts';
import { findServer, hello, needServer } from '../context/server-process.ts';
import { type ClientRun, isAutostart } from '../context/waiter.ts';
import type { Cli } from '../context/world.ts';
import { USAGE } from '../messages/errors.ts';
import { remarkOnRoom, withRoom } from './exec.ts';

/** Returns its status. */
export async function runBeside(
  cli: Cli,
  { session, text, argv, variables, keepsRunning, box }: ClientRun,
): Promise<number> {
  const fd = box === null ? null : await withRoom(cli, () => argumentsFile(box));
  const follows = followCredentials({ stateDir: cli.state, session }, cli.env);
  const keeping = setInterval(() => void keepServer(cli), SERVER_LOOK_MS);
  try {
    const status = await runLauncher(cli, {
      session,
      origin: 'client',
      text,
      argv: [...(box?.entry ?? []), ...argv],
      env: box === null ? { ...variables, ...cli.env } : variables,
      box: box === null || fd === null ? undefined : { fd, signals: box.signals },
    });
    remarkOnRoom(cli, status);
    return status;
  } finally {
    if (fd !== null) closeSync(fd);
    clearInterval(keeping);
    await endHere(cli, session, { keepsRunning, follows });
  }
}

/** Open for reading, and without a name. */
function argumentsFile(made: MadeBox): number {
  const path = saveArgs(made);
  const fd = openSync(path, 'r');
  rmSync(path);
  return fd;
}

/** The end of a client that `bin/trai` has waited for (hooks/lib/start-client.sh), and that no server does. */
export const clientEnded: Command = {
  name: 'client-ended',
  usage: 'SESSION STATUS [lost] [keep-running]',
  summary: 'do what follows when Claude Code has ended',
  arguments: [],
  words: 4,
  session: null,
  json: false,
  async run(cli, { words: [session = '', ...status] }) {
    // A start does not need it.
    const { clientEndOf, endBox } = await import('../../core/jobs/served-end.ts');
    const dir = sessionDir(cli.state, session);
    const record = readClientRecord(dir);
    const { code, keepsRunning } = await clientEndOf(dir, status);
    // The server had done it when it was killed.
    if (record === null) return code;
    if (record.pid !== process.ppid) throw badUsage(clientEnded, USAGE.notStartedBy);
    // As beside the client: what follows it is done once.
    process.on('SIGINT', () => undefined);
    remarkOnRoom(cli, code);
    const follows = followCredentials({ stateDir: cli.state, session }, cli.env);
    await endHere(cli, session, { keepsRunning, follows });
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
