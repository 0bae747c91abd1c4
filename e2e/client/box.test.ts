import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readBoxHosts } from '../../core/box/network/network-log.ts';
import { bash } from './mock-api.ts';
import { answerOf, closeWorlds, FORGE, MCP_SERVER, World } from './world.ts';

afterEach(closeWorlds);

test('a client in a box works: Bash, Edit, Write, MCP and git are pending, and it is told what there is', async () => {
  const world = await World.open({
    settings: { permissions: { allow: ['Bash', 'Write', 'Edit', 'Read', 'mcp__w__write'] } },
    scenarios: {
      work: [
        bash('mkdir src; echo one > src/a; cat src/a; ls -A ~ /home; echo $$'),
        { tool: 'Read', input: { file_path: '$PROJECT/src/a' } },
        { tool: 'Edit', input: { file_path: '$PROJECT/src/a', old_string: 'one', new_string: 'two' } },
        { tool: 'Write', input: { file_path: '$PROJECT/src/b', content: 'by Write\n' } },
        { tool: 'mcp__w__write', input: { name: 'from-mcp' } },
        bash(
          'git init -q . && git add src && git -c user.name=t -c user.email=t@t commit -qm x; cat src/a src/b from-mcp',
        ),
        bash(
          'ls -A ~/.local/state/trai/inside; cat /proc/*/root/$HOME/.local/state/trai/inside/server.json 2>/dev/null | wc -c',
        ),
      ],
    },
  });
  world.bench.write('.ssh/id', 'key');
  world.bench.write('project/mcp.cjs', MCP_SERVER);
  const servers = {
    mcpServers: { w: { command: process.execPath, args: [path.join(world.bench.project, 'mcp.cjs')] } },
  };
  const before = world.host();
  const run = await world.box('work', ['--mcp-config', JSON.stringify(servers)]);
  expect(run.results.at(-2)?.text).toBe('two\nby Write\nby MCP');
  expect(run.results[0]?.text).not.toContain('.ssh');
  expect(run.results.at(-1)?.text).toBe('0');
  expect(world.host()).toEqual(before);
  const pending = await world.pending();
  expect(pending).toEqual(expect.arrayContaining(['A src/', 'A src/a', 'A src/b', 'A from-mcp']));
  expect(pending.filter((line) => line.includes('.claude'))).toEqual([]);
  // The log has the numbers of this machine, and its calls have ended.
  const started = world.bench.log().filter(({ t }) => t === 'call.started');
  expect(started.filter(({ pid }) => Number(pid) > 100)).toHaveLength(started.length);
  expect((await world.run(['log'])).out).toMatch(/sandbox +exit 0 .*Write/);
  const said = JSON.stringify(world.bench.api.requests);
  expect(said).toContain('You run in a box');
  expect(run.err).toMatch(/^\d+ changes pending: trai diff, /);
  expect((await world.run(['commit'])).code).toBe(0);
  expect(world.bench.read('src/a')).toBe('two\n');
});

test('with --net list the client reaches its service by the proxy, its hooks the server, and nothing else', async () => {
  const world = await World.open({
    scenarios: {
      listed: [
        bash('echo one > a; cat a'),
        bash('(exec 3<>/dev/tcp/127.0.0.2/9) 2>/dev/null || echo closed'),
      ],
    },
  });
  const { port } = new URL(world.bench.env['ANTHROPIC_BASE_URL'] ?? '');
  world.bench.write(
    '.config/trai/config.json',
    JSON.stringify({ box: { network: { allow: [`127.0.0.2:${port}`] } } }),
  );
  // Another address than NO_PROXY has.
  const env = { ANTHROPIC_BASE_URL: `http://127.0.0.2:${port}` };
  const run = await world.box('listed', ['--net', 'list'], { env });
  expect(run.results.map(({ text }) => text)).toEqual(['one', expect.stringContaining('closed')]);
  expect(await world.pending()).toContain('A a');
  // Events and claims came from the box: the call has its text.
  expect((await world.run(['log'])).out).toContain('echo one > a');
  expect(JSON.stringify(world.bench.api.requests)).toContain('to hosts that the user allows');
  const [session = ''] = world.bench.sessions();
  // The server writes them a second after a change.
  await expect
    .poll(() => readBoxHosts(path.join(world.bench.state, 'sessions', session)))
    .toContainEqual(expect.objectContaining({ host: '127.0.0.2', port: Number(port), state: 'allowed' }));
  // What is typed there is known to be typed: the server sees the client at the other end.
  const typed = ['--net', 'list', '--commit-inside', '--continue', '-p', '/trai:commit a'];
  const stream = ['--output-format', 'stream-json', '--verbose'];
  expect(answerOf(await world.run(['box', '-y', ...typed, ...stream], { env }))).toContain(
    'Committed 1 change',
  );
});

