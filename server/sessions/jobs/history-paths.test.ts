import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { MAX_HISTORY_PATHS } from '../../../shared/limits.ts';
import type {
  CommitReport,
  DiscardReport,
  HistoryEntry,
  HistoryPaths,
  Scope,
  UndoPreview,
} from '../../../shared/model/commit.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
let count = 0;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

class Session {
  readonly client = new TestClient(t, `hp${++count}`);
  readonly dir = path.join(t.project, `hp${count}`);

  async start(): Promise<this> {
    mkdirSync(this.dir);
    await this.client.start();
    return this;
  }

  async ask<T>(route: string, body?: unknown): Promise<T> {
    const answer = await t.api(`/api/sessions/${this.client.id}/${route}`, body);
    expect(answer.status, route).toBe(200);
    return JSON.parse(await answer.text());
  }

  async commit(): Promise<CommitReport> {
    const { revision } = await listOf(t, this.client);
    return await this.ask<CommitReport>('commit', {
      scope: { kind: 'all' },
      revision,
      includeIgnored: false,
      conflicts: 'refuse',
      choices: {},
      yes: true,
      typedCount: null,
    });
  }

  async discard(...names: string[]): Promise<DiscardReport> {
    const paths = names.map((name) => fromText(path.join(this.dir, name)));
    const scope: Scope = names.length === 0 ? { kind: 'all' } : { kind: 'paths', paths };
    const { revision } = await listOf(t, this.client);
    return await this.ask('discard', { scope, revision, endProcesses: false });
  }

  async page(of: number | string, after = 0): Promise<HistoryPaths> {
    return await this.ask(`history-paths?of=${of}&after=${after}`);
  }

  async paths(of: number | string): Promise<Record<string, string>> {
    const { paths, next } = await this.page(of);
    expect(next).toBeNull();
    return Object.fromEntries(paths.map((one) => [path.relative(this.dir, one.path), one.what]));
  }
}

it('names what a commit did, what its undo did, and what committing it again did', async () => {
  const s = await new Session().start();
  const at = (name: string): string => path.join(s.dir, name);
  for (const name of ['old', 'gone', 'mode', 'was-file']) writeFileSync(at(name), 'old\n');
  mkdirSync(at('tree/below'), { recursive: true });
  writeFileSync(at('tree/below/file'), 'old\n');
  await s.client.bash(
    `cd ${s.dir} && echo new > old && rm gone && chmod 700 mode && rm was-file && mkdir was-file && echo 1 > was-file/a && rm -r tree && echo 2 > tree && mkdir -p fresh/deep && echo 3 > fresh/deep/b`,
  );
  const { n, applied } = await s.commit();
  const done = {
    'old': 'changed',
    'gone': 'removed',
    'mode': 'meta',
    'was-file': 'changed',
    'was-file/a': 'added',
    'tree': 'changed',
    'tree/below': 'removed',
    'tree/below/file': 'removed',
    'fresh': 'added',
    'fresh/deep': 'added',
    'fresh/deep/b': 'added',
  };
  expect(await s.paths(n)).toEqual(done);
  expect(Object.keys(done)).toHaveLength(applied);

  const { revision } = await s.ask<UndoPreview>('undo-preview', { n });
  const undo = await s.ask<CommitReport>('undo-commit', {
    n,
    revision,
    conflicts: 'refuse',
    yes: true,
    typedCount: null,
    endProcesses: false,
  });
  expect(await s.paths(undo.n)).toEqual({
    'old': 'changed',
    'gone': 'added',
    'mode': 'meta',
    'was-file': 'changed',
    'was-file/a': 'removed',
    'tree': 'changed',
    'tree/below': 'added',
    'tree/below/file': 'added',
    'fresh': 'removed',
    'fresh/deep': 'removed',
    'fresh/deep/b': 'removed',
  });
  const redo = await s.ask<CommitReport>('redo', {});
  expect(await s.paths(redo.n)).toEqual(done);
});

it('names what a discard dropped, whole or in part, as long as it can be taken back', async () => {
  const s = await new Session().start();
  writeFileSync(path.join(s.dir, 'host'), 'old\n');
  await s.client.bash(`cd ${s.dir} && mkdir -p a/empty && echo 1 > a/one && echo 2 > two && rm host`);
  const part = await s.discard('a');
  expect(await s.paths(part.trash)).toEqual({ 'a': 'dropped', 'a/empty': 'dropped', 'a/one': 'dropped' });
  const rest = await s.discard();
  expect(await s.paths(rest.trash)).toEqual({ two: 'dropped', host: 'kept' });
  await s.ask('undo', { trash: rest.trash });
  const answer = await t.api(`/api/sessions/${s.client.id}/history-paths?of=${rest.trash}&after=0`);
  expect(answer.status).toBe(404);
  const rows = await s.ask<HistoryEntry[]>('history');
  expect(rows.map(({ trash }) => trash)).toEqual([null, part.trash]);
});

it('comes in pages that put together are the whole', async () => {
  const s = await new Session().start();
  const many = MAX_HISTORY_PATHS + 20;
  await s.client.bash(`cd ${s.dir} && mkdir many && for i in $(seq ${many}); do : > many/$i; done`);
  const { n, applied } = await s.commit();
  const first = await s.page(n);
  expect([first.paths.length, first.next]).toEqual([MAX_HISTORY_PATHS, MAX_HISTORY_PATHS]);
  const second = await s.page(n, first.next ?? 0);
  expect(second.next).toBeNull();
  const all = [...first.paths, ...second.paths].map((one) => one.path);
  expect(new Set(all).size).toBe(applied);
});

it('takes no name that is not in the history of that very session', async () => {
  const [s, other] = [await new Session().start(), await new Session().start()];
  await s.client.bash(`echo 1 > ${s.dir}/mine`);
  const { trash } = await s.discard();
  await other.client.bash('true');
  const status = async (of: string, after = '0') =>
    (await t.api(`/api/sessions/${other.client.id}/history-paths?of=${of}&after=${after}`)).status;
  expect(await status(trash)).toBe(404);
  expect(await status('7')).toBe(404);
  for (const of of ['', '0', '-1', '..', '../x', 'a%2Fb.20260302T101500000Z', '%00', '1e3'])
    expect(await status(of), of).toBe(400);
  expect(await status('1', '-1')).toBe(400);
});
