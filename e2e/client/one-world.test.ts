import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { BenchOptions } from './bench.ts';
import { clone, install } from './marketplace.ts';
import { bash } from './mock-api.ts';
import type { ClaudeRun } from './stream.ts';
import { answerOf, closeWorlds, commandOf, FORGE, MCP_SERVER, World } from './world.ts';

afterEach(closeWorlds);

test('the client runs in a session of its own: Bash, Edit and Write are pending, and it is told how to go on', async () => {
  const world = await World.open({
    scenarios: {
      work: [
        bash('mkdir src; echo one > src/a; cat src/a'),
        { tool: 'Read', input: { file_path: '$PROJECT/src/a' } },
        { tool: 'Edit', input: { file_path: '$PROJECT/src/a', old_string: 'one', new_string: 'two' } },
        { tool: 'Write', input: { file_path: '$PROJECT/src/b', content: 'by Write\n' } },
        bash('cat src/a src/b'),
      ],
    },
  });
  const before = world.host();
  const run = await world.claude('work');
  expect(run.results.at(-1)?.text).toBe('two\nby Write');
  expect(world.host()).toEqual(before);
  expect(await world.pending()).toEqual(['A src/', 'A src/a', 'A src/b']);
  expect(run.err).toMatch(
    /^3 changes pending: trai diff, trai commit, trai discard, dashboard: http:\S+ \(trai ui\)\n$/,
  );
  expect((await world.run(['commit'])).code).toBe(0);
  expect([world.bench.read('src/a'), world.bench.read('src/b')]).toEqual(['two\n', 'by Write\n']);
});

test('--continue goes on with session and conversation', async () => {
  const world = await World.open({
    scenarios: { first: [bash('echo 1 > one')], second: [bash('cat one; echo 2 > two')] },
  });
  const first = await world.claude('first');
  const second = await world.claude('second', ['--continue']);
  const ids = [first, second].map(
    ({ events }) => events.findLast(({ type }) => type === 'result')?.['session_id'],
  );
  expect(ids[1]).toBe(ids[0]);
  expect(second.results.at(-1)?.text).toBe('1');
  expect(world.bench.sessions()).toHaveLength(1);
  expect(await world.pending()).toEqual(['A one', 'A two']);
  // The conversation is the host's.
  expect(readdirSync(path.join(world.bench.home, '.claude/projects'))).toHaveLength(1);
});

test('stdin, stdout, exit status and signals are the client’s own', async () => {
  const world = await World.open({ scenarios: { wait: [bash('tail -f /dev/null')] } });
  const version = await world.run(['claude', '--', '--version']);
  expect(version).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+ \(Claude Code\)\n$/),
    err: '',
  });
  expect((await world.run(['claude', '--no-such-option'])).code).toBe(1);
  const piped = await world.run(['claude', '-p'], { input: 'hello from a pipe' });
  expect(piped).toMatchObject({ code: 0, out: 'done\n' });
  const said = world.bench.api.requests.flatMap(({ messages }) => JSON.stringify(messages)).join('\n');
  expect(said).toContain('hello from a pipe');
  const waits = world.claude('wait');
  await world.bench.until(() => world.bench.processes().some((pid) => commandOf(pid).startsWith('tail -f')));
  process.kill(world.waiting('claude') ?? expect.fail('trai claude is not running'), 'SIGTERM');
  expect((await waits).code).toBe(143);
  expect(world.bench.processes().filter((pid) => commandOf(pid).startsWith('tail -f'))).toEqual([]);
});

test('what cannot start says why, and starts nothing', async () => {
  const world = await World.open();
  const none = await world.run(['claude'], { env: { PATH: world.bench.env['PATH'] ?? '' } });
  expect(none).toMatchObject({ code: 127, err: expect.stringContaining('expected the program claude') });
  expect((await world.run(['claude', '--session'])).code).toBe(2);
  expect((await world.run(['claude', '--session', 'a/b'])).code).toBe(2);
  expect(await world.run(['claude', '--continue', '-p', 'x'])).toMatchObject({ code: 125 });
  expect(world.bench.sessions()).toEqual([]);
});

