import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const HOOKS = import.meta.dirname;
export const CLAUDE_ID = '0c0ffee0-1111-4222-8333-444455556666';

export interface Asked {
  event: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
export interface Ran {
  code: number;
  out: string;
  err: string;
}

interface As {
  pid?: number;
  interim?: string;
  /** How long an answer takes (ms). */
  after?: number;
}

/** A plugin folder, a state directory and an optional server with the protocol of docs/protocol.md. */
export class HookBench {
  readonly dir: string;
  readonly root: string;
  readonly state: string;
  readonly asked: Asked[] = [];
  /** What a server got before and after its proof. */
  readonly heads: IncomingHttpHeaders[] = [];
  readonly bytes: Buffer[] = [];
  connections = 0;
  readonly #closers: (() => Promise<void>)[] = [];

  constructor(name = 'a') {
    this.dir = mkdtempSync(path.join(tmpdir(), 'trai-hook-'));
    this.root = path.join(this.dir, name, 'plugin');
    this.state = path.join(this.dir, name, 'state');
    mkdirSync(path.join(this.root, 'lib'), { recursive: true });
    mkdirSync(this.state, { mode: 0o700 });
    cpSync(HOOKS, path.join(this.root, 'hooks'), {
      recursive: true,
      filter: (file) => !file.endsWith('.ts'),
    });
    cpSync(path.join(HOOKS, '../.claude-plugin'), path.join(this.root, '.claude-plugin'), {
      recursive: true,
    });
  }

  put(name: string, content: string): string {
    const file = path.join(this.state, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  }

  /** A `lib/fallback.mjs` with this text, and a Node for it. */
  fallback(source: string): void {
    writeFileSync(path.join(this.root, 'lib/fallback.mjs'), source);
    this.put('node', `${process.execPath}\n`);
  }

  /**
   * Answers every event with `raw`, in which `{proof}` is the right proof; null: it hangs.
   * @param length the content length that it sends; 'reset': it dies before it answers
   */
  async serve(raw: string | null, length?: number | 'reset' | 'flood', as: As = {}): Promise<void> {
    const server = createServer();
    server.on('checkContinue', (request, response) => {
      this.heads.push(request.headers);
      request.socket.on('data', (chunk: Buffer) => this.bytes.push(chunk));
      request.socket.write(as.interim ?? 'HTTP/1.1 100 Continue\r\nProof: PROOF-1_x\r\n\r\n');
      server.emit('request', request, response);
    });
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const event = request.url?.replace('/hook/', '') ?? '';
        this.asked.push({ event, headers: request.headers, body: Buffer.concat(chunks) });
        if (length === 'reset') return void request.socket.resetAndDestroy();
        if (length === 'flood') return void flood(request.socket);
        if (raw === null) return;
        const text = Buffer.from(raw.replace('{proof}', 'PROOF-1_x'));
        setTimeout(() => {
          response.writeHead(200, { 'content-type': 'text/plain', 'content-length': length ?? text.length });
          response.end(text);
          if (length !== undefined) response.socket?.end();
        }, as.after ?? 0);
      });
    });
    server.on('connection', () => this.connections++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    this.put(
      'server.json',
      `{"v":1,"pid":${as.pid ?? process.pid},"port":${port},"version":"0.1.0","hook":"SECRET-h","proof":"PROOF-1_x"}\n`,
    );
    this.#closers.push(
      () =>
        new Promise<void>((resolve) => {
          server.closeAllConnections();
          server.close(() => resolve());
        }),
    );
  }

  session(content = 'if true; then :; fi # trai:mine\n'): string {
    const file = path.join(this.dir, 'sessionstart-hook-0.sh');
    writeFileSync(file, content);
    this.put(`claude/${CLAUDE_ID}`, 'mine\n');
    this.put(`claude-env/${CLAUDE_ID}`, `1.1\n${file}\n${content}`);
    return file;
  }

  /** Runs a hook script as the client does: no terminal, the event on stdin, few variables. */
  async run(
    script: string,
    args: readonly string[],
    body: string | Buffer,
    env: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Ran> {
    const file = path.join(this.root, 'hooks', script);
    const child = spawn('/bin/bash', ['-p', file, ...args], {
      cwd: '/',
      ...(signal && { signal }),
      env: { PATH: '/usr/bin:/bin', HOME: path.dirname(this.state), TRAI_STATE_HOME: this.state, ...env },
    });
    child.on('error', () => undefined);
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('latin1')));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('latin1')));
    child.stdin.on('error', () => undefined);
    child.stdin.end(body);
    const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? -1)));
    return { code, out, err };
  }

  hook(
    args: readonly string[],
    body: string | Buffer = event(),
    env: Record<string, string> = {},
  ): Promise<Ran> {
    return this.run('hook.sh', args, body, env);
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close();
    chmodSync(this.dir, 0o700);
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** An endless answer of NUL, which bash skips, so that the timeout hits in the middle of a block. */
export function flood(socket: Socket): void {
  const piece = Buffer.alloc(65_536, '\0\0\0\0\0\0\0x');
  const pour = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('error', () => undefined);
  socket.on('drain', pour);
  pour();
}

export function event(more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    session_id: CLAUDE_ID,
    cwd: '/',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    ...more,
  });
}
