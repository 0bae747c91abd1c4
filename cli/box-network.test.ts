// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
/** `trai box --net list` with the real bubblewrap and the real server; curl and node in the box. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readBoxHosts } from '../core/box/network/network-log.ts';
import { processStat } from '../core/kernel/proc/proc.ts';
import { boxRecordPath } from '../core/sandbox/box-record.ts';
import { mountSource } from '../core/sandbox/context.ts';
import { endProcesses } from '../core/sandbox/live.ts';
import { eachInAPlace, type Place, type Result } from '../testing/cli.ts';

let place: Place;
let home: string;
let target: Server;
/** Of `target`, on this machine. */
let port: number;
const heard: string[] = [];
const children: ChildProcess[] = [];
eachInAPlace((made) => {
  place = made;
}, userInfo().homedir);
beforeEach(async () => {
  home = join(place.base, 'home');
  mkdirSync(join(home, '.config/trai'), { recursive: true });
  mkdirSync(join(home, '.claude/plugins'), { recursive: true });
  heard.length = 0;
  target = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.end(`hello ${request.url}\n`);
  });
  await once(target.listen(0, '127.0.0.1'), 'listening');
  port = (target.address() as AddressInfo).port;
  config({ allow: [`127.0.0.1:${port}`], deny: [] });
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  }
  target.closeAllConnections();
  target.close();
  for (const session of sessions()) await endProcesses(mountSource(place.state, session));
  const server = serverPid();
  if (server !== null) await ended(server);
});