test('an ordinary session in the terminal leaves nothing pending, and is refused to a second client', async () => {
  const world = await World.open({ scenarios: { chat: ['hello', 'again'] } });
  const terminal = await world.terminal(['--session', 'chat']);
  await terminal.ready();
  await terminal.type('SCENARIO:chat');
  await terminal.sees('hello');
  const second = await world.run(['claude', '--session', 'chat', '-p', 'x']);
  expect(second).toMatchObject({
    code: 125,
    err: expect.stringMatching(/already runs in session chat \(process \d+\)/),
  });
  expect(await world.run(['passthrough', '--session', 'chat'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no call of it can run on the host/),
  });
  await terminal.type('/clear');
  await terminal.ready();
  await terminal.type('/exit');
  await world.bench.until(() => world.waiting('claude') === undefined);
  expect(await world.pending()).toEqual([]);
  const home = world.bench.home;
  expect(readFileSync(path.join(home, '.claude/history.jsonl'), 'utf8')).toContain('SCENARIO:chat');
  const state = JSON.parse(readFileSync(path.join(home, '.claude.json'), 'utf8'));
  expect(state.numStartups).toBeGreaterThan(0);
  // Without the session the client goes on as if it had run outside.
  expect((await world.run(['claude', '--session', 'chat', '-p', 'x'])).code).toBe(0);
});

test('calls and file tools are on the timeline with their start and end, and each change has its writer', async () => {
  const world = await World.open({
    scenarios: {
      work: [
        bash('echo one > a; (exit 3)'),
        { tool: 'Write', input: { file_path: '$PROJECT/b', content: 'by Write\n' } },
        bash(
          'git init -q . && git add a b && git -c user.name=t -c user.email=t@t commit -qm first && git log --oneline | wc -l',
        ),
        bash('sudo -n true; docker ps'),
        bash(
          'id -u; pwd; ls -A ~/.local/state/trai/inside; cat /proc/*/root/$HOME/.local/state/trai/inside/server.json 2>/dev/null | wc -c',
        ),
      ],
    },
  });
  const run = await world.claude('work');
  expect(run.results[2]?.text).toBe('1');
  expect(run.out).toContain('cannot do its work inside a session');
  expect(run.results[4]?.text.split('\n')).toEqual([
    String(world.bench.person.uid),
    world.bench.project,
    '0',
  ]);
  const { out } = await world.run(['log']);
  expect(
    out
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/ +/).slice(1, 5).join(' ')),
  ).toEqual([
    expect.stringMatching(/^sandbox exit 0 claude/),
    'sandbox exit 3 echo',
    expect.stringMatching(/^sandbox exit 0 Write/),
    'sandbox exit 0 git',
    expect.stringMatching(/^sandbox exit \d+ sudo/),
    'sandbox exit 0 id',
  ]);
  const changes = (await world.run(['status', '--by-call'])).out;
  expect(changes.replaceAll(/ +/g, ' ')).toMatch(/echo one > a[^\n]*\n A a\n/);
  expect(changes.replaceAll(/ +/g, ' ')).toMatch(/Write \S+\/b[^\n]*\n A b\n/);
  expect(world.bench.read('.git/HEAD')).toBeNull();
});

test('typed commands are answered inside, where the client is the only one that the user has', async () => {
  const world = await World.open({ scenarios: { work: [bash('echo one > a; echo two > b')] } });
  await world.claude('work');
  const typed = async (text: string): Promise<string> =>
    answerOf(
      await world.run(['claude', '--continue', '-p', text, '--output-format', 'stream-json', '--verbose']),
    );
  expect(await typed('/trai:status')).toContain('2 changes pending in session');
  expect(await typed('/trai:diff')).toContain('+two');
  expect(await typed('/trai:commit a')).toContain('Committed 1 change');
  expect([world.bench.read('a'), world.bench.read('b')]).toEqual(['one\n', null]);
  expect(await typed('/trai:ui')).toContain(`The dashboard is at http://127.0.0.1:`);
  expect(await typed('/trai:passthrough')).toContain('none of its calls can run on the host');
  expect(await typed('/trai:adopt other')).toContain('trai claude --session other');
  const events = world.bench.log().filter(({ t }) => t === 'grant');
  expect(events.map(({ what, state }) => `${state} ${what}`)).toContain('used commit a');
});

