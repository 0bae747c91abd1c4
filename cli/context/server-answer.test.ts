import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { ServerFile } from '../../core/session/server-file.ts';
import { hello, post } from './server-process.ts';

let server: Server | null = null;
afterEach(() => server?.close());

/** Another program may have the port; its answers come in whatever pieces. */
async function answering(work: (socket: Socket, question: string) => void): Promise<ServerFile> {
  server = createServer((socket) => {
    let question = '';
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (text) => {
      question += text;
      if (question.endsWith('\r\n\r\n{}')) work(socket, question);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { v: 1, pid: process.pid, port, version: '1', hook: 'hook', proof: 'proof' };
}

const said = (text: string) => answering((socket) => socket.end(text));

it('posts what the server reads, and takes an answer in pieces behind one that says it is being made', async () => {
  let asked = '';
  const file = await answering((socket, question) => {
    asked = question;
    const bytes = Buffer.from(
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\nproof\né',
    );
    for (const byte of bytes) socket.write(Buffer.of(byte));
    socket.end();
  });
  expect(await post(file, 'hello', '{}')).toBe('proof\né');
  expect(asked).toMatch(/^POST \/hook\/hello HTTP\/1\.1\r\n/);
  expect(asked).toContain('\r\nAuthorization: Bearer hook\r\n');
  expect(asked).toContain('\r\nContent-Length: 2\r\n');
  expect(await hello(file)).toBe(file);
});

it('an answer without the proof is no server’s', async () => {
  const file = await said('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nother\n');
  expect(await hello(file)).toBe(null);
});

it.each([
  ['nothing', ''],
  ['a text without a head', 'proof\n'],
  ['a head alone', 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n'],
  ['an answer that is cut off', 'HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\nproof\n'],
  ['more than is announced', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nproof\n'],
  [
    'an answer of unknown length',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nproof\n\r\n0\r\n\r\n',
  ],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2p1\r\nContent-Length: 6\r\n\r\nproof\n'],
  ['heads without end', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100_000)],
])('%s is an error, not an answer', async (_what, text) => {
  await expect(post(await said(text), 'hello', '{}')).rejects.toThrow();
});

it('so are a connection that is reset, and a port on which nobody listens', async () => {
  const file = await answering((socket) => socket.resetAndDestroy());
  await expect(post(file, 'hello', '{}')).rejects.toThrow('ECONNRESET');
  server?.close();
  await expect(post(file, 'hello', '{}')).rejects.toThrow('ECONNREFUSED');
});
