import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ViewedState } from '../../shared/api/types.ts';
import type { DiffModel } from '../../shared/model/diff.ts';
import { TestClient } from '../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../testing/server/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

let count = 0;

async function reviewed(command: string) {
  const client = new TestClient(t, `viewed${++count}`);
  await client.start();
  expect(await client.bash(command)).toMatchObject({ rc: 0 });
  const base = `/api/sessions/${client.id}`;
  const get = async <T>(what: string): Promise<T> =>
    JSON.parse(await (await t.api(`${base}/${what}`)).text());
  const list = () => listOf(t, client);
  const entry = async (name: string): Promise<string> => {
    const found = (await list()).changes.find((change) => change.path.endsWith(`/${name}`));
    if (found === undefined) throw new Error(`${name} is not pending`);
    return found.id;
  };
  return {
    client,
    list,
    entry,
    etag: async (id: string): Promise<string> =>
      (await get<DiffModel>(`diff?entry=${id}&load=0&whole=0&spaces=exact`)).etag,
    state: (): Promise<ViewedState> => get('viewed'),
    mark: (body: object) => t.api(`${base}/viewed`, { viewed: true, etag: null, ...body }),
  };
}

it('a mark is for the diff that was on show: it stays, and goes when it is taken away', async () => {
  const s = await reviewed('echo one > seen; echo two > unseen');
  const id = await s.entry('seen');
  expect(await s.state()).toEqual({ viewed: [], updated: [] });
  const { revision } = await s.list();
  const marked = await s.mark({ entries: [id], etag: await s.etag(id), revision });
  expect([marked.status, await marked.json()]).toEqual([200, { viewed: [id], updated: [] }]);
  expect(await s.state()).toEqual({ viewed: [id], updated: [] });
  await s.mark({ entries: [id], viewed: false, revision });
  expect(await s.state()).toEqual({ viewed: [], updated: [] });
});

it('what changes afterwards is updated; what is written anew with the same content is still viewed', async () => {
  const s = await reviewed('echo one > same; echo two > other');
  const ids = [await s.entry('same'), await s.entry('other')];
  await s.mark({ entries: ids, revision: (await s.list()).revision });
  await s.client.bash('rm same; echo one > same; echo three > other');
  await s.list();
  expect(await s.state()).toEqual({ viewed: [ids[0]], updated: [ids[1]] });
  // The mark has the new fingerprint now.
  expect(await s.state()).toEqual({ viewed: [ids[0]], updated: [ids[1]] });
});

it('a change of the host under it makes it updated too', async () => {
  const file = path.join(t.project, 'both');
  writeFileSync(file, 'old\n');
  const s = await reviewed('echo sandbox > both');
  const id = await s.entry('both');
  await s.mark({ entries: [id], revision: (await s.list()).revision });
  writeFileSync(file, 'host, later\n');
  await s.list();
  expect(await s.state()).toEqual({ viewed: [], updated: [id] });
});

it.each([
  ['another diff than the one on show', async () => ({ etag: '0000000000000000' })],
  ['a list that moved on', async () => ({ revision: 'another' })],
])('%s is refused, and marks nothing', async (_what, wrong) => {
  const s = await reviewed('echo one > refused');
  const id = await s.entry('refused');
  const answer = await s.mark({ entries: [id], revision: (await s.list()).revision, ...(await wrong()) });
  expect([answer.status, await answer.json()]).toMatchObject([409, { error: { code: 'stale-revision' } }]);
  expect(await s.state()).toEqual({ viewed: [], updated: [] });
});

it('an entry that is not pending is refused with all that were named beside it', async () => {
  const s = await reviewed('echo one > there');
  const entries = [await s.entry('there'), '0123456789abcdef'];
  expect((await s.mark({ entries, revision: (await s.list()).revision })).status).toBe(409);
  expect(await s.state()).toEqual({ viewed: [], updated: [] });
});
