import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClient } from '../../testing/server/client.ts';
import { readList, type TestServer, testServer } from '../../testing/server/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

it('a list is sent once: who names its revision is told that it is the same, until it is another', async () => {
  const client = new TestClient(t, 'same');
  await client.start();
  expect(await client.bash('mkdir d; echo a > d/a; ln -s a d/b')).toMatchObject({ rc: 0 });
  const address = `/api/sessions/${client.id}/changes`;
  const first = await readList(await t.api(address));
  const names = (list: typeof first) => list.changes.map((change) => path.relative(t.project, change.path));
  expect(names(first)).toEqual(['d', 'd/a', 'd/b']);
  expect(first.changes[2]?.pending).toMatchObject({ type: 'symlink', target: 'a' });
  expect(
    first.changes.flatMap((change) => Object.keys(change)).filter((name) => /Identity/.test(name)),
  ).toEqual([]);

  const unless = `${address}?unless=${first.revision}`;
  expect(JSON.parse(await (await t.api(unless)).text())).toEqual({ same: true });
  expect(await client.bash('echo b > d/c')).toMatchObject({ rc: 0 });
  expect(names(await readList(await t.api(unless)))).toEqual(['d', 'd/a', 'd/b', 'd/c']);
  expect((await t.api(`${address}?unless=`)).status).toBe(400);
  expect((await t.api(`${address}?untill=${first.revision}`)).status).toBe(400);
});

it('a conflict that comes up on the host alone is another list: also one deep below a deleted directory', async () => {
  const client = new TestClient(t, 'conflict');
  mkdirSync(path.join(t.project, 'gone/deep/er'), { recursive: true });
  writeFileSync(path.join(t.project, 'gone/deep/er/x'), 'x');
  await client.start();
  expect(await client.bash('rm -r gone')).toMatchObject({ rc: 0 });
  const address = `/api/sessions/${client.id}/changes`;
  const first = await readList(await t.api(address));
  expect(first.conflicts).toBe(0);
  writeFileSync(path.join(t.project, 'gone/deep/er/new'), 'mine');
  await expect
    .poll(async () => JSON.parse(await (await t.api(`${address}?unless=${first.revision}`)).text()))
    .toMatchObject({ same: false });
  expect((await readList(await t.api(address))).conflicts).toBeGreaterThan(0);
});
