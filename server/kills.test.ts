import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readServerFile } from '../core/session/server-file.ts';
import { TestClient } from '../testing/server/client.ts';
import {
  hasEnded,
  left,
  listening,
  type Place,
  type ProgramServer,
  Programs,
  until,
} from '../testing/server/program.ts';
import { readList } from '../testing/server/server.ts';

let programs: Programs;
const clients: TestClient[] = [];
beforeAll(async () => {
  programs = await Programs.build();
}, 120_000);
afterEach(async () => {
  for (const client of clients.splice(0)) await client.clean();
  await programs.end();
});
afterAll(() => programs.remove());

const FILES = 600;
const OLD = 'old\n';
const NEW = 'new, and longer than before\n';

/** Every file of a large project changed, as many created, and some deleted. */
async function bigSession(server: ProgramServer, id = 'big'): Promise<TestClient> {
  for (const name of ['changed', 'gone']) mkdirSync(path.join(server.project, name));
  for (let i = 0; i < FILES; i++) writeFileSync(path.join(server.project, 'changed', `c${i}`), OLD);
  for (let i = 0; i < 50; i++) writeFileSync(path.join(server.project, 'gone', `g${i}`), OLD);
  const client = new TestClient(server, id);
  clients.push(client);
  await client.start();
  const text = `printf '%s' '${NEW}'`;
  const ran = await client.bash(
    `for f in changed/*; do ${text} > $f; done; mkdir made; for i in {1..${FILES}}; do ${text} > made/m$i; done; rm gone/*`,
  );
  expect(ran).toMatchObject({ rc: 0, stderr: '' });
  return client;
}

/** In an object: an async function would await a promise that it returns. */
async function beginCommit(
  server: ProgramServer,
  client: TestClient,
): Promise<{ answer: Promise<Response | null> }> {
  const listed = await server.api(`/api/sessions/${client.id}/changes`);
  const { revision }: { revision: string } = JSON.parse(await listed.text());
  const asked = server.api(`/api/sessions/${client.id}/commit`, {
    scope: { kind: 'all' },
    revision,
    includeIgnored: false,
    conflicts: 'refuse',
    choices: {},
    yes: true,
    typedCount: null,
  });
  return { answer: asked.catch(() => null) };
}

