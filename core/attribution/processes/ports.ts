/** On which TCP ports processes listen, as /proc/net/tcp and the descriptors say: proc_pid_net(5). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTEN = '0A';

/** Ports by inode of the listening sockets in this process's own network namespace. */
export function listeningSockets(): Map<string, number> {
  const sockets = new Map<string, number>();
  for (const file of ['/proc/self/net/tcp', '/proc/self/net/tcp6']) {
    for (const line of readOrEmpty(file).split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      const port = Number.parseInt(local?.split(':').at(-1) ?? '', 16);
      if (state === LISTEN && inode !== undefined && port > 0) sockets.set(inode, port);
    }
  }
  return sockets;
}

/** Ports of one process, ascending; none when its descriptors may not be looked at. */
export function portsOf(pid: number, sockets: ReadonlyMap<string, number>): number[] {
  if (sockets.size === 0) return [];
  const ports = new Set<number>();
  for (const fd of namesOrNone(`/proc/${pid}/fd`)) {
    const port = sockets.get(socketOf(`/proc/${pid}/fd/${fd}`));
    if (port !== undefined) ports.add(port);
  }
  return [...ports].sort((a, b) => a - b);
}

function socketOf(link: string): string {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link, 'latin1'))?.[1] ?? '';
  } catch {
    // Closed meanwhile.
    return '';
  }
}

function namesOrNone(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