test('an ordinary chat in the terminal leaves nothing pending, keeps its conversation, and goes on with it', async () => {
  const world = await World.open({ scenarios: { chat: ['hello', 'again'], more: ['more'] } });
  const before = world.host();
  const terminal = await world.terminal(['--session', 'chat'], ['box', '-y']);
  await terminal.ready();
  await terminal.type('SCENARIO:chat');
  await terminal.sees('hello');
  const second = await world.run(['box', '-y', '--session', 'chat', '-p', 'x']);
  expect(second).toMatchObject({
    code: 125,
    err: expect.stringMatching(/already runs in session chat \(process \d+\)/),
  });
  await terminal.type('/exit');
  await world.bench.until(() => world.waiting('box') === undefined);
  expect(await world.pending()).toEqual([]);
  expect(world.host()).toEqual(before);
  expect(existsSync(path.join(world.bench.home, '.claude/projects'))).toBe(false);
  const [instance = ''] = readdirSync(path.join(world.bench.state, 'box'));
  const kept = path.join(world.bench.state, 'box', instance);
  expect(readFileSync(path.join(kept, 'history.jsonl'), 'utf8')).toContain('SCENARIO:chat');
  const state = JSON.parse(readFileSync(path.join(world.bench.home, '.claude.json'), 'utf8'));
  expect(state.numStartups).toBeGreaterThan(0);
  const on = await world.box('more', ['--continue']);
  expect(on.code).toBe(0);
  expect(JSON.stringify(world.bench.api.requests.at(-1))).toContain('SCENARIO:chat');
});

test('commit and undo cannot be typed inside, unless that is allowed; what only shows can', async () => {
  const world = await World.open({ scenarios: { work: [bash('echo one > a; echo two > b')] } });
  await world.box('work');
  const typed = async (text: string, options: readonly string[] = []): Promise<string> =>
    answerOf(
      await world.run([
        ...['box', '-y', ...options, '--continue', '-p', text, '--output-format', 'stream-json', '--verbose'],
      ]),
    );
  expect(await typed('/trai:status')).toContain('2 changes pending in session');
  for (const name of ['commit', 'undo', 'passthrough']) {
    const said = await typed(`/trai:${name}`);
    expect(said).toMatch(
      new RegExp(
        `[Ii]n a terminal outside of it: trai ${name} --session \\S+\\. .*http://127\\.0\\.0\\.1:\\d+/`,
      ),
    );
  }
  expect(world.bench.read('a')).toBeNull();
  expect(world.bench.log().filter(({ t }) => t === 'commit')).toEqual([]);
  expect(await typed('/trai:commit a', ['--commit-inside'])).toContain('Committed 1 change');
  expect([world.bench.read('a'), world.bench.read('b')]).toEqual(['one\n', null]);
});

