import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { CLAUDE_ID, event, HookBench } from './hook.testing.ts';

const open: HookBench[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close();
});
function makeBench(name?: string): HookBench {
  const bench = new HookBench(name);
  open.push(bench);
  return bench;
}
const BLOCK = ['PreToolUse'];
const ECHO = `let body = ''; for await (const c of process.stdin) body += c;
console.log(JSON.stringify({ argv: process.argv.slice(2), body, session: process.env.TRAI_SESSION }));`;

/** The pid of a process that has ended. */
async function ended(): Promise<number | undefined> {
  const child = spawn('true');
  await once(child, 'close');
  return child.pid;
}

function asNobody() {
  return spawn('sleep', ['1000'], { uid: 65534, stdio: 'ignore' });
}

describe('with a server', () => {
  test.each([
    ['0\nout\n{"systemMessage":"x"}\n', { code: 0, out: '{"systemMessage":"x"}\n', err: '' }],
    ['2\nerr\ntrai: no\nwhy\n', { code: 2, out: '', err: 'trai: no\nwhy\n' }],
    ['0\nout\n', { code: 0, out: '', err: '' }],
    ['0\nout\n%s \\n $HOME `id`', { code: 0, out: '%s \\n $HOME `id`', err: '' }],
  ])('the answer %j is printed as it is', async (answer, expected) => {
    const bench = makeBench();
    bench.session();
    await bench.serve(`{proof}\n${answer}`);
    expect(await bench.hook(BLOCK)).toEqual(expected);
  });

  test('no program is started, so an empty PATH does not matter', async () => {
    const bench = makeBench();
    bench.session();
    await bench.serve('{proof}\n0\nout\nfine');
    expect(await bench.hook(BLOCK, event(), { PATH: '/nonexistent' })).toEqual({
      code: 0,
      out: 'fine',
      err: '',
    });
  });

  test('what the server gets names the session, what was found of the env file, and the credential', async () => {
    const bench = makeBench('a b\'c"d');
    bench.session();
    await bench.serve('{proof}\n0\nout\n');
    await bench.hook(BLOCK);
    expect(bench.asked[0]).toMatchObject({
      event: 'PreToolUse',
      headers: { 'authorization': 'Bearer SECRET-h', 'x-trai-session': 'mine', 'x-trai-env': 'ok' },
    });
  });

  test('any body arrives byte for byte', async () => {
    const bench = makeBench();
    await bench.serve('{proof}\n0\nout\n');
    const bytes = fc.uint8Array({ min: 1, maxLength: 4000 }).map((array) => Buffer.from(array));
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        bench.asked.length = 0;
        await bench.hook(['PostToolUse'], body);
        expect(bench.asked[0]?.body.equals(body)).toBe(true);
      }),
      { numRuns: 25 },
    );
    const large = Buffer.alloc(1_500_000, 'é\n');
    await bench.hook(['PostToolUse'], large);
    expect(bench.asked.at(-1)?.body.equals(large)).toBe(true);
  });

  test.each([
    ['ok', (_file: string) => undefined],
    ['missing', (file: string) => rmSync(file)],
    ['changed', (file: string) => writeFileSync(file, 'if true; then :; fi # trai:mynE\n')],
    ['changed', (file: string) => writeFileSync(file, 'if true; then :; fi # trai:mine\n\n')],
    ['changed', (file: string) => writeFileSync(file, '')],
  ])('the env file is reported as %s', async (expected, damage) => {
    const bench = makeBench();
    damage(bench.session());
    await bench.serve('{proof}\n0\nout\n');
    await bench.hook(BLOCK);
    expect(bench.asked[0]?.headers['x-trai-env']).toBe(expected);
  });

  test('an empty env file is never reported as ok', async () => {
    const bench = makeBench();
    bench.session('');
    await bench.serve('{proof}\n0\nout\n');
    await bench.hook(BLOCK);
    expect(bench.asked[0]?.headers['x-trai-env']).toBe('changed');
  });
});