const sessions = (): string[] => {
  const dir = join(place.state, 'sessions');
  return existsSync(dir) ? readdirSync(dir) : [];
};
const sessionDirOf = (session: string): string => join(place.state, 'sessions', session);
const serverPid = (): number | null => {
  const file = join(place.state, 'server.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).pid : null;
};
async function ended(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  await until(() => expect(processStat(pid)).toBeNull());
}
const config = (network: object, more: object = {}): void =>
  writeFileSync(
    join(home, '.config/trai/config.json'),
    JSON.stringify({ server: { autostart: false }, box: { network, ...more } }),
  );
const until = async (check: () => void): Promise<void> => await vi.waitFor(check, { timeout: 60_000 });

/** A script in a box; not in the way of this process, in which the target answers. */
function box(script: string, options: readonly string[] = ['--net', 'list'], session = 's', before = '') {
  const words = ['box', '-y', ...options, '--session', session, '--shell', '--', 'bash', '-c', script];
  const child = spawn('bash', ['-c', `${before}exec bash "$0" "$@"`, place.program, ...words], {
    cwd: place.project,
    env: { ...place.env, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const result = once(child, 'close').then(([rc]): Result => ({ rc, out, err }));
  return { result, child, out: () => out };
}
const trai = (args: readonly string[]): Result => place.trai(args, { HOME: home });
/** Whatever NO_PROXY says: the target is on this machine. */
const CURL = 'curl -sS --noproxy ""';

it('what is listed is reached, by HTTP, a tunnel and SOCKS5, and nothing else is; all of it is on the record', async () => {
  const other = createTcpServer((socket) => socket.end('other'));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const closed = (other.address() as AddressInfo).port;
  try {
    const script = [
      `${CURL} http://127.0.0.1:${port}/a`,
      `${CURL} -p http://127.0.0.1:${port}/b`,
      `${CURL} -x "$ALL_PROXY" http://127.0.0.1:${port}/c`,
      `${CURL} http://127.0.0.1:${closed}/`,
      `exec 5<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT 0x7f.1:${closed} HTTP/1.1\\r\\n\\r\\n' >&5; head -1 <&5`,
      // Without the proxy there is nothing but the box’s own lo.
      `curl -sS --noproxy "*" http://127.0.0.1:${port}/d || echo none`,
      'grep -c : /proc/net/dev; cat /proc/net/route | wc -l',
    ].join('\n');
    const { rc, out, err } = await box(script).result;
    expect([rc, out.split('\n')]).toEqual([
      0,
      [
        ...['hello /a', 'hello /b', 'hello /c'],
        `trai: 127.0.0.1:${closed} is refused: 127.0.0.1 is an address of this machine. The user can list that address itself in box.network.allow.`,
        `HTTP/1.1 403 trai: 127.0.0.1:${closed} is refused: 127.0.0.1 is an address of this machine. The user can list that address itself in box.network.allow.\r`,
        ...['none', '1', '1', ''],
      ],
    ]);
    expect(err).toContain('Failed to connect');
    expect(heard).toEqual(['/a', '/b', '/c']);
    await until(() =>
      expect(readBoxHosts(sessionDirOf('s'))).toEqual([
        expect.objectContaining({ host: '127.0.0.1', port, state: 'allowed', connections: 3 }),
        expect.objectContaining({
          host: '127.0.0.1',
          port: closed,
          state: 'refused',
          connections: 2,
          received: 0,
        }),
      ]),
    );
    // The namespace goes with the box: no process and no socket keeps it.
    expect(existsSync(join(sessionDirOf('s'), 'run'))).toBe(true);
  } finally {
    other.close();
  }
});

it('the server’s own port is not reached, however the box spells it, and no credential of the user’s is good there', async () => {
  config({ allow: ['127.0.0.0/8', '0.0.0.0/0'], deny: [] });
  const started = box('cat; :');
  await started.result;
  const server = JSON.parse(readFileSync(join(place.state, 'server.json'), 'utf8'));
  config({
    allow: [`127.0.0.1:${server.port}`, `127.0.0.2:${server.port}`, `0.0.0.0:${server.port}`],
    deny: [],
  });
  const body = JSON.stringify({ session: 's', pid: 1 });
  const ask = `-H 'Authorization: Bearer ${server.hook}' -H 'Content-Type: application/json' -d '${body}' -o /dev/null -w '%{http_code}\\n'`;
  const { out } = await box(
    [
      `${CURL} ${ask} http://127.0.0.1:${server.port}/hook/ui-code`,
      `${CURL} -p ${ask} http://127.0.0.1:${server.port}/hook/ui-code`,
      `${CURL} ${ask} http://2130706433:${server.port}/hook/ui-code`,
      `${CURL} ${ask} http://0.0.0.0:${server.port}/hook/ui-code`,
      // The listener in the box, for the hooks of its client.
      `curl -sS --noproxy "*" ${ask} http://127.0.0.1:${server.port}/hook/ui-code`,
      `curl -sS --noproxy "*" ${ask} http://127.0.0.1:${server.port}/hook/SessionStart`,
      `curl -sS --noproxy "*" -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:${server.port}/`,
    ].join('; '),
  ).result;
  expect(out.split('\n')).toEqual(['403', '000', '403', '403', '403', '403', '403', '']);
});

it('an unknown host is a question; the answer of a terminal lets the waiting connection through', async () => {
  config({ allow: [], deny: [] });
  const running = box(`curl -sS -m 60 -p http://unknown.invalid:${port}/ 2>&1; echo done`);
  let open: { n: number; network: object }[] = [];
  await until(() => {
    open = JSON.parse(trai(['answer', '--list', '--json']).out).open;
    expect(open).toHaveLength(1);
  });
  expect(open[0]).toMatchObject({ network: { host: 'unknown.invalid', port }, session: 's' });
  const said = trai(['answer', String(open[0]?.n), 'always']);
  expect(said).toMatchObject({ rc: 0, out: expect.stringContaining('config.json (allow)') });
  // Allowed, it is looked up at last.
  expect((await running.result).out).toMatch(/502[\s\S]*done/);
  const written = JSON.parse(readFileSync(join(home, '.config/trai/config.json'), 'utf8'));
  expect(written.box.network.allow).toEqual([`unknown.invalid:${port}`]);
});

it('without the server the network is closed; the next server opens it again', async () => {
  const running = box(
    `${CURL} http://127.0.0.1:${port}/1; read -r _ < go; ${CURL} http://127.0.0.1:${port}/2; touch two; read -r _ < go; ${CURL} http://127.0.0.1:${port}/3`,
    ['--net', 'list', '--write', 'direct'],
  );
  place.onHost('mkfifo go');
  await until(() => expect(running.out()).toBe('hello /1\n'));
  await ended(serverPid() ?? 0);
  place.onHost('echo > go');
  await until(() => expect(existsSync(join(place.project, 'two'))).toBe(true));
  expect(heard).toEqual(['/1']);
  expect(trai(['ui', '--print']).rc).toBe(0);
  place.onHost('echo > go');
  const { out, err } = await running.result;
  expect([out, heard]).toEqual(['hello /1\nhello /3\n', ['/1', '/3']]);
  expect(err).toContain('Failed to connect');
});

it('the next server starts where the record of a box is damaged, whose network stays closed', async () => {
  place.onHost('mkfifo go');
  const running = box(`echo begun; read -r _ < go; ${CURL} http://127.0.0.1:${port}/ || echo closed`, [
    ...['--net', 'list', '--write', 'direct'],
  ]);
  await until(() => expect(running.out()).toBe('begun\n'));
  await ended(serverPid() ?? 0);
  writeFileSync(boxRecordPath(sessionDirOf('s')), '{"v":1,"dir');
  expect(trai(['ui', '--print'])).toMatchObject({ rc: 0, err: '' });
  place.onHost('echo > go');
  expect(await running.result).toMatchObject({ rc: 0, out: 'begun\nclosed\n' });
  expect(heard).toEqual([]);
});

it('only the first process in the box of that session is one, and only for the user', async () => {
  const running = box('read -r _ < go', ['--net', 'off', '--write', 'direct']);
  place.onHost('mkfifo go');
  const status = (): string => {
    const [instance = ''] = readdirSync(join(place.state, 'box'));
    const run = join(place.state, 'box', instance, 'run');
    const [name = ''] = readdirSync(run).filter((one) => one.endsWith('.status'));
    return readFileSync(join(run, name), 'utf8');
  };
  await until(() => expect(status()).toMatch(/"child-pid": \d+[\s,}]/));
  const inner = Number(/"child-pid": (\d+)/.exec(status())?.[1]);
  expect(trai(['ui', '--print']).rc).toBe(0);
  const server = JSON.parse(readFileSync(join(place.state, 'server.json'), 'utf8'));
  const open = async (session: string, pid: unknown): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/hook/box-network`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${server.hook}`, 'content-type': 'application/json' },
      body: JSON.stringify({ session, pid }),
    });
    return answer.status;
  };
  // Of a box without --net list, of no box at all, of none, of another session, and not a number.
  for (const pid of [inner, process.pid, 2 ** 22, serverPid()])
    expect([pid, await open('s', pid)]).toEqual([pid, 403]);
  expect(await open('other', inner)).toBe(403);
  for (const pid of ['1', null, -1.5]) expect(await open('s', pid)).toBe(400);
  expect(await open('../s', inner)).toBe(400);
  place.onHost('echo > go');
  await running.result;
});

