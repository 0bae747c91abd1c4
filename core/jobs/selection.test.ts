/** A selection over the API: preview, commit, discard and cancellation. */
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommitPreview } from '../../shared/api/types.ts';
import { fromText } from '../../shared/bytes.ts';
import { sameRevision } from '../../shared/model/change.ts';
import type { CommitReport, Scope } from '../../shared/model/commit.ts';
import { TestClient } from '../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../testing/server/server.ts';
import { takeFileLock } from '../kernel/proc/file-lock.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

let count = 0;
async function session(): Promise<TestClient> {
  const client = new TestClient(t, `part${++count}`);
  await client.start();
  return client;
}

async function ask<T>(
  client: TestClient,
  what: string,
  body?: object,
): Promise<T & { error?: { code: string } }> {
  return JSON.parse(await (await t.api(`/api/sessions/${client.id}/${what}`, body)).text());
}

const host = (name: string) => path.join(t.project, name);
const paths = (...names: string[]): Scope => ({
  kind: 'paths',
  paths: names.map((name) => fromText(host(name))),
});
const plain = { includeIgnored: false, conflicts: 'refuse', choices: {}, yes: false, typedCount: null };
const preview = (client: TestClient, scope: Scope, action = 'commit') =>
  ask<CommitPreview>(client, 'preview', { scope, action, includeIgnored: action === 'discard' });
const listed = async (client: TestClient) =>
  (await listOf(t, client)).changes.map((change) => path.relative(t.project, change.path));

it('a file of which only the time differs is told by the list and the preview, and goes with a path above it', async () => {
  const client = await session();
  mkdirSync(host('times'));
  for (const name of ['one', 'two']) {
    writeFileSync(host(`times/${name}`), name);
    utimesSync(host(`times/${name}`), 1e9, 1e9);
  }
  await client.bash('echo n > times/new');
  const { revision } = await listOf(t, client);
  await client.bash('touch -d @1500000000 times/one times/two');
  const list = await listOf(t, client);
  expect([list.times, Object.hasOwn(list, 'timed'), list.changes.length]).toEqual([2, false, 1]);
  // The tab needs the new revision; for the user who reviewed the old list nothing is new.
  expect(list.revision).not.toBe(revision);
  expect(sameRevision(list.revision, revision, false)).toBe(true);
  expect(await preview(client, { kind: 'all' })).toMatchObject({ counts: { added: 1 }, times: 2, bytes: 2 });
  const found = await preview(client, paths('times/one'));
  expect(found).toMatchObject({
    counts: { added: 0 },
    times: 1,
    ignored: { count: 0 },
    places: { shown: [] },
  });
  expect(await preview(client, paths('times'), 'discard')).not.toHaveProperty('times');
  const order = { ...plain, scope: paths('times/one'), revision: list.revision };
  expect(await ask<CommitReport>(client, 'commit', order)).toMatchObject({ applied: 0, times: 1 });
  expect(statSync(host('times/one')).mtimeMs).toBe(1.5e12);
  const rest = { ...plain, scope: { kind: 'all' }, revision: (await listOf(t, client)).revision };
  expect(await ask<CommitReport>(client, 'commit', rest)).toMatchObject({ applied: 1, times: 1 });
  expect(await listOf(t, client)).not.toHaveProperty('times');
});

