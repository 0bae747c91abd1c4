import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommitReport, HistoryEntry, UndoPreview } from '../../shared/model/commit.ts';
import { TestClient } from '../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../testing/server/server.ts';

let t: TestServer;
let client: TestClient;
beforeAll(async () => {
  t = await testServer();
  client = new TestClient(t, 'u1');
  await client.start();
});
afterAll(async () => {
  await client.clean();
  await t.close();
});

const ask = async <T>(route: string, body?: unknown): Promise<T> => {
  const answer = await t.api(`/api/sessions/${client.id}/${route}`, body);
  expect(answer.status, route).toBe(200);
  return JSON.parse(await answer.text());
};
const order = (n: number, revision: string, extra: object = {}) => ({
  n,
  revision,
  conflicts: 'refuse',
  yes: false,
  typedCount: null,
  endProcesses: false,
  ...extra,
});
const refused = async (body: object): Promise<unknown> => {
  const answer = await t.api(`/api/sessions/${client.id}/undo-commit`, body);
  expect(answer.status).toBe(409);
  return await answer.json();
};

it('gives the host back what it had, as it was previewed or not at all, and commits it again', async () => {
  const at = (name: string) => path.join(t.project, name);
  writeFileSync(at('undo-old.txt'), 'old\n');
  await client.bash('echo new > undo-old.txt; mkdir undo-dir; echo new > undo-dir/a');
  const { revision } = await listOf(t, client);
  const commit = await ask<CommitReport>('commit', {
    scope: { kind: 'all' },
    revision,
    includeIgnored: false,
    conflicts: 'refuse',
    choices: {},
    yes: false,
    typedCount: null,
    noUndo: false,
  });
  const seen = await ask<UndoPreview>('undo-preview', { n: commit.n });
  expect(seen).toMatchObject({ restored: 1, removed: 2, conflicts: [], unable: [], guard: null });
  writeFileSync(at('undo-dir/a'), 'mine\n');
  expect(await refused(order(commit.n, seen.revision))).toMatchObject({ error: { code: 'stale-revision' } });
  const again = await ask<UndoPreview>('undo-preview', { n: commit.n });
  expect(again.conflicts).toMatchObject([{ reason: 'host-changed' }]);
  expect(await refused(order(commit.n, again.revision))).toMatchObject({ error: { code: 'conflicts' } });
  expect(readFileSync(at('undo-old.txt'), 'utf8')).toBe('new\n');
  const report = await ask<CommitReport>(
    'undo-commit',
    order(commit.n, again.revision, { conflicts: 'take-back' }),
  );
  expect(report).toMatchObject({ state: 'applied', failed: [] });
  expect(readFileSync(at('undo-old.txt'), 'utf8')).toBe('old\n');
  expect(existsSync(at('undo-dir'))).toBe(false);
  const pending = (await listOf(t, client)).changes.map(({ path: name }) => path.basename(name));
  expect(pending).toEqual(['undo-dir', 'a', 'undo-old.txt']);
  const history = await ask<HistoryEntry[]>('history');
  expect(history.map(({ kind, state, can }) => [kind, state, can])).toEqual([
    ['undo', 'applied', 'redo'],
    ['commit', 'undone', null],
  ]);
  expect(await ask<CommitReport>('redo', {})).toMatchObject({ state: 'applied', applied: 3 });
  expect(readFileSync(at('undo-dir/a'), 'utf8')).toBe('mine\n');
  const log = readFileSync(path.join(t.state, `sessions/${client.id}/calls.jsonl`), 'utf8');
  const events = log.split('\n').filter((line) => line.includes('"commit.undone"'));
  expect(events.map((line) => JSON.parse(line)).map(({ redo, state }) => [redo, state])).toEqual([
    [false, 'refused'],
    [false, 'refused'],
    [false, 'applied'],
    [true, 'applied'],
  ]);
  const answer = await t.api(`/api/sessions/${client.id}/undo-preview`, { n: 1 });
  expect(answer.status).toBe(404);
});
