import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PackedFound, packScan, scanJob } from '../../core/jobs/lists.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { PLUGIN_DIST } from '../../scripts/lib/root.ts';
import { unpackChanges } from '../../shared/api/packed-changes.ts';
import { LogFold } from '../../shared/log/fold.ts';
import { TestClient } from '../../testing/server/client.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { HeldList } from '../sessions/index/session-list.ts';
import type { ListSource } from './lists.ts';
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

const counts = { entries: [] as string[] };
const view = (entry: string) => ({ entry, load: true, whole: false, spaces: 'exact' }) as const;

/** A list as the server holds it, which counts what the worker asks back for. */
function held(found: PackedFound, version = '0') {
  const spans = new LogFold();
  const list = new HeldList(found, { session: client.id, version: () => version, of: () => spans });
  const asked = { columns: 0, spans: 0 };
  const source: ListSource = {
    revision: list.revision,
    spansVersion: list.spansVersion,
    get found() {
      asked.columns++;
      return found;
    },
    spans: () => {
      asked.spans++;
      return list.spans();
    },
  };
  const paths = unpackChanges(found.packed).map(({ id, path }) => [path, id] as const);
  return { source, asked, ids: paths.map(([, id]) => id), idOf: new Map<string, string>(paths) };
}

/** A scan that another one would repeat: the server's work after the call may still change the upper. */
async function lastScan(): Promise<PackedFound> {
  let last: PackedFound | null = null;
  await expect
    .poll(async () => {
      const answer = await runner.run('scan', ctx, last?.rest.mark ?? null);
      if (!answer.same) last = answer;
      return answer.same;
    })
    .toBe(true);
  if (last === null) throw new Error('expected a list');
  return last;
}

const packedHere = async (): Promise<PackedFound> => {
  const answer = await packScan(await scanJob(ctx, null));
  if (answer.same) throw new Error('expected a list');
  return answer;
};

it('answers from the list of its own scan: no columns are sent, and the calls once', async () => {
  const answer = await lastScan();
  const first = held(answer);
  expect(await runner.ask('lineCounts', ctx, first.source, { entries: first.ids })).toMatchObject({});
  await runner.ask('lineCounts', ctx, first.source, counts);
  expect(first.asked).toEqual({ columns: 0, spans: 1 });
  // Other calls may be the writers now.
  const later = held(answer, '1');
  await runner.ask('lineCounts', ctx, later.source, counts);
  expect(later.asked).toEqual({ columns: 0, spans: 1 });
  // A scan that finds nothing changed keeps the list.
  expect(await runner.run('scan', ctx, answer.rest.mark)).toEqual({ same: true });
  await runner.ask('lineCounts', ctx, later.source, counts);
  expect(later.asked).toEqual({ columns: 0, spans: 1 });
});

it('gets the columns of a list that it has not, once for all questions, and anew for another', async () => {
  await runner.close();
  const first = held(await packedHere());
  const [found, page] = await Promise.all([
    runner.ask('lineCounts', ctx, first.source, { entries: first.ids }),
    runner.ask('search', ctx, first.source, {
      text: 'two',
      matchCase: true,
      includeIgnored: false,
      after: null,
    }),
  ]);
  expect(Object.values(found)).toEqual([null, [1, 0], [1, 0]]);
  expect(page.hits.map((hit) => hit.path)).toEqual([`${t.project}/d/b`]);
  expect(first.asked).toEqual({ columns: 1, spans: 1 });

  expect(await client.bash('echo three > d/c')).toMatchObject({ rc: 0 });
  const second = held(await packedHere());
  const added = second.idOf.get(`${t.project}/d/c`) ?? '';
  await expect(runner.ask('diff', ctx, first.source, view(added))).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(await runner.ask('diff', ctx, second.source, view(added))).toMatchObject({ kind: 'text', added: 1 });
  expect([first.asked.columns, second.asked.columns]).toEqual([1, 1]);
});

it('says what is committed of a list, and by what its entries are recognised later', async () => {
  const { source, ids } = held(await packedHere());
  const order = { scope: { kind: 'all' }, action: 'commit', includeIgnored: false } as const;
  const { preview, reviewed } = await runner.ask('preview', ctx, source, { order, review: true });
  expect(preview).toMatchObject({ revision: source.revision, counts: { added: ids.length } });
  expect(reviewed?.length).toBe(ids.length * 16);
});
