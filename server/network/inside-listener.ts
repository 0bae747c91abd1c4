/**
 * Listening sockets of this process in the network namespace of a box. A process cannot enter a namespace for a moment and
 * come back, so a child enters it, listens there, hands the sockets over and ends: nothing stays in between, and what
 * connects in the box is accepted here.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readlinkSync } from 'node:fs';
import { Server } from 'node:net';
import { orNull } from '../../core/kernel/fs/port.ts';
import { processLink, processStat } from '../../core/kernel/proc/proc.ts';
import { programPath } from '../../core/kernel/programs.ts';

/** The first process in a box. */
export interface Inner {
  pid: number;
  start: string;
}

const LISTEN_MS = 20_000;
/** At every address: `lo` may not be up yet, and is the only interface there. */
const CHILD = `
const net = require('node:net');
const listen = (port) => new Promise((resolve, reject) => {
  const server = net.createServer();
  server.once('error', reject);
  server.listen({ port, host: '0.0.0.0', exclusive: true }, () => process.send(port, server, resolve));
});
(async () => {
  for (const port of process.argv.slice(1)) await listen(Number(port));
  process.exit(0);
})().catch((error) => {
  process.stderr.write(error.message);
  process.exit(1);
});
`;

/**
 * In the order of the ports.
 * @throws Error with the reason; then nothing listens
 */
export async function listenInside(inner: Inner, ports: readonly number[]): Promise<Server[]> {
  const parent = processStat(inner.pid)?.parent ?? 0;
  const fds: number[] = [];
  try {
    // Opened before they are compared, because a pid may be reused.
    const net = openSync(`/proc/${inner.pid}/ns/net`, 'r');
    fds.push(net);
    // That of bwrap, which has made the others from there.
    const user = openSync(`/proc/${parent}/ns/user`, 'r');
    fds.push(user);
    const isIt = processStat(inner.pid)?.start === inner.start && processStat(inner.pid)?.parent === parent;
    if (!isIt || linkOf(net) === processLink('self', 'ns/net')) throw new Error('the box has ended');
    // Entering the own one is an error (root).
    const isOwn = linkOf(user) === processLink('self', 'ns/user');
    const owner = isOwn ? [] : ['--user=/proc/self/fd/5', '--preserve-credentials'];
    return await received([...owner, '--net=/proc/self/fd/4'], [net, user], ports);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

const linkOf = (fd: number): string | null => orNull(() => readlinkSync(`/proc/self/fd/${fd}`));

async function received(
  namespaces: readonly string[],
  fds: readonly number[],
  ports: readonly number[],
): Promise<Server[]> {
  const words = [...namespaces, '--', process.execPath, '-e', CHILD, ...ports.map(String)];
  const child = spawn(programPath('nsenter'), words, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...fds],
    env: {},
    timeout: LISTEN_MS,
    killSignal: 'SIGKILL',
  });
  const servers = new Map<unknown, Server>();
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.on('message', (port, handle) => {
    if (handle instanceof Server) servers.set(port, handle);
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const found = ports.flatMap((port) => servers.get(port) ?? []);
  if (status === 0 && found.length === ports.length) return found;
  for (const server of servers.values()) server.close();
  throw new Error(said.trim() || `nsenter ended with status ${status}`);
}
