/** Sockets of this process in the network of a real box. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NAMESPACES } from '../../core/box/bwrap.ts';
import { isRealRoot, processLink, processStat } from '../../core/kernel/proc/proc.ts';
import { acceptedIn, holdersOf, peerSockets } from '../auth/peers/sockets.ts';
import { type Inner, listenInside } from './inside-listener.ts';

let box: ChildProcessWithoutNullStreams;
let inner: Inner;
let servers: Server[] = [];
const PORTS = [3_128, 4_001];

/** As a session does it: namespaces of trai's around. In it, each line of stdin is a port, and what comes from there is printed. */
beforeEach(async () => {
  const script =
    'while read -r port; do (exec 5<>/dev/tcp/127.0.0.1/$port && cat <&5) 2>/dev/null || echo refused; done';
  const bwrap = [
    ...['bwrap', '--ro-bind', '/', '/', ...NAMESPACES, '--unshare-net', '--proc', '/proc', '--dev', '/dev'],
    ...['--cap-drop', 'ALL', '--json-status-fd', '3', '--', 'bash', '-c', script],
  ];
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  const around = isRealRoot()
    ? ['--mount']
    : [
        '--user',
        '--map-root-user',
        '--mount',
        '/usr/bin/unshare',
        '--user',
        `--map-user=${uid}`,
        `--map-group=${gid}`,
        '--mount',
      ];
  box = spawn('/usr/bin/unshare', [...around, ...bwrap], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessWithoutNullStreams;
  const status = box.stdio[3] as Readable;
  let text = '';
  while (!/"child-pid": \d+[\s,}]/.test(text)) text += String((await once(status, 'data'))[0]);
  const pid = Number(/"child-pid": (\d+)/.exec(text)?.[1]);
  inner = { pid, start: processStat(pid)?.start ?? '' };
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  if (box.exitCode !== null || box.signalCode !== null) return;
  box.stdin.end();
  await once(box, 'close');
});

async function asked(port: number): Promise<string> {
  box.stdin.write(`${port}\n`);
  const [said] = await once(box.stdout, 'data');
  return String(said);
}

it('what connects in the box is accepted here, and the process at its other end is found there', async () => {
  servers = await listenInside(inner, PORTS);
  const found: unknown[] = [];
  for (const [at, server] of servers.entries())
    server.on('connection', (socket: Socket) => {
      const unknown = peerSockets([socket]).get(socket);
      acceptedIn(socket, inner.pid);
      const peer = peerSockets([socket]).get(socket);
      const pids = peer === undefined ? [] : holdersOf(peer).pids;
      found.push([unknown, peer?.uid, pids.length > 0 && pids.every((pid) => inBox(pid))]);
      socket.end(`hello ${at}`);
    });
  expect([await asked(3_128), await asked(4_001), await asked(4_002)]).toEqual([
    'hello 0',
    'hello 1',
    'refused\n',
  ]);
  const each = [undefined, process.getuid?.(), true];
  expect(found).toEqual([each, each]);
});

const inBox = (pid: number): boolean => processLink(pid, 'ns/net') === processLink(inner.pid, 'ns/net');

it('nothing but the server’s sockets keeps the network open: without them a connection is refused', async () => {
  servers = await listenInside(inner, PORTS);
  for (const server of servers.splice(0)) server.close();
  expect(await asked(3_128)).toBe('refused\n');
  servers = await listenInside(inner, PORTS);
  await expect(listenInside(inner, PORTS)).rejects.toThrow('EADDRINUSE');
});

it('a process in this network, a reused number and none at all are no box', async () => {
  const own = processStat(process.pid)?.start ?? '';
  for (const other of [
    { pid: process.pid, start: own },
    { ...inner, start: '1' },
    { pid: 2 ** 22, start: own },
  ])
    await expect(listenInside(other, PORTS)).rejects.toThrow();
});
