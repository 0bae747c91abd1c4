import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adoptOverlay } from '../../../core/jobs/adopt.ts';
import { JOBS } from '../../../core/jobs/jobs.ts';
import { overlapsOf } from '../../../core/jobs/overlaps.ts';
import { sessionContext } from '../../../core/sandbox/context.ts';
import { scan } from '../../../core/scan/scan.ts';
import { readLog } from '../../../core/session/log/read.ts';
import { updateMeta } from '../../../core/session/meta-file.ts';
import type { SessionDetail } from '../../../shared/api/types.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';
import type { HookAnswer, HookEvent } from '../world/answer.ts';
import { HookWorld } from '../world/world.ts';
import { answerHook } from './dispatch.ts';

let t: TestServer;
const used: TestClient[] = [];
beforeEach(async () => {
  t = await testServer();
});
afterEach(async () => {
  expect(t.reported).toEqual([]);
  for (const client of used.splice(0)) await client.clean();
  await t.close();
});

async function started(id: string): Promise<TestClient> {
  const client = new TestClient(t, id);
  used.push(client);
  await client.start();
  return client;
}

const dirOf = (of: TestClient): string => path.join(t.state, 'sessions', of.id);
const onHost = (name: string, content: string): void => writeFileSync(path.join(t.project, name), content);

async function notices(of: TestClient): Promise<string[]> {
  const { events } = await readLog(dirOf(of));
  return events.flatMap((event) => (event.t === 'notice' && event.code === 'overlap' ? [event.text] : []));
}

/** After its calls, or with its own last call when the news was that quick. */
async function told(of: TestClient): Promise<string> {
  const answers = [of.heard, (await of.batch([])).text];
  of.heard = '';
  const texts = answers.filter((text) => text.trim() !== '').map((text) => JSON.parse(text));
  return texts.map(({ hookSpecificOutput }) => hookSpecificOutput.additionalContext).join('\n');
}

async function detail(of: TestClient): Promise<SessionDetail> {
  return JSON.parse(await (await t.api(`/api/sessions/${of.id}`)).text());
}

async function withoutServer(event: HookEvent, of: TestClient, fields: object): Promise<HookAnswer> {
  const world = new HookWorld({ stateDir: t.state, env: { HOME: t.home }, programs: [] });
  const body = { session_id: of.id, cwd: t.project, transcript_path: '', ...fields };
  const headers = {
    session: of.id,
    env: 'ok' as const,
    claudePid: null,
    claudePidStart: null,
    entry: '',
    whenGone: () => undefined,
    caller: () => ({ kind: 'client' as const, found: 'the test' }),
    inside: null,
    isClientOf: () => false,
    outside: () => null,
  };
  return await answerHook(world, event, Buffer.from(JSON.stringify(body)), headers, (thrown) => {
    throw thrown;
  });
}

it('a session is compared with others one by one: what else the server has to do goes on between', async () => {
  const [one, ...others] = [await started('a'), await started('b'), await started('c'), await started('d')];
  for (const client of [one, ...others]) await client.bash('echo > same');
  const order: string[] = [];
  const overlaps = overlapsOf(t.state, { HOME: t.home }, one.id);
  const go = (): void => {
    order.push('else');
    if (!order.includes('done')) setImmediate(go);
  };
  setImmediate(go);
  const found = await overlaps;
  order.push('done');
  expect(found.map(({ session }) => session).sort()).toEqual(['b', 'c', 'd']);
  expect(order.indexOf('done')).toBeGreaterThan(others.length);
});

