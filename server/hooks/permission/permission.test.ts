/** Permission rules at the hooks of a real server, and of the Node path over the same files. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callerOf } from '../../../core/kernel/proc/caller.ts';
import { loadRules } from '../../../core/rules/files/rule-set.ts';
import { readLog } from '../../../core/session/log/read.ts';
import { fromText } from '../../../shared/bytes.ts';
import { DEFAULT_CONFIG } from '../../../shared/config/config.ts';
import type { LogEvent } from '../../../shared/log/events.ts';
import { foldLog } from '../../../shared/log/fold.ts';
import { ROOT } from '../../../testing/root.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { PROGRAM, type TestServer, testServer } from '../../../testing/server/server.ts';
import { answerHook } from '../events/dispatch.ts';
import { readHookHeaders } from '../world/answer.ts';
import { writeMarker } from '../world/rules-marker.ts';
import { HookWorld } from '../world/world.ts';
import { outcomeOf } from './outcomes.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

const userFile = () => path.join(t.home, '.config/trai/rules.json');
const projectFile = () => path.join(t.project, '.claude/trai.rules.json');
afterEach(() => {
  for (const file of [userFile(), projectFile(), path.join(t.home, '.config/trai/config.json')])
    rmSync(file, { force: true });
});

function put(file: string, content: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(
    file,
    typeof content === 'string' ? content : JSON.stringify({ version: 2, ...(content as object) }),
  );
}

let count = 0;
async function started(): Promise<TestClient> {
  const client = new TestClient(t, `rules-${++count}`);
  await client.start();
  return client;
}

type Answer = Record<
  'hookEventName' | 'permissionDecision' | 'permissionDecisionReason' | 'additionalContext',
  string
>;
const outputOf = (text: string): Partial<Answer> =>
  !text.startsWith('{') ? {} : (JSON.parse(text).hookSpecificOutput ?? {});

interface Use {
  tool?: string;
  input: object;
  mode?: string;
}
/** One call's PreToolUse, as the server answers it and as the Node path does. */
async function ask(client: TestClient, { tool = 'Bash', input, mode = 'default' }: Use) {
  const fields = { tool_name: tool, tool_input: input, permission_mode: mode };
  const request = client.newRequest();
  const answer = await client.send('PreToolUse', { ...fields, tool_use_id: request });
  const world = new HookWorld({ stateDir: t.state, env: t.env, programs: [PROGRAM] });
  const body = {
    session_id: client.id,
    cwd: t.project,
    hook_event_name: 'PreToolUse',
    ...fields,
    tool_use_id: `${request}-node`,
  };
  const headers = readHookHeaders(
    (name) => (name === 'env' ? 'ok' : undefined),
    () => callerOf(process.pid, t.state),
  );
  const other = await answerHook(
    world,
    'PreToolUse',
    Buffer.from(JSON.stringify(body)),
    headers,
    (thrown) => {
      throw thrown;
    },
  );
  // A twin gets a leading blank.
  const own = ({ updatedInput: _input, hookEventName: _name, ...rest }: Record<string, unknown>) => rest;
  expect([String(other.exit), own(outputOf(other.text))]).toEqual([answer.exit, own(outputOf(answer.text))]);
  return { request, ...answer, said: outputOf(answer.text) };
}

async function events(client: TestClient): Promise<LogEvent[]> {
  return (await readLog(path.join(t.state, 'sessions', client.id))).events;
}
async function decisionOf(client: TestClient, request: string) {
  return (await events(client)).find((event) => event.t === 'permission' && event.request === request);
}

const RULES = {
  deny: [{ tool: '^Bash$', match: { command: '^danger' }, reason: 'too dangerous' }],
  ask: [{ tool: '^Bash$', match: { command: '^risky' } }],
  allow: [{ tool: '^Bash$', match: { command: '^(fine|danger|risky|git|/opt)' } }],
};

