/** Questions about a list to a real worker: it gets the columns once, and answers from what it has. */
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packScan } from '../../core/jobs/packed-scan.ts';
import { scanJob } from '../../core/jobs/scan-job.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { PLUGIN_DIST } from '../../scripts/lib/root.ts';
import { SpanFolder } from '../../shared/log/call-times.ts';
import { TestClient } from '../../testing/server/client.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { HeldList } from '../sessions/index/held-list.ts';
import type { ListSource } from './list-jobs.ts';
import { WorkerRunner } from './runner.ts';

let t: TestServer;
let client: TestClient;
let runner: WorkerRunner;
let ctx: SessionContext;
beforeAll(async () => {
  t = await testServer();
  client = new TestClient(t, 'asked');
  await client.start();
  expect(await client.bash('mkdir d; echo one > d/a; echo two > d/b')).toMatchObject({ rc: 0 });
  ctx = await sessionContext(t.state, client.id, { HOME: t.home });
  runner = new WorkerRunner(path.join(PLUGIN_DIST, 'lib/scan-worker.mjs'));
});
afterAll(async () => {
  await runner.close();
  await client.clean();
  await t.close();
});

/** A list as the server holds it, and how often its columns were sent. */
async function source(): Promise<{ held: ListSource; sent: () => number }> {
  const answer = await packScan(await scanJob(ctx, null));
  if (answer.same) throw new Error('expected a list');
  const spans = new SpanFolder();
  const of = { session: client.id, own: () => spans, version: () => '0', of: () => null };
  const list = new HeldList(answer, of);
  let sent = 0;
  const columns = () => {
    sent++;
    return list.columns();
  };
  return { held: { list: list.list, key: list.key, columns }, sent: () => sent };
}

it('gets the columns once for all questions about one list, and anew for another', async () => {
  const first = await source();
  const entries = first.held.list.changes.map(({ id }) => id);
  const [counts, page] = await Promise.all([
    runner.ask('lineCounts', ctx, first.held, { entries }),
    runner.ask('search', ctx, first.held, {
      ...{ text: 'two', matchCase: true, includeIgnored: false, after: null },
    }),
  ]);
  expect(Object.values(counts)).toEqual([null, [1, 0], [1, 0]]);
  expect(page.hits.map((hit) => hit.path)).toEqual([`${t.project}/d/b`]);
  expect(first.sent()).toBe(1);

  expect(await client.bash('echo three > d/c')).toMatchObject({ rc: 0 });
  const second = await source();
  const added = second.held.list.changes.find((change) => change.path.endsWith('/c'))?.id ?? '';
  const view = { entry: added, load: true, whole: false, spaces: 'exact' } as const;
  await expect(runner.ask('diff', ctx, first.held, view)).rejects.toMatchObject({ code: 'not-found' });
  expect(await runner.ask('diff', ctx, second.held, view)).toMatchObject({ kind: 'text', added: 1 });
  expect([first.sent(), second.sent()]).toEqual([1, 1]);
});

it('says what is committed of a list, and by what its entries are recognised later', async () => {
  const { held } = await source();
  const order = { scope: { kind: 'all' }, action: 'commit', includeIgnored: false } as const;
  const input = { order, texts: new Map(), review: true };
  const { preview, reviewed } = await runner.ask('preview', ctx, held, input);
  expect(preview).toMatchObject({
    revision: held.list.revision,
    counts: { added: held.list.changes.length },
  });
  expect(reviewed?.length).toBe(held.list.changes.length * 16);
});
