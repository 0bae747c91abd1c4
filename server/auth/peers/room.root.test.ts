/** Another user of the machine, who can connect and has no credential. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
const others: ChildProcess[] = [];
beforeAll(async () => {
  t = await testServer();
});
afterEach(async () => {
  for (const other of others.splice(0)) {
    other.kill('SIGKILL');
    await once(other, 'close');
  }
});
afterAll(async () => await t.close());

/** As user `nobody`; resolves with its output up to the line `done`. */
async function asAnother(script: string): Promise<string> {
  const other = spawn('/bin/bash', ['-c', `trap '' PIPE; ${script}; echo done; sleep 1000`], {
    uid: 65534,
    gid: 65534,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  others.push(other);
  let said = '';
  for await (const chunk of other.stdout ?? []) {
    said += String(chunk);
    if (said.endsWith('done\n')) break;
  }
  return said;
}

describe.skipIf(process.getuid?.() !== 0)(
  'another user of the machine (skipped: only root can be two users)',
  () => {
    it('reaches the port, gets 401, and can not read server.json', async () => {
      const { port } = t.server;
      const head = String.raw`GET /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
      const said = await asAnother(
        `exec 3<>/dev/tcp/127.0.0.1/${port}; printf '${head}' >&3; cat <&3; cat ${t.state}/server.json 2>&1`,
      );
      expect(said).toMatch(/^HTTP\/1\.1 401/);
      expect(said).toContain('Permission denied');
    });

    it('with hundreds of half requests keeps neither tabs nor hooks out', async () => {
      const client = new TestClient(t, 'crowded');
      await client.start();
      const half = String.raw`{ exec {fd}<>/dev/tcp/127.0.0.1/${t.server.port}; printf 'GET / HTTP/1.1\r\n' >&$fd; } 2>/dev/null`;
      await asAnother(`for i in {1..400}; do ${half}; done`);
      const open = await new Promise<number>((resolve) =>
        t.server.http.getConnections((_error, count) => resolve(count)),
      );
      expect(open).toBeLessThan(100);
      const answers = await Promise.all(Array.from({ length: 20 }, () => t.api('/api/sessions')));
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
      expect(await client.pre(client.newRequest(), 'echo')).toMatchObject({ exit: '0' });
    });

    it('gets no number to show, so that there is always one for the user’s own page', async () => {
      const { port } = t.server;
      const head = String.raw`POST /api/pair HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
      const said = await asAnother(
        `for i in {1..10}; do exec 3<>/dev/tcp/127.0.0.1/${port}; printf '${head}' >&3; cat <&3; exec 3>&-; done`,
      );
      expect(said.match(/HTTP\/1\.1 403/g)).toHaveLength(10);
      expect(said).toContain('another user (uid 65534)');
      expect((await t.api('/api/pair', {})).status).toBe(200);
    });
  },
);
