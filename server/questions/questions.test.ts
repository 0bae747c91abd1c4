/** Questions of the client at a real server: held, answered, and ended by every other sign. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withFileLock } from '../../core/kernel/proc/file-lock.ts';
import { childrenOf, processArguments, processStat } from '../../core/kernel/proc/proc.ts';
import { readLog } from '../../core/session/log/read.ts';
import { endLeftQuestions } from '../../core/session/questions.ts';
import type { Answered, Question, QuestionList, RulePreview } from '../../shared/model/question.ts';
import { removeTree } from '../../testing/remove-tree.ts';
import { ROOT } from '../../testing/root.ts';
import { TestClient } from '../../testing/server/client.ts';
import { type HookReply, type TestServer, testServer } from '../../testing/server/server.ts';
import { type HookEvent, readHookHeaders } from '../hooks/world/answer.ts';
import { type HookSession, HookWorld } from '../hooks/world/world.ts';
import { Desk } from './desk.ts';
import { LastPrompts } from './prompts.ts';

let t: TestServer;
const children: ChildProcess[] = [];
beforeAll(async () => {
  t = await testServer();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const { id } of (await list()).open) await send(id, 'leave');
  for (const file of ['rules.json', 'config.json']) rmSync(config(file), { force: true });
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

const config = (name: string) => path.join(t.home, '.config/trai', name);
function put(name: string, content: object): void {
  mkdirSync(path.dirname(config(name)), { recursive: true });
  writeFileSync(config(name), JSON.stringify(content));
}

let count = 0;
async function started(): Promise<TestClient> {
  const client = new TestClient(t, `asked-${++count}`);
  await client.start();
  return client;
}

const list = async (): Promise<QuestionList> => (await t.api('/api/questions')).json();
const send = (question: string, answer: string, more: object = {}): Promise<Response> =>
  t.api('/api/answer', { question, answer, message: null, rule: null, ...more });
const filesOf = ({ id }: TestClient) => {
  const dir = path.join(t.state, 'sessions', id, 'questions');
  return existsSync(dir) ? readdirSync(dir) : null;
};
const eventsOf = async ({ id }: TestClient) =>
  (await readLog(path.join(t.state, 'sessions', id))).events.flatMap((event) =>
    event.t === 'question' ? [`${event.end} by ${event.by}`] : [],
  );
const saidTo = ({ text }: HookReply): unknown =>
  text === '' ? null : JSON.parse(text).hookSpecificOutput.decision;

interface Use {
  tool?: string;
  input?: object;
  agent?: string;
  entry?: string;
}
const CALLER = () => ({ kind: 'client', found: 'the test' }) as const;
const INPUT = { command: './tool one' };
const worldOf = () => new HookWorld({ stateDir: t.state, env: t.env, programs: [] });

/** PreToolUse and PermissionRequest of one call; the question that it opens, and what the hook will say. */
async function ask(client: TestClient, { tool = 'Bash', input = INPUT, agent, entry = 'cli' }: Use = {}) {
  const about = { tool_name: tool, tool_input: input, permission_mode: 'default', agent_id: agent };
  const request = client.newRequest();
  await client.send('PreToolUse', { ...about, tool_use_id: request });
  const before = (await list()).open.length;
  const reply = client.send('PermissionRequest', about, { 'x-trai-entry': entry });
  await expect.poll(async () => (await list()).open).toHaveLength(before + 1);
  const question = (await list()).open.at(-1) as Question;
  return { question, reply, request, about };
}

