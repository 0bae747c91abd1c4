import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { flood } from '../../../hooks/hook.testing.ts';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';

let session: TestSession;
afterEach(() => session.close());

it.each([
  ['who has shown no proof', null],
  ['who has shown another', 'wrong'],
  ['of which the proof has been seen', 'proof'],
])('what somebody says on the server’s port, %s, is not taken for what a file says', async (_, proof) => {
  session = await testSession();
  const server = createServer((request) => flood(request.socket));
  let said = '';
  server.on('checkContinue', (request) => {
    request.socket.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1');
    });
    if (proof !== null) request.socket.write(`HTTP/1.1 100 Continue\r\nProof: ${proof}\r\n\r\n`);
    flood(request.socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const file = join(session.state, 'server.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"port":\d+/, `"port":${port}`));
  writeFileSync(join(session.state, 'node'), `${process.execPath}\n`);
  const launch = join(session.state, 'bin/0/launch');
  writeFileSync(launch, readFileSync(launch, 'utf8').replaceAll(' -t 30 ', ' -t 1 '));
  mkdirSync(join(session.state, 'bin/0/lib'));
  const answer = String.raw`proof\nrefuse c1 -\nNode has decided\n`;
  writeFileSync(join(session.state, 'bin/0/lib/fallback.mjs'), `process.stdout.write('${answer}');`);
  const { rc, stdout, stderr } = await session.call('echo ran');
  server.closeAllConnections();
  server.close();
  expect({ rc, stdout }).toEqual({ rc: 125, stdout: '' });
  expect(stderr).toContain('Node has decided');
  // The command is sent only after the proof.
  expect(said.includes('echo ran')).toBe(proof === 'proof');
});
