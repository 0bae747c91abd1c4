/** Permission rules on the real client: beside the user's own rules, in every permission mode, for every kind of tool. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { read, results } from './conversation.ts';
import { bash, type Reply, type ToolCall } from './mock-api.ts';
import { copyTree, pluginTree } from './plugin-tree.ts';
import type { ClaudeRun } from './stream.ts';
import { Terminal } from './terminal.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const MODES = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;
type Mode = (typeof MODES)[number];
type Rule = 'none' | 'allow' | 'ask' | 'deny';

/** A project with `./tool NAME`, which makes a file NAME. */
async function makeBench(options: BenchOptions, rules?: object): Promise<Bench> {
  const bench = await Bench.open(options);
  open.push(bench);
  chmodSync(bench.write('project/tool', '#!/bin/sh\n: > "$1"\n'), 0o755);
  if (rules !== undefined) writeRules(bench, rules);
  return bench;
}
const RULES = '.config/trai/rules.json';
function writeRules(bench: Bench, rules: object, file = RULES): void {
  bench.write(file, JSON.stringify({ version: 2, ...rules }));
}

async function play(bench: Bench, mode: Mode, ...args: string[]): Promise<ClaudeRun> {
  return await bench.claude('SCENARIO:play', { args: ['--permission-mode', mode, ...args] });
}
function permissions(bench: Bench): Record<string, unknown>[] {
  return bench.log(bench.sessions().at(-1)).filter((event) => event['t'] === 'permission');
}

/** Of the client alone: what its own rule makes of `./tool`. */
function byClient(rule: Rule, mode: Mode): boolean {
  if (rule === 'none') return mode === 'bypassPermissions';
  return rule === 'allow';
}

describe.each(MODES)('in %s', (mode) => {
  test.each(['none', 'allow', 'ask', 'deny'] as const)(
    'a rule allows, asks or denies beside the user’s own: %s',
    async (own) => {
      const settings = own === 'none' ? {} : { permissions: { [own]: ['Bash(./tool:*)'] } };
      const steps = ['./tool free', './tool allowed', './tool asked', './tool denied'];
      const bench = await makeBench(
        { settings, scenarios: { play: steps.map((step) => bash(step)) } },
        {
          deny: [{ tool: '^Bash$', match: { command: '^\\./tool denied$' }, reason: 'not today' }],
          ask: [{ tool: '^Bash$', match: { command: '^\\./tool asked$' } }],
          allow: [{ tool: '^Bash$', match: { command: '^\\./tool (allowed|asked|denied)$' } }],
        },
      );
      const run = await play(bench, mode);
      const ran = run.results.map((result) => !result.error);
      // Nothing of ours widens what the user's own rules ask about or deny; in plan the client decides.
      const allowed = own === 'allow' || (own === 'none' && mode !== 'plan');
      const texts = run.results.map(({ text }) => text);
      expect(ran, texts.join('\n')).toEqual([byClient(own, mode), allowed, false, false]);
      expect(texts[3]).toMatch(/deny\[0\] of .*rules\.json .* denies .*not today/);
      if (own === 'none') expect(texts[2]).toMatch(/^trai: rule ask\[0\] of .*rules\.json .* asks about/);
      expect(permissions(bench).map((event) => [event['decision'], event['by']])).toEqual([
        ['pass', 'client'],
        ['allow', 'rule'],
        ['ask', 'rule'],
        ['deny', 'rule'],
      ]);
    },
  );
});

