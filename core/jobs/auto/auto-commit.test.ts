/** Effect rules with `auto`: what is committed after a call, by a real server with the real launcher. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { CallList, SessionDetail } from '../../../shared/api/types.ts';
import type { MarkOf } from '../../../shared/log/marks.ts';
import type { HistoryEntry, UndoRequest } from '../../../shared/model/commit.ts';
import type { Effect } from '../../../shared/model/rule.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { until } from '../../../testing/server/program.ts';
import { listOf, type TestServer, testServer } from '../../../testing/server/server.ts';
import { adoptOverlay } from '../adopt.ts';

let t: TestServer;
let user: string;
beforeAll(async () => {
  t = await testServer();
  user = path.join(t.home, '.config/trai/rules.json');
});
const clients: TestClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.clean();
  rmSync(path.join(t.project, '.claude'), { recursive: true, force: true });
});
afterAll(async () => await t.close());

let count = 0;
async function session(): Promise<TestClient> {
  const client = new TestClient(t, `auto${++count}`);
  clients.push(client);
  await client.start();
  return client;
}

const put = (file: string, effects: readonly Effect[]) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ version: 2, effects }));
};
const host = (name: string) => path.join(t.project, name);
const onHost = (name: string) => (existsSync(host(name)) ? readFileSync(host(name), 'utf8') : null);
const ask = async <T>(client: TestClient, what: string, body?: object): Promise<T> =>
  JSON.parse(await (await t.api(`/api/sessions/${client.id}${what}`, body)).text());
/** What the log says about what stays pending. */
const said = async (client: TestClient) =>
  await until(async () => {
    const { notices } = await ask<SessionDetail>(client, '');
    const found = notices.filter(({ code }) => code === 'auto-left').map(({ text }) => text);
    return found.length === 0 ? null : found;
  }, 'the notice');
const history = (client: TestClient) => ask<HistoryEntry[]>(client, '/history');
const pending = async (client: TestClient) =>
  (await listOf(t, client)).changes.map((one) => one.path.slice(t.project.length + 1)).sort();
const commits = async (client: TestClient, many: number) =>
  await until(async () => {
    const found = (await history(client)).filter(
      ({ kind, state }) => kind === 'commit' && state !== 'unfinished',
    );
    return found.length >= many ? found : null;
  }, `${many} commits`);
const undo = async (client: TestClient, n: number) => {
  const whole = { conflicts: 'refuse', choices: {}, yes: true, typedCount: null, revision: null } as const;
  const { revision } = await ask<{ revision: string }>(client, '/undo-preview', { n });
  const { choices: _, ...order }: UndoRequest = { n, ...whole, revision };
  return await ask<{ state: string }>(client, '/undo-commit', { ...order, endProcesses: false });
};
/** The commit of `dist/mark`, which a call wrote last, shows that the server has done the work after that call. */
const settled = async (client: TestClient, mark: string, more = '') => {
  await client.bash(`${more} mkdir -p dist; echo ${mark} > dist/mark`);
  await until(() => (onHost('dist/mark') === `${mark}\n` ? true : null), 'the work after the call');
};

it('commits what the user’s rule matches after the call, and leaves the rest pending', async () => {
  put(user, [{ paths: ['project:dist/'], do: 'auto' }]);
  const client = await session();
  await client.bash('mkdir -p dist src; echo out > dist/out.txt; echo a > src/a.ts');
  const [commit] = await commits(client, 1);
  expect(commit).toMatchObject({ state: 'applied', entries: 2, auto: `effects[0] of ${user}`, can: 'undo' });
  expect([onHost('dist/out.txt'), onHost('src/a.ts')]).toEqual(['out\n', null]);
  expect(await pending(client)).toEqual(['src', 'src/a.ts']);
  const { marks } = await ask<CallList>(client, '/calls');
  expect(marks.find((mark): mark is MarkOf<'commit'> => mark.kind === 'commit')).toMatchObject({
    auto: `effects[0] of ${user}`,
    state: 'applied',
  });
});

it('leaves an undone path alone until it is written again', async () => {
  put(user, [{ paths: ['project:dist/'], do: 'auto' }]);
  const client = await session();
  await settled(client, '1', 'echo one > dist/undone;');
  const [newest] = await commits(client, 1);
  expect(await undo(client, newest?.n ?? 0)).toMatchObject({ state: 'applied' });
  expect(onHost('dist/undone')).toBe(null);
  expect(await pending(client)).toContain('dist/undone');
  await settled(client, '2');
  expect(onHost('dist/undone')).toBe(null);
  expect(await pending(client)).toEqual(['dist/undone']);
  await client.bash('echo two > dist/undone');
  await until(
    () => (onHost('dist/undone') === 'two\n' ? true : null),
    'the commit of what was written again',
  );
});

