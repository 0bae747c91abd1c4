import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readServerFile, type ServerFile, writeServerFile } from '../core/session/server-file.ts';
import { VERSION } from '../core/session/version.ts';
import { copyPlugin } from '../testing/built.ts';
import { readLastPort } from './discovery/server-lock.ts';

let base: string;
let lib: string;
let count = 0;
const children: ChildProcess[] = [];

beforeAll(async () => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'trai-main-')));
  await copyPlugin(path.join(base, 'plugin'));
  lib = path.join(base, 'plugin/lib');
}, 120_000);
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function newState(): string {
  const state = path.join(base, `state-${++count}`);
  mkdirSync(state, { mode: 0o700 });
  return state;
}

function start(
  state: string,
  program = path.join(lib, 'server.mjs'),
  args: readonly string[] = [],
): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { HOME: base, PATH: process.env['PATH'], TRAI_STATE_HOME: state },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  return child;
}

async function listening(state: string, not = 0): Promise<ServerFile> {
  await expect
    .poll(() => existsSync(path.join(state, 'server.json')) && (readServerFile(state)?.pid ?? 0) !== not)
    .toBe(true);
  const file = readServerFile(state);
  if (file === null) throw new Error('expected server.json');
  return file;
}

async function hello(file: ServerFile): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${file.port}/hook/hello`, {
    method: 'POST',
    headers: { authorization: `Bearer ${file.hook}` },
  });
  return await answer.text();
}

describe('the server program', () => {
  it('writes server.json for itself alone, answers with its proof, and takes the file away at its end', async () => {
    const state = newState();
    const child = start(state);
    const file = await listening(state);
    expect(file.pid).toBe(child.pid);
    expect(statSync(path.join(state, 'server.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(state, 'server.json'), 'utf8')).toMatch(/^\{[^\n]*\}\n$/);
    expect((await hello(file)).split('\n')[0]).toBe(file.proof);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(existsSync(path.join(state, 'server.json'))).toBe(false);
  });

  it('runs once for a state directory: a second one leaves at once', async () => {
    const state = newState();
    const first = start(state);
    await listening(state);
    expect(await once(start(state), 'close')).toEqual([0, null]);
    expect(readServerFile(state)?.pid).toBe(first.pid);
  });

  it('takes over from one that was killed', async () => {
    const state = newState();
    const first = start(state);
    const { pid } = await listening(state);
    first.kill('SIGKILL');
    await once(first, 'close');
    start(state);
    expect((await hello(await listening(state, pid))).length).toBeGreaterThan(10);
  });

  it('answers where the one before did, so that open tabs find it; elsewhere when that port is taken', async () => {
    const state = newState();
    const stopped = async (child: ChildProcess): Promise<void> => {
      child.kill('SIGKILL');
      await once(child, 'close');
    };
    const first = start(state);
    const before = await listening(state);
    await stopped(first);
    const second = start(state);
    const after = await listening(state, before.pid);
    expect(after.port).toBe(before.port);
    await stopped(second);
    const squatter = createServer().listen(before.port, '127.0.0.1');
    await once(squatter, 'listening');
    try {
      start(state);
      const third = await listening(state, after.pid);
      expect(third.port).not.toBe(before.port);
      expect((await hello(third)).split('\n')[0]).toBe(third.proof);
    } finally {
      squatter.close();
    }
  });

  it.each(['', '0\n', '80\n', '65536\n', '41000', 'x\n'])('a remembered port of %j is none', async (text) => {
    const state = newState();
    writeFileSync(path.join(state, 'last-port'), text);
    expect(readLastPort(state)).toBe(0);
  });

  it('makes way for a newer version, which then answers', async () => {
    const state = newState();
    const newer = path.join(base, 'newer/lib');
    cpSync(lib, newer, { recursive: true });
    const program = path.join(newer, 'server.mjs');
    const text = readFileSync(program, 'utf8');
    const changed = text.replace(`VERSION = "${VERSION}"`, 'VERSION = "999.0.0"');
    expect(changed).not.toBe(text);
    writeFileSync(program, changed);
    const old = start(state);
    const before = await listening(state);
    start(state, program);
    expect(await once(old, 'close')).toEqual([0, null]);
    const after = await listening(state, before.pid);
    expect(after.version).toBe('999.0.0');
    expect((await hello(after)).split('\n')[0]).toBe(after.proof);
  });

  it('has no credential on its command line, in its environment or in what it writes to stderr', async () => {
    const state = newState();
    const child = start(state);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const file = await listening(state);
    await fetch(`http://127.0.0.1:${file.port}/hook/PreToolUse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${file.hook}` },
      body: '{',
    });
    await expect.poll(() => said).toContain('session_id');
    const seen =
      readFileSync(`/proc/${file.pid}/cmdline`, 'utf8') +
      readFileSync(`/proc/${file.pid}/environ`, 'utf8') +
      said;
    for (const secret of [file.hook, file.proof]) expect(seen).not.toContain(secret);
  });

  it('stays within its memory when idle', async () => {
    const state = newState();
    start(state);
    const file = await listening(state);
    await hello(file);
    const rss = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${file.pid}/status`, 'utf8'))?.[1]);
    console.log(`server RSS idle: ${(rss / 1024).toFixed(1)} MB`);
    expect(rss).toBeLessThan(100 * 1024);
  });
});

describe('server.json', () => {
  const content: ServerFile = { v: 1, pid: 1, port: 1, version: '0', hook: 'h', proof: 'p' };
  const odd: readonly [string, (file: string) => void][] = [
    [
      'a symbolic link',
      (file) => {
        writeFileSync(`${file}.real`, JSON.stringify(content), { mode: 0o600 });
        symlinkSync(`${file}.real`, file);
      },
    ],
    [
      'a file with a second name',
      (file) => {
        writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
        linkSync(file, `${file}.second`);
      },
    ],
    [
      'a file that others can read',
      (file) => {
        writeFileSync(file, JSON.stringify(content));
        chmodSync(file, 0o644);
      },
    ],
    ['a directory', (file) => mkdirSync(file)],
  ];
  it.each(odd)('is not believed when it is %s', (_name, make) => {
    const state = newState();
    make(path.join(state, 'server.json'));
    expect(() => readServerFile(state)).toThrow('expected');
  });

  it('is replaced, never written through: what a link pointed to stays as it was, whatever the umask', () => {
    const state = newState();
    const victim = path.join(state, 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, path.join(state, 'server.json'));
    const umask = process.umask(0);
    writeServerFile(state, content);
    process.umask(umask);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(readServerFile(state)).toEqual(content);
    expect(statSync(path.join(state, 'server.json')).mode & 0o777).toBe(0o600);
  });

  it('is null when it is torn or of another version', () => {
    const state = newState();
    for (const text of [
      '',
      '{"v":1',
      '{"v":2}',
      'null',
      '{"v":1,"pid":1,"port":70000,"version":"","hook":"","proof":""}',
    ]) {
      writeFileSync(path.join(state, 'server.json'), text, { mode: 0o600 });
      expect(readServerFile(state)).toBeNull();
    }
  });
});

describe('the Node path', () => {
  async function run(
    args: readonly string[],
    input: string,
    env: NodeJS.ProcessEnv,
  ): Promise<{ status: number; out: string; err: string }> {
    const child = spawn(process.execPath, [path.join(lib, 'fallback.mjs'), ...args], {
      env: { HOME: base, PATH: process.env['PATH'], ...env },
    });
    children.push(child);
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    child.stdin.end(input);
    const [status] = await once(child, 'close');
    return { status: Number(status), out, err };
  }
  const event = (name: string, fields: object) =>
    JSON.stringify({ session_id: 'f1', cwd: base, hook_event_name: name, ...fields });
  const bash = (command: string) => ({ tool_name: 'Bash', tool_use_id: 'r1', tool_input: { command } });
  const claim = (command: string) =>
    [
      'f1',
      String(process.pid),
      base,
      'claude',
      `: # trai:f1\n: && eval '${command}' < /dev/null && pwd -P >| /tmp/x`,
      '',
    ].join('\0');

  it('makes the session, refuses, lets through and claims, as the server does', async () => {
    const state = newState();
    const env = { TRAI_STATE_HOME: state, TRAI_SESSION: 'f1', TRAI_ENV: 'ok' };
    const began = await run(['hook', 'SessionStart'], event('SessionStart', { source: 'startup' }), env);
    expect(began.status).toBe(0);
    expect(JSON.parse(began.out).systemMessage).toMatch(/^trai: /);
    const refused = await run(['hook', 'PreToolUse'], event('PreToolUse', bash('echo')), {
      ...env,
      TRAI_ENV: 'missing',
    });
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toContain('env file');
    expect(await run(['hook', 'PreToolUse'], event('PreToolUse', bash('make')), env)).toMatchObject({
      status: 0,
      out: '',
    });
    const claimed = await run(['claim'], claim('make'), env);
    const [first, second = ''] = claimed.out.split('\n');
    expect(first).toBe('node');
    expect(second).toMatch(/^sandbox [a-z0-9-]+ \/.*\/plan\/[0-9a-f]+$/);
    expect(existsSync(path.join(second.split(' ')[2] ?? '', 'fstab'))).toBe(true);
    const log = readFileSync(path.join(state, 'sessions/f1/calls.jsonl'), 'utf8');
    expect(log).toContain('"t":"call.decided"');
    expect(log).toContain('"request":"r1","matched":"exact"');
  });

  it('has its open request claimed by a server that starts in between', async () => {
    const state = newState();
    const env = { TRAI_STATE_HOME: state, TRAI_SESSION: 'f1', TRAI_ENV: 'ok' };
    await run(['hook', 'SessionStart'], event('SessionStart', { source: 'startup' }), env);
    await run(['hook', 'PreToolUse'], event('PreToolUse', bash('make all')), env);
    start(state);
    const file = await listening(state);
    const answer = await fetch(`http://127.0.0.1:${file.port}/claim`, {
      method: 'POST',
      headers: { authorization: `Bearer ${file.hook}` },
      body: claim('make all'),
    });
    expect((await answer.text()).split('\n')[1]).toMatch(/^sandbox /);
    expect(readFileSync(path.join(state, 'sessions/f1/calls.jsonl'), 'utf8')).toContain(
      '"request":"r1","matched":"exact"',
    );
  });

  it.each([
    [['claim'], ''],
    [['hook', 'PreToolUse'], '{'],
  ])('never answers with the host when it fails: %j', async (args, input) => {
    const said = await run(args, input, { TRAI_STATE_HOME: newState() });
    expect(said.out).not.toMatch(/^host/m);
    expect(said.out + said.err).toMatch(/refuse|trai: /);
  });
});

describe('a squatter on the port', () => {
  it('gets the hook credential of nobody: the newer server asks only what server.json of this user names', async () => {
    const state = newState();
    const asked: string[] = [];
    const squatter = createServer((request, response) => {
      asked.push(request.headers.authorization ?? '');
      response.end('not the proof\n');
    });
    squatter.listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const address = squatter.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    // Left by a killed server, whose port belongs to another program by now.
    writeServerFile(state, {
      v: 1,
      pid: 1,
      port,
      version: '0.0.1',
      hook: 'old-credential',
      proof: 'old-proof',
    });
    start(state);
    const file = await listening(state, 1);
    expect(file.port).not.toBe(port);
    expect(file.hook).not.toBe('old-credential');
    expect(asked).toEqual([]);
    squatter.close();
  });
});