describe('every kind of tool', () => {
  const MCP = `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const tool = (name) => ({ name, description: name, inputSchema: { type: 'object', properties: { text: { type: 'string' } } } });
  const result =
    method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools: [tool('say'), tool('drop')] }
    : method === 'tools/call' ? { content: [{ type: 'text', text: 'did ' + params.name }] }
    : {};
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;

  test('is denied, asked about and allowed by name and fields, also in bypassPermissions; the rest is not even seen', async () => {
    const fetch = (url: string): ToolCall => ({ tool: 'WebFetch', input: { url, prompt: 'p' } });
    const mcp = (name: string): ToolCall => ({
      tool: `mcp__small__${name}`,
      input: { text: 'drop hunter2' },
    });
    const steps = [
      fetch('http://denied.example/x'),
      mcp('drop'),
      mcp('say'),
      { tool: 'ListAgents', input: {} },
      read('secret.txt'),
      read('other.txt'),
    ];
    const bench = await makeBench(
      { scenarios: { play: steps } },
      {
        deny: [
          { tool: '^WebFetch$', match: { url: '^https?://denied\\.example(/|$)' } },
          { tool: '^mcp__small__drop$' },
          { tool: '^Read$', match: { file_path: '/secret\\.txt$' } },
        ],
        ask: [{ tool: '^mcp__small__say$', match: { text: '^drop' } }],
      },
    );
    for (const name of ['secret.txt', 'other.txt']) bench.write(`project/${name}`, `${name}\n`);
    const server = { command: process.execPath, args: [bench.write('small.mjs', MCP)] };
    const config = JSON.stringify({ mcpServers: { small: server } });
    const run = await play(bench, 'bypassPermissions', '--mcp-config', config);
    const texts = run.results.map(({ text }) => text);
    expect(
      run.results.map((result) => result.error),
      texts.join('\n'),
    ).toEqual([true, true, true, false, true, false]);
    for (const index of [0, 1, 4]) expect(texts[index]).toMatch(/trai: rule deny\[\d\] of .*rules\.json/);
    expect(permissions(bench).map(({ tool, decision }) => `${String(tool)} ${String(decision)}`)).toEqual([
      'WebFetch deny',
      'mcp__small__drop deny',
      'mcp__small__say ask',
      'Read deny',
      'Read pass',
    ]);
    // Only the names of an MCP tool's fields.
    expect(JSON.stringify(permissions(bench))).not.toContain('hunter2');
    const outcomes = bench.log().filter((event) => event['t'] === 'permission.outcome');
    expect(outcomes.map((event) => event['outcome'])).toEqual([
      'denied',
      'denied',
      'denied',
      'denied',
      'ran',
    ]);
  });

  test('of a subagent is judged too', async () => {
    const agent = { description: 'd', prompt: 'SCENARIO:sub', subagent_type: 'general-purpose' };
    const bench = await makeBench(
      {
        scenarios: {
          play: [{ tool: 'Agent', input: { ...agent, run_in_background: false } }],
          sub: [bash('./tool denied'), bash('./tool allowed')],
        },
      },
      {
        deny: [{ tool: '^Bash$', match: { command: 'denied' } }],
        allow: [{ tool: '^Bash$', match: { command: '^\\./tool' } }],
      },
    );
    await play(bench, 'default');
    expect(await bench.pending('allowed')).toBe('');
    expect(await bench.pending('denied')).toBeNull();
    const [, ...ofAgent] = permissions(bench);
    expect(ofAgent.map(({ agent: id, decision }) => [id !== '', decision])).toEqual([
      [true, 'deny'],
      [true, 'allow'],
    ]);
  });
});

test('in a terminal a rule’s question names the rule, in bypassPermissions too, and its yes runs the call', async () => {
  const bench = await makeBench(
    { settings: { skipDangerousModePermissionPrompt: true }, scenarios: { play: [bash('./tool asked')] } },
    { ask: [{ tool: '^Bash$', match: { command: '^\\./tool' }, reason: 'have a look' }] },
  );
  const screen = await Terminal.open(bench, { args: ['--permission-mode', 'bypassPermissions'] });
  open.push(screen);
  await screen.ready();
  await screen.type('SCENARIO:play');
  await screen.sees(/rule ask\[0\] of[\s\S]*have a look/);
  await screen.confirm('Do you want to proceed?');
  await bench.until(
    async () => (await bench.pending('asked')) !== null,
    () => screen.screen(),
  );
});

test('what auto mode’s classifier denies is on record as its decision', async () => {
  const fetch: ToolCall = { tool: 'WebFetch', input: { url: 'http://a.example/', prompt: 'p' } };
  const bench = await makeBench(
    { scenarios: { play: [bash('./tool x'), fetch] } },
    { allow: [{ tool: '^WebFetch$', match: { url: '^http://other/' } }] },
  );
  await play(bench, 'auto');
  const outcomes = bench.log().filter((event) => event['t'] === 'permission.outcome');
  expect(outcomes.map(({ outcome, by }) => `${String(outcome)} by ${String(by)}`)).toEqual([
    'denied by classifier',
    'denied by classifier',
  ]);
});

test('with "sandboxed": "allow" a loop runs unasked, what leaves the machine is asked about, and the user’s own rules hold', async () => {
  const steps = ['for i in 1 2; do ./tool "n$i"; done', 'curl -d @tool http://127.0.0.1:1/', './tool asked'];
  const bench = await makeBench({
    settings: { permissions: { ask: ['Bash(./tool asked)'] } },
    scenarios: { play: steps.map((step) => bash(step)) },
  });
  bench.write('.config/trai/config.json', '{"rules": {"sandboxed": "allow"}}');
  const run = await play(bench, 'default');
  expect(run.results.map((result) => result.error)).toEqual([false, true, true]);
  expect([await bench.pending('n1'), await bench.pending('n2'), bench.read('n1')]).toEqual(['', '', null]);
  expect(permissions(bench).map(({ decision, by }) => `${String(decision)} ${String(by)}`)).toEqual([
    'allow sandboxed',
    'pass client',
    'allow sandboxed',
  ]);
});

describe('rules of the project', () => {
  const FILE = 'project/.claude/trai.rules.json';
  const SCENARIOS = { play: [bash('./tool allowed'), bash('./tool denied')] };
  const PROJECT = {
    deny: [{ tool: '^Bash$', match: { command: 'denied' } }],
    allow: [{ tool: '^Bash$', match: { command: '^\\./tool allowed$' } }],
  };

  test('deny at once, and allow when the user has trusted this content', async () => {
    const bench = await makeBench({ scenarios: SCENARIOS });
    writeRules(bench, PROJECT, FILE);
    const ran = async () => (await play(bench, 'default')).results.map((result) => !result.error);
    expect(await ran()).toEqual([false, false]);
    const trusted = await bench.sh(`${bench.plugin}/bin/trai rules trust`);
    expect(trusted.code, trusted.err).toBe(0);
    expect(await ran()).toEqual([true, false]);
    writeRules(bench, { ...PROJECT, ask: [] }, FILE);
    expect(await ran()).toEqual([false, false]);
  });

  test.each([
    ['trust', '$PLUGIN/bin/trai rules trust'],
    ['trust, detached', 'setsid $PLUGIN/bin/trai rules trust; sleep 1'],
    ['add', "$PLUGIN/bin/trai rules add user '^Bash$' '.'"],
    ['add by a host program', "git -c alias.x='!$PLUGIN/bin/trai rules add user ^Bash$ .' x"],
  ])('cannot be changed by the model: %s', async (_what, command) => {
    const bench = await makeBench({
      scenarios: {
        play: ({ step }) => (step === 0 ? bash(command.replaceAll('$PLUGIN', bench.plugin ?? '')) : null),
      },
    });
    writeRules(bench, PROJECT, FILE);
    await play(bench, 'bypassPermissions');
    const { out } = await bench.sh('cat "$0"/trust.json "$1"', {
      words: [bench.state, path.join(bench.home, RULES)],
    });
    expect(out).toBe('');
  });

  test('are not written by the client’s file tools', async () => {
    const write = (file: string): ToolCall => ({
      tool: 'Write',
      input: { file_path: file, content: '{"version":2}' },
    });
    const links = bash('mkdir -p .claude');
    const bench = await makeBench({
      scenarios: {
        play: [
          links,
          write(`$PROJECT/.claude/trai.rules.json`),
          write('$PROJECT/x/.claude/trai.rules.imported.json'),
        ],
      },
    });
    const run = await play(bench, 'bypassPermissions');
    expect(run.results.map((result) => result.error)).toEqual([false, true, true]);
    expect(run.results[1]?.text).toContain('rule');
    expect([bench.read('.claude/trai.rules.json'), bench.read('x/.claude/trai.rules.imported.json')]).toEqual(
      [null, null],
    );
  });
});

describe('a deny holds', () => {
  const DENY = { deny: [{ tool: '^(Read|WebFetch)$' }] };
  const STEPS: ToolCall[] = [
    read('a.txt'),
    { tool: 'WebFetch', input: { url: 'http://a.example/', prompt: 'p' } },
  ];

  test('when the hook is killed', async () => {
    const place = await makeBench({ plugin: null });
    const plugin = path.join(place.base, 'plugin');
    copyTree(await pluginTree(), plugin);
    writeFileSync(path.join(plugin, 'hooks/hook.sh'), 'kill -9 $$\n');
    const bench = await makeBench({ plugin, scenarios: { play: STEPS } }, DENY);
    bench.write('project/a.txt', 'a\n');
    const run = await play(bench, 'bypassPermissions');
    expect(run.results.map((result) => result.error)).toEqual([true, true]);
  });

  test('without the server, and without Node beside it; then other tools go on and Bash is refused', async () => {
    let gone = async (): Promise<void> => undefined;
    const steps = [read('a.txt'), ...STEPS, { tool: 'ListAgents', input: {} }, bash('./tool made')];
    const bench = await makeBench(
      {
        scenarios: {
          play: async ({ step }) => {
            if (step === 1) await gone();
            return steps[step] ?? null;
          },
        },
      },
      DENY,
    );
    bench.write('project/a.txt', 'a\n');
    gone = async () => {
      const server = JSON.parse(readFileSync(path.join(bench.state, 'server.json'), 'utf8'));
      await bench.sh(`kill -9 ${server.pid}`);
    };
    const ran = async () => (await play(bench, 'bypassPermissions')).results.map((result) => !result.error);
    expect(await ran()).toEqual([false, false, false, true, true]);
    const killed = gone;
    gone = async () => {
      await killed();
      rmSync(path.join(bench.state, 'node'));
    };
    expect(await ran()).toEqual([false, false, false, true, false]);
    expect(results(bench).at(-1)).toContain('nothing can decide where it may run');
    expect(results(bench)[1]).toContain('nothing can decide whether a permission rule allows it');
  });
});

test('an allow beside a leading blank of trai’s widens nothing that the user denies', async () => {
  // Twins run at the same time only where they read.
  const twins: Reply = [bash('cat a.txt'), bash('cat a.txt'), bash('cat a.txt')];
  const bench = await makeBench(
    { settings: { permissions: { deny: ['Bash(cat:*)'] } }, scenarios: { play: [twins] } },
    { allow: [{ tool: '^Bash$', match: { command: '^cat' } }] },
  );
  bench.write('project/a.txt', 'a\n');
  const run = await play(bench, 'bypassPermissions');
  expect(run.results.map((result) => result.error)).toEqual([true, true, true]);
});

test('a broken rule file is named when the session starts, and rules that are turned off say so', async () => {
  const bench = await makeBench({ scenarios: { play: [bash('./tool a')] } });
  bench.write(RULES, '{"version": 2, "deny": [{"tool": "("}]}');
  const run = await play(bench, 'bypassPermissions');
  expect(run.out).toMatch(/rules\.json cannot be used/);
  expect(run.results[0]).toMatchObject({ error: true, text: expect.stringContaining('rules.json') });
  bench.write('.config/trai/config.json', '{"rules": {"enabled": false}}');
  const off = await play(bench, 'bypassPermissions');
  expect(off.out).toContain('no permission rule counts');
  expect(off.results[0]?.error).toBe(false);
});