const journal = (place: Place, id: string): string | null => {
  const file = path.join(place.state, 'sessions', id, 'commits/1/journal.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};
const logOf = (place: Place, id: string): Record<string, unknown>[] =>
  readFileSync(path.join(place.state, 'sessions', id, 'calls.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const names = (place: Place, dir: string): string[] => {
  const full = path.join(place.project, dir);
  return existsSync(full) ? readdirSync(full) : [];
};

/** The number of new entries; fails for one that is neither old nor new. */
function countNew(place: Place): { changed: number; made: number; gone: number } {
  let [changed, made] = [0, 0];
  for (const name of names(place, 'changed').filter((one) => /^c\d+$/.test(one))) {
    const text = readFileSync(path.join(place.project, 'changed', name), 'utf8');
    expect([OLD, NEW], name).toContain(text);
    if (text === NEW) changed++;
  }
  for (const name of names(place, 'made').filter((one) => /^m\d+$/.test(one))) {
    expect(readFileSync(path.join(place.project, 'made', name), 'utf8'), name).toBe(NEW);
    made++;
  }
  return { changed, made, gone: 50 - names(place, 'gone').filter((one) => /^g\d+$/.test(one)).length };
}

const linesDone = (place: Place): number => journal(place, 'big')?.match(/"t":"done"/g)?.length ?? 0;
const begun = (place: Place): true | null => (journal(place, 'big') === null ? null : true);
const ALL = { changed: FILES, made: FILES, gone: 50 };
const NONE = { changed: 0, made: 0, gone: 0 };

function commits(place: Place): Record<string, unknown>[] {
  return logOf(place, 'big').filter((event) => event['t'] === 'commit');
}

async function pendingCount(server: ProgramServer): Promise<number> {
  return (await readList(await server.api('/api/sessions/big/changes'))).changes.length;
}

/** The commit may end before this process sees the moment and kills it. */
const ATTEMPTS = 10;

async function killedWhen(
  reached: (place: Place) => boolean,
): Promise<{ place: Place; first: ChildProcess }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const place = programs.place();
    const first = programs.start(place);
    const server = await listening(place);
    const client = await bigSession(server);
    const { answer } = await beginCommit(server, client);
    await until(() => (reached(place) ? true : null), 'the moment');
    first.kill('SIGKILL');
    await left(first);
    // countNew fails for an entry that is neither old nor new.
    const { changed, made } = countNew(place);
    const isOver = commits(place).length > 0 || changed + made === 2 * FILES;
    if ((await answer) === null && !isOver) return { place, first };
  }
  throw new Error(`${ATTEMPTS} commits were over before the server was killed`);
}

describe('kill -9 in the middle of a commit', () => {
  const moments: readonly [string, (place: Place) => boolean][] = [
    // With its first line whole: before that nothing has begun.
    ['while it prepares', (place) => journal(place, 'big')?.includes('\n') === true],
    ['when all is prepared', (place) => journal(place, 'big')?.includes('"t":"ready"') === true],
    ['when the first entries are there', (place) => linesDone(place) > 20],
    ['in the middle', (place) => linesDone(place) > FILES / 2],
  ];
  it.each(moments)(
    '%s: the next server finishes it or takes it back, and says which',
    async (_when, reached) => {
      const { place, first } = await killedWhen(reached);
      programs.start(place);
      const next = await listening(place, first.pid);
      const said = await until(() => commits(place)[0] ?? null, 'a word about the commit');
      const isBack = said['state'] === 'refused';
      expect(said).toMatchObject(isBack ? { n: 1, entries: 0 } : { n: 1, state: 'finished-later', text: '' });
      expect(countNew(place)).toEqual(isBack ? NONE : ALL);
      expect((await pendingCount(next)) > 0).toBe(isBack);
      for (const dir of ['.', 'changed', 'made', 'gone'])
        expect(names(place, dir).filter((name) => name.includes('trai'))).toEqual([]);
      const after = await new TestClient(next, 'big').bash('cat changed/c7 made/m7; ls gone');
      expect(after).toMatchObject({ rc: 0, stdout: NEW + NEW });
    },
  );
});

it('killed before the first line of its journal was written: nothing has begun, and the next commit applies all', async () => {
  const place = programs.place();
  const first = programs.start(place);
  const client = await bigSession(await listening(place));
  first.kill('SIGKILL');
  await left(first);
  mkdirSync(path.join(place.state, 'sessions/big/commits/1'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(place.state, 'sessions/big/commits/1/journal.jsonl'), '{"t":"beg', { mode: 0o600 });
  programs.start(place);
  const next = await listening(place, first.pid);
  expect(countNew(place)).toEqual(NONE);
  const { answer } = await beginCommit(next, client);
  expect((await answer)?.status).toBe(200);
  expect(countNew(place)).toEqual(ALL);
  expect(commits(place)).toMatchObject([{ state: 'applied' }]);
});

describe('a server that is to leave', () => {
  it.each([
    ['SIGTERM', (server: ChildProcess) => server.kill('SIGTERM')],
    [
      'a newer server',
      (_: ChildProcess, place: Place) => programs.start(place, [], programs.version('999.0.0')),
    ],
  ])('waits for a running commit: %s', async (_what, leave) => {
    const place = programs.place();
    const first = programs.start(place);
    const server = await listening(place);
    const client = await bigSession(server);
    const { answer } = await beginCommit(server, client);
    await until(() => begun(place), 'the commit to begin');
    leave(first, place);
    expect(await left(first)).toBe(0);
    const answered = await answer;
    expect(answered?.status).toBe(200);
    expect(JSON.parse((await answered?.text()) ?? '')).toMatchObject({
      state: 'applied',
      applied: 2 * FILES + 51,
    });
    expect(countNew(place)).toEqual(ALL);
    expect(commits(place)).toMatchObject([{ n: 1, state: 'applied' }]);
    expect(readServerFile(place.state)?.pid).not.toBe(first.pid);
  });

  it('leaves when nobody has used it for the time it was given, and takes its file away', async () => {
    const place = programs.place();
    const child = programs.start(place, ['--idle-minutes', '0.01']);
    expect(await left(child)).toBe(0);
    expect(existsSync(path.join(place.state, 'server.json'))).toBe(false);
  });

  it('stays while a call runs, however long', async () => {
    const place = programs.place();
    const child = programs.start(place, ['--idle-minutes', '0.02']);
    const server = await listening(place);
    const client = new TestClient(server, 'long');
    clients.push(client);
    // As a tab, which it stays for as well, until the call runs.
    const events = await server.api('/api/events');
    await client.start();
    const [up, go] = [path.join(place.base, 'up'), path.join(place.base, 'go')];
    const running = client.shell(`: > '${up}'; until [ -e '${go}' ]; do sleep 0.05; done; echo over`);
    await until(() => (existsSync(up) ? true : null), 'the call to run');
    await events.body?.cancel();
    // Several times its idle time.
    await sleep(5_000);
    expect(hasEnded(child)).toBe(false);
    writeFileSync(go, '');
    expect(await running).toMatchObject({ rc: 0, stdout: 'over\n' });
    expect(await left(child)).toBe(0);
  });
});

it('of servers that are started at once, one stays and is the one in server.json', async () => {
  const place = programs.place();
  const started = Array.from({ length: 4 }, () => programs.start(place));
  const server = await listening(place);
  const others = started.filter((child) => child.pid !== server.file.pid);
  expect(others).toHaveLength(3);
  expect(await Promise.all(others.map(left))).toEqual([0, 0, 0]);
  expect((await server.api('/api/sessions')).status).toBe(200);
  expect(readServerFile(place.state)?.pid).toBe(server.file.pid);
});
