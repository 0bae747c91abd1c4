/** A server with a client whose calls attack the server with the hook credential. For tests. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { processStat } from '../../../core/kernel/proc/proc.ts';
import { openGrant } from '../../../core/session/grants.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';

/** For a busy machine. */
const PATIENCE_MS = 30_000;

export interface Attack {
  path: string;
  token: string;
  origin?: boolean;
  body: object;
}

export type Position = (typeof POSITIONS)[number];
export const POSITIONS = [
  'in the sandbox',
  'in the sandbox, from a shell that is called claude',
  'in the sandbox, in namespaces of its own',
  'in the sandbox, detached and with a clean environment',
  'in the sandbox of trai exec',
  'on the host',
  'on the host, detached and with a clean environment',
] as const;

export class Attacked {
  readonly t: TestServer;
  readonly client: TestClient;
  /** In the client's place: registered as SessionStart does it, and the parent of every call. */
  readonly #shell: ChildProcessWithoutNullStreams;
  /** In scratch, so that sandboxed writes reach the host. */
  readonly #exchange = mkdtempSync('/tmp/trai-attack-');
  #next = 1;

  private constructor(t: TestServer) {
    this.t = t;
    this.client = new TestClient(t, 'attacked');
    this.#shell = spawn('/bin/bash', ['--norc'], { cwd: t.project, stdio: 'pipe', env: this.#env() });
    const pid = this.#shell.pid ?? 0;
    mkdirSync(path.join(t.state, 'claude-pid'), { recursive: true, mode: 0o700 });
    writeFileSync(path.join(t.state, `claude-pid/${pid}.${processStat(pid)?.start}`), 'attacked\n');
  }

  static async start(): Promise<Attacked> {
    const attacked = new Attacked(await testServer());
    await attacked.client.start();
    return attacked;
  }

  /** The answers to attacks that one call sends one after the other. */
  async send(position: Position, ...attacks: Attack[]): Promise<Said[]> {
    const script = this.#script(attacks);
    await this.#run(position, script);
    return await answered(script, attacks.length);
  }

  /** From a process that the client itself has started, like a hook. */
  async sendAsHook(...attacks: Attack[]): Promise<Said[]> {
    const script = this.#script(attacks);
    this.#shell.stdin.write(`bash -p ${script}\n`);
    return await answered(script, attacks.length);
  }

  /** Outside of the client. */
  async sendFromTerminal(...attacks: Attack[]): Promise<Said[]> {
    const script = this.#script(attacks);
    await once(spawn('/bin/bash', ['-p', script], { stdio: 'ignore', env: this.#env() }), 'close');
    return await answered(script, attacks.length);
  }

  async close(): Promise<void> {
    this.#shell.stdin.end();
    await once(this.#shell, 'close');
    rmSync(this.#exchange, { recursive: true, force: true });
    await this.client.clean();
    await this.t.close();
  }

  #env(): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.t.home };
  }

  async #run(position: Position, script: string): Promise<void> {
    const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const commands: Record<Position, string> = {
      'in the sandbox': `bash ${script}; :`,
      'in the sandbox, from a shell that is called claude': `bash -c 'exec -a claude bash ${script}'; :`,
      'in the sandbox, in namespaces of its own': `unshare --user --map-root-user --mount bash ${script}; :`,
      'in the sandbox, detached and with a clean environment': detached(script),
      'in the sandbox of trai exec': `bash ${script}; :`,
      'on the host': `bash ${script}; :`,
      'on the host, detached and with a clean environment': detached(script),
    };
    const command = commands[position];
    const onHost = position.startsWith('on the host');
    const string = `: # trai:attacked\n: && eval ${quoted(command)} < /dev/null && pwd -P >| /dev/null`;
    const words =
      position === 'in the sandbox of trai exec'
        ? ['-o', 'exec', 'attacked', command, '/bin/bash', '-c', command]
        : ['attacked', '/bin/bash', string, ''];
    if (onHost) await openGrant(path.join(this.t.state, 'sessions/attacked'), { kind: 'passthrough' });
    const done = `${script}.ended`;
    const line = ['bash', '-p', this.client.launch, ...words].map(quoted).join(' ');
    this.#shell.stdin.write(`setsid --wait ${line} >${script}.out 2>&1; echo $? >${done}\n`);
    await until(() => existsSync(done));
    const { mode } = (await this.client.log()).at(-1) ?? {};
    if (mode !== (onHost ? 'host' : 'sandbox'))
      throw new Error(`the call ran elsewhere (${String(mode)}): ${readFileSync(`${script}.out`, 'utf8')}`);
  }

  /** With bash alone; the file `SCRIPT.done-N` marks an answer. */
  #script(attacks: readonly Attack[]): string {
    const script = path.join(this.#exchange, String(this.#next++));
    const { port } = this.t.server;
    const lines = attacks.map((attack, at) => {
      writeFileSync(`${script}.request-${at}`, requestOf(attack, port));
      return `exec 3<>/dev/tcp/127.0.0.1/${port}; cat ${script}.request-${at} >&3; cat <&3 >${script}.said-${at}; exec 3>&-; : >${script}.done-${at}`;
    });
    writeFileSync(script, lines.join('\n'));
    return script;
  }
}

export interface Said {
  status: number;
  text: string;
}

async function answered(script: string, count: number): Promise<Said[]> {
  const found: Said[] = [];
  for (let at = 0; at < count; at++) {
    await until(() => existsSync(`${script}.done-${at}`));
    const said = readFileSync(`${script}.said-${at}`, 'utf8');
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 0);
    found.push({ status, text: said.slice(said.indexOf('\r\n\r\n') + 4) });
  }
  return found;
}

function requestOf({ path: url, token, origin, body }: Attack, port: number): string {
  const text = JSON.stringify(body);
  const head = [
    `POST ${url} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    ...(origin === true ? [`Origin: http://127.0.0.1:${port}`] : []),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    '',
    '',
  ];
  return head.join('\r\n') + text;
}

/** Two forks and a new kernel session: no parents and no variables are left. */
function detached(script: string): string {
  writeFileSync(
    `${script}.detach`,
    `setsid env -i PATH=/usr/bin:/bin bash -c 'bash ${script} & :' </dev/null >/dev/null 2>&1 &`,
  );
  return `bash ${script}.detach; :`;
}

async function until(is: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!is()) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
