/** The owner of the other end of a local TCP connection: proc_pid_net(5), proc_pid_fd(5). */
import { readdirSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { endianness } from 'node:os';
import { errorCode } from '../../../core/kernel/fs/port.ts';
import { processIds, processLink, processText, tcpSockets } from '../../../core/kernel/proc/proc.ts';

export interface PeerSocket {
  uid: number;
  inode: string;
}

export interface Holders {
  pids: number[];
  /** Processes of that user with unreadable descriptors: one may hold the socket too. */
  hidden: number[];
}

/** Connections that were accepted in another network namespace, with a process in it. */
const ELSEWHERE = new WeakMap<Socket, number>();

/** The connection was accepted in the network namespace of that process: the sockets there are other ones. */
export function acceptedIn(socket: Socket, pid: number): void {
  ELSEWHERE.set(socket, pid);
}

/** In one pass. Without those that the kernel does not list or no process holds. */
export function peerSockets(sockets: Iterable<Socket>): Map<Socket, PeerSocket> {
  const tables = new Map<number | 'self', Map<string, PeerSocket>>();
  const peers = new Map<Socket, PeerSocket>();
  for (const socket of sockets) {
    const where = ELSEWHERE.get(socket) ?? 'self';
    const table = tables.get(where) ?? socketTable(where);
    tables.set(where, table);
    const { remoteAddress, remotePort, localAddress, localPort } = socket;
    const key = `${addressOf(remoteAddress, remotePort)} ${addressOf(localAddress, localPort)}`;
    const peer = table.get(key);
    if (peer !== undefined) peers.set(socket, peer);
  }
  return peers;
}

/** Reads every process's descriptors: for rare questions only. */
export function holdersOf({ inode, uid }: PeerSocket): Holders {
  const wanted = `socket:[${inode}]`;
  const holders: Holders = { pids: [], hidden: [] };
  for (const pid of processIds()) {
    try {
      const fds = readdirSync(`/proc/${pid}/fd`);
      if (fds.some((fd) => processLink(pid, `fd/${fd}`) === wanted)) holders.pids.push(pid);
    } catch (error) {
      if (['EACCES', 'EPERM'].includes(errorCode(error)) && uidOf(pid) === uid) holders.hidden.push(pid);
    }
  }
  return holders;
}

function socketTable(where: number | 'self'): Map<string, PeerSocket> {
  const table = new Map<string, PeerSocket>();
  // IPv4 in IPv6 ends with the same digits.
  for (const { local, remote, uid, inode } of tcpSockets(where))
    if (inode !== '0') table.set(`${shortened(local)} ${shortened(remote)}`, { uid, inode });
  return table;
}

function shortened(address: string): string {
  return address.replace(/^0{16}(0{4}F{4}|F{4}0{4})/, '');
}

/** As in /proc/net/tcp: the address in this machine's byte order, the port in the network's. */
function addressOf(address = '', port = 0): string {
  const bytes = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number);
  if (endianness() === 'LE') bytes.reverse();
  const hex = (value: number, length: number) => value.toString(16).toUpperCase().padStart(length, '0');
  return `${bytes.map((byte) => hex(byte, 2)).join('')}:${hex(port, 4)}`;
}

export function uidOf(pid: number): number | null {
  const uid = /^Uid:\t(\d+)/m.exec(processText(pid, 'status') ?? '')?.[1];
  return uid === undefined ? null : Number(uid);
}

/** More than the tabs and hooks of one user ever open; the rest is refused at once. */
const MOST_CONNECTIONS = 256;
/** Up to here nobody's user id is checked. */
const FOR_ALL = 64;

/** Anyone may connect to 127.0.0.1: above FOR_ALL connections only this user's and root's are accepted. */
export function keepRoom(server: Server): void {
  const open = new Set<Socket>();
  server.maxConnections = MOST_CONNECTIONS;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (open.size > FOR_ALL && !isOurs(socket)) socket.destroy();
  });
}

/** Root's are tunnels of the system (see Peers.wantBrowser). Unlisted ones are closed already. */
function isOurs(socket: Socket): boolean {
  const uid = peerSockets([socket]).get(socket)?.uid;
  return uid === 0 || (uid !== undefined && uid === process.getuid?.());
}