describe('the preview of a part', () => {
  it('counts exactly what would be applied, and names what goes along and what can not', async () => {
    const client = await session();
    await client.bash('mkdir -p pv/m; echo 12345 > pv/m/1; echo 2 > pv/m/2; echo other > pv-other');
    const found = await preview(client, paths('pv/m/1', 'pv/none'));
    expect(found).toMatchObject({
      counts: { added: 3 },
      bytes: 6,
      guard: null,
      totals: { along: 2, cannot: 1 },
    });
    expect(found.along.map((one) => path.relative(t.project, one.path)).sort()).toEqual(['pv', 'pv/m']);
    expect(found.cannot).toEqual([{ path: host('pv/none'), why: 'nothing is pending there' }]);
    expect(found.space[0]?.free).toBeGreaterThan(found.space[0]?.needed ?? Number.POSITIVE_INFINITY);
    expect(await preview(client, paths('nothing-here'))).toMatchObject({ error: { code: 'not-found' } });
    const dropped = await preview(client, paths('pv'), 'discard');
    expect(dropped).toMatchObject({
      action: 'discard',
      counts: { added: 4 },
      totals: { along: 0, cannot: 0 },
    });
  });

  it('names who writes to a target and which of them have other names', async () => {
    const client = await session();
    writeFileSync(host('held'), 'held\n');
    writeFileSync(host('linked'), 'linked\n');
    linkSync(host('linked'), host('linked-too'));
    await client.bash('echo new > held; echo new > linked');
    const fd = openSync(host('held'), 'a');
    try {
      const found = await preview(client, { kind: 'all' });
      expect(found.writers).toEqual([
        { path: host('held'), pid: process.pid, command: expect.stringContaining('node') },
      ]);
      expect(found.linked).toEqual([{ path: host('linked'), links: 2 }]);
      expect(found.totals).toMatchObject({ writers: 1, linked: 1 });
    } finally {
      closeSync(fd);
    }
    expect((await preview(client, { kind: 'all' })).writers).toEqual([]);
  });

  it('flags exactly what goes, and not what was left out', async () => {
    const client = await session();
    await client.bash(
      'echo 1 > rk-tool; chmod +x rk-tool; echo 1 > rk-plain; mkdir rk-dir; ln -s / rk-dir/out',
    );
    const flags = async (...names: string[]) => (await preview(client, paths(...names))).risks;
    expect(await flags('rk-plain')).toEqual([]);
    expect(await flags('rk-tool')).toEqual([{ risk: 'executable', count: 1 }]);
    // The directory is a dependency without a risk; the link has one.
    expect(await flags('rk-dir/out')).toEqual([{ risk: 'link-out', count: 1 }]);
    await client.bash('echo 2 > rk-late; chmod +x rk-late');
    const { changes } = await listOf(t, client);
    const [call = ''] = changes.find(({ path: at }) => at.endsWith('/rk-late'))?.by ?? [];
    expect((await preview(client, { kind: 'call', call })).risks).toEqual([{ risk: 'executable', count: 1 }]);
    expect((await preview(client, { kind: 'all' })).risks).toEqual([
      { risk: 'link-out', count: 1 },
      { risk: 'executable', count: 2 },
    ]);
  });

  it('of a call is of what it certainly wrote alone', async () => {
    const client = await session();
    await client.bash('echo 1 > first-call');
    await client.bash('echo 2 > second-call');
    const list = await listOf(t, client);
    const by = list.changes.find((change) => change.path.endsWith('/second-call'))?.by ?? [];
    expect(by).toHaveLength(1);
    const found = await preview(client, { kind: 'call', call: by[0] ?? '' });
    expect(found).toMatchObject({ counts: { added: 1 }, totals: { along: 0, cannot: 0 } });
    expect((await preview(client, { kind: 'up-to', call: by[0] ?? '' })).counts.added).toBe(2);
  });
});

