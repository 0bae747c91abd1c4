import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGrant } from '../../../core/session/grants.ts';
import { TestClient } from '../../../testing/server/client.ts';
import {
  listOf,
  PROGRAM,
  rawRequest,
  statusOf,
  type TestServer,
  testServer,
} from '../../../testing/server/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

let count = 0;
async function started(): Promise<TestClient> {
  const client = new TestClient(t, `session-${++count}`);
  const answer = await client.start();
  expect(answer, `SessionStart: ${answer.text} ${String(t.reported[0])}`).toMatchObject({
    exit: '0',
    stream: 'out',
  });
  return client;
}

describe('SessionStart', () => {
  it('makes the session, tells the user one line and the agent what it must know', async () => {
    const client = new TestClient(t, 'begins');
    const answer = JSON.parse((await client.start()).text);
    expect(answer.systemMessage).toMatch(/^trai: [^\n]*$/);
    expect(answer.hookSpecificOutput.hookEventName).toBe('SessionStart');
    expect(answer.hookSpecificOutput.additionalContext).toContain('pending until the user commits');
    const meta = JSON.parse(readFileSync(path.join(t.state, 'sessions/begins/meta.json'), 'utf8'));
    expect(meta.claude).toMatchObject([{ id: 'begins', source: 'startup' }]);
    expect(await (await t.api('/api/sessions')).json()).toMatchObject([
      { id: 'begins', calls: 0, off: null },
    ]);
  });

  it('again for the same session changes nothing', async () => {
    const client = await started();
    await client.start('resume');
    const meta = JSON.parse(readFileSync(path.join(t.state, `sessions/${client.id}/meta.json`), 'utf8'));
    expect(meta.claude).toHaveLength(1);
  });

  it('names an earlier session of the project that has pending changes', async () => {
    const earlier = await started();
    await earlier.bash('echo one > earlier.txt');
    const later = new TestClient(t, 'later');
    expect(JSON.parse((await later.start()).text).systemMessage).toContain(
      `session ${earlier.id} has 1 pending change: /trai:adopt ${earlier.id} continues with it`,
    );
  });
});