describe('two sessions that touch the same path', () => {
  it('are both told when one commits it: in the other it is in conflict then', async () => {
    const [a, b] = [await started('a'), await started('b')];
    await a.bash('echo a > same; echo a > only-a');
    await b.bash('echo b > same');
    await expect.poll(() => notices(a)).toHaveLength(1);
    await expect.poll(() => notices(b)).toHaveLength(1);
    // Both notices can come from the work after a's call. What b wrote has a base record only after the work
    // that b's next call waits for; until then its base is unknown.
    await b.bash('true');
    const ctx = await sessionContext(t.state, a.id, { HOME: t.home });
    const { revision } = await scan(ctx);
    const order = { revision, includeIgnored: false, conflicts: 'refuse', choices: {}, yes: true } as const;
    const report = await JOBS.commit(
      ctx,
      { scope: { kind: 'all' }, ...order, typedCount: null },
      () => undefined,
    );
    expect(report.state).toBe('applied');
    expect((await notices(a)).at(-1)).toBe(
      'session b has pending changes of what you committed; they are in conflict there now: same',
    );
    expect((await notices(b)).at(-1)).toBe(
      'session a has committed paths that are pending here; they are in conflict now: same',
    );
    const { changes } = await scan(await sessionContext(t.state, b.id, { HOME: t.home }));
    expect(changes).toHaveLength(1);
    expect(changes[0]?.conflict).toBe('host-created');
  });

  it('are told of it, the persons in the log and the status, the agents once', async () => {
    const [a, b] = [await started('a'), await started('b')];
    await a.bash('mkdir src; echo a > src/same; echo a > only-a');
    await b.bash('echo b > only-b');
    expect(await told(b)).toBe('');
    await b.bash('mkdir src; echo b > src/same');
    await expect.poll(() => notices(a)).toEqual(['session b has pending changes of the same path: src/same']);
    await expect.poll(() => notices(b)).toEqual(['session a has pending changes of the same path: src/same']);
    expect(await told(a)).toContain('trai: session b has pending changes of the same path: src/same. ');
    expect(await told(b)).toContain('trai: session a has pending changes of the same path: src/same. ');
    expect([await told(a), await told(b)]).toEqual(['', '']);
    const status = { command_name: 'trai:status', expansion_type: 'slash_command', command_args: '' };
    const { text } = await a.send('UserPromptExpansion', status);
    expect(JSON.parse(text).reason).toContain('Session b has pending changes of the same path: src/same');
    expect(await detail(a)).toMatchObject({
      overlaps: [{ session: 'b', paths: [path.join(t.project, 'src/same')], more: false }],
    });
    // Further paths are no news; the status names them.
    await a.bash('echo a > only-b');
    await a.bash('true');
    await t.server.stop('to have all work done');
    expect(await notices(a)).toHaveLength(1);
  });

  it('are told by the Node path as well', async () => {
    const [a, b] = [await started('a'), await started('b')];
    await a.bash('echo a > same');
    await b.bash('echo b > same');
    await t.server.stop('to have no server');
    const world = new HookWorld({ stateDir: t.state, env: { HOME: t.home }, programs: [] });
    await (await world.session('b'))?.settled();
    const { text } = await withoutServer('PostToolBatch', a, { tool_calls: [] });
    expect(text).toContain('session b has pending changes of the same path: same');
    expect((await withoutServer('PostToolBatch', a, { tool_calls: [] })).text).toBe('');
    expect(await notices(a)).toHaveLength(1);
  });

  it('are not told of what is over by then, and again when it comes back', async () => {
    const [a, b] = [await started('a'), await started('b')];
    await a.bash('echo a > same');
    await b.bash('echo b > same');
    await expect.poll(() => notices(a)).toHaveLength(1);
    await b.bash('rm same');
    expect(await told(a)).toBe('');
    await b.bash('echo b > same');
    await expect.poll(() => notices(a)).toHaveLength(2);
    expect(await told(a)).toContain('session b');
  });

  it('of different projects are left alone', async () => {
    const [a, b] = [await started('a'), await started('b')];
    await updateMeta(dirOf(b), (meta) => ({ ...meta, projectId: '0123456789abcdef' }));
    await a.bash('echo a > same');
    await b.bash('echo b > same');
    await b.bash('true');
    await t.server.stop('to have all work done');
    expect([await notices(a), await notices(b)]).toEqual([[], []]);
  });
});

describe('a session that goes on after the host moved on', () => {
  async function moved(): Promise<TestClient> {
    mkdirSync(path.join(t.project, 'src'));
    for (const name of ['src/one', 'two', 'three']) onHost(name, 'before\n');
    const client = await started('resumed');
    await client.bash('for f in src/one two three; do echo mine > $f; done; echo new > four');
    await client.bash('true');
    for (const name of ['src/one', 'two']) onHost(name, 'of the host\n');
    return client;
  }
  const SAID =
    'this session has 4 pending changes; the host changed 2 of 4 pending paths since: src/one, two';

  it('says how many paths it changed and names them, to the user and to the agent', async () => {
    const client = await moved();
    const answer = JSON.parse((await client.start('resume')).text);
    expect(answer.systemMessage).toContain(SAID);
    expect(answer.hookSpecificOutput.additionalContext).toContain('the host changed 2 of 4 pending paths');
    const status = { command_name: 'trai:status', expansion_type: 'slash_command', command_args: '' };
    const { text } = await client.send('UserPromptExpansion', status);
    expect(JSON.parse(text).reason).toContain('The host changed 2 of 4 pending paths since');
  });

  it('says so without a server', async () => {
    const client = await moved();
    await t.server.stop('to have no server');
    const { text } = await withoutServer('SessionStart', client, { source: 'resume' });
    expect(JSON.parse(text).systemMessage).toContain(SAID);
  });

  it('says nothing of it where the host changed other files', async () => {
    const client = await started('quiet');
    await client.bash('echo mine > five');
    onHost('six', 'of the host\n');
    const { systemMessage } = JSON.parse((await client.start('resume')).text);
    expect(systemMessage).toContain('this session has 1 pending change. ');
    expect(systemMessage).not.toContain('the host changed');
  });
});

describe('an earlier session with pending changes', () => {
  it('is offered to a new one, with the command; to one with changes of its own it is only named', async () => {
    const earlier = await started('earlier');
    await earlier.bash('echo 1 > one; echo 2 > two');
    const later = new TestClient(t, 'later');
    used.push(later);
    const offer = 'session earlier has 2 pending changes';
    expect(JSON.parse((await later.start()).text).systemMessage).toContain(
      `${offer}: /trai:adopt earlier continues with them`,
    );
    expect((await detail(later)).others).toEqual([{ id: 'earlier', changes: 2 }]);
    await later.bash('echo mine > mine');
    const { systemMessage } = JSON.parse((await later.start('resume')).text);
    expect(systemMessage).toContain(offer);
    expect(systemMessage).not.toContain('/trai:adopt');
  });

  it('says where its changes went, when it goes on itself', async () => {
    const [from, to] = [await started('from'), await started('to')];
    await from.bash('echo 1 > one');
    await adoptOverlay({ stateDir: t.state, from: 'from', to: 'to', env: { HOME: t.home } });
    expect(JSON.parse((await from.start('resume')).text).systemMessage).toContain(
      'what was pending here continues in session to',
    );
    expect((await detail(from)).wentOnIn).toBe('to');
    expect(JSON.parse((await to.start('resume')).text).systemMessage).toContain('has 1 pending change');
  });
});