test('while the client runs, a part is discarded and undone, a commit is undone, and what runs sees it', async () => {
  const server = `const fs = require('fs');
fs.appendFileSync('served', fs.readFileSync('page', 'utf8'));
fs.watch('.', (_, name) => {
  if (name === 'page' && fs.existsSync('page')) fs.appendFileSync('served', fs.readFileSync('page', 'utf8'));
});
setInterval(() => {}, 1e6);
`;
  const world = await World.open({
    scenarios: {
      work: [
        bash('echo second > page; mkdir -p app/src; echo a > app/src/a; rm gone; echo changed > kept'),
        { tool: 'Write', input: { file_path: '$PROJECT/serve.cjs', content: server } },
        bash('node serve.cjs', { run_in_background: true }),
        bash('until [ -s served ]; do sleep 0.1; done; cat served'),
      ],
    },
  });
  const { bench } = world;
  for (const name of ['page', 'kept', 'gone'])
    bench.write(path.join(bench.project, name), `${name === 'page' ? 'first' : name}\n`);
  const before = world.host();
  const terminal = await world.terminal(['--session', 'live', '--permission-mode', 'default']);
  await terminal.ready();
  /** Waits for one more answer of its kind than the screen has had. */
  const typed = async (text: string, answer: RegExp): Promise<void> => {
    const count = () => terminal.screen().match(new RegExp(answer, 'g'))?.length ?? 0;
    const had = count();
    await terminal.type(text);
    await bench.until(
      () => count() > had,
      () => terminal.screen(),
    );
  };
  const pending = async () => (await world.pending()).map((line) => line.split(/ +/).slice(0, 2).join(' '));
  /** As the server inside sees it; empty for nothing. */
  const seen = (name: string) => {
    const [pid] = bench.processes().filter((one) => commandOf(one).startsWith('node serve.cjs'));
    const file = `/proc/${pid}/root${bench.project}/${name}`;
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const served = () => seen('served');
  await typed('SCENARIO:work', /second/);
  const isServing = () => bench.processes().some((pid) => commandOf(pid).startsWith('node serve.cjs'));
  await bench.until(isServing, () => terminal.screen());
  await bench.until(() => served() === 'second\n', served);
  expect(await pending()).toContain('M page');

  await typed('/trai:discard page app gone --yes', /Discarded \d+ entries/);
  await bench.until(() => served().endsWith('first\n'), served);
  expect((await pending()).filter((line) => /page|app|gone/.test(line))).toEqual([]);
  await typed('/trai:undo', /\d+ entries pending again/);
  await bench.until(() => served().endsWith('second\n'), served);
  expect(await pending()).toEqual(expect.arrayContaining(['M page', 'A app/src/a', 'D gone', 'M kept']));
  expect(world.host()).toEqual(before);

  await typed('/trai:commit page app gone', /Committed \d+ changes/);
  expect([bench.read('page'), bench.read('app/src/a'), bench.read('gone')]).toEqual([
    'second\n',
    'a\n',
    null,
  ]);
  await typed('/trai:undo', /Undone/);
  expect(world.host()).toEqual(before);
  expect(await pending()).toEqual(expect.arrayContaining(['M page', 'A app/src/a', 'D gone', 'M kept']));
  expect([seen('page'), seen('kept'), seen('app/src/a'), seen('gone')]).toEqual([
    'second\n',
    'changed\n',
    'a\n',
    '',
  ]);
  await terminal.type('/exit');
});

test('a call cannot forge a permit, whatever credential it has and however it starts the forger', async () => {
  let world: World | null = null;
  const answers: string[] = [];
  let held = '';
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
    return `${before} bash /tmp/forge-${session} ${port} ${target} ${hook} '${JSON.stringify(typed)}'`;
  };
  const spellings = ['', 'env -i', 'setsid -w', 'unshare -Ur', 'unshare -Urpf --mount-proc'];
  world = await World.open({
    scenarios: {
      attack: ({ step, results }) => {
        answers.push(...results);
        const { session } = door();
        if (step === 0) {
          const client = world?.bench.processes().find((pid) => /^\S*bin\/claude /.test(commandOf(pid)));
          held = [7, 8].map((fd) => readlinkSync(`/proc/${client}/fd/${fd}`)).join('\n');
          const look = 'readlink /proc/self/ns/user /proc/self/ns/mnt';
          return bash(`echo mine > a; ${look}; cat > /tmp/forge-${session} << 'EOF'\n${FORGE}EOF`);
        }
        if (step <= spellings.length) return bash(forge(spellings[step - 1] ?? ''));
        const inside = '~/.local/state/trai/inside';
        const more = [
          `cat ${inside}/server.json; umount ${inside}; ls ${inside} | wc -l`,
          `unshare -Urm sh -c 'umount ${inside}; ls ${inside} | wc -l'`,
          `for p in /proc/[0-9]*; do cat $p/root$HOME/.local/state/trai/inside/server.json 2>/dev/null; nsenter -t \${p#/proc/} -U -m --preserve-credentials cat ${inside}/server.json 2>/dev/null; done; echo none`,
          // Orphaned: its parents are gone when it connects.
          `(setsid bash -c "sleep 0.5; ${forge('').replaceAll('"', '\\"')} > forged" < /dev/null > /dev/null 2>&1 &); sleep 2; cat forged`,
          forge('', '/hook/ui-code'),
          forge('', '/hook/drain'),
          forge('', '/hook/SessionStart', { session_id: 'another', source: 'startup', cwd: '/' }),
          `'${world?.trai}' commit`,
          `rm /tmp/forge-${session}`,
        ];
        return more[step - spellings.length - 1] === undefined
          ? null
          : bash(more[step - spellings.length - 1] ?? '');
      },
    },
  });
  const run = await world.claude('attack');
  const said = run.results.map(({ text }) => text);
  // What follows is tried in the namespaces that the client holds.
  expect([held, said[0]]).toEqual([expect.stringMatching(/^user:.*\nmnt:/), held]);
  for (const [at, spelling] of spellings.entries())
    expect([spelling, said[at + 1]]).toEqual([
      spelling,
      expect.stringContaining('was not run: only what the user types counts'),
    ]);
  const [umount, nested, others, orphan, code, drain, , own] = said.slice(spellings.length + 1);
  expect([umount, nested].map((text) => text?.trim().split('\n').at(-1))).toEqual(['0', '0']);
  expect(others).toBe('none');
  expect(orphan).toContain('was not run: only what the user types counts');
  expect([code, drain]).toEqual([expect.stringContaining('401'), expect.stringContaining('401')]);
  expect(own).toContain('Ask the user');
  expect(world.bench.read('a')).toBeNull();
  expect(world.bench.log().filter(({ t }) => t === 'grant' || t === 'commit')).toEqual([]);
  expect(world.bench.sessions()).toHaveLength(1);
});

