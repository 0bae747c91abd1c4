/** The routes by which `bin/trai` starts a client: who may ask, and that nothing is left of what was not done. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { collect, contextsOf, previewGc } from '../../core/jobs/disk.ts';
import { readClientRecord } from '../../core/sandbox/client-door.ts';
import { readPlan } from '../../core/sandbox/prepare/plan-files.ts';
import { VERSION } from '../../core/session/version.ts';
import { ROOT } from '../../scripts/lib/root.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { asksItself } from '../auth/peers/peers.ts';

const isRoot = process.getuid?.() === 0;
let t: TestServer;
let programs: string[];
beforeEach(async () => {
  programs = [path.join(ROOT, 'bin/trai')];
  // Covered, unlike temporary directories: a box needs settings that can be pending.
  t = await testServer({ programs, under: userInfo().homedir });
  mkdirSync(path.join(t.base, 'bin'));
  writeFileSync(path.join(t.base, 'bin/claude'), '#!/bin/sh\n', { mode: 0o755 });
});
afterEach(async () => await t.close());

interface Asked {
  /** In the place of its own number. */
  pid?: number | string;
  /** In the place of the name that it gives itself. */
  name?: string;
  route?: 'start' | 'end';
  words?: readonly string[];
  token?: string;
  env?: NodeJS.ProcessEnv;
  /** A program that runs bash. */
  by?: readonly string[];
  /** Between its head and its body, and before it reads. */
  amid?: string;
  wait?: string;
}