describe('a Bash call', () => {
  it('that a deny rule is about is refused with rule, file, reason and segment, and never opened', async () => {
    put(userFile(), RULES);
    const client = await started();
    const { said, request, exit } = await ask(client, {
      input: { command: 'fine && danger zone' },
      mode: 'bypassPermissions',
    });
    expect([exit, said.permissionDecision]).toEqual(['0', 'deny']);
    for (const named of ['deny[0]', userFile(), 'too dangerous', 'danger zone'])
      expect(said.permissionDecisionReason).toContain(named);
    expect(await decisionOf(client, request)).toMatchObject({
      tool: 'Bash',
      subject: 'fine && danger zone',
      decision: 'deny',
      by: 'rule',
      rule: `${userFile()} deny[0]`,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      segment: 'danger zone',
    });
    expect(existsSync(path.join(t.state, `sessions/${client.id}/requests/open.${request}`))).toBe(false);
    expect(await client.log()).toMatchObject([{ state: 'refused', reason: 'rule' }, {}]);
  });

  it('that rules allow, ask about or say nothing about gets that answer', async () => {
    put(userFile(), RULES);
    const client = await started();
    const decisions = [];
    for (const command of ['fine one', 'risky one', 'fine one; risky two', 'other', 'fine one; other'])
      decisions.push((await ask(client, { input: { command } })).said.permissionDecision);
    expect(decisions).toEqual(['allow', 'ask', 'ask', undefined, undefined]);
    const logged = (await events(client)).flatMap((event) =>
      event.t === 'permission' ? [`${event.decision} ${event.by}`] : [],
    );
    expect(logged.filter((_one, i) => i % 2 === 0)).toEqual([
      'allow rule',
      'ask rule',
      'ask rule',
      'pass client',
      'pass client',
    ]);
  });

  it('of trai’s own program is refused by trai, whatever a rule allows', async () => {
    put(userFile(), RULES);
    const client = await started();
    const { exit, request } = await ask(client, { input: { command: `${PROGRAM} commit` } });
    expect(exit).toBe('2');
    expect(await decisionOf(client, request)).toMatchObject({ decision: 'deny', by: 'trai', rule: '' });
  });

  it('about which trai itself asks is asked about, whatever a rule allows', async () => {
    put(userFile(), RULES);
    const client = await started();
    await client.bash('touch pending-file');
    writeFileSync(path.join(t.home, '.config/trai/config.json'), '{"hostWithPending": "ask"}');
    await client.bash('git init -q . && touch made');
    const { said, request } = await ask(client, { input: { command: 'git clean -fdx' } });
    expect(said.permissionDecision).toBe('ask');
    expect(await decisionOf(client, request)).toMatchObject({ decision: 'ask', by: 'trai' });
  });

  it('that was allowed because it would run in the sandbox is refused when it would run on the host', async () => {
    const config = path.join(t.home, '.config/trai/config.json');
    put(config, '{"rules": {"sandboxed": "allow"}}');
    const client = await started();
    const { text } = await client.pre(client.newRequest(), 'make it');
    expect(outputOf(text).permissionDecision).toBe('allow');
    put(config, '{"rules": {"sandboxed": "allow"}, "passthrough": ["make"]}');
    expect(await client.shell('make it')).toMatchObject({
      rc: 125,
      stderr: expect.stringContaining('on the host'),
    });
    expect(await client.log()).toMatchObject([{ state: 'refused', reason: 'unasked' }]);
  });

  it('that equals an open one keeps the answer beside its leading blank', async () => {
    put(userFile(), RULES);
    const client = await started();
    await client.pre(client.newRequest(), 'fine one');
    const { hookSpecificOutput } = JSON.parse((await client.pre(client.newRequest(), 'fine one')).text);
    expect(hookSpecificOutput).toMatchObject({
      permissionDecision: 'allow',
      updatedInput: { command: ' fine one' },
    });
  });
});