test('no call in a box gets a permit or another session, also where the client’s own typing counts', async () => {
  let world: World | null = null;
  const door = (): { port: number; hook: string; session: string } => {
    const bench = world?.bench;
    const [session = ''] = bench?.sessions() ?? [];
    const file = path.join(bench?.state ?? '', 'sessions', session, 'inside/server.json');
    return { ...JSON.parse(readFileSync(file, 'utf8')), session };
  };
  const forge = (before: string, target = '/hook/UserPromptExpansion', body: object = {}): string => {
    const { port, hook, session } = door();
    const typed = {
      session_id: session,
      expansion_type: 'slash_command',
      command_name: 'trai:commit',
      command_args: '',
      ...body,
    };
    return `${before} bash /tmp/forge ${port} ${target} ${hook} '${JSON.stringify(typed)}'`;
  };
  const spellings = ['', 'env -i', 'setsid -w', 'unshare -Ur', 'unshare -Urpf --mount-proc'];
  const inside = '~/.local/state/trai/inside';
  const more = (): string[] => [
    `cat ${inside}/server.json; umount ${inside}; ls ${inside} | wc -l`,
    `for p in /proc/[0-9]*; do cat $p/root$HOME/.local/state/trai/inside/server.json 2>/dev/null; nsenter -t \${p#/proc/} -U -m --preserve-credentials cat ${inside}/server.json 2>/dev/null; done; echo none`,
    forge('', '/hook/ui-code'),
    forge('', '/hook/SessionStart', { session_id: 'another', source: 'startup', cwd: '/' }),
    `printf 'other\\0%s\\0/\\0exec\\0true\\0' $$ > /tmp/claim; ${forge('', '/claim')}`,
    `'${world?.trai}' commit; ls -A ~/.local/state/trai/sessions ~/.local/state/trai/box 2>/dev/null | wc -l`,
  ];
  world = await World.open({
    scenarios: {
      attack: ({ step }) => {
        if (step === 0) return bash(`echo mine > a; cat > /tmp/forge << 'EOF'\n${FORGE}EOF`);
        if (step <= spellings.length) return bash(forge(spellings[step - 1] ?? ''));
        const one = more()[step - spellings.length - 1];
        return one === undefined ? null : bash(one);
      },
    },
  });
  const run = await world.box('attack', ['--commit-inside']);
  const said = run.results.map(({ text }) => text);
  for (const [at, spelling] of spellings.entries())
    expect([spelling, said[at + 1]]).toEqual([
      spelling,
      expect.stringContaining('was not run: only what the user types counts'),
    ]);
  const [umount, others, code, another, claim, own] = said.slice(spellings.length + 1);
  expect(umount?.trim().split('\n').at(-1)).toBe('0');
  expect(others).toBe('none');
  expect(code).toContain('401');
  expect(another).not.toContain('another');
  expect(claim).toContain('refuse');
  expect(own?.trim().split('\n').at(-1)).toBe('0');
  expect(world.bench.read('a')).toBeNull();
  expect(world.bench.log().filter(({ t }) => t === 'grant' || t === 'commit')).toEqual([]);
  expect(world.bench.sessions()).toHaveLength(1);
});

test('two boxes of a project and a plain client at once: two sessions, one instance, no torn file', async () => {
  const work = (name: string) => [bash(`echo ${name} > ${name}; sleep 1`), bash(`cat ${name}`)];
  const world = await World.open({
    scenarios: { one: work('one'), two: work('two'), plain: work('plain') },
  });
  const [one, two, plain] = await Promise.all([
    world.box('one'),
    world.box('two'),
    world.bench.claude('SCENARIO:plain'),
  ]);
  expect([one, two, plain].map(({ results }) => results.at(-1)?.text)).toEqual(['one', 'two', 'plain']);
  expect(world.bench.sessions()).toHaveLength(3);
  expect(readdirSync(path.join(world.bench.state, 'box'))).toHaveLength(1);
  const state = JSON.parse(readFileSync(path.join(world.bench.home, '.claude.json'), 'utf8'));
  expect(state.hasCompletedOnboarding).toBe(true);
  for (const name of ['one', 'two', 'plain']) expect(world.bench.read(name)).toBeNull();
});

test('a server that is killed while a box runs stops none of its calls, and nothing is lost', async () => {
  let world: World | null = null;
  world = await World.open({
    scenarios: {
      work: ({ step }) => {
        const state = world?.bench.state ?? '';
        if (step === 1) {
          const { pid } = JSON.parse(readFileSync(path.join(state, 'server.json'), 'utf8'));
          process.kill(pid, 'SIGKILL');
        }
        return [bash('echo 1 > a'), bash('echo 2 > b'), bash('cat a b')][step] ?? null;
      },
    },
  });
  const run = await world.box('work', ['--session', 's']);
  expect(run.results.at(-1)?.text).toBe('1\n2');
  expect(await world.pending()).toEqual(['A a', 'A b']);
  const log = world.bench.log('s');
  const count = (event: string) => log.filter(({ t }) => t === event).length;
  expect([count('call.started'), count('call.ended')]).toEqual([4, 4]);
});