test('keys, settings, hooks, other projects and trai’s own files on the host stay as they are, whatever writes to them', async () => {
  const write = (file: string) => ({ tool: 'Write', input: { file_path: file, content: 'written\n' } });
  const mcp = (name: string) => ({ tool: 'mcp__w__write', input: { name } });
  let world: World | null = null;
  world = await World.open({
    settings: { permissions: { allow: ['Bash', 'Write', 'Edit', 'Read', 'mcp__w__write'] } },
    scenarios: {
      attack: ({ step }) => {
        const { home, state } = world?.bench ?? expect.fail('it is not open');
        const claude = path.join(home, '.claude');
        const own = path.join(state, 'sessions', world?.bench.sessions()[0] ?? '');
        const steps = [
          write(path.join(home, '.ssh/authorized_keys')),
          mcp(path.join(home, '.ssh/config')),
          bash(
            'echo x >> ~/.ssh/known_hosts; echo : x >> ~/.bashrc; echo x > ../other/new; rm -r ../other/gone; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit',
          ),
          write(path.join(home, 'other/main.c')),
          write(path.join(claude, 'settings.json')),
          mcp(path.join(claude, 'CLAUDE.md')),
          bash(
            'cd ~/.claude; mkdir -p hooks skills/s; echo x > hooks/h.sh; echo x > skills/s/SKILL.md; ln ~/.claude/settings.json projects/hard; ln -s ../settings.json projects/link; echo x > projects/link; echo x > projects/../settings.json; rm projects/link; mv projects p2; umount projects; unshare -Urm umount projects; true',
          ),
          write(path.join(own, 'meta.json')),
          bash(
            `cd ${state} && echo x > new; rm -rf ${state} ${own}; mv ${state} ${state}.old; ln -sfn / ${state}; unshare -Urm umount ${state}; unshare -Urm umount -l /; true`,
          ),
          bash(
            `for p in /proc/[0-9]*; do [ "$(readlink $p/ns/mnt)" = "$(readlink /proc/self/ns/mnt)" ] || ls -d $p/root/. $p/cwd/. 2>/dev/null; done; echo none`,
          ),
          mcp(path.join(own, 'meta.json')),
        ];
        return steps[step] ?? null;
      },
    },
  });
  const { bench } = world;
  bench.write('mcp.cjs', MCP_SERVER);
  for (const file of ['.ssh/config', '.ssh/known_hosts', '.bashrc', 'other/main.c', 'other/gone/x'])
    bench.write(file, '# mine\n');
  const before = world.host();
  const servers = {
    mcpServers: { w: { command: process.execPath, args: [path.join(bench.home, 'mcp.cjs')] } },
  };
  const run = await world.claude('attack', [
    ...['--mcp-config', JSON.stringify(servers)],
    ...['--permission-mode', 'bypassPermissions'],
  ]);
  expect(run.results).toHaveLength(11);
  expect(world.host()).toEqual(before);
  expect(run.results.map(({ error }, at) => (error ? at : -1)).filter((at) => at >= 0)).toEqual([7, 10]);
  expect(run.results[7]?.text).toContain("holds trai's own state");
  expect(run.results[9]?.text.trim()).toBe('none');
  const pending = (await world.pending()).join('\n');
  for (const name of ['.ssh/authorized_keys', '.ssh/config', 'other/gone/x', 'settings.json', 'CLAUDE.md'])
    expect(pending).toContain(name);
  // Nothing of them reached what is bound from the host, nor trai's own.
  expect(readdirSync(path.join(bench.home, '.claude/projects'))).toHaveLength(1);
  expect((await world.run(['status', '--json'])).code).toBe(0);
});

