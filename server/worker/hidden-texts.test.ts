import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { TextVerdict } from '../../core/content/texts.ts';
import { JOBS } from '../../core/jobs/jobs.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import { scan } from '../../core/scan/scan.ts';
import type { CommitPreview, HiddenTexts } from '../../shared/api/types.ts';
import { fromText } from '../../shared/bytes.ts';
import { TestClient } from '../../testing/server/client.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { HiddenTextCache } from './hidden-texts.ts';

let t: TestServer;
let used = 0;
let client: TestClient;
beforeAll(async () => {
  t = await testServer();
});
afterEach(() => client.clean());
afterAll(() => t.close());

async function session(command: string): Promise<TestClient> {
  client = new TestClient(t, `h${++used}`);
  await client.start();
  expect(await client.bash(command)).toMatchObject({ rc: 0 });
  return client;
}

const contextOf = () => sessionContext(t.state, client.id, { HOME: t.home });
const RLO = "printf 'a\\342\\200\\256b\\n'";

async function texts(): Promise<HiddenTexts> {
  const answer = await t.api(`/api/sessions/${client.id}/hidden-texts`);
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}

async function preview(paths: string[] | null): Promise<CommitPreview> {
  const all = (paths ?? []).map((name) => fromText(`${t.project}/${name}`));
  const scope = paths === null ? { kind: 'all' } : { kind: 'paths', paths: all };
  const order = { scope, action: 'commit', includeIgnored: false };
  return JSON.parse(await (await t.api(`/api/sessions/${client.id}/preview`, order)).text());
}

const flagged = ({ risks }: CommitPreview): number => risks.find(({ risk }) => risk === 'hidden')?.count ?? 0;

it('a list names the files, and so does the preview of exactly what would go', async () => {
  await session(`mkdir d; ${RLO} > d/one; ${RLO} > two; echo plain > three`);
  // Nothing has been scanned yet when a commit is requested.
  const all = await preview(null);
  expect([flagged(all), all.unread]).toEqual([2, 0]);
  const found = await texts();
  expect(found).toMatchObject({ unread: 0, left: 0 });
  expect(found.hidden).toHaveLength(2);
  expect(flagged(await preview(['d']))).toBe(1);
  expect(flagged(await preview(['three']))).toBe(0);
});

it('what was looked at is looked at again once it is another text', async () => {
  await session(`${RLO} > one`);
  expect((await texts()).hidden).toHaveLength(1);
  await client.bash('echo plain > one');
  await t.api(`/api/sessions/${client.id}/changes`);
  expect((await texts()).hidden).toEqual([]);
  await client.bash(`${RLO} > one`);
  expect(flagged(await preview(null))).toBe(1);
});

it('a file that could not be looked into is counted, in a part as well', async () => {
  await session("head -c 3000000 /dev/zero | tr '\\0' x > large; echo small > small");
  expect(await texts()).toEqual({ hidden: [], unread: 1, left: 0 });
  expect((await preview(null)).unread).toBe(1);
  expect((await preview(['small'])).unread).toBe(0);
});

it('what there was no time for is read when it is asked for again, until all is', async () => {
  await session(`for i in 1 2 3 4 5; do ${RLO} > f$i; done`);
  const ctx = await contextOf();
  const list = await scan(ctx);
  const cache = new HiddenTextCache();
  const left: number[] = [];
  // Concurrent tabs share one scan.
  await Promise.all([cache.look(ctx, list, 0), cache.look(ctx, list, 0)]);
  for (let i = 0; i < 5; i++) left.push((await cache.look(ctx, list, 0)).left);
  expect(left).toEqual([3, 2, 1, 0, 0]);
  expect(cache.known(ctx, list).size).toBe(5);
});

it('a discard and the terminal look into no text', async () => {
  await session(`${RLO} > one`);
  const ctx = await contextOf();
  const list = await scan(ctx);
  const order = { scope: { kind: 'all' }, includeIgnored: false } as const;
  const known = new Map<string, TextVerdict>();
  const run = (action: 'commit' | 'discard', texts: typeof known | null) =>
    JOBS.preview(ctx, { list, order: { ...order, action }, texts }, () => undefined);
  expect(flagged(await run('commit', known))).toBe(1);
  expect(flagged(await run('discard', known))).toBe(0);
  expect(flagged(await run('commit', null))).toBe(0);
});
