/** Effect rules: what a preview says and a commit does with what was written, on a real server and overlay. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { unpackMarks } from '../../shared/api/packed-marks.ts';
import type { CommitPreview, EffectMarks } from '../../shared/api/types.ts';
import type { CommitReport, Scope } from '../../shared/model/commit.ts';
import type { Effect } from '../../shared/model/rule.ts';
import { TestClient } from '../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../testing/server/server.ts';

let t: TestServer;
let user: string;
beforeAll(async () => {
  t = await testServer();
  user = path.join(t.home, '.config/trai/rules.json');
});
afterEach(() => rmSync(path.join(t.project, '.claude'), { recursive: true, force: true }));
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

let count = 0;
async function session(command: string): Promise<TestClient> {
  const client = new TestClient(t, `effects${++count}`);
  await client.start();
  await client.bash(command);
  return client;
}

const put = (file: string, effects: readonly Effect[]) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ version: 2, effects }));
};
const ask = async <T>(client: TestClient, what: string, body?: object): Promise<T> =>
  JSON.parse(await (await t.api(`/api/sessions/${client.id}/${what}`, body)).text());
const ALL: Scope = { kind: 'all' };
const preview = (client: TestClient, includeIgnored = false) =>
  ask<CommitPreview>(client, 'preview', { scope: ALL, action: 'commit', includeIgnored });
const commit = async (client: TestClient, more: object = {}) => {
  const { revision } = await listOf(t, client);
  const plain = { conflicts: 'refuse', choices: {}, yes: false, typedCount: null, includeIgnored: false };
  return await ask<CommitReport & { error?: { code: string; paths: string[] } }>(client, 'commit', {
    ...{ scope: ALL, revision, ...plain },
    ...more,
  });
};
const host = (name: string) => path.join(t.project, name);

it('a tab gets them beside its list, as the files are now, also what would be committed by itself', async () => {
  put(user, [
    { paths: ['*.key'], do: 'never', reason: 'keys' },
    { paths: ['new/'], do: 'confirm' },
    { paths: ['project:dist/', '*.key', '*.sh'], do: 'auto', reason: 'built' },
  ]);
  const client = await session('mkdir new dist; touch new/a.key dist/b x.sh plain; chmod +x x.sh');
  const marks = async () => {
    const { changes } = await listOf(t, client);
    const found = unpackMarks((await ask<EffectMarks>(client, 'effects')).marks);
    const texts = (id: string): string[] =>
      (found.get(id) ?? []).map((one) => `${one.do} ${one.text.replace(` of ${user}`, '')}`);
    return changes.map(({ path: at, id }) => [at.slice(t.project.length + 1), texts(id)] as const);
  };
  expect(await marks()).toEqual([
    ['dist', ['auto effects[2]: built']],
    ['dist/b', ['auto effects[2]: built']],
    ['new', ['confirm effects[1]']],
    ['new/a.key', ['never effects[0]: keys', 'confirm effects[1]']],
    ['plain', []],
    // Worth a look, so it is not committed unread.
    ['x.sh', []],
  ]);
  put(user, [{ paths: ['plain'], do: 'flag' }]);
  expect((await marks()).filter(([, texts]) => texts.length > 0)).toEqual([['plain', ['flag effects[0]']]]);
  writeFileSync(path.join(t.home, '.config/trai/rules.imported.json'), 'no JSON');
  const { unknown } = await ask<EffectMarks>(client, 'effects');
  rmSync(path.join(t.home, '.config/trai/rules.imported.json'));
  expect(unknown).toEqual([expect.stringContaining('rules.imported.json')]);
});

it('what must never be committed stays pending and is counted, until ignored entries are included', async () => {
  put(user, [{ paths: ['**/.env*'], do: 'never', reason: 'keys' }]);
  const client = await session('mkdir new; echo key > new/.env.local; echo a > new/a; echo b > b');
  // The list of the tab is as it was scanned.
  expect((await listOf(t, client)).changes.every(({ ignored }) => ignored === null)).toBe(true);
  const found = await preview(client);
  expect(found).toMatchObject({ counts: { added: 3 }, ignored: { count: 1, bytes: 4 } });
  // Named, and counted among the ignored ones only.
  expect(found.effects.never).toEqual([{ path: host('new/.env.local'), why: `effects[0] of ${user}: keys` }]);
  expect((await preview(client, true)).effects.never).toHaveLength(1);
  expect(await commit(client)).toMatchObject({ state: 'applied', applied: 3, ignored: 1 });
  expect([existsSync(host('new/a')), existsSync(host('new/.env.local'))]).toEqual([true, false]);
  expect(await client.bash('cat new/.env.local')).toMatchObject({ stdout: 'key\n' });
  expect(await commit(client, { includeIgnored: true })).toMatchObject({ state: 'applied' });
  expect(readFileSync(host('new/.env.local'), 'utf8')).toBe('key\n');
});