test.each([
  ['client', /^\S*bin\/claude /, 137],
  ['launcher', /\/launch -o client /, 137],
  ['server', /server\.mjs $/, 143],
] as const)(
  'after kill -9 of the %s in a call, --continue goes on with all that was pending',
  async (part, what, code) => {
    const world = await World.open({
      scenarios: {
        work: [
          bash('echo one > a'),
          { tool: 'Write', input: { file_path: '$PROJECT/b', content: 'two\n' } },
          bash('echo three > c; tail -f /dev/null'),
        ],
        go: [bash('cat a b c; echo four > d')],
      },
    });
    const { bench } = world;
    const before = world.host();
    const work = world.claude('work');
    const find = (which: RegExp) => bench.processes().find((pid) => which.test(commandOf(pid)));
    await bench.until(() => find(/^tail -f/) !== undefined);
    process.kill(find(what) ?? expect.fail(`no ${part} is running`), 'SIGKILL');
    // Without its server the client goes on.
    if (part === 'server')
      process.kill(world.waiting('claude') ?? expect.fail('trai is not running'), 'SIGTERM');
    expect((await work).code).toBe(code);
    await bench.until(() => find(/^tail -f|bin\/claude /) === undefined);
    expect(await world.pending()).toEqual(['A a', 'A b', 'A c']);
    const again = await world.claude('go', ['--continue']);
    expect(again.results.at(-1)?.text).toBe('one\ntwo\nthree');
    expect(await world.pending()).toEqual(['A a', 'A b', 'A c', 'A d']);
    expect(world.host()).toEqual(before);
    expect(bench.sessions()).toHaveLength(1);
  },
);