it('leaves it alone in a session that adopts it, too', async () => {
  put(user, [{ paths: ['project:dist/'], do: 'auto' }]);
  const [first, second, third] = [await session(), await session(), await session()];
  await settled(first, 'a1', 'echo one > dist/adopted;');
  const [newest] = await commits(first, 1);
  expect(await undo(first, newest?.n ?? 0)).toMatchObject({ state: 'applied' });
  const at = { stateDir: t.state, env: { HOME: t.home } };
  await adoptOverlay({ ...at, from: first.id, to: second.id });
  await settled(second, 'a2');
  await commits(second, 1);
  expect(onHost('dist/adopted')).toBe(null);
  await adoptOverlay({ ...at, from: second.id, to: third.id });
  await settled(third, 'a3');
  await commits(third, 1);
  expect(onHost('dist/adopted')).toBe(null);
  expect(await pending(third)).toEqual(['dist/adopted']);
});

it('takes nothing that is risky, flagged, to be confirmed, never to be committed, or in conflict', async () => {
  writeFileSync(host('auto-conflict'), 'old\n');
  rmSync(user, { force: true });
  const client = await session();
  await client.bash('echo sandbox > auto-conflict');
  writeFileSync(host('auto-conflict'), 'host\n');
  put(user, [
    { paths: ['dist/', 'auto-*'], do: 'auto' },
    { paths: ['auto-flag'], do: 'flag' },
    { paths: ['auto-confirm'], do: 'confirm' },
  ]);
  put(host('.claude/trai.rules.json'), [{ paths: ['auto-never'], do: 'never' }]);
  const others = 'touch auto-flag auto-confirm auto-never auto-run; chmod 755 auto-run';
  await settled(client, '3', `printf 'a\\342\\200\\256b' > auto-hidden; ${others}; echo x > auto-plain;`);
  expect([onHost('auto-plain'), onHost('auto-conflict')]).toEqual(['x\n', 'host\n']);
  expect(await pending(client)).toEqual(
    ['conflict', 'confirm', 'flag', 'hidden', 'never', 'run'].map((name) => `auto-${name}`).sort(),
  );
});

it('takes nothing below a directory that no such rule is about, and says so once', async () => {
  put(user, [{ paths: ['project:made/*.txt', 'dist/'], do: 'auto' }]);
  const client = await session();
  await settled(client, '4', 'mkdir made; echo a > made/a.txt;');
  await settled(client, '5');
  expect(onHost('made/a.txt')).toBe(null);
  expect(await said(client)).toEqual([expect.stringContaining(host('made/a.txt'))]);
});

it('does nothing by the rules of a project', async () => {
  put(user, [{ paths: ['dist/'], do: 'auto' }]);
  put(host('.claude/trai.rules.json'), [{ paths: ['*'], do: 'auto' }]);
  const client = await session();
  await settled(client, '6', 'echo a > of-project;');
  expect(onHost('of-project')).toBe(null);
});

it('never takes the user’s rules themselves, where a link leads to them', async () => {
  const real = host('dist/own-rules');
  const config = path.join(t.home, '.config');
  for (const dir of [real, path.join(config, 'trai')]) mkdirSync(dir, { recursive: true });
  renameSync(path.join(config, 'trai'), `${config}/moved`);
  symlinkSync(real, path.join(config, 'trai'));
  try {
    put(user, [{ paths: ['project:dist/'], do: 'auto' }]);
    const before = readFileSync(user, 'utf8');
    const client = await session();
    const more = '{"version":2,"effects":[{"paths":["*"],"do":"auto"}]}';
    await settled(client, '8', `echo '${more}' > dist/own-rules/rules.json; touch beside;`);
    await settled(client, '9');
    await commits(client, 2);
    expect(readFileSync(user, 'utf8')).toBe(before);
    expect(await pending(client)).toEqual(['beside', 'dist/own-rules/rules.json']);
  } finally {
    rmSync(path.join(config, 'trai'));
    renameSync(`${config}/moved`, path.join(config, 'trai'));
  }
});

it('takes nothing that the mass guard asks about', async () => {
  writeFileSync(path.join(t.home, 'direct'), 'keep\n');
  mkdirSync(host('bulk'), { recursive: true });
  for (let i = 0; i < 1_200; i++) writeFileSync(host(`bulk/${i}`), '');
  put(user, [{ paths: ['project:bulk/', 'dist/'], do: 'auto' }]);
  const client = await session();
  await client.bash('rm -r bulk');
  expect(await said(client)).toEqual([expect.stringContaining('1201 entries of the host')]);
  expect(existsSync(host('bulk/7'))).toBe(true);
});