describe('an answer that is not believed leads to the Node path', () => {
  test.each([
    ['a wrong proof', 'PROOF-1_y\n0\nout\nforged', undefined],
    ['no proof', '0\nout\nforged', undefined],
    ['a status that no hook has', '{proof}\n7\nout\nforged', undefined],
    ['an unknown stream', '{proof}\n0\nfile\nforged', undefined],
    ['a connection that breaks in the middle', '{proof}\n0\nout\nforged', 4000],
    ['a server that hangs', null, undefined],
    ['a server that is killed', null, 'reset'],
    ['a port on which somebody talks without an end', null, 'flood'],
  ] as const)('%s', async (_what, raw, length) => {
    const bench = makeBench();
    bench.session();
    bench.fallback(ECHO);
    await bench.serve(raw, length);
    const ran = await bench.hook(BLOCK);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(JSON.parse(ran.out)).toEqual({
      argv: ['hook', 'PreToolUse'],
      body: `${event()}\n`,
      session: 'mine',
    });
  });

  const HIDDEN = 'the prompt that nobody else may see';
  test.each([
    ['no proof', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a wrong proof', 'HTTP/1.1 100 Continue\r\nProof: PROOF-1_y\r\n\r\n'],
    ['the answer at once', 'HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\nPROOF-1_x\n0\nout\nforged'],
    ['half of a proof', 'HTTP/1.1 100 Continue\r\nProof: PROOF'],
  ])('whoever shows %s gets nothing of the event', async (_what, interim) => {
    const bench = makeBench();
    bench.session();
    bench.fallback(ECHO);
    await bench.serve('{proof}\n0\nout\nforged', undefined, { interim });
    const ran = await bench.hook(['UserPromptSubmit'], event({ prompt: HIDDEN }));
    expect(JSON.parse(ran.out).argv).toEqual(['hook', 'UserPromptSubmit']);
    expect(bench.heads).toHaveLength(1);
    expect(JSON.stringify(bench.heads) + Buffer.concat(bench.bytes).toString()).not.toContain(HIDDEN);
    expect(bench.asked).toEqual([]);
  });

  test.each([
    ['has ended', async () => (await ended()) ?? 0],
    ['is another user’s', async () => 1],
  ])('nobody is asked on the port of a server that %s', async (what, pidOf) => {
    const bench = makeBench();
    bench.session();
    bench.fallback(ECHO);
    // root owns all processes but those of others.
    const other = what === 'has ended' || process.getuid?.() !== 0 ? null : asNobody();
    await bench.serve('{proof}\n0\nout\nforged', undefined, { pid: other?.pid ?? (await pidOf()) });
    const ran = await bench.hook(BLOCK);
    other?.kill();
    expect(JSON.parse(ran.out).argv).toEqual(['hook', 'PreToolUse']);
    expect(bench.connections).toBe(0);
  });

  test('a server.json of somebody else is not read', async (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a file to somebody else');
    const bench = makeBench();
    await bench.serve('{proof}\n0\nout\nforged');
    bench.fallback(ECHO);
    execFileSync('chown', ['65534', path.join(bench.state, 'server.json')]);
    expect((await bench.hook(BLOCK)).out).not.toBe('forged');
  });
});

describe('without server and Node', () => {
  test('a Bash call is refused with what was expected, found and to be done', async () => {
    const bench = makeBench();
    const ran = await bench.hook(BLOCK);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toMatch(
      /not run[\s\S]*Expected: .*Node 20.19[\s\S]*Found: no server[\s\S]*\/trai:doctor/,
    );
  });

  test('a Node that crashes refuses the call, since the client takes status 1 for "go on"', async () => {
    const bench = makeBench();
    bench.fallback('process.exit(1)');
    expect((await bench.hook(BLOCK)).code).toBe(2);
  });

  test.each(['PostToolUse', 'PreToolUse', 'SessionEnd', 'UserPromptSubmit'])(
    '%s goes on silently and leaves a line in the error log',
    async (name) => {
      const bench = makeBench();
      const env = { ANTHROPIC_API_KEY: 'sk-very-secret' };
      expect(await bench.hook([name], event({ tool_name: 'Read' }), env)).toEqual({
        code: 0,
        out: '',
        err: '',
      });
      const log = readFileSync(path.join(bench.state, 'hook-errors.log'), 'utf8');
      expect(log).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z ${name}: no server is running`));
      expect(log).not.toContain('sk-very-secret');
    },
  );

  test('nothing is on the port that server.json names', async () => {
    const bench = makeBench();
    bench.put('server.json', `{"v":1,"pid":${process.pid},"port":1,"hook":"a","proof":"b"}`);
    expect((await bench.hook(BLOCK)).err).toContain('nothing listens on port 1');
  });
});

test('a session that is turned off lets the call run, visibly', async () => {
  const bench = makeBench();
  bench.session();
  bench.put('sessions/mine/off', 'the "client" is too old\n');
  const ran = await bench.hook(BLOCK);
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.out).systemMessage).toContain('off for this session: the "client" is too old.');
});

test('the end of a session takes the line out, but not when another client resumed the session', async () => {
  const bench = makeBench();
  const line = 'if true; then :; fi # trai:mine\n';
  const file = bench.session(line);
  await bench.serve('{proof}\n0\nout\n');
  await bench.hook(['SessionEnd'], event(), { CLAUDE_PID: String(process.pid) });
  expect(readFileSync(file, 'utf8')).toBe(line);
  const stat = readFileSync(`/proc/${process.pid}/stat`, 'latin1');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const record = readFileSync(
    path.join(bench.state, 'claude-env', readdirSync(path.join(bench.state, 'claude-env'))[0] ?? ''),
    'utf8',
  );
  bench.put(
    'claude-env/0c0ffee0-1111-4222-8333-444455556666',
    record.replace('1.1', `${process.pid}.${start}`),
  );
  await bench.hook(['SessionEnd'], event(), { CLAUDE_PID: String(process.pid) });
  expect(readFileSync(file, 'utf8')).toBe('');
});

describe('a tool that trai itself does not look at', () => {
  const FETCH = event({
    tool_name: 'WebFetch',
    tool_input: { url: 'https://a.example/', tool_name: 'Read' },
  });
  const NONE = { code: 0, out: '', err: '' };
  function marked(lines: readonly string[]): HookBench {
    const bench = makeBench();
    bench.session();
    bench.put('sessions/mine/rules.about', `${lines.join('\n')}\n`);
    return bench;
  }

  test.each([
    ['no rules', ['about=', 'stops='], 0],
    ['rules about other tools', ['about=(^Agent$)|(^mcp__)', 'stops=(^mcp__)'], 0],
    ['names of other tools', ['about=(^Web$)|(^Fetch$)|(^WebFetchMore$)', 'stops='], 0],
    ['its name', ['about=(^Agent$)|(^WebFetch$)', 'stops='], 1],
    ['the begin of its name', ['about=(^Agent$)|(^Web)', 'stops='], 1],
    ['a part of its name', ['about=Fetch|(^Agent$)', 'stops='], 1],
    ['a rule about it', ['about=(^Web(Fetch|Search)$)', 'stops='], 1],
    ['a rule about all tools', ['about=.', 'stops='], 1],
    ['a pattern that bash cannot use', ['about=(', 'stops='], 1],
    ['no marker', null, 1],
  ] as const)('with %s', async (_what, lines, asked) => {
    const bench = lines === null ? makeBench() : marked(lines);
    if (lines === null) bench.session();
    await bench.serve('{proof}\n0\nout\nasked');
    expect(await bench.hook(BLOCK, FETCH)).toEqual(asked === 1 ? { ...NONE, out: 'asked' } : NONE);
    expect(bench.connections).toBe(asked);
  });

  test('is asked about again when a file of the marker is newer, gone, or new', async () => {
    const bench = marked([]);
    await bench.serve('{proof}\n0\nout\nasked');
    const [there, missing] = [bench.put('there.json', '{}'), path.join(bench.state, 'missing.json')];
    bench.put('sessions/mine/rules.about', `about=\nstops=\n+1 ${there}\n-${missing}\n`);
    expect(await bench.hook(BLOCK, FETCH)).toEqual(NONE);
    utimesSync(there, new Date(Date.now() + 5_000), new Date(Date.now() + 5_000));
    expect((await bench.hook(BLOCK, FETCH)).out).toBe('asked');
    utimesSync(there, 1, 1);
    expect(await bench.hook(BLOCK, FETCH)).toEqual(NONE);
    symlinkSync('/nonexistent', missing);
    expect((await bench.hook(BLOCK, FETCH)).out).toBe('asked');
    rmSync(missing);
    rmSync(there);
    expect((await bench.hook(BLOCK, FETCH)).out).toBe('asked');
  });

  test('is asked about when the marker cannot be read, whatever the environment has', async (ctx) => {
    if (process.getuid?.() === 0) ctx.skip('root reads everything');
    const bench = marked(['about=', 'stops=']);
    await bench.serve('{proof}\n0\nout\nasked');
    chmodSync(path.join(bench.state, 'sessions/mine/rules.about'), 0);
    expect((await bench.hook(BLOCK, FETCH, { lines: 'about=' })).out).toBe('asked');
  });

  test('without server and Node is refused only where a rule may deny it or ask about it', async () => {
    const codes = async (bench: HookBench, ...tools: string[]) => {
      const ran = tools.map((tool_name) => bench.hook(BLOCK, event({ tool_name })));
      return (await Promise.all(ran)).map(({ code }) => code);
    };
    const bench = marked(['about=(^Web)|(^Read$)|(^mcp__)', 'stops=(^WebFetch$)|(^Read$)']);
    expect(await codes(bench, 'WebFetch', 'WebSearch', 'mcp__a__b', 'Read', 'Edit', 'Bash')).toEqual([
      2, 0, 0, 2, 0, 2,
    ]);
    expect((await bench.hook(BLOCK, FETCH)).err).toContain('whether a permission rule allows it');
  });

  test('without server, Node and marker is refused where there is any rule file', async () => {
    const bench = makeBench();
    const config = path.join(bench.dir, 'config');
    const run = () =>
      bench.hook(BLOCK, FETCH, { XDG_CONFIG_HOME: config, CLAUDE_PROJECT_DIR: `${bench.dir}/p` });
    expect((await run()).code).toBe(0);
    for (const file of [
      'config/trai/rules.json',
      'p/.claude/trai.rules.imported.json',
      '.claude/trai.rules.json',
    ]) {
      mkdirSync(path.dirname(path.join(bench.dir, file)), { recursive: true });
      writeFileSync(path.join(bench.dir, file), '{');
      expect((await run()).code).toBe(2);
      rmSync(path.join(bench.dir, file));
    }
  });

  test.each([
    ['no name', event({ tool_name: undefined, tool_input: { tool_name: 'Nothing' } })],
    [
      'a name only in its input',
      `{"session_id":"${CLAUDE_ID}","tool_input":{"tool_name":"x"},"tool_name":"Bash"}`,
    ],
    ['a name after much else', event({ cwd: 'x'.repeat(9_000), tool_name: 'WebFetch' })],
  ])('with %s is asked about, and refused when nobody answers', async (_what, body) => {
    const bench = marked(['about=', 'stops=']);
    expect((await bench.hook(BLOCK, body)).code).toBe(2);
    await bench.serve('{proof}\n0\nout\nasked');
    expect((await bench.hook(BLOCK, body)).out).toBe('asked');
  });

  test('in one world, without a server, goes on or is refused by the rules, and so is one that is not known', async () => {
    const bench = makeBench();
    bench.session();
    bench.put('inside/host/rules', '');
    for (const name of ['claude', 'claude-env'])
      renameSync(path.join(bench.state, name), path.join(bench.state, 'inside', name));
    const codes = async (stops: string) => {
      bench.put('inside/sessions/mine/rules.about', `about=.\nstops=${stops}\n`);
      const bodies = ['Bash', 'WebFetch', undefined].map((tool_name) => event({ tool_name }));
      return (await Promise.all(bodies.map((body) => bench.hook(BLOCK, body)))).map(({ code }) => code);
    };
    expect(await codes('')).toEqual([0, 0, 0]);
    expect(await codes('^WebFetch$')).toEqual([0, 2, 2]);
  });
});

describe('hooks.json', () => {
  interface Handler {
    command: string;
    args?: string[];
    onFailure?: string;
  }
  const { hooks } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'hooks.json'), 'utf8')) as {
    hooks: Record<string, { matcher?: string; hooks: Handler[] }[]>;
  };
  const handlers = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));

  test('on a client that does not know `args`, no handler is an interpreter that would run the event itself', () => {
    // Such a client starts `command` alone with the event on stdin: bash would run the JSON.
    for (const handler of handlers.filter((one) => one.args !== undefined))
      expect(handler.command).toBe('nohup');
    expect(() => execFileSync('nohup', [], { input: '$(touch /tmp/x)', stdio: 'pipe' })).toThrow();
  });

  const toolsOf = (event: string) => (hooks[event] ?? []).map((group) => group.matcher?.split('|') ?? []);

  test('every tool passes PreToolUse once, and a hook that dies stops it: a rule may deny any tool', () => {
    expect(hooks['PreToolUse']).toMatchObject([{ hooks: [{ onFailure: 'block' }] }]);
    expect(hooks['PreToolUse']?.[0]).not.toHaveProperty('matcher');
    const closed = handlers.filter((handler) => handler.onFailure !== undefined);
    expect(closed).toHaveLength(1);
  });

  test('no tool is matched twice: the second answer would be for a request that is answered', () => {
    for (const event of ['PostToolUse', 'PostToolUseFailure']) {
      const tools = toolsOf(event).flat();
      expect(tools.length, event).toBeGreaterThan(0);
      expect([...new Set(tools)], event).toEqual(tools);
      // The client takes anything but names and bars for a regular expression.
      for (const tool of tools) expect(tool).toMatch(/^([A-Za-z]+|\^mcp__)$/);
    }
  });
});

describe('a slash command of ours', () => {
  const typed = (name = 'trai:commit', more: Record<string, unknown> = {}) =>
    event({ hook_event_name: 'UserPromptExpansion', command_name: name, ...more });
  function program(bench: HookBench, text: string): void {
    mkdirSync(path.join(bench.root, 'bin'));
    writeFileSync(path.join(bench.root, 'bin/trai'), text);
  }
  const said = (reason: string) => ({
    code: 0,
    out: `${JSON.stringify({ decision: 'block', reason })}\n`,
    err: '',
  });

  test('is run here, and the user gets its answer, whoever says that it may', async () => {
    const bench = makeBench('a b\'c"d');
    bench.session();
    program(bench, 'printf \'{"decision":"block","reason":"%s %s"}\\n\' "$*" "$CLAUDE_CODE_SESSION_ID"\n');
    const answer = said(`commit --from-prompt --answer ${CLAUDE_ID}`);
    await bench.serve('{proof}\n0\nrun\n');
    expect(await bench.hook(['UserPromptExpansion'], typed())).toEqual(answer);
    const other = makeBench();
    other.session();
    program(other, 'printf \'{"decision":"block","reason":"%s %s"}\\n\' "$*" "$CLAUDE_CODE_SESSION_ID"\n');
    other.fallback('process.exitCode = 3;');
    expect(await other.hook(['UserPromptExpansion'], typed())).toEqual(answer);
    rmSync(path.join(other.state, 'node'));
    expect(await other.hook(['UserPromptExpansion'], typed())).toEqual(answer);
  });

  test.each([
    [
      'says what it found instead of an answer',
      'echo "no \\"Node\\""; echo here >&2; exit 1',
      'no "Node"\nhere',
    ],
    ['dies without a word', 'kill -9 $$', 'trai: /trai:commit ended without a word.'],
    ['says something first', 'echo warned; echo \'{"decision":"block","reason":"x"}\'', 'x'],
  ])('whose program %s', async (_what, text, reason) => {
    const bench = makeBench();
    bench.session();
    program(bench, `${text}\n`);
    await bench.serve('{proof}\n0\nrun\n');
    expect(await bench.hook(['UserPromptExpansion'], typed())).toEqual(said(reason));
  });

  test.each([
    ['another plugin', typed('other:commit')],
    ['a name in a text', typed('other:x', { command_args: '"command_name":"trai:commit"' })],
    ['no command', event({ hook_event_name: 'UserPromptExpansion' })],
  ])('is not taken for one: %s', async (_what, body) => {
    const bench = makeBench();
    bench.session();
    program(bench, 'echo ran\n');
    await bench.serve('{proof}\n0\nrun\n');
    expect(await bench.hook(['UserPromptExpansion'], body)).toEqual({ code: 0, out: '', err: '' });
  });
});

describe('PermissionRequest', () => {
  const ASKED = ['PermissionRequest'];
  const SILENT = { code: 0, out: '', err: '' };
  const ANSWER =
    '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}';

  test('says what the server says, and how the client was started', async () => {
    const bench = makeBench();
    bench.session();
    await bench.serve(`{proof}\n0\nout\n${ANSWER}\n`);
    const env = { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli', CLAUDE_PID: String(process.pid) };
    expect(await bench.hook(ASKED, event(), env)).toEqual({ ...SILENT, out: `${ANSWER}\n` });
    expect(bench.asked[0]).toMatchObject({
      event: 'PermissionRequest',
      headers: {
        'x-trai-session': 'mine',
        'x-trai-entry': 'sdk-cli',
        'x-trai-claude-pid': String(process.pid),
      },
    });
  });

  test.each([
    ['there is no server', undefined, undefined],
    ['the server is killed while it waits', null, 'reset'],
    ['another program has its port', `PROOF-1_y\n0\nout\n${ANSWER}`, undefined],
    ['the answer breaks off', `{proof}\n0\nout\n${ANSWER}`, 4000],
  ] as const)('says nothing, and starts no Node, where %s', async (_what, raw, length) => {
    const bench = makeBench();
    bench.session();
    bench.fallback(`process.stdout.write('node was here');`);
    if (raw !== undefined) await bench.serve(raw, length);
    expect(await bench.hook(ASKED)).toEqual(SILENT);
  });

  test('says nothing where trai is off', async () => {
    const bench = makeBench();
    bench.session();
    bench.put('sessions/mine/off', 'because\n');
    await bench.serve(`{proof}\n0\nout\n${ANSWER}\n`);
    expect(await bench.hook(ASKED)).toEqual(SILENT);
    expect(bench.connections).toBe(0);
  });

  test('an MCP tool’s end reaches the server only while a question is open', async () => {
    const bench = makeBench();
    bench.session();
    await bench.serve('{proof}\n0\nout\n');
    const afterCall = () => bench.hook(['PostToolUse'], event({ tool_name: 'mcp__a__b' }));
    await afterCall();
    expect(bench.asked).toEqual([]);
    bench.put('sessions/mine/questions/q1.json', '{}');
    await afterCall();
    expect(bench.asked).toHaveLength(1);
  });
});
