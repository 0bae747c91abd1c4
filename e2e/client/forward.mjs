// Runs inside the test's network namespace: a TCP port there, at all addresses of `lo`, a unix socket (the mock API) out here.
import { connect, createServer } from 'node:net';

const socket = process.argv[2] ?? '';
const server = createServer((client) => {
  const upstream = connect(socket);
  client.pipe(upstream).pipe(client);
  client.on('error', () => upstream.destroy());
  upstream.on('error', () => client.destroy());
});
server.listen(0, '0.0.0.0', () => console.log(Object(server.address()).port));