it('what is to be confirmed is named, and refused without a word of the user', async () => {
  put(user, [{ paths: ['project:deploy/**'], kinds: ['added'], do: 'confirm' }]);
  const client = await session('mkdir -p deploy; echo a > deploy/run.sh; echo c > c');
  expect((await preview(client)).guard).toMatchObject({
    count: 1,
    asked: 1,
    reasons: [
      expect.stringContaining(`changes ${host('deploy/run.sh')}, which is to be confirmed (effects[0] of`),
    ],
  });
  expect((await preview(client)).effects.confirm).toMatchObject([{ path: host('deploy/run.sh') }]);
  const refused = await commit(client);
  expect(refused.error).toMatchObject({ code: 'mass-guard' });
  expect(existsSync(host('c'))).toBe(false);
  expect(await commit(client, { typedCount: 1 })).toMatchObject({ state: 'applied', applied: 3 });
});

it('a project that leaves out what the user wants confirmed does not take the confirmation away', async () => {
  put(user, [{ paths: ['project:deploy/**'], do: 'confirm' }]);
  put(host('.claude/trai.rules.json'), [{ paths: ['project:deploy/**'], do: 'never' }]);
  const client = await session('mkdir -p deploy; echo a > deploy/other.sh');
  expect((await preview(client, true)).guard).toMatchObject({ asked: 1 });
  expect((await commit(client, { includeIgnored: true })).error).toMatchObject({ code: 'mass-guard' });
  expect(existsSync(host('deploy/other.sh'))).toBe(false);
});

it('what is flagged is worth a look; a project’s rules hold back too, and neither is about a discard', async () => {
  put(user, [{ paths: ['*.sql'], do: 'flag' }]);
  put(host('.claude/trai.rules.json'), [{ paths: ['*.lock'], do: 'never' }]);
  const client = await session('echo a > x.sql; echo b > y.lock');
  const found = await preview(client);
  expect(found.risks).toContainEqual({ risk: 'flagged', count: 1 });
  expect(found.effects).toMatchObject({ flagged: [{ path: host('x.sql') }], confirm: [] });
  expect(found.totals).toMatchObject({ flagged: 1, confirm: 0, never: 1 });
  expect(found.ignored.count).toBe(1);
  const discard = await ask<CommitPreview>(client, 'preview', {
    ...{ scope: ALL, action: 'discard', includeIgnored: true },
  });
  expect(discard).toMatchObject({
    counts: { added: 2 },
    ignored: { count: 0 },
    totals: { flagged: 0, never: 0 },
  });
});

it('a rule file that never was good is named: its effects are not known', async () => {
  const client = await session('echo a > z');
  expect(await preview(client)).not.toHaveProperty('unknownEffects');
  const file = host('.claude/trai.rules.json');
  mkdirSync(path.dirname(file), { recursive: true });
  // As nobody has read it before.
  rmSync(path.join(t.state, 'rules'), { recursive: true, force: true });
  writeFileSync(file, '{"version": 2, "effects": [');
  expect((await preview(client)).unknownEffects).toEqual([expect.stringContaining(file)]);
});
