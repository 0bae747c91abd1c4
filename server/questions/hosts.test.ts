/** Questions of a box about hosts, at a real server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readNetworkRecord, writeNetworkRecord } from '../../core/box/network/network-record.ts';
import { processStat } from '../../core/kernel/proc/proc.ts';
import { readLog } from '../../core/session/log/read.ts';
import type { Question, QuestionList } from '../../shared/model/question.ts';
import { type Target, targetOf } from '../../shared/network/pattern.ts';
import { TestClient } from '../../testing/server/client.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { type HookSession, HookWorld } from '../hooks/world/world.ts';
import { HostQuestions } from '../network/host-questions.ts';
import type { Inner } from '../network/inside-listener.ts';

let t: TestServer;
let session: HookSession;
let box: ChildProcess;
let inner: Inner;
let questions: HostQuestions;
const never = (): AbortSignal => new AbortController().signal;
const at = (host: string, port = 443): Target => targetOf(host, port) ?? expect.fail(host);
const config = () => path.join(t.home, '.config/trai/config.json');
const written = (): unknown => JSON.parse(readFileSync(config(), 'utf8')).box?.network;
const until = async (check: () => unknown): Promise<void> => {
  await vi.waitFor(check, { timeout: 30_000 });
};

beforeAll(async () => {
  t = await testServer();
  const client = new TestClient(t, 'boxed');
  await client.start();
  const found = await new HookWorld({ stateDir: t.state, env: t.env, programs: [] }).session(client.id);
  session = found ?? expect.fail('no session');
});
beforeEach(() => {
  // In place of the first process in a box.
  box = spawn('/bin/cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  const pid = box.pid ?? 0;
  inner = { pid, start: processStat(pid)?.start ?? '' };
  writeNetworkRecord(session.dir, { v: 1, ...inner, allow: [], deny: [] });
  questions = new HostQuestions(session.id, inner, (asked) => t.server.desk.askHost(session, asked));
});
afterEach(async () => {
  box.kill('SIGKILL');
  await until(async () => expect((await list()).open).toEqual([]));
  rmSync(path.dirname(config()), { recursive: true, force: true });
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

const list = async (): Promise<QuestionList> => (await t.api('/api/questions')).json();
const send = async (question: Question, answer: string, more: object = {}): Promise<Response> =>
  await t.api('/api/answer', { question: question.id, answer, message: null, rule: null, ...more });
const ruleOf = ({ allow }: Question, scope: string, pattern = allow?.pattern): object => ({
  rule: { tool: 'Network', field: 'host', pattern, scope },
});

async function asked(target: Target, signal = never()) {
  const reply = questions.ask(target, signal);
  await until(async () => expect((await list()).open).toHaveLength(1));
  const [question] = (await list()).open;
  return { reply, question: question ?? expect.fail('no question') };
}

describe('a question about a host', () => {
  it('is one for all connections that wait, and shows host and port', async () => {
    const waiting = Array.from({ length: 20 }, () => questions.ask(at('new.example', 8443), never()));
    await until(async () => expect((await list()).open).toHaveLength(1));
    const [question] = (await list()).open;
    expect(question).toMatchObject({
      network: { host: 'new.example', port: 8443 },
      tool: 'Network',
      session: session.id,
      asks: 'trai',
      dialog: false,
      allow: { pattern: 'new.example:8443' },
    });
    expect(question?.until).not.toBeNull();
    if (question !== undefined) expect((await send(question, 'once')).status).toBe(200);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['yes']));
    expect(readNetworkRecord(session.dir)?.allow).toEqual([]);
    expect((await list()).ended[0]).toMatchObject({ subject: 'new.example:8443', end: 'once', by: 'tab' });
  });

  it('for this box is kept with the box', async () => {
    const { reply, question } = await asked(at('new.example'));
    const answered = await send(question, 'session', ruleOf(question, 'session'));
    expect(await answered.json()).toMatchObject({ end: 'session', rule: { written: true, list: 'allow' } });
    expect(await reply).toBe('yes');
    expect(readNetworkRecord(session.dir)).toMatchObject({ allow: ['new.example'], deny: [] });
  });

  it('always and never are entries of config.json; the pattern may be a wider one', async () => {
    const first = await asked(at('a.new.example'));
    const answered = await send(first.question, 'always', ruleOf(first.question, 'user', '*.new.example'));
    expect(await answered.json()).toMatchObject({ rule: { written: true, file: config(), list: 'allow' } });
    expect(await first.reply).toBe('yes');
    const second = await asked(at('bad.example'));
    await send(second.question, 'never', ruleOf(second.question, 'user'));
    expect(await second.reply).toBe('no');
    expect(written()).toEqual({ allow: { add: ['*.new.example'] }, deny: { add: ['bad.example'] } });
  });

  it('never may be about the host at any port', async () => {
    const { question, reply } = await asked(at('bad.example', 8443));
    const rule = { tool: 'Network', field: 'host', pattern: 'bad.example', scope: 'user' };
    const preview = async (list: string) =>
      await (await t.api('/api/rule-preview', { question: question.id, list, rule })).json();
    expect(await preview('deny')).toMatchObject({ matches: true });
    expect(await preview('allow')).toMatchObject({ matches: false });
    const answered = await send(question, 'never', ruleOf(question, 'user', 'bad.example'));
    expect(await answered.json()).toMatchObject({ rule: { written: true, list: 'deny' } });
    expect(await reply).toBe('no');
    expect(written()).toEqual({ deny: { add: ['bad.example'] } });
  });

  it('a program that asks and goes away, over and over, does not flood the user', async () => {
    const first = await asked(at('first.example'));
    await send(first.question, 'no');
    const replies: string[] = [];
    for (let i = 0; i < 40; i++) {
      const gone = new AbortController();
      const reply = questions.ask(at(`n${i}.example`), gone.signal);
      await setImmediate();
      gone.abort();
      replies.push(await reply);
    }
    expect(replies.filter((one) => one === 'many').length).toBeGreaterThanOrEqual(20);
    questions = new HostQuestions(session.id, inner, (one) => t.server.desk.askHost(session, one));
    const { question } = await asked(at('last.example'));
    expect(question.n - first.question.n).toBeLessThanOrEqual(21);
  });

  it('an entry that does not name the host is not written, and the answer counts', async () => {
    const { question, reply } = await asked(at('new.example'));
    for (const pattern of ['other.example', 'preset:npm', 'a b']) {
      const rule = { tool: 'Network', field: 'host', pattern, scope: 'user' };
      const said = await t.api('/api/rule-preview', { question: question.id, list: 'allow', rule });
      expect(await said.json()).toMatchObject({ matches: false });
    }
    const answered = await send(question, 'always', ruleOf(question, 'user', 'other.example'));
    expect(await answered.json()).toMatchObject({ end: 'once', rule: { written: false } });
    expect(await reply).toBe('yes');
    expect(() => written()).toThrow();
  });

  it('after a no the host is refused for a while without asking', async () => {
    const { question, reply } = await asked(at('new.example'));
    await send(question, 'no');
    expect(await reply).toBe('no');
    expect(await questions.ask(at('new.example'), never())).toBe('no');
    expect((await list()).open).toEqual([]);
  });

  it('ends when its time is over, and says so', async () => {
    const reply = t.server.desk.askHost(session, {
      session: session.id,
      target: at('late.example'),
      inner,
      ms: 1,
      signal: never(),
    });
    expect(await reply).toBe('late');
    expect((await list()).open).toEqual([]);
    expect((await list()).ended[0]).toMatchObject({
      end: 'late',
      question: { network: { host: 'late.example' } },
    });
  });

  it('ends when no connection waits any more, and not before', async () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const { reply } = await asked(at('gone.example'), one.signal);
    const other = questions.ask(at('gone.example'), two.signal);
    one.abort();
    expect((await list()).open).toHaveLength(1);
    two.abort();
    expect(await Promise.all([reply, other])).toEqual(['late', 'late']);
    expect((await list()).ended[0]).toMatchObject({ end: 'ended' });
  });

  it('ends with its box', async () => {
    const { reply } = await asked(at('gone.example'));
    box.kill('SIGKILL');
    expect(await reply).toBe('late');
    expect((await list()).ended[0]).toMatchObject({ end: 'gone' });
  });

  it('is not ended by what the client does', async () => {
    const { reply, question } = await asked(at('new.example'));
    const client = new TestClient(t, 'boxed');
    await client.send('UserPromptSubmit', { prompt: 'go on' });
    await client.send('PostToolUse', { tool_name: 'Network', tool_input: question.input, tool_use_id: 'x' });
    expect((await list()).open).toHaveLength(1);
    await send(question, 'once');
    expect(await reply).toBe('yes');
  });

  it('is not asked where questions are off, and of one box twenty hosts at a time', async () => {
    mkdirSync(path.dirname(config()), { recursive: true });
    writeFileSync(config(), JSON.stringify({ rules: { questions: false } }));
    expect(await questions.ask(at('new.example'), never())).toBe('not-asked');
    rmSync(config());
    const gone = Array.from({ length: 20 }, () => new AbortController());
    const waiting = gone.map(({ signal }, i) => questions.ask(at(`h${i}.example`), signal));
    expect(await questions.ask(at('one-more.example'), never())).toBe('many');
    for (const one of gone) one.abort();
    await Promise.all(waiting);
  });

  it('is a line of the log, as every question', async () => {
    const { reply, question } = await asked(at('new.example'));
    await send(question, 'once');
    await reply;
    await until(async () => {
      const events = (await readLog(session.dir)).events.flatMap((event) =>
        event.t === 'question' && event.question === question.id ? [`${event.tool} ${event.end}`] : [],
      );
      expect(events).toEqual(['Network open', 'Network once']);
    });
  });
});

it('a client’s question that calls its tool Network is about a call: no answer to it adds a host', async () => {
  const client = new TestClient(t, 'boxed');
  const about = { tool_name: 'Network', tool_input: { url: 'evil.example:443', host: 'evil.example' } };
  const said = client.send('PermissionRequest', about, { 'x-trai-entry': 'cli' });
  await until(async () => expect((await list()).open).toHaveLength(1));
  const [question] = (await list()).open;
  expect(question).not.toHaveProperty('network');
  if (question === undefined) return;
  await send(question, 'always', {
    rule: { tool: 'Network', field: 'host', pattern: 'evil.example', scope: 'user' },
  });
  await said;
  expect(() => written()).toThrow();
  expect(readNetworkRecord(session.dir)?.allow).toEqual([]);
});
