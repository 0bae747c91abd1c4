/** A session with pending changes, and Claude's file tools that work on them. For tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { mountSource } from '../../../core/sandbox/context.ts';
import { endProcesses } from '../../../core/sandbox/live.ts';
import { readLog } from '../../../core/session/log/read.ts';
import { TestClient } from '../../../testing/server/client.ts';
import type { HookReply, TestServer } from '../../../testing/server/server.ts';
import { answerHook } from '../events/dispatch.ts';
import { type HookEvent, readHookHeaders } from '../world/answer.ts';
import { HookWorld } from '../world/world.ts';

/** Both must give the same answers. */
export const WORLDS = ['the server', 'the Node path'] as const;
let count = 0;

/** A session in a directory of its own, with host files and the changes of one Bash call. */
export class Scene {
  readonly t: TestServer;
  readonly client: TestClient;
  readonly dir: string;
  readonly world: (typeof WORLDS)[number];

  constructor(t: TestServer, world: (typeof WORLDS)[number] = 'the server') {
    this.t = t;
    this.world = world;
    this.client = new TestClient(t, `view-${++count}`);
    this.dir = path.join(t.project, this.client.id);
    mkdirSync(this.dir);
  }

  static async make(
    t: TestServer,
    host: Readonly<Record<string, string>>,
    command: string,
    world: (typeof WORLDS)[number] = 'the server',
  ): Promise<Scene> {
    const scene = new Scene(t, world);
    for (const [name, content] of Object.entries(host)) {
      mkdirSync(path.dirname(scene.at(name)), { recursive: true });
      writeFileSync(scene.at(name), content);
    }
    await scene.client.start();
    // Host changes must be older than the call by the clock's granularity (ms).
    await new Promise((resolve) => setTimeout(resolve, 50));
    await scene.bash(command);
    return scene;
  }

  at(name: string): string {
    return path.join(this.dir, name);
  }

  async bash(command: string): Promise<string> {
    const ran = await this.client.bash(`cd ${this.client.id} && { ${command}\n}`);
    expect(ran, command).toMatchObject({ rc: 0 });
    return ran.stdout;
  }

  async end(): Promise<void> {
    await endProcesses(mountSource(this.t.state, this.client.id));
  }

  async send(event: HookEvent, fields: object): Promise<HookReply> {
    if (this.world === 'the server') return await this.client.send(event, fields);
    const world = new HookWorld({ stateDir: this.t.state, env: { HOME: this.t.home }, programs: [] });
    const body = { session_id: this.client.id, cwd: this.t.project, hook_event_name: event, ...fields };
    const headers = readHookHeaders(
      () => undefined,
      () => ({ kind: 'client', found: 'the test' }),
    );
    const report = (thrown: unknown) => expect.fail(String(thrown));
    const { exit, stream, text } = await answerHook(
      world,
      event,
      Buffer.from(JSON.stringify(body)),
      headers,
      report,
    );
    return { exit: String(exit), stream, text };
  }

  /** `hint` is what the model reads beside the tool's result. */
  async use(tool_name: string, tool_input: object, more: object = {}): Promise<HookReply & { hint: string }> {
    const answer = await this.send('PreToolUse', {
      tool_name,
      tool_use_id: this.client.newRequest(),
      tool_input,
      ...more,
    });
    return { ...answer, hint: answer.stream === 'out' ? contextOf(answer) : '' };
  }

  async edits(name: string): Promise<HookReply & { hint: string }> {
    return await this.use('Edit', { file_path: this.at(name), old_string: 'a', new_string: 'b' });
  }

  async reads(name: string): Promise<string> {
    return (await this.use('Read', { file_path: this.at(name) })).hint;
  }

  async batch(...calls: { tool_name: string; tool_input: object; request?: string }[]): Promise<string> {
    const tool_calls = calls.map(({ request, ...call }) => ({
      ...call,
      tool_use_id: request ?? this.client.newRequest(),
      tool_response: '<tool_use_error>File does not exist.</tool_use_error>',
    }));
    return contextOf(await this.send('PostToolBatch', { tool_calls }));
  }

  async uses(): Promise<object[]> {
    const { events } = await readLog(path.join(this.t.state, 'sessions', this.client.id));
    return events.filter((event) => event.t === 'file');
  }
}

function contextOf(answer: HookReply): string {
  expect(answer.exit).toBe('0');
  if (answer.text === '') return '';
  const { hookSpecificOutput } = JSON.parse(answer.text);
  expect(hookSpecificOutput.hookEventName).toMatch(/^(PreToolUse|PostToolBatch)$/);
  return hookSpecificOutput.additionalContext;
}