describe('a Bash call', () => {
  it('is recorded, sandboxed, attributed and pending; the host has nothing of it', async () => {
    const client = await started();
    const ran = await client.bash('echo hello > new.txt; cat new.txt');
    expect(ran).toMatchObject({ rc: 0, stdout: 'hello\n' });
    expect(existsSync(path.join(t.project, 'new.txt'))).toBe(false);
    expect(await client.log()).toMatchObject([
      {
        command: 'echo hello > new.txt; cat new.txt',
        mode: 'sandbox',
        state: 'ended',
        rc: 0,
        head: '',
      },
    ]);
    const [call] = await client.log();
    // The list leaves outputs out.
    const whole = await t.api(`/api/sessions/${client.id}/call?call=${String(call?.['id'])}`);
    expect(JSON.parse(await whole.text())).toMatchObject({ rc: 0, head: 'hello\n' });
    const list = await listOf(t, client);
    expect(list.changes.map((change) => change.path)).toContain(path.join(t.project, 'new.txt'));
  });

  it.each(['touch a; ', 'touch a\n'])(
    'after `%s` has errors with the line that a shell without us names',
    async (first) => {
      const client = await started();
      await client.bash(`${first}true`);
      const command = `${first}nonexistent-1\nnonexistent-2`;
      const { stderr } = await client.bash(command);
      const plain = spawnSync('/bin/bash', ['-c', `: && eval '${command}' < /dev/null`], {
        cwd: t.base,
        encoding: 'utf8',
      });
      expect(stderr).toBe(plain.stderr);
    },
  );

  it('that only reads runs on the host while nothing is pending, and in the sandbox from then on', async () => {
    const client = await started();
    await client.bash('ls');
    await client.bash('touch a');
    await client.bash('ls');
    expect((await client.log()).map((call) => call['mode'])).toEqual(['host', 'sandbox', 'sandbox']);
  });

  it('of a passthrough program runs on the host, with a warning that the user sees', async () => {
    const client = await started();
    const request = client.newRequest();
    const answer = await client.pre(request, 'git --version');
    expect(answer.exit).toBe('0');
    expect(JSON.parse(answer.text).systemMessage).toContain('git');
    await client.shell('git --version');
    expect(await client.log()).toMatchObject([{ mode: 'host', reason: 'passthrough' }]);
  });

  it.each(['missing', 'changed', ''])('is refused when the env file is "%s"', async (env) => {
    const client = await started();
    const answer = await client.pre(client.newRequest(), 'echo', {}, { 'x-trai-env': env });
    expect(answer).toMatchObject({ exit: '2', stream: 'err' });
    expect(answer.text).toContain('env file');
  });

  it('that names a file in scratch with other names is marked: they may be covered', async () => {
    const client = await started();
    const dir = mkdtempSync('/tmp/trai-links-');
    try {
      for (const name of ['alone', 'one']) writeFileSync(path.join(dir, name), '');
      linkSync(path.join(dir, 'one'), path.join(dir, 'other'));
      for (const name of ['alone', 'missing', 'one']) await client.bash(`sh -c : ; echo x >> ${dir}/${name}`);
      const texts = (await client.log()).map((call) => String(call['text']));
      expect(texts.map((text) => text.includes('hard links'))).toEqual([false, false, true]);
      expect(texts[2]).toContain(`${dir}/one`);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('of a session that nobody set up is refused', async () => {
    expect(await new TestClient(t, 'unknown').pre('r1', 'echo')).toMatchObject({ exit: '2' });
  });

  it('of trai’s own program is refused, at the request and at the launcher', async () => {
    const client = await started();
    expect(await client.pre(client.newRequest(), `${PROGRAM} commit`)).toMatchObject({ exit: '2' });
    const ran = await client.shell(`${PROGRAM} commit --from-prompt`);
    expect(ran.rc).toBe(125);
    expect(ran.stderr).toContain('/trai');
  });

  it('that was denied is closed by the batch, so that no later command is taken for it', async () => {
    const client = await started();
    const request = client.newRequest();
    await client.pre(request, 'echo denied');
    await client.batch([{ request, command: 'echo denied' }]);
    await client.shell('echo denied');
    const states = (await client.log()).map((call) => call['state']);
    expect(states).toEqual(['not-run', 'ended']);
  });

  it('that equals one that is open gets leading blanks, with the rest of its input repeated', async () => {
    const client = await started();
    const [first, second, third] = [client.newRequest(), client.newRequest(), client.newRequest()];
    expect((await client.pre(first, 'sleep 0')).text).not.toContain('updatedInput');
    const answer = JSON.parse((await client.pre(second, 'sleep 0', { timeout: 5, description: 'd' })).text);
    expect(answer.hookSpecificOutput.updatedInput).toEqual({
      command: ' sleep 0',
      timeout: 5,
      description: 'd',
    });
    expect(
      JSON.parse((await client.pre(third, 'sleep 0')).text).hookSpecificOutput.updatedInput.command,
    ).toBe('  sleep 0');
    await client.shell('  sleep 0');
    const claimed = JSON.parse(
      readFileSync(path.join(t.state, `sessions/${client.id}/requests/taken.${third}`), 'utf8'),
    );
    expect(claimed.call).not.toBe('');
  });

  it('that another plugin rewrote is decided on the text that runs, and found again', async () => {
    const client = await started();
    const request = client.newRequest();
    await client.pre(request, 'git status');
    const ran = await client.shell('rtk() { "$@"; }; rtk git --version');
    await client.post(request, 'git status', ran);
    expect(ran.rc).toBe(0);
    expect(await client.log()).toMatchObject([
      { mode: 'sandbox', state: 'ended', command: 'rtk() { "$@"; }; rtk git --version' },
    ]);
  });
});

describe('a call outside the sandbox', () => {
  it('is caught: shown, told, and no further call is let through', async () => {
    const client = await started();
    const request = client.newRequest();
    await client.pre(request, 'make');
    const told = await client.post(request, 'make', { rc: 0, stdout: 'built', stderr: '' });
    expect(JSON.parse(told.text).systemMessage).toContain('NOT SANDBOXED');
    expect(await client.log()).toMatchObject([{ state: 'unsandboxed' }]);
    expect(await client.pre(client.newRequest(), 'ls')).toMatchObject({ exit: '2' });
    expect(await t.api(`/api/sessions/${client.id}`).then((answer) => answer.json())).toMatchObject({
      caught: true,
    });
  });

  it('is not what a launcher says that could not run anything', async () => {
    const client = await started();
    const request = client.newRequest();
    await client.pre(request, 'make');
    await client.post(request, 'make', {
      rc: 125,
      stdout: '',
      stderr: 'trai: the launcher is gone. Nothing of the command was run.',
    });
    expect(await client.log()).toMatchObject(
      [{ state: 'requested' }].map(() => expect.not.objectContaining({ state: 'unsandboxed' })),
    );
  });

  it('is not a background call whose launcher comes after the Post event', async () => {
    const client = await started();
    const request = client.newRequest();
    await client.pre(request, 'echo late', { run_in_background: true });
    await client.post(request, 'echo late', { rc: 0, stdout: '', stderr: '' }, { run_in_background: true });
    await client.shell('echo late');
    await expect.poll(async () => (await client.log())[0]).toMatchObject({ state: 'ended', ok: true });
  });
});

describe('other tools', () => {
  const tool = (client: TestClient, tool_name: string, tool_input: object) =>
    client.send('PreToolUse', { tool_name, tool_use_id: client.newRequest(), tool_input });

  it.each([
    ['Skill', { skill: 'trai:commit' }],
    ['Skill', { skill: '/trai:ui' }],
    ['Skill', { command: 'trai:discard', args: '' }],
    ['SlashCommand', { command: '/trai:commit --yes' }],
  ])('%s %o is refused', async (name, input) => {
    expect(await tool(await started(), name, input)).toMatchObject({ exit: '2' });
  });

  it('Skill of another plugin is not', async () => {
    const answer = await tool(await started(), 'Skill', { skill: 'other:thing' });
    expect(answer.exit).toBe('0');
    expect(JSON.parse(answer.text).hookSpecificOutput.permissionDecision).toBe('allow');
  });

  it.each([
    ['Read', (s: string) => ({ file_path: `${s}/server.json` })],
    ['Write', (s: string) => ({ file_path: `${s}/sessions/x/grants/permit.1` })],
    ['Edit', (s: string) => ({ file_path: `${s}/../state/server.json` })],
    ['NotebookEdit', (s: string) => ({ notebook_path: `${s}/a.ipynb` })],
    ['Grep', (s: string) => ({ pattern: 'x', path: s })],
    ['Glob', (s: string) => ({ pattern: `${s}/**` })],
    ['LS', (s: string) => ({ path: `${s}/sessions` })],
  ])('%s in the state directory is refused', async (name, input) => {
    const answer = await tool(await started(), name, input(t.state));
    expect(answer).toMatchObject({ exit: '2' });
    expect(answer.text).not.toContain(t.server.hook);
  });

  it('Read through a symbolic link into the state directory is refused', async () => {
    const link = path.join(t.project, 'innocent');
    symlinkSync(t.state, link);
    expect(await tool(await started(), 'Read', { file_path: `${link}/server.json` })).toMatchObject({
      exit: '2',
    });
  });

  it('Write to trai’s config is refused, to the project not', async () => {
    const client = await started();
    const config = path.join(process.env['HOME'] ?? '/', '.config/trai/config.json');
    expect(await tool(client, 'Write', { file_path: config })).toMatchObject({ exit: '2' });
    expect(await tool(client, 'Write', { file_path: path.join(t.project, 'a') })).toMatchObject({
      exit: '0',
    });
    expect(await tool(client, 'Grep', { pattern: t.state, path: t.project })).toMatchObject({ exit: '0' });
  });
});

describe('what the user types', () => {
  beforeAll(() => {
    t.reported.length = 0;
  });
  const typed = (client: TestClient, name: string, args = '') =>
    client.send('UserPromptExpansion', {
      expansion_type: 'slash_command',
      command_name: `trai:${name}`,
      command_args: args,
      command_source: 'plugin',
      prompt: `/trai:${name} ${args}`,
    });

  /** The hook script runs bin/trai and answers with its output. */
  const RUN = { exit: '0', stream: 'run', text: '' };

  it('is run by the hook script also where the session is not known: bin/trai says what is missing', async () => {
    expect(await typed(new TestClient(t, 'nobody'), 'doctor')).toEqual(RUN);
  });

  it('is told to the agent, once, at its next turn, and not to a subagent; whoever committed', async () => {
    const client = await started();
    const turn = (fields: object = {}) => client.send('PostToolBatch', { tool_calls: [], ...fields });
    const prompt = (text: string) => client.send('UserPromptSubmit', { prompt: text });
    const context = (text: string) => JSON.parse(text).hookSpecificOutput.additionalContext;
    await client.bash('echo 1 > told-a; echo 2 > told-b');
    const order = async (what: string, more: object) => {
      const { revision } = await listOf(t, client);
      const body = { revision, scope: { kind: 'all' }, ...more };
      const answer = await t.api(`/api/sessions/${client.id}/${what}`, body);
      expect(answer.status, await answer.text()).toBe(200);
    };
    await order('commit', {
      includeIgnored: false,
      conflicts: 'refuse',
      choices: {},
      yes: false,
      typedCount: null,
      noUndo: false,
    });
    expect((await turn({ agent_id: 'sub' })).text).toBe('');
    expect((await prompt('/trai:status')).text).toBe('');
    expect(context((await turn()).text)).toMatch(
      /^trai: the user committed 2 changes \(told-a, told-b\): they are in the user's files now/,
    );
    expect((await turn()).text).toBe('');
    await client.bash('echo 3 > told-c');
    await order('discard', { endProcesses: false });
    expect(context((await prompt('go on')).text)).toMatch(/^trai: the user discarded 1 change \(told-c\)/);
    expect((await prompt('go on')).text).toBe('');
  });

  it.each(['status', 'diff', 'log'])('/trai:%s is answered without a model turn', async (name) => {
    const client = await started();
    await client.bash('echo text > typed.txt');
    const said = await typed(client, name);
    expect(t.reported).toEqual([]);
    const answer = JSON.parse(said.text);
    expect(answer.decision).toBe('block');
    expect(answer.reason).toContain('typed.txt');
  });

  it('an answer drives no terminal, whatever a command or a file has in it', async () => {
    const client = await started();
    await client.bash("echo '\u202e\u001b[2J' > turned.txt; echo '\u202e' > 'turned\u202e'");
    for (const [name, args] of [['log'], ['diff'], ['diff', 'turned.txt'], ['status']] as const) {
      const { reason } = JSON.parse((await typed(client, name, args)).text);
      expect(reason, name).toContain('turned');
      expect(reason, name).not.toMatch(/[\u202e\u001b]/);
    }
  });

  it('/trai:diff with a path, too; with options, or of what is not pending, the program answers', async () => {
    const client = await started();
    await client.bash(
      'mkdir -p below; echo one > below/one.txt; echo other > other.txt; seq 3000 > long.txt',
    );
    for (const wanted of ['below', 'below/one.txt', path.join(t.project, 'below/')]) {
      const { decision, reason } = JSON.parse((await typed(client, 'diff', wanted)).text);
      expect(decision).toBe('block');
      expect(reason).toContain('+one');
      expect(reason).not.toContain('other');
    }
    for (const asked of ['--list', 'nothing.txt', 'long.txt', '"below"', '~/x', 'below other.txt', '*.txt'])
      expect(await typed(client, 'diff', asked), asked).toEqual(RUN);
  });

  it('/trai:status says which pending texts get hidden characters', async () => {
    const client = await started();
    await client.bash("printf 'a\\342\\200\\256b\\n' > turned.ts");
    expect(JSON.parse((await typed(client, 'status')).text).reason).toContain(
      'Worth a look: 1 file with hidden characters',
    );
  });

  it('opens one permit for exactly that command, which the launcher then lets through', async () => {
    const client = await started();
    expect(await typed(client, 'commit', '--yes')).toEqual(RUN);
    const ran = await client.shell(`${PROGRAM} commit --from-prompt`);
    // The program does not exist here; what counts is that it was tried on the host.
    expect(ran.rc).toBe(127);
    expect((await client.shell(`${PROGRAM} discard --from-prompt`)).rc).toBe(125);
  });

  it('as a passthrough is good for the calls of the next prompt, once, and gone with the prompt after that', async () => {
    const client = await started();
    const dir = path.join(t.state, 'sessions', client.id);
    const prompt = () => client.send('UserPromptSubmit', { prompt: 'go on' });
    const modes = async () => (await client.log()).map((call) => call['mode']);
    await openGrant(dir, { kind: 'passthrough' });
    await prompt();
    await client.shell('make --version > /dev/null');
    await client.shell('make --version > /dev/null');
    expect(await modes()).toEqual(['host', 'sandbox']);
    await openGrant(dir, { kind: 'passthrough' });
    await prompt();
    await prompt();
    await client.shell('make --version > /dev/null');
    expect(await modes()).toEqual(['host', 'sandbox', 'sandbox']);
  });

  it('of other plugins, or by other means, opens nothing', async () => {
    const client = await started();
    await client.send('UserPromptExpansion', {
      expansion_type: 'slash_command',
      command_name: 'other:commit',
      command_args: '',
    });
    await client.send('UserPromptExpansion', {
      expansion_type: 'skill',
      command_name: 'trai:commit',
      command_args: '',
    });
    expect((await client.shell(`${PROGRAM} commit --from-prompt`)).rc).toBe(125);
  });
});

describe('the wire', () => {
  it('frames bytes as bash sends them: proof, status, stream, text', async () => {
    const body = Buffer.from(
      JSON.stringify({ session_id: 'wire', tool_name: 'Bash', tool_input: { command: 'echo é' } }),
    );
    const head = `POST /hook/PreToolUse HTTP/1.1\r\nHost: 127.0.0.1:${t.server.port}\r\nAuthorization: Bearer ${t.server.hook}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    const answer = await rawRequest(t.server.port, Buffer.concat([Buffer.from(head), body]));
    const [, text = ''] = answer.split('\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(text.split('\n').slice(0, 3)).toEqual([t.server.proof, '2', 'err']);
    expect(/content-length: (\d+)/i.exec(answer)?.[1]).toBe(String(Buffer.byteLength(text, 'latin1')));
  });

  it.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['no session', '{}'],
    ['deep nesting', `{"session_id":"x","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a prototype key', '{"__proto__":{"session_id":"x"}}'],
  ])('blocks a call when its event is %s', async (_name, body) => {
    const answer = await fetch(`${t.origin}/hook/PreToolUse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.server.hook}` },
      body,
    });
    expect((await answer.text()).split('\n')[1]).toBe('2');
  });

  it.each([
    ['too few fields', 's\x001\0/\0claude\0x'],
    ['too many', 's\x001\0/\0claude\0x\0\0y'],
    ['no pid', 's\0x\0/\0claude\0x\0'],
    ['a relative directory', 's\x001\0a\0claude\0x\0'],
    ['an unknown origin', 's\x001\0/\0model\0x\0'],
    ['an unknown session', 'nobody\x001\0/\0claude\0x\0'],
    ['a session outside', '../x\x001\0/\0claude\0x\0'],
    ['nothing', ''],
  ])('refuses a claim with %s', async (_name, body) => {
    const answer = await fetch(`${t.origin}/claim`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.server.hook}` },
      body,
    });
    const [proof, first] = (await answer.text()).split('\n');
    expect(proof).toBe(t.server.proof);
    expect(first).toMatch(/^refuse [a-z0-9-]+$/);
  });

  it('refuses a body over 4 MB', async () => {
    const body = 'x'.repeat(4 * 1024 * 1024 + 1);
    for (const address of ['/hook/PreToolUse', '/claim']) {
      const answer = await rawRequest(
        t.server.port,
        `POST ${address} HTTP/1.1\r\nHost: 127.0.0.1:${t.server.port}\r\nAuthorization: Bearer ${t.server.hook}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      expect(statusOf(answer)).toBe(413);
    }
  });
});

describe('a session that is turned off', () => {
  it('runs its calls on the host, and every one of them says so', async () => {
    const client = await started();
    await client.bash('true > x');
    writeFileSync(path.join(t.state, `sessions/${client.id}/off`), 'the user turned it off\n');
    expect((await client.shell('true > y')).rc).toBe(0);
    expect((await client.log()).at(-1)).toMatchObject({ mode: 'host', reason: 'session-off' });
  });
});
