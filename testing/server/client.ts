/** Plays the client against a test server: the hooks' JSON as measured, and the real launcher. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { mountSource } from '../../core/sandbox/context.ts';
import { endProcesses } from '../../core/sandbox/live.ts';
import { ROOT } from '../root.ts';
import type { HookReply, TestServer } from './server.ts';

const launcherSource = path.join(ROOT, 'hooks/launcher');

export interface Ran {
  rc: number;
  stdout: string;
  stderr: string;
}

/** The part of a server that is needed: in this process, or a program. */
export type ServerSide = Pick<TestServer, 'base' | 'state' | 'home' | 'project' | 'api' | 'hook'>;

export class TestClient {
  readonly t: ServerSide;
  readonly id: string;
  readonly launch: string;
  /** The hooks' answers to the last `bash`, news included if it was quick. */
  heard = '';
  #next = 1;

  constructor(t: ServerSide, id: string) {
    this.t = t;
    this.id = id;
    this.launch = path.join(t.state, 'bin/0/launch');
    cpSync(launcherSource, path.join(t.state, 'bin/0'), { recursive: true });
  }

  start(source = 'startup'): Promise<HookReply> {
    return this.send('SessionStart', { source }, { 'x-trai-session': this.id });
  }

  send(event: string, fields: object, headers: Record<string, string> = {}): Promise<HookReply> {
    const common = { session_id: this.id, cwd: this.t.project, hook_event_name: event, transcript_path: '' };
    return this.t.hook(event, { ...common, ...fields }, { 'x-trai-env': 'ok', ...headers });
  }

  newRequest(): string {
    return `toolu_${this.id}_${this.#next++}`;
  }

  pre(
    request: string,
    command: string,
    fields: object = {},
    headers: Record<string, string> = {},
  ): Promise<HookReply> {
    return this.send(
      'PreToolUse',
      { tool_name: 'Bash', tool_use_id: request, tool_input: { command, ...fields } },
      headers,
    );
  }

  post(request: string, command: string, ran: Ran, fields: object = {}): Promise<HookReply> {
    const call = {
      tool_name: 'Bash',
      tool_use_id: request,
      tool_input: { command, ...fields },
      duration_ms: 1,
    };
    if (ran.rc === 0) {
      const tool_response = { stdout: ran.stdout + ran.stderr, stderr: '', interrupted: false };
      return this.send('PostToolUse', { ...call, tool_response });
    }
    return this.send('PostToolUseFailure', {
      ...call,
      error: `Exit code ${ran.rc}\n${ran.stdout}${ran.stderr}`,
      is_interrupt: false,
    });
  }

  batch(requests: readonly { request: string; command: string }[]): Promise<HookReply> {
    const tool_calls = requests.map(({ request, command }) => ({
      tool_name: 'Bash',
      tool_use_id: request,
      tool_input: { command },
      tool_response: '',
    }));
    return this.send('PostToolBatch', { tool_calls });
  }

  /** As the client's shell runs a command: the env line passes the whole string to the launcher. */
  async shell(command: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const quoted = `'${command.replace(/'/g, `'"'"'`)}'`;
    const string = `: # trai:${this.id}\n: && eval ${quoted} < /dev/null && pwd -P >| /dev/null`;
    const child = spawn('/bin/bash', ['-p', this.launch, this.id, '/bin/bash', string, ''], {
      cwd: this.t.project,
      env: { PATH: process.env['PATH'], HOME: this.t.home, USER: process.env['USER'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const [code, signal] = await once(child, 'close');
    return { rc: typeof code === 'number' ? code : signal === 'SIGKILL' ? 137 : 143, stdout, stderr };
  }

  /** One whole Bash call. */
  async bash(command: string): Promise<Ran> {
    const request = this.newRequest();
    const pre = await this.pre(request, command);
    if (pre.exit !== '0') return { rc: 2, stdout: '', stderr: pre.text };
    const ran = await this.shell(command);
    await this.post(request, command, ran);
    this.heard = (await this.batch([{ request, command }])).text;
    return ran;
  }

  async log(): Promise<Record<string, unknown>[]> {
    const answer = await this.t.api(`/api/sessions/${this.id}/calls`);
    const { calls }: { calls: Record<string, unknown>[] } = JSON.parse(await answer.text());
    return calls;
  }

  /** Ends the session's processes. */
  async clean(): Promise<void> {
    await endProcesses(mountSource(this.t.state, this.id));
  }
}
