/** What a command can leave in the sandbox to make a diff show what lies outside, or never end. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DiffModel } from '../../../shared/model/diff.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../../testing/server/server.ts';

/** A read that hangs fails here (ms). */
const BOUNDED_MS = 30_000;
const SECRET = 'root:SECRET-of-somebody:1';
let t: TestServer;
let outside: string;
let count = 0;
const children: ChildProcess[] = [];

beforeAll(async () => {
  t = await testServer();
  outside = path.join(t.base, 'outside');
  mkdirSync(outside, { mode: 0o700 });
  // Two names: the file itself, and an entry of a sandbox directory.
  for (const name of ['shadow', 'inner']) writeFileSync(path.join(outside, name), `${SECRET}\n`);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

async function session(command: string): Promise<TestClient> {
  const client = new TestClient(t, `f${++count}`);
  await client.start();
  expect(await client.bash(command)).toMatchObject({ rc: 0 });
  return client;
}

async function ids(client: TestClient): Promise<Map<string, string>> {
  const list = await listOf(t, client);
  return new Map(list.changes.map(({ path: where, id }) => [path.relative(t.project, where), id]));
}

async function diff(client: TestClient, id: string | undefined): Promise<{ text: string; model: DiffModel }> {
  const answer = await t.api(
    `/api/sessions/${client.id}/diff?load=1&whole=0&spaces=exact&entry=${encodeURIComponent(id ?? 'none')}`,
  );
  const text = await answer.text();
  return { text, model: JSON.parse(text) };
}

function upper(client: TestClient, name: string): string {
  const overlay = path.join(t.state, 'sessions', client.id, 'overlay/');
  const [found = ''] = execFileSync(
    'find',
    [overlay, '-name', 'w', '-prune', '-o', '-path', `*/u*/${name}`, '-print'],
    { encoding: 'utf8' },
  ).split('\n');
  expect(found).not.toBe('');
  return found;
}

/** In a loop in a process of its own, until the test ends. */
async function meanwhile(script: string, ...args: string[]): Promise<ChildProcess> {
  const text = `const fs = require('node:fs'); const args = process.argv.slice(1); console.log('on');
    for (;;) { try { ${script} } catch (error) { console.error(String(error)); process.exit(1); } }`;
  const child = spawn(process.execPath, ['-e', text, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

describe('links', () => {
  it('are shown as the text of their target: to a file outside, up, in a loop, to nothing, to a directory', async () => {
    const targets = {
      file: path.join(outside, 'shadow'),
      up: '../../',
      loop: 'loop',
      dangling: 'no/such/file',
      directory: outside,
    };
    const commands = Object.entries(targets).map(([name, target]) => `ln -s ${target} ${name}`);
    const client = await session(commands.join('; '));
    const found = await ids(client);
    // Nothing below the directory is listed.
    expect([...found.keys()].sort()).toEqual(Object.keys(targets).sort());
    for (const [name, newTarget] of Object.entries(targets)) {
      const { text, model } = await diff(client, found.get(name));
      expect(model).toMatchObject({ kind: 'symlink', oldTarget: null, newTarget });
      expect(text).not.toContain(SECRET);
    }
  });

  it('in the place of a directory that the list still has are not followed', async () => {
    const client = await session('mkdir deep; echo pending > deep/inner');
    const id = (await ids(client)).get('deep/inner');
    expect((await diff(client, id)).text).toContain('pending');
    const deep = upper(client, 'deep');
    renameSync(deep, path.join(t.base, 'deep-aside'));
    symlinkSync(outside, deep);
    const { text } = await diff(client, id);
    expect(text).not.toContain(SECRET);
    expect(text).toMatch(/"reason":"changed"|not-found/);
  });

  it(
    'that come and go while the diff is asked for 1,000 times never lead outside',
    async () => {
      const client = await session('echo pending > swap; mkdir deep; echo pending > deep/inner');
      const found = await ids(client);
      const aside = path.join(t.base, 'aside');
      mkdirSync(aside);
      symlinkSync(path.join(outside, 'shadow'), path.join(aside, 'link'));
      mkdirSync(path.join(aside, 'dir'));
      symlinkSync(outside, path.join(aside, 'middle'));
      const swapping = await meanwhile(
        `const [swap, deep, aside] = args;
        fs.renameSync(swap, aside + '/file');
        for (const name of ['link', 'dir']) { fs.renameSync(aside + '/' + name, swap); fs.statSync(swap); fs.renameSync(swap, aside + '/' + name); }
        fs.renameSync(aside + '/file', swap);
        fs.renameSync(deep, aside + '/deep'); fs.renameSync(aside + '/middle', deep); fs.statSync(deep);
        fs.renameSync(deep, aside + '/middle'); fs.renameSync(aside + '/deep', deep);`,
        upper(client, 'swap'),
        upper(client, 'deep'),
        aside,
      );
      const kinds = new Set<string>();
      // On a busy machine the other process may not run for a while.
      const isMet = () => kinds.has('text') && kinds.has('omitted');
      for (let round = 0; round < 1_000 || !isMet(); round++) {
        const { text, model } = await diff(client, found.get(round % 2 === 0 ? 'swap' : 'deep/inner'));
        expect(text).not.toContain(SECRET);
        kinds.add(model.kind);
      }
      expect(swapping.exitCode).toBeNull();
      expect(t.reported).toEqual([]);
    },
    2 * BOUNDED_MS,
  );
});

describe('what can not be read to its end', () => {
  const makeSocket = `${process.execPath} -e "require('net').createServer().listen('socket', () => process.exit())"`;
  const odd: readonly [string, string, object][] = [
    ['sparse', 'truncate -s 10G sparse', { kind: 'binary', newBytes: 10 * 1024 ** 3, newSha256: null }],
    ['fifo', 'mkfifo -m 644 fifo', { kind: 'meta', notes: ['new FIFO, mode 0644'] }],
    ['socket', makeSocket, { kind: 'meta', notes: [expect.stringMatching(/^new socket, mode \d+$/)] }],
  ];
  it.each(odd)(
    'is said at once: %s',
    async (name, command, expected) => {
      const client = await session(command);
      expect((await diff(client, (await ids(client)).get(name))).model).toMatchObject(expected);
    },
    BOUNDED_MS,
  );

  it(
    'such as a file that grows while it is read is said to have changed, never shown torn',
    async () => {
      const client = await session('echo start > grows');
      const id = (await ids(client)).get('grows');
      const growing = await meanwhile(
        `if (fs.statSync(args[0]).size > 60_000) fs.truncateSync(args[0], 6); fs.appendFileSync(args[0], 'line\\n');`,
        upper(client, 'grows'),
      );
      const reasons = new Set<string>();
      for (let round = 0; round < 100 || reasons.size === 0; round++) {
        const { model } = await diff(client, id);
        expect(['text', 'omitted']).toContain(model.kind);
        if (model.kind === 'omitted') reasons.add(model.reason);
        const lines = model.kind === 'text' ? model.hunks.flatMap((hunk) => hunk.lines) : [];
        expect(lines.filter(({ text, end }) => !/^(start|line)$/.test(text) || end !== 'lf')).toEqual([]);
      }
      expect(growing.exitCode).toBeNull();
      expect([...reasons]).toEqual(['changed']);
    },
    BOUNDED_MS,
  );

  it(
    'such as a file that is deleted during the diff is whole, or said to be gone',
    async () => {
      // A second file keeps the directory: an empty one is dropped from the upper.
      const client = await session('seq 5000 > comes; echo x > stays');
      const id = (await ids(client)).get('comes');
      const file = upper(client, 'comes');
      const going = await meanwhile(
        `const text = fs.existsSync(args[0]) ? fs.readFileSync(args[0]) : null;
        fs.unlinkSync(args[0]); fs.writeFileSync(args[1], text); fs.renameSync(args[1], args[0]);`,
        file,
        path.join(t.base, 'comes-aside'),
      );
      for (let round = 0; round < 50; round++) {
        const { model, text } = await diff(client, id);
        if (model.kind === 'text') expect(model).toMatchObject({ oldTotal: 0, newTotal: 5_000 });
        else expect(text).toMatch(/"reason":"changed"|"reason":"unreadable"|not-found/);
      }
      expect(going.exitCode).toBeNull();
      expect(t.reported).toEqual([]);
    },
    BOUNDED_MS,
  );
});
