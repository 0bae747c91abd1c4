/**
 * `bin/trai` waits for this process, and then for the client, where it can (hooks/lib/start-client.sh): this one makes the session,
 * says what there is to say, hands the start over, and ends. A server does what follows (server/sessions/jobs/clients.ts).
 */
import { writeSync } from 'node:fs';
import type { MadeBox } from '../../core/jobs/box-start.ts';
import { givesVariables, startText } from '../../core/jobs/waited-start.ts';
import { processEnvironment, processStat } from '../../core/kernel/proc/proc.ts';
import { isWaiter } from '../../core/sandbox/client-door.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import type { ServerFile } from '../../core/session/server-file.ts';
import { VERSION } from '../../core/session/version.ts';
import { fromText } from '../../shared/bytes.ts';
import type { ProcessKey } from '../../shared/model/process.ts';
import { type Ask, findServer, needServer, postJson } from './server-process.ts';
import type { Cli } from './world.ts';

export interface Waiter {
  fd: number;
  by: ProcessKey;
}

/** How the client is started. */
export interface ClientRun {
  session: string;
  /** For the log. */
  text: string;
  /** What runs; in a box, what runs there. */
  argv: readonly string[];
  /** Of a box all that it has; else those beside the environment's. */
  variables: Record<string, string>;
  keepsRunning: boolean;
  box: MadeBox | null;
  waiter: Waiter | null;
}

export const isAutostart = ({ env }: Cli): boolean => loadConfig(env).config.server.autostart;

/** Null: this process stays beside the client. May start a server. */
export async function waiterOf(cli: Cli, isBox: boolean): Promise<Waiter | null> {
  const pid = process.ppid;
  const [environment, stat] = [processEnvironment(pid), processStat(pid)];
  if (cli.startFd === null || environment === null || stat === null) return null;
  if (!givesVariables(Object.fromEntries(environment), isBox)) return null;
  // Else nobody would know that it waits.
  if (!isWaiter(stat)) return null;
  const asked = isAutostart(cli) ? needServer(cli, willServe) : findServer(cli, willServe);
  const server = await asked.catch(() => null);
  // Another version's may not know what to do.
  return server?.version === VERSION ? { fd: cli.startFd, by: { pid, start: stat.start } } : null;
}

const made = async (server: ServerFile, session: string | null) =>
  await postJson(server, 'client-made', { session });

/** Errors: `needs-permit` below a client of Claude Code, in other namespaces, and where it cannot tell. */
const willServe: Ask<ServerFile> = async (server) => ((await made(server, null)) === null ? null : server);

/** Errors: those of the server. */
export async function handOver(cli: Cli, { fd }: Waiter, { argv, ...run }: ClientRun): Promise<void> {
  await needServer(cli, async (server) => await made(server, run.session));
  const command = argv.map(fromText);
  const text = startText({ ...run, command, stateDir: cli.state, keepsServer: isAutostart(cli) });
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}