test('after the commit the host is as after the same work without trai, and was untouched until then', async () => {
  const dates = { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' };
  const names = {
    GIT_AUTHOR_NAME: 't',
    GIT_AUTHOR_EMAIL: 't@t',
    GIT_COMMITTER_NAME: 't',
    GIT_COMMITTER_EMAIL: 't@t',
  };
  const options: BenchOptions = {
    env: { ...dates, ...names },
    scenarios: {
      scaffold: [
        bash(
          'git init -qb main . && mkdir -p app/src && for i in 1 2 3; do echo "file $i" > app/src/$i.txt; done; echo node_modules > .gitignore',
        ),
        { tool: 'Read', input: { file_path: '$PROJECT/app/src/1.txt' } },
        {
          tool: 'Edit',
          input: { file_path: '$PROJECT/app/src/1.txt', old_string: 'file 1', new_string: 'edited' },
        },
        { tool: 'Write', input: { file_path: '$PROJECT/app/readme.md', content: '# by Write\n' } },
        bash(
          'git add -A && git commit -qm "scaffold" && git mv app/src/2.txt app/src/two.txt && rm app/src/3.txt && ln -s 1.txt app/src/link && chmod +x app/src/1.txt',
        ),
        bash(
          'git commit -qam "move" && git status --short && echo later >> app/readme.md && git log --oneline | wc -l',
        ),
      ],
    },
  };
  const [plain, world] = [await World.open({ ...options, plugin: null }), await World.open(options)];
  const last = async (run: Promise<ClaudeRun>) => (await run).results.at(-1)?.text;
  const without = await last(plain.bench.claude('SCENARIO:scaffold'));
  const before = world.host();
  expect(await last(world.claude('scaffold'))).toBe(without);
  expect(world.host()).toEqual(before);
  expect((await world.run(['commit'])).code).toBe(0);
  const made = ({ bench }: World) => {
    const find = `cd '${bench.project}' && find . -not -name index -not -name COMMIT_EDITMSG -printf '%P %y %m %l\\n' -type f -exec md5sum {} + | sort`;
    return bench.sh(find);
  };
  const [theirs, ours] = [await made(plain), await made(world)];
  expect(ours.out).toBe(theirs.out);
  expect(theirs.out).toContain('app/src/two.txt f');
  expect((await world.bench.sh('git status --short; git fsck 2>&1')).out).toBe(
    (await plain.bench.sh('git status --short; git fsck 2>&1')).out,
  );
});

test('an MCP server, a background call, a subagent and a client in a call are all in the one view', async () => {
  let world: World | null = null;
  world = await World.open({
    settings: { permissions: { allow: ['Bash', 'Write', 'Edit', 'Read', 'Task', 'Agent', 'mcp__w__write'] } },
    scenarios: {
      work: ({ step }) =>
        [
          { tool: 'mcp__w__write', input: { name: 'from-mcp' } },
          bash('sleep 1; echo late > from-background', { run_in_background: true }),
          {
            tool: 'Agent',
            input: { description: 'd', prompt: 'SCENARIO:sub', subagent_type: 'general-purpose' },
          },
          bash(
            `claude -p SCENARIO:deep --plugin-dir '${world?.bench.plugin}' --allowedTools Bash > deep.txt; sleep 1; cat from-mcp from-background from-sub from-deep`,
          ),
        ][step] ?? null,
      sub: [bash('echo sub > from-sub')],
      deep: [bash('echo deep > from-deep')],
    },
  });
  world.bench.write('mcp.cjs', MCP_SERVER);
  const servers = {
    mcpServers: { w: { command: process.execPath, args: [path.join(world.bench.home, 'mcp.cjs')] } },
  };
  const run = await world.claude('work', ['--mcp-config', JSON.stringify(servers)]);
  expect(run.results.at(-1)?.text).toBe('by MCP\nlate\nsub\ndeep');
  expect(await world.pending()).toEqual([
    'A deep.txt',
    'A from-background',
    'A from-deep',
    'A from-mcp',
    'A from-sub',
  ]);
  expect(
    ['from-mcp', 'from-background', 'from-sub', 'from-deep'].map((name) => world?.bench.read(name)),
  ).toEqual([null, null, null, null]);
  const { out } = await world.run(['log']);
  for (const call of ['mcp__w__write', 'sleep 1; echo late', 'echo sub', 'claude -p SCENARIO:deep'])
    expect(out).toMatch(new RegExp(`sandbox exit 0 +${call}`));
  expect(world.bench.sessions()).toHaveLength(1);
});

test('permission rules count inside, and the file tools write none', async () => {
  const write = (name: string) => ({
    tool: 'Write',
    input: { file_path: `$PROJECT/${name}`, content: 'x\n' },
  });
  const steps = [bash('echo no > denied'), write('secret.txt'), write('.claude/trai.rules.json')];
  const world = await World.open({ scenarios: { work: [...steps, bash('echo yes > fine')] } });
  const deny = [
    { tool: '^Bash$', match: { command: 'denied' }, reason: 'not today' },
    { tool: '^Write$', match: { file_path: '/secret\\.txt$' } },
  ];
  world.bench.write('.config/trai/rules.json', JSON.stringify({ version: 2, deny }));
  const run = await world.claude('work', ['--permission-mode', 'bypassPermissions']);
  const texts = run.results.map(({ text }) => text);
  expect(
    run.results.map(({ error }) => error),
    texts.join('\n'),
  ).toEqual([true, true, true, false]);
  expect(texts[0]).toMatch(/deny\[0\] of .*rules\.json .* denies .*not today/);
  expect(texts[1]).toMatch(/deny\[1\] of .*rules\.json/);
  expect(await world.pending()).toEqual(['A fine']);
  const decided = world.bench.log(world.bench.sessions()[0]).filter(({ t }) => t === 'permission');
  expect(decided.map(({ tool, decision, by }) => [tool, decision, by])).toEqual([
    ['Bash', 'deny', 'rule'],
    ['Write', 'deny', 'rule'],
    ['Write', 'deny', 'trai'],
    ['Bash', 'pass', 'client'],
  ]);
});

test('a terminal that is closed ends the client, and what is pending stays', async () => {
  const world = await World.open({ scenarios: { work: [bash('echo one > a'), bash('tail -f /dev/null')] } });
  const terminal = await world.terminal(['--session', 'closed', '--permission-mode', 'default']);
  await terminal.ready();
  await terminal.type('SCENARIO:work');
  await world.bench.until(
    () => world.bench.processes().some((pid) => commandOf(pid).startsWith('tail -f')),
    () => terminal.screen(),
  );
  terminal.close();
  await world.bench.until(() =>
    world.bench.processes().every((pid) => !/cli\.cjs claude|^tail -f|bin\/claude/.test(commandOf(pid))),
  );
  expect(await world.pending()).toEqual(['A a']);
  expect((await world.run(['ps', '--json'])).out).toContain('"processes":[]');
  expect((await world.run(['log'])).out).not.toContain('running');
});

test('an installed plugin answers once, and its settings stay as they are', async () => {
  const world = await World.open({ scenarios: { work: [bash('echo one > a')] } });
  await install(world.bench, await clone(world.bench));
  const settings = () => readFileSync(path.join(world.bench.home, '.claude/settings.json'), 'utf8');
  const before = settings();
  const run = await world.claude('work');
  const said = run.out
    .split('\n')
    .filter((line) => line.includes('hook_response') && line.includes('stays pending until you commit'));
  expect(said).toHaveLength(1);
  expect(settings()).toBe(before);
  expect(await world.pending()).toEqual(['A a']);
  expect(((await world.run(['log'])).out.match(/echo one/g) ?? []).length).toBe(1);
});

test('a question of the client is answered from outside, by the user alone', async () => {
  const world = await World.open({
    settings: {},
    scenarios: { work: [bash('mkdir d; : > d/made'), bash('trai answer 2 y; : > second')] },
  });
  world.bench.write('.config/trai/config.json', JSON.stringify({ rules: { headlessSeconds: 600 } }));
  const run = world.claude('work');
  const listed = async (subject: string): Promise<boolean> =>
    (await world.run(['answer', '--list'])).out.includes(subject);
  await world.bench.until(() => listed('d/made'));
  expect((await world.run(['answer', '1', 'once'])).out).toBe('Allowed, once.\n');
  await world.bench.until(() => listed('second'));
  expect((await world.run(['answer', '2', 'n', '--message', 'not that'])).code).toBe(0);
  const { results } = await run;
  expect(results.map(({ error }) => error)).toEqual([false, true]);
  expect(results[1]?.text).toContain('not that');
  expect((await world.pending()).join()).toContain('made');
});
