import type { Server, Socket } from 'node:net';
import { peerSockets } from './sockets.ts';

/** More connections than tabs and hooks of one person ever make; the rest is refused at once. */
const MOST_CONNECTIONS = 256;
/** So many are let in whoever asks: until then nobody looks. */
const FOR_ALL = 64;

/**
 * Keeps room for this user: whoever can reach 127.0.0.1 may connect, and half a request holds its connection for
 * seconds. Where there are many connections, no further one of another user is let in.
 */
export function keepRoom(server: Server): void {
  const open = new Set<Socket>();
  server.maxConnections = MOST_CONNECTIONS;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (open.size > FOR_ALL && !isOurs(socket)) socket.destroy();
  });
}

/** Root's are tunnels of the system's (see Peers.wantBrowser). What the kernel does not list has gone already. */
function isOurs(socket: Socket): boolean {
  const uid = peerSockets([socket]).get(socket)?.uid;
  return uid === 0 || (uid !== undefined && uid === process.getuid?.());
}