describe('the order for a part', () => {
  it('commits it, and a second time the same part is not found; the rest is untouched', async () => {
    const client = await session();
    await client.bash('echo c1 > c1; echo c2 > c2');
    const { revision } = await preview(client, paths('c1'));
    const report = await ask<CommitReport>(client, 'commit', { ...plain, scope: paths('c1'), revision });
    expect(report).toMatchObject({ state: 'applied', applied: 1 });
    expect([existsSync(host('c1')), existsSync(host('c2'))]).toEqual([true, false]);
    expect(await listed(client)).toEqual(['c2']);
    const again = {
      ...plain,
      scope: paths('c1'),
      revision: (await listOf(t, client)).revision,
    };
    expect(await ask(client, 'commit', again)).toMatchObject({ error: { code: 'not-found' } });
  });

  it('leaves what a process has written since the review, with its reason, and commits the rest', async () => {
    const client = await session();
    await client.bash(
      'echo 1 > w-log; mkdir w; echo a > w/a; (until [ -e w-go ]; do sleep 0.02; done; echo 2 >> w-log; echo new > w/new; rm w-go; sleep 300) > /dev/null 2>&1 & disown',
    );
    const all: Scope = { kind: 'all' };
    const order = async (scope: Scope, revision: string) =>
      await ask<CommitReport>(client, 'commit', { ...plain, scope, revision });
    const [seen, part] = [await preview(client, all), await preview(client, paths('w-log'))];
    await client.bash('touch w-go');
    await expect.poll(() => listed(client)).toEqual(['w', 'w-log', 'w/a', 'w/new']);
    expect(await order(paths('w-log'), part.revision)).toMatchObject({ error: { code: 'stale-revision' } });
    const report = await order(all, seen.revision);
    expect(report).toMatchObject({ state: 'partial', applied: 2, copies: true });
    expect(report.failed.map(({ path: at }) => path.relative(t.project, at))).toEqual(['w-log', 'w/new']);
    expect([existsSync(host('w/a')), existsSync(host('w/new')), existsSync(host('w-log'))]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await listed(client)).toEqual(['w-log', 'w/new']);
    // Without the fingerprints of a shown list, it is unknown what is stale.
    expect(await order(all, 'r')).toMatchObject({ error: { code: 'stale-revision' } });
    expect(await order(all, (await preview(client, all)).revision)).toMatchObject({ state: 'applied' });
    expect(readFileSync(host('w-log'), 'utf8')).toBe('1\n2\n');
    await client.clean();
  });

  it('discards it while a process runs, which may be ended', async () => {
    const client = await session();
    await client.bash('echo d1 > d1; echo d2 > d2; echo d3 > d3; sleep 300 > /dev/null 2>&1 & disown');
    const order = async (name: string, endProcesses: boolean) =>
      await ask<{ entries: number }>(client, 'discard', {
        scope: paths(name),
        endProcesses,
        revision: (await listOf(t, client)).revision,
      });
    expect(await order('d1', false)).toMatchObject({ entries: 1 });
    expect(await listed(client)).toEqual(['d2', 'd3']);
    expect(await order('d3', true)).toMatchObject({ entries: 1 });
    expect(await listed(client)).toEqual(['d2']);
  });

  it.each([
    ['without a scope', {}],
    ['with a scope of another shape', { scope: 'all' }],
    ['with no path', { scope: { kind: 'paths', paths: [] } }],
    ['with a relative path', { scope: { kind: 'paths', paths: ['x'] } }],
    ['with a path that is no byte string', { scope: { kind: 'paths', paths: ['/ā'] } }],
    ['with a word too many', { scope: { kind: 'all', paths: [] } }],
    ['with too many paths', { scope: { kind: 'paths', paths: Array.from({ length: 10_001 }, () => '/x') } }],
  ])('is refused %s', async (_, body) => {
    const client = await session();
    for (const [what, rest] of [
      ['commit', { ...plain, revision: 'r' }],
      ['discard', { revision: 'r', endProcesses: false }],
      ['preview', { action: 'commit', includeIgnored: false }],
    ] as const)
      expect(await ask(client, what, { ...rest, ...body }), what).toMatchObject({
        error: { code: 'bad-input' },
      });
  });
});

describe('cancel', () => {
  it('stops a commit that has not begun to touch anything; with nothing to stop it says so', async () => {
    const client = await session();
    await client.bash('echo k > k');
    expect(await ask(client, 'cancel', {})).toEqual({ cancelled: false });
    const { revision } = await listOf(t, client);
    // The request is cancelled while it waits for the lock.
    const release = await takeFileLock(path.join(t.state, 'sessions', client.id, 'lock'));
    const running = ask<CommitReport>(client, 'commit', { ...plain, scope: { kind: 'all' }, revision });
    try {
      await expect
        .poll(async () => (await ask<{ cancelled: boolean }>(client, 'cancel', {})).cancelled, {
          timeout: 120_000,
        })
        .toBe(true);
    } finally {
      await release();
    }
    expect(await running).toMatchObject({
      state: 'partial',
      cancelled: true,
      applied: 0,
      notApplied: [host('k')],
    });
    expect(existsSync(host('k'))).toBe(false);
    expect(await listed(client)).toEqual(['k']);
    const next = {
      ...plain,
      scope: { kind: 'all' },
      revision: (await listOf(t, client)).revision,
    };
    expect(await ask(client, 'commit', next)).toMatchObject({ state: 'applied', applied: 1 });
    expect(readFileSync(host('k'), 'utf8')).toBe('k\n');
  });
});
