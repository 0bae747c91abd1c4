/** The resident server as the command line sees it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TraiError } from '../../shared/errors.ts';
import { readServerFile, type ServerFile } from '../discovery/server-file.ts';
import type { Cli } from './world.ts';

/** The server that server.json names, when it answers with its proof; else null. */
export async function findServer(cli: Cli): Promise<ServerFile | null> {
  const file = readServerFile(cli.state);
  if (file === null) return null;
  try {
    const answer = await post(file, 'hello', '{}');
    return answer.startsWith(`${file.proof}\n`) ? file : null;
  } catch {
    return null;
  }
}

/** Finds it or starts it, the way SessionStart does. Errors: `io` with where its log is. */
export async function needServer(cli: Cli): Promise<ServerFile> {
  const running = await findServer(cli);
  if (running !== null) return running;
  const child = spawn('bash', [`${cli.root}/hooks/start-server.sh`], {
    stdio: 'ignore',
    env: { ...process.env, TRAI_STATE_HOME: cli.state },
  });
  await once(child, 'close');
  const started = await findServer(cli);
  if (started === null) {
    throw new TraiError('io', 'the server did not start', {
      path: `${cli.state}/server.log`,
      hint: `Look at the end of ${cli.state}/server.log, and at: trai doctor`,
    });
  }
  return started;
}

/** Sends JSON to one of the server's hook endpoints; the text of the answer, whatever its status. */
export async function post(server: ServerFile, endpoint: string, body: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${server.port}/hook/${endpoint}`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${server.hook}`, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(5_000),
  });
  return await response.text();
}