/** As the client runs the hook. */
function hookOf(
  client: TestClient,
  fields: object,
  env: NodeJS.ProcessEnv = {},
): { child: ChildProcess; out: Promise<string> } {
  const event = { session_id: client.id, cwd: t.project, hook_event_name: 'PermissionRequest', ...fields };
  const child = spawn('/bin/bash', ['-p', path.join(ROOT, 'hooks/hook.sh'), 'PermissionRequest'], {
    env: {
      PATH: process.env['PATH'],
      HOME: t.home,
      TRAI_STATE_HOME: t.state,
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  children.push(child);
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdin?.end(JSON.stringify(event));
  return { child, out: new Promise((resolve) => child.on('close', () => resolve(said))) };
}

describe('a question', () => {
  it('is matched with its call, and says who asks, where it would run, and what no rule covers', async () => {
    put('rules.json', { version: 2, allow: [{ tool: '^Bash$', match: { command: '^make( |$)' } }] });
    const client = await started();
    const { question, request } = await ask(client, {
      input: { command: 'make all && npm run build:web -- -x' },
    });
    expect(question).toMatchObject({
      session: client.id,
      request,
      asks: 'client',
      runs: 'sandbox',
      dialog: true,
      until: null,
      uncovered: ['npm run build:web -- -x'],
      allow: { tool: '^Bash$', field: 'command', pattern: '^npm run build:web( [\\w./:=@%+,~-]+)*$' },
    });
    const [file = ''] = filesOf(client) ?? [];
    const kept = path.join(t.state, 'sessions', client.id, 'questions', file);
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(question);
  });

  it('has the start of the last prompt of its conversation, also after a restart, and of no other one', async () => {
    const [client, other] = [await started(), await started()];
    const promptOf = async (use: Use = {}) => {
      const { question, reply } = await ask(client, use);
      await send(question.id, 'leave');
      await reply;
      return question.prompt;
    };
    expect(await promptOf()).toBe('');
    await client.send('UserPromptSubmit', { prompt: 'first' });
    await client.send('UserPromptSubmit', { prompt: `${'x'.repeat(199)}🂡 and more` });
    await client.send('UserPromptSubmit', { prompt: '/trai:status' });
    await other.send('UserPromptSubmit', { prompt: 'of another one' });
    const expected = `${'x'.repeat(199)}…`;
    expect(await promptOf()).toBe(expected);
    const { dir } = (await worldOf().session(client.id)) as HookSession;
    expect(new LastPrompts().of(client.id, null, dir)).toBe(expected);
    expect(new LastPrompts().of('unknown', null, dir)).toBe('');
  });

  it('names the rule that asks, or trai’s own question', async () => {
    put('rules.json', { version: 2, ask: [{ tool: '^WebFetch$', reason: 'have a look' }] });
    const client = await started();
    const { question } = await ask(client, { tool: 'WebFetch', input: { url: 'https://a.example/x' } });
    expect(question).toMatchObject({
      asks: 'rule',
      runs: null,
      allow: { field: 'url', pattern: '^https://a\\.example([/?#]|$)' },
    });
    expect(question.why).toContain('have a look');
  });

  it('says where a rule allows the call, and the client asks nevertheless', async () => {
    put('rules.json', { version: 2, allow: [{ tool: '^Bash$', match: { command: '^make ' } }] });
    const { question } = await ask(await started(), { input: { command: 'make all' } });
    expect(question).toMatchObject({
      asks: 'client',
      why: expect.stringMatching(/^a permission rule allows/),
    });
  });

  it.each([
    ['once', { behavior: 'allow' }],
    ['no', { behavior: 'deny' }],
    ['leave', null],
  ])('answered with %s in a tab says so to the client, and is closed everywhere', async (answer, said) => {
    const client = await started();
    const { question, reply } = await ask(client);
    const answered: Answered = await (await send(question.id, answer)).json();
    expect(answered).toEqual({ end: answer, rule: null });
    const decision = saidTo(await reply);
    if (said === null) expect(decision).toBeNull();
    else expect(decision).toMatchObject(said);
    expect((await list()).open).toEqual([]);
    expect((await list()).ended[0]).toMatchObject({ end: answer, by: 'tab', question: { id: question.id } });
    expect(filesOf(client)).toBeNull();
    expect(await eventsOf(client)).toEqual(['open by client', `${answer} by tab`]);
  });

  it('takes a message to the model along with a no', async () => {
    const { question, reply } = await ask(await started());
    await send(question.id, 'no', { message: 'use the other one' });
    expect(saidTo(await reply)).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('use the other one'),
    });
  });

  it('is answered once: the second answer, and one that comes late, get 409', async () => {
    const { question, reply } = await ask(await started());
    const [one, two] = await Promise.all([send(question.id, 'once'), send(question.id, 'no')]);
    expect([one.status, two.status].sort()).toEqual([200, 409]);
    await reply;
    const late = await send(question.id, 'no');
    expect([late.status, (await late.json()).error.code]).toEqual([409, 'answered']);
    expect((await send('q0000000000000000', 'no')).status).toBe(404);
  });

  it('is not answered with yes once a rule denies its call', async () => {
    const { question, reply } = await ask(await started(), { input: { command: 'make all' } });
    put('rules.json', { version: 2, deny: [{ tool: '^Bash$', match: { command: '^make ' } }] });
    const yes = await send(question.id, 'once');
    expect([yes.status, (await yes.json()).error.code]).toEqual([403, 'forbidden']);
    expect((await send(question.id, 'always', { rule: { scope: 'user', ...question.allow } })).status).toBe(
      403,
    );
    expect((await list()).open.map(({ id }) => id)).toEqual([question.id]);
    expect((await send(question.id, 'no')).status).toBe(200);
    expect(saidTo(await reply)).toMatchObject({ behavior: 'deny' });
  });

  it('that has ended is kept without the input of its call', async () => {
    const input = { file_path: '/p/large', content: 'x'.repeat(100_000) };
    const { question, reply } = await ask(await started(), { tool: 'Write', input });
    await send(question.id, 'no');
    await reply;
    const [ended] = (await list()).ended;
    expect(ended).toMatchObject({ subject: '/p/large', question: { id: question.id, tool: 'Write' } });
    expect(JSON.stringify(ended).length).toBeLessThan(1_000);
  });

  it('has a number that no earlier question had, also of a server before', async () => {
    const state = mkdtempSync(path.join(tmpdir(), 'trai-numbers-'));
    const desk = () =>
      new Desk({
        stateDir: state,
        env: t.env,
        programs: [],
        hub: { emit: () => {}, listeners: 0 },
        report: () => {},
      });
    const session = (await new HookWorld({ stateDir: t.state, env: t.env, programs: [] }).session(
      (
        await started()
      ).id,
    )) as HookSession;
    const askOf = async (one: Desk): Promise<number> => {
      const headers = { ...readHookHeaders((name) => (name === 'entry' ? 'cli' : undefined), CALLER) };
      const input = { claude: session.id, cwd: '/', agent: '', all: {} };
      void one.ask(session, { ...input, tool: 'X', toolInput: {}, request: '' }, headers);
      await expect.poll(() => one.list().open).toHaveLength(1);
      const [question] = one.list().open;
      await one.answer({ question: question?.id ?? '', answer: 'no', message: null, rule: null }, 'tab');
      return question?.n ?? 0;
    };
    const first = desk();
    expect([await askOf(first), await askOf(first)]).toEqual([1, 2]);
    expect(await askOf(desk())).toBe(3);
    // Damaged: what a killed server left decides.
    writeFileSync(path.join(state, 'last-question'), 'x');
    mkdirSync(path.join(state, 'sessions/a/questions'), { recursive: true });
    writeFileSync(path.join(state, 'sessions/a/questions/q1.json'), '{"v":1,"id":"q1","n":7}');
    expect(await askOf(desk())).toBe(8);
    removeTree(state);
  });

  it('is one of twenty, in the order in which they were asked', async () => {
    const client = await started();
    const asked = [];
    for (let n = 1; n <= 20; n++) asked.push(await ask(client, { input: { command: `./tool ${n}` } }));
    const { open } = await list();
    expect(open.map(({ input }) => input['command'])).toEqual(
      asked.map(({ about }) => (about.tool_input as typeof INPUT).command),
    );
    for (const { question } of asked) await send(question.id, 'once');
    const replies = await Promise.all(asked.map(({ reply }) => reply));
    expect(new Set(replies.map((reply) => JSON.stringify(saidTo(reply))))).toEqual(
      new Set(['{"behavior":"allow"}']),
    );
  });
});

describe('a question that is answered elsewhere ends', () => {
  const gone = async (reply: Promise<HookReply>) => {
    expect(saidTo(await reply)).toBeNull();
    expect((await list()).open).toEqual([]);
    return (await list()).ended[0]?.end;
  };

  it('when the launcher claims its call', async () => {
    const client = await started();
    const { reply } = await ask(client, { input: { command: 'true' } });
    await client.shell('true');
    expect(await gone(reply)).toBe('ran');
  });

  it.each([
    ['PostToolUse', {}, 'ran'],
    ['PostToolUseFailure', {}, 'ran'],
    ['PermissionDenied', {}, 'refused'],
  ] as const)('at %s of its call', async (event, more, end) => {
    const client = await started();
    const { reply, about, request } = await ask(client, { tool: 'mcp__a__b', input: { x: 1 } });
    await client.send(event, { ...about, tool_use_id: request, ...more });
    expect(await gone(reply)).toBe(end);
  });

  it.each([
    ['made it', 'ran'],
    ["The user doesn't want to proceed with this tool use.", 'refused'],
  ] as const)(
    'at its batch, which says %s; also where PreToolUse was not seen',
    async (tool_response, end) => {
      const client = await started();
      const input = { x: 1 };
      const reply = client.send(
        'PermissionRequest',
        { tool_name: 'mcp__a__b', tool_input: input },
        { 'x-trai-entry': 'cli' },
      );
      await expect.poll(async () => (await list()).open).toHaveLength(1);
      const other = { tool_name: 'mcp__a__b', tool_input: { x: 2 }, tool_use_id: 'u2', tool_response };
      await client.send('PostToolBatch', { tool_calls: [other] });
      expect((await list()).open).toHaveLength(1);
      await client.send('PostToolBatch', {
        tool_calls: [{ ...other, tool_input: input, tool_use_id: 'u1' }],
      });
      expect(await gone(reply)).toBe(end);
    },
  );

  it('also where an equal call was judged before it, under another id', async () => {
    const client = await started();
    const about = { tool_name: 'mcp__a__b', tool_input: { x: 1 }, permission_mode: 'default' };
    await client.send('PreToolUse', { ...about, tool_use_id: 'first' });
    const reply = client.send('PermissionRequest', about, { 'x-trai-entry': 'cli' });
    await expect.poll(async () => (await list()).open).toHaveLength(1);
    const done = { ...about, tool_use_id: 'second', tool_response: 'made it' };
    await client.send('PostToolBatch', { tool_calls: [done] });
    expect(await gone(reply)).toBe('ran');
  });

  it('not when an equal call before it is over, of which the event comes late', async () => {
    const client = await started();
    const first = await ask(client);
    await send(first.question.id, 'once');
    await first.reply;
    const second = await ask(client);
    await client.send('PostToolUse', { ...first.about, tool_use_id: first.request });
    await client.batch([{ request: first.request, command: INPUT.command }]);
    expect((await list()).open.map(({ id }) => id)).toEqual([second.question.id]);
    await client.send('PostToolUse', { ...second.about, tool_use_id: second.request });
    expect(await gone(second.reply)).toBe('ran');
  });

  it('not by events with the credential of another session', async () => {
    const [client, other] = [await started(), await started()];
    const { question, reply, about, request } = await ask(client, { tool: 'mcp__a__b', input: { x: 1 } });
    const say = async (inside: string, event: HookEvent, fields: object) => {
      const body = { session_id: client.id, cwd: t.project, transcript_path: '', ...fields };
      const headers = readHookHeaders(() => undefined, CALLER);
      await t.server.deps.hookEvent(event, Buffer.from(JSON.stringify(body)), { ...headers, inside });
    };
    await say(other.id, 'PostToolUse', { ...about, tool_use_id: request });
    await say(other.id, 'UserPromptSubmit', { prompt: 'x' });
    await say(other.id, 'SessionEnd', { reason: 'other' });
    expect((await list()).open.map(({ id }) => id)).toEqual([question.id]);
    await say(client.id, 'PostToolUse', { ...about, tool_use_id: request });
    expect(await gone(reply)).toBe('ran');
  });

  it('when the turn is over, or the session; not by another agent’s events', async () => {
    const client = await started();
    const first = await ask(client);
    await client.send('PostToolBatch', {
      agent_id: 'a1',
      tool_calls: [{ ...first.about, tool_use_id: 'x' }],
    });
    expect((await list()).open).toHaveLength(1);
    await client.send('UserPromptSubmit', { prompt: 'go on' });
    expect(await gone(first.reply)).toBe('refused');
    const second = await ask(client);
    await client.send('SessionEnd', { reason: 'other' });
    expect(await gone(second.reply)).toBe('gone');
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('when its hook gets %s', async (signal) => {
    const client = await started();
    const { child, out } = hookOf(client, { tool_name: 'Bash', tool_input: INPUT });
    await expect.poll(async () => (await list()).open).toHaveLength(1);
    child.kill(signal);
    expect(await out).toBe('');
    await expect.poll(async () => (await list()).open).toEqual([]);
    expect(filesOf(client)).toBeNull();
    await expect.poll(() => eventsOf(client)).toEqual(['open by client', 'ended by client']);
  });

  it('when its client is killed while the hook lives on', async () => {
    const client = await started();
    const parent = spawn('sleep', ['600']);
    children.push(parent);
    const { child } = hookOf(
      client,
      { tool_name: 'Bash', tool_input: INPUT },
      { CLAUDE_PID: String(parent.pid) },
    );
    await expect.poll(async () => (await list()).open).toHaveLength(1);
    parent.kill('SIGKILL');
    await expect.poll(async () => (await list()).open).toEqual([]);
    expect((await list()).ended[0]?.end).toBe('gone');
    await expect.poll(() => processStat(child.pid ?? 0)).toBeNull();
  });

  it('when the server is stopped or was killed', async () => {
    const other = await testServer();
    try {
      const client = new TestClient(other, 'left');
      await client.start();
      const reply = client.send(
        'PermissionRequest',
        { tool_name: 'Bash', tool_input: INPUT },
        { 'x-trai-entry': 'cli' },
      );
      const dir = path.join(other.state, 'sessions/left');
      await expect.poll(() => readdirSync(path.join(dir, 'questions'))).toHaveLength(1);
      const [name = ''] = readdirSync(path.join(dir, 'questions'));
      const record = readFileSync(path.join(dir, 'questions', name));
      await other.server.stop('test');
      expect(saidTo(await reply)).toBeNull();
      expect(existsSync(path.join(dir, 'questions'))).toBe(false);
      mkdirSync(path.join(dir, 'questions'));
      writeFileSync(path.join(dir, 'questions', name), record);
      writeFileSync(path.join(dir, 'questions/torn.json'), '{');
      endLeftQuestions(dir);
      expect(existsSync(path.join(dir, 'questions'))).toBe(false);
      const { events } = await readLog(dir);
      expect(events.flatMap((event) => (event.t === 'question' ? [event.end] : []))).toEqual([
        'open',
        'gone',
        'gone',
      ]);
    } finally {
      await other.close();
    }
  });
});

describe('where the client shows no dialog meanwhile', () => {
  const silent = async (client: TestClient, use: Use) => {
    const { agent, entry = 'cli' } = use;
    const about = { tool_name: 'Bash', tool_input: INPUT, agent_id: agent };
    return saidTo(await client.send('PermissionRequest', about, { 'x-trai-entry': entry }));
  };

  it('a subagent’s question is held only while a tab is in sight, and not for longer than holdSeconds', async () => {
    put('config.json', { rules: { holdSeconds: 1 } });
    const client = await started();
    expect(await silent(client, { agent: 'a1' })).toBeNull();
    expect((await list()).ended.filter(({ question }) => question.session === client.id)).toEqual([]);
    expect((await t.api('/api/seen', {})).status).toBe(200);
    expect(await silent(client, { agent: 'a1' })).toBeNull();
    expect((await list()).ended[0]).toMatchObject({ end: 'late', question: { session: client.id } });
    put('config.json', { rules: { holdSeconds: 60 } });
    const { question, reply } = await ask(client, { agent: 'a1' });
    expect(question).toMatchObject({ agent: 'a1', dialog: false, until: expect.any(String) });
    await send(question.id, 'leave');
    expect(saidTo(await reply)).toBeNull();
  });

  it('claude -p does not wait, unless the config says so', async () => {
    const client = await started();
    expect(await silent(client, { entry: 'sdk-cli' })).toBeNull();
    put('config.json', { rules: { headlessSeconds: 600 } });
    const { question, reply } = await ask(client, { entry: 'sdk-cli' });
    expect(question.dialog).toBe(false);
    await send(question.id, 'once');
    expect(saidTo(await reply)).toEqual({ behavior: 'allow' });
  });

  it('nobody is waited for where it is not known how the client was started', async () => {
    const client = await started();
    for (const entry of ['claude-vscode', '']) expect(await silent(client, { entry })).toBeNull();
  });

  it.each([[{ questions: false }], [{ enabled: false }]])(
    'nothing is held with "rules": %o',
    async (rules) => {
      put('config.json', { rules });
      expect(await silent(await started(), {})).toBeNull();
    },
  );
});

describe('an answer with a rule', () => {
  const draft = (question: Question, more: object = {}) => ({ scope: 'user', ...question.allow, ...more });

  it('writes it, so that the next such call is allowed', async () => {
    const client = await started();
    const { question, reply } = await ask(client, { input: { command: 'make all' } });
    const rule = draft(question);
    const preview: RulePreview = await (
      await t.api('/api/rule-preview', { question: question.id, list: 'allow', rule })
    ).json();
    expect(preview).toMatchObject({ problem: '', matches: true, decision: 'allow' });
    expect(existsSync(config('rules.json'))).toBe(false);
    const answered: Answered = await (await send(question.id, 'always', { rule })).json();
    expect(answered.rule).toEqual({ written: true, file: config('rules.json'), list: 'allow' });
    expect(saidTo(await reply)).toEqual({ behavior: 'allow' });
    const next = await client.pre(client.newRequest(), 'make all test');
    expect(JSON.parse(next.text).hookSpecificOutput.permissionDecision).toBe('allow');
  });

  it('says how the question ended when that was while the rule was written', async () => {
    const client = await started();
    const { child } = hookOf(client, { tool_name: 'Bash', tool_input: { command: 'make all' } });
    await expect.poll(async () => (await list()).open).toHaveLength(1);
    const [question] = (await list()).open as [Question];
    const answered = await withFileLock(`${t.state}/rules.lock`, async () => {
      const sent = send(question.id, 'always', { rule: draft(question) });
      const isWaiting = () =>
        childrenOf(process.pid).some((pid) => processArguments(pid)?.[0]?.endsWith('/flock') === true);
      await expect.poll(isWaiting).toBe(true);
      child.kill('SIGKILL');
      await expect.poll(async () => (await list()).open).toEqual([]);
      return { sent };
    });
    expect(await (await answered.sent).json()).toMatchObject({ end: 'ended', rule: { written: true } });
  });

  it('says that the call ran when the keyboard allowed it while the rule was written', async () => {
    const client = await started();
    const { question, reply, about, request } = await ask(client, { input: { command: 'make all' } });
    const answered = await withFileLock(`${t.state}/rules.lock`, async () => {
      const sent = send(question.id, 'never', { rule: { scope: 'session', ...question.deny } });
      await expect.poll(async () => (await send(question.id, 'once')).status).toBe(409);
      await client.send('PostToolUse', { ...about, tool_use_id: request });
      expect(saidTo(await reply)).toBeNull();
      return { sent };
    });
    expect(await (await answered.sent).json()).toMatchObject({ end: 'ran', rule: { written: true } });
    expect(await eventsOf(client)).toEqual(['open by client', 'ran by client']);
  });

  it('never: denies this call and the next', async () => {
    const client = await started();
    const { question, reply } = await ask(client, { input: { command: 'make all' } });
    await send(question.id, 'never', { rule: { scope: 'session', ...question.deny } });
    expect(saidTo(await reply)).toMatchObject({ behavior: 'deny' });
    const next = await client.pre(client.newRequest(), 'make all -j 2');
    expect(JSON.parse(next.text).hookSpecificOutput.permissionDecision).toBe('deny');
  });

  it.each([
    ['a pattern that cannot be used', 'always', { pattern: '(' }],
    ['a pattern of something else', 'always', { pattern: '^ls$' }],
    ['a rule that contradicts one that is there', 'never', { pattern: '^make all$' }],
  ])(
    'that is %s: the answer stands, for this call, and the rule is not written',
    async (_what, answer, changed) => {
      const known = { version: 2, allow: [{ tool: '^Bash$', match: { command: '^make all$' } }] };
      put('rules.json', known);
      const client = await started();
      const { question, reply } = await ask(client, { input: { command: 'make all' } });
      const answered: Answered = await (
        await send(question.id, answer, { rule: draft(question, changed) })
      ).json();
      const end = answer === 'never' ? 'no' : 'once';
      expect(await eventsOf(client)).toEqual(['open by client', `${end} by tab`]);
      expect(answered).toMatchObject({
        end,
        rule: { written: false, why: expect.stringMatching(/\w/) },
      });
      expect(JSON.parse(readFileSync(config('rules.json'), 'utf8'))).toEqual(known);
      expect(saidTo(await reply)).toMatchObject({ behavior: answer === 'never' ? 'deny' : 'allow' });
    },
  );

  it('is not written where another rule comes first, which is named, also in the preview', async () => {
    put('rules.json', { version: 2, ask: [{ tool: '^Bash$', match: { command: '^make' } }] });
    const { question } = await ask(await started(), { input: { command: 'make all' } });
    const why = expect.stringMatching(/^another rule comes first: rule ask\[0\] of .*rules\.json/);
    const rule = draft(question);
    const previewed = await t.api('/api/rule-preview', { question: question.id, list: 'allow', rule });
    expect(await previewed.json()).toMatchObject({ problem: why, matches: false, decision: 'ask' });
    const answered: Answered = await (await send(question.id, 'always', { rule })).json();
    expect(answered.rule).toEqual({ written: false, why });
  });

  it('is shown with the recorded calls that it would have decided, and which of them were denied', async () => {
    const client = await started();
    for (const command of ['make one', 'make two', 'ls']) await client.pre(client.newRequest(), command);
    const denied = client.newRequest();
    await client.pre(denied, 'make three');
    await client.batch([{ request: denied, command: 'make three' }]);
    const { question } = await ask(client, { input: { command: 'make four' } });
    const rule = {
      scope: 'session',
      tool: '^Bash$',
      field: 'command',
      pattern: '^make (one|two|three|four)$',
    };
    // The server reads the logs after the hooks are answered.
    const preview = async (): Promise<RulePreview> =>
      await (await t.api('/api/rule-preview', { question: question.id, list: 'allow', rule })).json();
    await expect.poll(preview).toMatchObject({ matches: true, decides: 4, denied: 1, allowed: 3 });
    expect((await preview()).examples.map(({ subject }) => subject)).toContain('make three');
  });
});

describe('what Edit and Write would make of a file', () => {
  it('is a diff, or says why there is none', async () => {
    const client = await started();
    const file = path.join(t.project, 'price.ts');
    writeFileSync(file, 'a\ntax\nb\n');
    const diffOf = async (tool: string, input: object) => {
      const { question, reply } = await ask(client, { tool, input: { file_path: file, ...input } });
      const answer = await t.api(`/api/question-diff?question=${question.id}`);
      await send(question.id, 'leave');
      await reply;
      return await answer.json();
    };
    const edit = await diffOf('Edit', { old_string: 'tax', new_string: 'vat' });
    expect(edit).toMatchObject({ kind: 'text', added: 1, removed: 1, language: 'typescript' });
    expect(await diffOf('Write', { content: 'a\ntax\nb\nc\n' })).toMatchObject({
      kind: 'text',
      added: 1,
      removed: 0,
    });
    expect(await diffOf('Edit', { old_string: 'none', new_string: 'x' })).toMatchObject({ kind: 'meta' });
    expect(await diffOf('Write', { file_path: t.project, content: '' })).toMatchObject({ kind: 'omitted' });
    expect(await diffOf('Write', { file_path: `${file}.new`, content: 'x' })).toMatchObject({
      kind: 'text',
      added: 1,
    });
    expect(await diffOf('NotebookEdit', {})).toMatchObject({ error: { code: 'not-found' } });
  });
});