/** The answer to a bash that asks, whole. */
async function ask({
  pid = '$$',
  name = '$own',
  route = 'start',
  words,
  token,
  env,
  by = [],
  amid = '',
  wait = '',
}: Asked): Promise<string> {
  const asked = words ?? [ROOT, 'claude', 'hello'];
  const { port, hook } = t.server;
  const head = [
    `POST /hook/client-${route} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token ?? hook}`,
    'Content-Length: %d',
    'Connection: close',
  ];
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}
    own=trai-$RANDOM; printf %s "$own" >/proc/$$/comm
    set -- "${pid}" "${name}" "$@"
    length=0; for word; do length=$((length + \${#word} + 1)); done
    printf '${head.join('\\r\\n')}\\r\\n\\r\\n' "$length" >&3
    ${amid}
    printf '%s\\0' "$@" >&3
    ${wait}
    cat <&3`;
  const [program = '', ...more] = [...by, '/bin/bash', '-c', script, 'bash', ...asked];
  const child = spawn(program, more, {
    cwd: t.project,
    env: {
      PATH: `${path.join(t.base, 'bin')}:${process.env['PATH']}`,
      HOME: t.home,
      TRAI_STATE_HOME: t.state,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return said;
}

const listed = (name: string): string[] => {
  const dir = path.join(t.state, name);
  return existsSync(dir) ? readdirSync(dir) : [];
};
const left = (): string[] => [...listed('sessions'), ...listed('overlays')];

it('a process of the user gets a session with its record, its plan and a start in its log', async () => {
  const said = await ask({});
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
  expect(said.split('\r\n\r\n')[1]).toMatch(/^\S+\nstarted [0-9a-f-]{36} keep - more 2 -\n/);
  const [session = ''] = listed('sessions');
  const dir = path.join(t.state, 'sessions', session);
  expect(readClientRecord(dir)).toMatchObject({ pid: expect.any(Number), mounted: '' });
  const plan = readPlan(dir);
  // It was made before the session had this place.
  expect(plan?.coveredDirs.map(({ upper }) => path.dirname(path.dirname(upper)))).toContain(`${dir}/overlay`);
  const texts = ['fstab', 'plan.json'].map((name) =>
    readFileSync(path.join(dir, 'plan/current', name), 'utf8'),
  );
  expect(texts.join('')).toContain(`${dir}/inside`.replaceAll(' ', '\\040'));
  expect(texts.join('')).not.toContain('/sessions/.new.');
});

it.each<[string, () => Asked]>([
  ['with the credential of a session', () => ({ token: insideToken() })],
  ['with a wrong one', () => ({ token: 'A'.repeat(43) })],
  ['in the name of another process', () => ({ pid: process.pid })],
  ['in the name of its parent', () => ({ pid: '$PPID' })],
  ['in the name of its parent, with that one’s own', () => ({ pid: '$PPID', name: '$(</proc/$PPID/comm)' })],
  ['with a name that it has not', () => ({ name: 'trai-1' })],
  ['in the name of nobody', () => ({ pid: '-1' })],
  ['in a user namespace of its own', () => ({ by: ['unshare', '--user', '--map-root-user'] })],
  ['in a mount namespace of its own', () => ({ by: ['unshare', '--user', '--map-root-user', '--mount'] })],
  ['of another plugin', () => ({ words: ['/opt/other', 'claude'] })],
  ['with another state directory', () => ({ env: { TRAI_STATE_HOME: `${t.state}2` } })],
  ['with another home', () => ({ env: { HOME: t.base } })],
  ['with another configuration', () => ({ env: { XDG_CONFIG_HOME: t.base } })],
  ['in Claude Code’s own sandbox', () => ({ env: { SANDBOX_RUNTIME: '1' } })],
  ['without the program', () => ({ env: { PATH: '/usr/bin:/bin' } })],
  ['with an option', () => ({ words: [ROOT, 'claude', '--session', 'x'] })],
  ['for a box without --yes', () => ({ words: [ROOT, 'box', '--shell', '--', 'true'] })],
  ['for a box with an option', () => ({ words: [ROOT, 'box', '-y', '--net', 'off'] })],
  ['to continue', () => ({ words: [ROOT, 'claude', '--', '-c'] })],
  ['with another command', () => ({ words: [ROOT, 'exec', '--', 'true'] })],
  ['without a word', () => ({ words: [] })],
])('one %s gets nothing, and nothing is left of it', async (_, asked) => {
  const said = await ask(asked());
  expect(said).toMatch(/^HTTP\/1\.1 (401|409) /);
  expect(said).not.toContain(t.server.proof);
  expect(left()).toEqual([]);
});

it('a plugin that was updated where it is gets nothing from the server that runs', async () => {
  const root = path.join(t.base, 'plugin');
  for (const name of ['bin', '.claude-plugin']) mkdirSync(path.join(root, name), { recursive: true });
  for (const name of ['hooks', 'dist']) symlinkSync(path.join(ROOT, name), path.join(root, name));
  writeFileSync(path.join(root, 'bin/trai'), '');
  programs.push(path.join(root, 'bin/trai'));
  const status = async (version: string) => {
    writeFileSync(path.join(root, '.claude-plugin/plugin.json'), JSON.stringify({ version }));
    return (await ask({ words: [root, 'claude'] })).slice(0, 12);
  };
  expect([await status('99.0.0'), left()]).toEqual(['HTTP/1.1 409', []]);
  expect(await status(VERSION)).toBe('HTTP/1.1 200');
});

it.skipIf(!isRoot)('another user’s process gets nothing', async () => {
  expect(await ask({ by: ['setpriv', '--reuid=65534', '--clear-groups', '--'] })).toMatch(/^HTTP\/1\.1 409 /);
  expect(left()).toEqual([]);
});

/** A process that asks by its name, and whose root is that directory. */
async function named(name: string, root: string): Promise<ChildProcess> {
  const lines = `$| = 1; $0 = '${name}'; chroot '${root}' or die; print 'in'; <STDIN>`;
  const child = spawn('perl', ['-e', lines], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

it.skipIf(!isRoot)('a process with another root directory does not ask', async () => {
  const own = await named('trai-1', '/');
  const other = await named('trai-2', t.project);
  expect([asksItself(own.pid ?? 0, 'trai-1'), asksItself(other.pid ?? 0, 'trai-2')]).toEqual([true, false]);
  for (const child of [own, other]) child.kill();
});

it.each<[string, unknown, () => Pick<Asked, 'token' | 'env' | 'by'>, number]>([
  ['the user', null, () => ({}), 200],
  ['the user, of a session that has none', 'x', () => ({}), 200],
  ['the user, of what is no session', '../x', () => ({}), 400],
  ['what Claude Code has started', null, () => ({ env: { CLAUDECODE: '1' } }), 403],
  ['what Claude Code has started, of a session', 'x', () => ({ env: { CLAUDECODE: '1' } }), 403],
  ['one in a sandbox', null, () => ({ by: ['unshare', '--user', '--map-root-user', '--mount'] }), 403],
  ['what has the credential of a session', 'x', () => ({ token: insideToken() }), 401],
])('that a client was made is told by %s', async (_, session, asker, status) => {
  const { token, env, by = [] } = asker();
  const { port, hook } = t.server;
  const body = JSON.stringify({ session });
  const head = [
    'POST /hook/client-made HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token ?? hook}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf %s "$1" >&3; cat <&3`;
  const words = [...by, '/bin/bash', '-c', script, 'bash', `${head.join('\r\n')}\r\n\r\n${body}`];
  const child = spawn(words[0] ?? '', words.slice(1), {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await text(child.stdout)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(left()).toEqual([]);
});

it('a session whose asking process was killed before it began is garbage, and no error', async () => {
  await ask({ amid: 'kill -9 $$' });
  await ask({});
  const [session = ''] = listed('sessions');
  const preview = async () => (await previewGc(await contextsOf(t.state, t.env))).found;
  await expect.poll(preview).toMatchObject([{ kind: 'session', session }]);
  const { sessions } = await contextsOf(t.state, t.env);
  await collect(
    t.state,
    sessions.map(({ ctx }) => ctx),
    { items: await preview() },
  );
  expect(left()).toEqual([]);
  expect(t.reported).toEqual([]);
});

it('nothing is left of a box whose asking process does not wait', async () => {
  await ask({ words: [ROOT, 'box', '-y', '--shell'], wait: 'exec 3<&-; sleep 1; exit' });
  await expect.poll(left).toEqual([]);
  const [instance = expect.fail('no box was made')] = listed('box');
  expect(listed(path.join('box', instance, 'run'))).toEqual([]);
});

it('nothing is left where the asking process does not wait, nor where the plan fails', async () => {
  await ask({ wait: 'exec 3<&-; exit' });
  await expect.poll(left).toEqual([]);
  // Where a file is, no directory can be made.
  rmSync(path.join(t.state, 'mask'), { recursive: true, force: true });
  writeFileSync(path.join(t.state, 'mask'), '');
  expect(await ask({})).toMatch(/^HTTP\/1\.1 409 /);
  expect(left()).toEqual([]);
});

it('the end is for the process alone that the record names', async () => {
  await ask({});
  const [session = ''] = listed('sessions');
  for (const words of [[session, '0'], ['none', '0'], ['../x', '0'], []])
    expect(await ask({ route: 'end', words })).toMatch(/^HTTP\/1\.1 409 /);
  expect(existsSync(path.join(t.state, 'sessions', session, 'client.json'))).toBe(true);
});

/** Of a session in which a client runs: here of none, whose door is open. */
function insideToken(): string {
  const find = t.server.deps.inside.find.bind(t.server.deps.inside);
  const token = 'B'.repeat(43);
  t.server.deps.inside.find = (given) =>
    given === token ? { session: 'attacker', proof: 'y'.repeat(43) } : find(given);
  return token;
}