it('a project narrows open to list and list to off, and never adds a host; the screen and the dry run say what there is', () => {
  mkdirSync(join(place.project, '.claude'));
  const says = (file: object, net: string): { net: string; err: string } => {
    writeFileSync(join(place.project, '.claude/trai.box.json'), JSON.stringify(file));
    const words = ['box', '--dry-run', '--net', net, '--shell'];
    return { net: JSON.parse(trai([...words, '--json']).out).net, err: trai(words).err };
  };
  expect(says({ net: 'list' }, 'open').net).toBe('list');
  expect(says({ net: 'off' }, 'list').net).toBe('off');
  expect(says({ net: 'open' }, 'list')).toMatchObject({
    net: 'list',
    err: expect.stringContaining('"net" is ignored'),
  });
  expect(says({ net: 'list' }, 'off')).toMatchObject({
    net: 'off',
    err: expect.stringContaining('"net" is ignored'),
  });
  expect(says({ network: { allow: ['evil.example'] } }, 'list').err).toContain('"network" is ignored');
  config({ allow: [], deny: [] }, { profiles: { web: { net: 'list' } } });
  const shown = trai(['box', '--dry-run', '--profile', 'web', '--shell']).out;
  expect(shown).toContain('--unshare-net');
  expect(shown).toMatch(/HTTPS_PROXY/);
});

it('what a killed start has noted is not the first process of the next one with its number', async () => {
  expect((await box('true').result).rc).toBe(0);
  const [instance = ''] = readdirSync(join(place.state, 'box'));
  const other = spawn('/bin/sleep', ['100'], { stdio: 'ignore' });
  children.push(other);
  const note = `{"child-pid": ${other.pid}, "cgroup-namespace": 1}`;
  const file = `'${join(place.state, 'box', instance, 'run')}/s.'$$.status`;
  const { result } = box('echo ran', ['--net', 'list'], 's', `echo '${note}' > ${file}; `);
  expect(await result).toMatchObject({ rc: 0, out: 'ran\n' });
  expect(processStat(other.pid ?? 0)?.state).not.toBe('Z');
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a box that waits for its network, and nothing runs in it', async (signal, status) => {
  let isAsked = false;
  // Answers nothing.
  const other = createTcpServer((socket) =>
    socket.once('data', (data) => {
      if (data.toString('latin1').startsWith('POST /hook/box-network ')) isAsked = true;
      else socket.destroy();
    }),
  );
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port: hanging } = other.address() as AddressInfo;
  const sleeping = spawn('/bin/sleep', ['100'], { stdio: 'ignore' });
  children.push(sleeping);
  const record = { v: 1, pid: sleeping.pid, port: hanging, version: '0.1.0', hook: 'h', proof: 'p' };
  mkdirSync(place.state, { recursive: true });
  const file = join(place.state, 'server.json');
  writeFileSync(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  try {
    const { child, result } = box('echo ran');
    await until(() => expect(isAsked).toBe(true));
    child.kill(signal);
    expect(await result).toMatchObject({ rc: status, out: '' });
    expect(readFileSync(file, 'utf8')).toContain(`"port":${hanging},`);
  } finally {
    other.close();
    rmSync(file, { force: true });
  }
});

it('a box whose network cannot be opened runs nothing', async () => {
  config({ allow: [], deny: [] });
  writeFileSync(
    join(home, '.config/trai/config.json'),
    JSON.stringify({ server: { autostart: false, port: 3128 }, box: { network: { allow: [] } } }),
  );
  const { rc, out, err } = await box('echo ran').result;
  expect([rc, out]).toEqual([125, '']);
  expect(err).toMatch(/the box was not started: .*EADDRINUSE/);
});