describe('other tools', () => {
  const FETCH = { tool: 'WebFetch', input: { url: 'https://a.example/x', prompt: 'p' } };

  it('are judged by their fields, MCP inputs are logged by name only', async () => {
    put(userFile(), {
      deny: [{ tool: '^WebFetch$', match: { url: '^https://a\\.example/' } }],
      ask: [{ tool: '^mcp__db__', match: { sql: '(?i)drop' } }],
    });
    const client = await started();
    expect((await ask(client, FETCH)).said.permissionDecision).toBe('deny');
    const { said, request } = await ask(client, {
      tool: 'mcp__db__query',
      input: { sql: 'DROP TABLE x', secret: 'hunter2' },
    });
    expect(said.permissionDecision).toBe('ask');
    expect(await decisionOf(client, request)).toMatchObject({ subject: 'sql secret', decision: 'ask' });
    expect(JSON.stringify(await events(client))).not.toContain('hunter2');
    expect(foldLog(await events(client)).tools()).toMatchObject([
      { tool: 'WebFetch', decision: 'deny' },
      {},
      {},
      {},
    ]);
  });

  it('Read that is denied is marked as refused; one that is allowed keeps its hint', async () => {
    put(userFile(), {
      deny: [{ tool: '^Read$', match: { file_path: 'secret' } }],
      allow: [{ tool: '^Read$' }],
    });
    writeFileSync(path.join(t.project, 'hinted'), 'host\n');
    const client = await started();
    await client.bash('echo pending > hinted');
    const denied = await ask(client, { tool: 'Read', input: { file_path: `${t.project}/secret` } });
    expect(denied.said.permissionDecision).toBe('deny');
    const hinted = await ask(client, { tool: 'Read', input: { file_path: `${t.project}/hinted` } });
    expect(hinted.said).toMatchObject({
      permissionDecision: 'allow',
      additionalContext: expect.stringContaining('pending'),
    });
    const files = (await events(client)).filter(
      (event) => event.t === 'file' && event.request === denied.request,
    );
    expect(files.at(-1)).toMatchObject({ outcome: 'refused' });
  });

  it('of a file through a link are denied by where it leads', async () => {
    put(userFile(), { deny: [{ tool: '^Read$', match: { file_path: '/real-secret$' } }] });
    const client = await started();
    symlinkSync('/etc/real-secret', path.join(t.project, 'innocent'));
    expect(
      (await ask(client, { tool: 'Read', input: { file_path: `${t.project}/innocent` } })).said
        .permissionDecision,
    ).toBe('deny');
    await client.bash('ln -s /etc/real-secret pending-link');
    expect(
      (await ask(client, { tool: 'Read', input: { file_path: `${t.project}/pending-link` } })).said
        .permissionDecision,
    ).toBe('deny');
  });

  it('of a session that nobody set up are judged by the rules of user and project', async () => {
    put(userFile(), { deny: [{ tool: '^WebFetch$' }] });
    expect((await ask(new TestClient(t, 'unknown'), FETCH)).said.permissionDecision).toBe('deny');
  });

  it.each([
    ['no object', { tool_name: 'WebFetch', tool_input: 'text' }],
    ['no input', { tool_name: 'WebFetch' }],
  ])('with %s are judged by their name', async (_what, fields) => {
    put(userFile(), { deny: [{ tool: '^WebFetch$' }], ask: [{ match: { url: '.' } }] });
    const answer = await (await started()).send('PreToolUse', { ...fields, tool_use_id: 'odd' });
    expect(outputOf(answer.text).permissionDecision).toBe('deny');
  });

  it('with an input that is nested 100,000 deep are judged by their name', async () => {
    put(userFile(), { deny: [{ tool: '^WebFetch$' }], ask: [{ match: { url: '.' } }] });
    const client = await started();
    const input = `${'{"url":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const body = `{"session_id":"${client.id}","cwd":"/","tool_name":"WebFetch","tool_input":${input}}`;
    const headers = { 'authorization': `Bearer ${t.server.hook}`, 'content-type': 'application/json' };
    const answer = await fetch(`${t.origin}/hook/PreToolUse`, { method: 'POST', headers, body });
    expect(await answer.text()).toContain('"permissionDecision":"deny"');
  });

  it('what became of one that was asked about is logged after the batch', async () => {
    put(userFile(), { ask: [{ tool: '^Web' }] });
    const client = await started();
    const { request } = await ask(client, FETCH);
    const other = await ask(client, { tool: 'WebSearch', input: { query: 'q' } });
    const tool_calls = [
      {
        tool_name: 'WebFetch',
        tool_use_id: request,
        tool_input: {},
        tool_response: 'trai: rule ask[0] asks',
      },
      { tool_name: 'WebSearch', tool_use_id: other.request, tool_input: {}, tool_response: 'found it' },
      { tool_name: 'Unseen', tool_use_id: 'unseen', tool_input: {}, tool_response: 'x' },
    ];
    await client.send('PostToolBatch', { tool_calls });
    const tools = foldLog(await events(client)).tools();
    expect(tools.find((tool) => tool.request === request)?.outcome).toBe('denied');
    expect(tools.find((tool) => tool.request === other.request)?.outcome).toBe('ran');
    expect((await events(client)).filter((event) => event.t === 'permission.outcome')).toHaveLength(2);
  });
});

it('a failure of another tool is logged with its type, a time limit, or that the user stopped it, before or after its batch', async () => {
  put(userFile(), { ask: [{ tool: '^(mcp__|Edit)' }] });
  const client = await started();
  const fail = async (tool: string, more: object, batchFirst = false) => {
    const { request } = await ask(client, { tool, input: { x: 1, file_path: '/p/a' } });
    const call = { tool_name: tool, tool_use_id: request, tool_input: {} };
    const steps = [
      () => client.send('PostToolUseFailure', { ...call, duration_ms: 1, ...more }),
      () => client.send('PostToolBatch', { tool_calls: [{ ...call, tool_response: 'words' }] }),
    ];
    for (const step of batchFirst ? steps.reverse() : steps) await step();
    const tools = foldLog(await events(client)).tools();
    return tools.find((tool) => tool.request === request);
  };
  expect(await fail('mcp__a__b', { error: 'MCP error -32601: no' })).toMatchObject({
    outcome: 'failed',
    error: 'MCP error -32601: no',
  });
  expect(await fail('mcp__a__b', { error: 'x', is_interrupt: true })).toMatchObject({
    outcome: 'interrupted',
  });
  expect(await fail('Edit', { error: 'Request timed out' }, true)).toMatchObject({ outcome: 'timed-out' });
  // No rule was asked about it.
  await client.send('PostToolUseFailure', {
    tool_name: 'Edit',
    tool_use_id: 'unseen',
    tool_input: {},
    error: 'x',
  });
  const logged = (await events(client)).filter((event) => event.t === 'permission.outcome');
  expect(logged.map(({ outcome }) => outcome)).toEqual(['failed', 'interrupted', 'ran', 'timed-out']);
});

it('what the client’s classifier denied is logged with its reason, once', async () => {
  put(userFile(), { ask: [{ tool: '^WebSearch$' }] });
  const client = await started();
  const denied = async (tool_name: string, request: string) => {
    const call = { tool_name, tool_use_id: request, tool_input: {} };
    await client.send('PermissionDenied', { ...call, reason: 'looks dangerous' });
    await client.send('PostToolBatch', { tool_calls: [{ ...call, tool_response: 'Auto mode denied it' }] });
  };
  const command = client.newRequest();
  await client.pre(command, 'make it');
  await denied('Bash', command);
  const { request } = await ask(client, { tool: 'WebSearch', input: { query: 'q' } });
  await denied('WebSearch', request);
  expect((await client.log()).find((call) => call['request'] === command)).toMatchObject({
    state: 'not-run',
    text: 'looks dangerous',
  });
  const tools = foldLog(await events(client)).tools();
  expect(tools.find((tool) => tool.request === request)).toMatchObject({
    outcome: 'denied',
    outcomeBy: 'classifier',
  });
  expect((await events(client)).filter((event) => event.t === 'permission.outcome')).toHaveLength(2);
});

describe('rule files', () => {
  it('of the project allow nothing before they are trusted, and deny at once', async () => {
    put(projectFile(), {
      allow: [{ tool: '^Bash$', match: { command: '^fine' } }],
      deny: [{ tool: '^Bash$', match: { command: '^danger' } }],
    });
    const client = new TestClient(t, `rules-${++count}`);
    expect(JSON.parse((await client.start()).text).systemMessage).toContain('trai rules trust');
    expect((await ask(client, { input: { command: 'fine' } })).said.permissionDecision).toBeUndefined();
    expect((await ask(client, { input: { command: 'danger' } })).said.permissionDecision).toBe('deny');
  });

  it('that break are named at SessionStart: the last good version counts, without one everything is asked about', async () => {
    rmSync(path.join(t.state, 'rules'), { recursive: true, force: true });
    put(userFile(), '{"version": 2, "deny": [');
    const client = new TestClient(t, `rules-${++count}`);
    const { systemMessage } = JSON.parse((await client.start()).text);
    expect(systemMessage).toContain(userFile());
    expect((await ask(client, { input: { command: 'other' } })).said.permissionDecision).toBe('ask');
    put(userFile(), RULES);
    expect((await ask(client, { input: { command: 'danger' } })).said.permissionDecision).toBe('deny');
    put(userFile(), '{');
    expect((await ask(client, { input: { command: 'danger' } })).said.permissionDecision).toBe('deny');
    expect((await ask(client, { input: { command: 'other' } })).said.permissionDecision).toBeUndefined();
  });

  it('that could be imported are named at SessionStart to those who use rules, not in the middle of a conversation', async () => {
    const settings = path.join(t.project, '.claude/settings.json');
    mkdirSync(path.dirname(settings), { recursive: true });
    writeFileSync(settings, '{"permissions":{"deny":["Bash(rm *)"]}}');
    const told = async (source?: string): Promise<string> => {
      const client = await started();
      return JSON.parse((await client.start(source)).text).systemMessage;
    };
    const news = /1 entry of Claude Code’s settings could be imported/;
    expect(await told()).not.toMatch(news);
    put(userFile(), { deny: [{ tool: '^X$' }] });
    expect(await told()).toMatch(news);
    expect(await told('resume')).toMatch(news);
    expect(await told('compact')).not.toMatch(news);
    rmSync(settings);
  });

  it('are not alone where the passthru plugin is on: SessionStart says so, unless they count for nothing', async () => {
    const settings = path.join(t.project, '.claude/settings.json');
    mkdirSync(path.dirname(settings), { recursive: true });
    writeFileSync(settings, '{"enabledPlugins":{"passthru@x":true}}');
    const told = async (): Promise<string> => {
      const client = await started();
      return JSON.parse((await client.start()).text).systemMessage;
    };
    const news = 'the passthru plugin is on and decides about calls, too';
    expect(await told()).toContain(news);
    put(path.join(t.home, '.config/trai/config.json'), '{"rules": {"enabled": false}}');
    expect(await told()).not.toContain(news);
    rmSync(settings);
  });

  it('count for nothing when the config turns them off, which SessionStart says', async () => {
    put(userFile(), RULES);
    put(path.join(t.home, '.config/trai/config.json'), '{"rules": {"enabled": false}}');
    const client = new TestClient(t, `rules-${++count}`);
    expect(JSON.parse((await client.start()).text).systemMessage).toContain('rules.enabled');
    expect((await ask(client, { input: { command: 'danger' } })).said.permissionDecision).toBeUndefined();
  });
});

describe('the marker for the hook', () => {
  // Written after the answer.
  const marker = (client: TestClient) => path.join(t.state, `sessions/${client.id}/rules.about`);
  const linesOf = (client: TestClient) => readFileSync(marker(client), 'utf8').split('\n');
  const isCurrent = (client: TestClient): boolean => {
    const script = 'STATE=$1 SESSION=$2; . "$0"';
    const lib = path.join(ROOT, 'hooks/lib/rules.sh');
    return spawnSync('bash', ['-c', script, lib, t.state, client.id]).status === 0;
  };
  /** Longer than the marker is set back. */
  const later = () => new Promise((resolve) => setTimeout(resolve, 50));

  it('is there after SessionStart, with what the rules are about, and is renewed by the next event', async () => {
    mkdirSync(path.dirname(userFile()), { recursive: true });
    const client = await started();
    await expect
      .poll(() => linesOf(client).slice(0, 2))
      .toEqual([expect.not.stringContaining('WebFetch'), 'stops=']);
    expect(linesOf(client)).toContain(`-${userFile()}`);
    put(userFile(), { deny: [{ tool: '^WebFetch$' }], allow: [{ tool: 'mcp__(a|b)__.*' }] });
    await client.send('UserPromptSubmit', { prompt: 'p' });
    await expect
      .poll(() => linesOf(client).slice(0, 2))
      .toEqual([expect.stringContaining('(^WebFetch$)|(mcp__(a|b)__.*)'), 'stops=(^WebFetch$)']);
  });

  it.each([
    ['a rule about a field only', { deny: [{ match: { url: '.' } }] }],
    ['a pattern that bash reads differently', { deny: [{ tool: '(?i)webfetch' }] }],
    ['a broken file', '{'],
  ])('%s is about every tool', async (_what, content) => {
    rmSync(path.join(t.state, 'rules'), { recursive: true, force: true });
    put(userFile(), content);
    const client = await started();
    await expect.poll(() => linesOf(client).slice(0, 2)).toEqual(['about=.', 'stops=.']);
  });

  it('is not believed when a file is replaced, also by an older one', async () => {
    put(userFile(), RULES);
    const client = await started();
    await later();
    await client.send('UserPromptSubmit', { prompt: 'p' });
    await expect.poll(() => isCurrent(client)).toBe(true);
    const old = path.join(t.home, 'old.json');
    put(old, { deny: [{ tool: '^WebFetch$' }] });
    utimesSync(old, 1_000, 1_000);
    renameSync(old, userFile());
    expect(isCurrent(client)).toBe(false);
  });

  it.each(['.config', 'dot/current'])('is not believed when %s, a link, leads elsewhere', async (moved) => {
    const dirs = ['a', 'b'].map((name) => path.join(t.home, `elsewhere-${name}`));
    for (const dir of dirs) {
      put(path.join(dir, 'trai/rules.json'), RULES);
      for (const one of ['trai/rules.json', 'trai', '']) utimesSync(path.join(dir, one), 1_000, 1_000);
    }
    const config = path.join(t.home, '.config');
    const kept = path.join(t.home, '.config-kept');
    for (const dir of [config, path.join(t.home, 'dot')]) mkdirSync(dir, { recursive: true });
    renameSync(config, kept);
    symlinkSync('../elsewhere-a', path.join(t.home, 'dot/current'));
    symlinkSync('dot/current', config);
    try {
      const client = await started();
      await later();
      await client.send('UserPromptSubmit', { prompt: 'p' });
      await expect.poll(() => isCurrent(client)).toBe(true);
      await later();
      rmSync(path.join(t.home, moved));
      symlinkSync(dirs[1] ?? '', path.join(t.home, moved));
      expect(isCurrent(client)).toBe(false);
    } finally {
      rmSync(config);
      rmSync(path.join(t.home, 'dot'), { recursive: true });
      renameSync(kept, config);
    }
  });

  it('names a missing directory alone, and is not believed when a file is there', async () => {
    const dir = path.join(t.project, '.claude');
    rmSync(dir, { recursive: true, force: true });
    const client = await started();
    await later();
    await client.send('UserPromptSubmit', { prompt: 'p' });
    await expect.poll(() => isCurrent(client)).toBe(true);
    expect(linesOf(client).filter((line) => line.includes(dir))).toEqual([`-${dir}`]);
    put(path.join(dir, 'trai.rules.json'), RULES);
    for (const one of ['trai.rules.json', '']) utimesSync(path.join(dir, one), 1_000, 1_000);
    expect(isCurrent(client)).toBe(false);
    rmSync(dir, { recursive: true });
  });

  it('is renewed when the target of a linked config file has changed', async () => {
    const target = path.join(t.home, 'dotfiles-config.json');
    put(target, '{}');
    symlinkSync(target, path.join(t.home, '.config/trai/config.json'));
    await later();
    const client = await started();
    await expect.poll(() => isCurrent(client)).toBe(true);
    await later();
    put(target, '{"rules": {}}');
    expect(isCurrent(client)).toBe(false);
    await later();
    await client.send('UserPromptSubmit', { prompt: 'p' });
    await expect.poll(() => isCurrent(client)).toBe(true);
  });

  it('is not written where a line of it could not name a file', () => {
    const project = { root: fromText('/x\ny'), id: 'none' };
    const request = { env: {}, stateDir: t.state, project, session: null, home: '/', config: DEFAULT_CONFIG };
    const dir = path.join(t.home, 'odd');
    mkdirSync(dir);
    const parts = { sessionDir: dir, places: [dir], also: [], readAt: Date.now() };
    writeMarker({ ...parts, rules: loadRules(request) });
    expect(readdirSync(dir)).toEqual([]);
    writeMarker({
      ...parts,
      rules: loadRules({ ...request, project: { ...project, root: fromText('/x') } }),
    });
    expect(readdirSync(dir)).toEqual(['rules.about']);
  });

  it('is written in place of a link, whatever that leads to', () => {
    const project = { root: fromText('/x'), id: 'none' };
    const request = { env: {}, stateDir: t.state, project, session: null, home: '/', config: DEFAULT_CONFIG };
    const dir = path.join(t.home, 'linked');
    mkdirSync(dir);
    const file = path.join(dir, 'rules.about');
    const parts = { sessionDir: dir, places: [dir], also: [], readAt: Date.now() };
    writeMarker({ ...parts, rules: loadRules(request) });
    renameSync(file, path.join(dir, 'mine'));
    symlinkSync('mine', file);
    writeMarker({ ...parts, rules: loadRules(request) });
    expect(lstatSync(file).isFile()).toBe(true);
  });

  it('is written in place of a huge file, which is not read', () => {
    const project = { root: fromText('/x'), id: 'none' };
    const request = { env: {}, stateDir: t.state, project, session: null, home: '/', config: DEFAULT_CONFIG };
    const dir = path.join(t.home, 'huge');
    mkdirSync(dir);
    const file = path.join(dir, 'rules.about');
    writeFileSync(file, '');
    truncateSync(file, 2 ** 30);
    const before = process.resourceUsage().maxRSS;
    writeMarker({
      sessionDir: dir,
      places: [dir],
      also: [],
      readAt: Date.now(),
      rules: loadRules(request),
    });
    expect(lstatSync(file).size).toBeLessThan(10_000);
    // In kB.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(2 ** 19);
  });
});

it.each([
  [
    "Permission to use WebFetch has been denied because Claude Code is running in don't ask mode. x",
    'denied',
  ],
  ["Claude requested permissions to write to /p/a, but you haven't granted it yet.", 'denied'],
  ['PreToolUse:Read hook error: trai: no', 'denied'],
  ['<tool_use_error>String to replace not found in file.', 'failed'],
  ['1\tThis command requires approval', 'ran'],
  ['<tool_use_error>Error: request timed out', 'timed-out'],
  ['MCP error -32001: Request timed out', 'timed-out'],
  ['MCP error -32601: no such method', 'failed'],
  ['it timed out, says the page', 'ran'],
  ['', 'ran'],
])('the outcome %j is %s', (response, outcome) => {
  expect(outcomeOf(response)).toBe(outcome);
});
