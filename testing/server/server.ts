/**
 * Tests of the server: a real one on its own state directory, and requests as strangers send them. client.ts
 * plays the client: events, launcher, prompts. program.ts builds the programs that tests start.
 */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningServer, startServer } from '../../server/start.ts';
import { unpackList } from '../../shared/api/packed-changes.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import { removeTree } from '../remove-tree.ts';
import { DirectRunner } from './direct-runner.ts';

export interface TestServer {
  server: RunningServer;
  base: string;
  state: string;
  home: string;
  project: string;
  webRoot: string;
  /** The server's environment. */
  env: NodeJS.ProcessEnv;
  origin: string;
  /** Everything reported as an unexpected error. */
  reported: unknown[];
  /** A browser credential, as a signed-in tab has it. */
  token: string;
  /** A request as a signed-in tab sends it. */
  api(address: string, body?: unknown): Promise<Response>;
  /** A request as a hook script sends it; returns the lines after the proof. */
  hook(event: string, body: object, headers?: Record<string, string>): Promise<HookReply>;
  close(): Promise<void>;
}

/** The change list in an answer. */
export async function readList(answer: { text(): Promise<string> }): Promise<ChangeList> {
  const found = unpackList(JSON.parse(await answer.text()));
  if (found === null) throw new Error('expected a list, the answer is that it is the same');
  return found.list;
}

/** The pending changes of a session, over the API. */
export async function listOf(t: Pick<TestServer, 'api'>, { id }: { id: string }): Promise<ChangeList> {
  return await readList(await t.api(`/api/sessions/${id}/changes`));
}

export interface HookReply {
  exit: string;
  stream: string;
  text: string;
}

/** The name of the plugin's own program in tests. */
export const PROGRAM = '/opt/trai/bin/trai';

export async function testServer(
  options: { under?: string; web?: boolean; programs?: readonly string[] } = {},
): Promise<TestServer> {
  const base = realpathSync(mkdtempSync(path.join(options.under ?? tmpdir(), 'trai-server-')));
  const names = ['state', 'home', 'project', 'web'].map((name) => path.join(base, name));
  const [state = '', home = '', project = '', webRoot = ''] = names;
  for (const dir of names) mkdirSync(dir, { mode: 0o700 });
  if (options.web !== false) {
    mkdirSync(path.join(webRoot, 'assets'));
    writeFileSync(path.join(webRoot, 'index.html'), '<!doctype html><title>trai</title>');
    writeFileSync(path.join(webRoot, 'assets/app-1234.js'), 'export {};');
  }
  const reported: unknown[] = [];
  const env: NodeJS.ProcessEnv = { HOME: home, PATH: process.env['PATH'] };
  const server = await startServer({
    stateDir: state,
    env,
    port: 0,
    webRoot,
    programs: options.programs ?? [PROGRAM],
    runner: new DirectRunner(),
    report: (thrown) => reported.push(thrown),
    onDrain: () => {},
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const { token } = server.deps.browsers.issue();
  return {
    server,
    base,
    state,
    home,
    project,
    webRoot,
    env,
    origin,
    reported,
    token,
    api: async (address, body) =>
      await fetch(origin + address, {
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json', origin }),
        },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
    hook: async (event, body, headers = {}) => {
      const answer = await fetch(`${origin}/hook/${event}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.hook}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      const [proof, exit = '', stream = '', ...text] = (await answer.text()).split('\n');
      if (proof !== server.proof)
        throw new Error(`expected the proof, got status ${answer.status} and ${proof}`);
      return { exit, stream, text: text.join('\n') };
    },
    close: async () => {
      await server.stop('test is over');
      removeTree(base);
    },
  };
}

/** Sends raw bytes to a port; returns everything received until the server closes, or `ms` pass. */
export function rawRequest(
  port: number,
  text: string | Buffer,
  host = '127.0.0.1',
  ms = 30_000,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let answer = '';
    socket.setTimeout(ms, () => socket.destroy());
    socket.on('connect', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    socket.on('close', () => resolve(answer));
  });
}

/** Status of a raw answer; 0 when the server closed without one. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
