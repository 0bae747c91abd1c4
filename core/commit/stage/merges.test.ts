/** Merges, on real overlays: what lands, what stays pending, and what an undo brings back. */
import { readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChangeList } from '../../../shared/model/change.ts';
import type { ConflictChoice } from '../../../shared/model/commit.ts';
import { type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, undoRequest } from '../../../testing/commit/commit.ts';
import { previewMerge } from '../../content/merge-entry.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { redoCommit } from '../undo/redo.ts';
import { undoCommit } from '../undo/undo.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => s.remove());

const tick = 'sleep 0.05';
const text = (...lines: (number | string)[]): string => lines.map((line) => `${line}\n`).join('');
const host = (name = 'f'): string => readFileSync(`${s.host}/${name}`, 'utf8');

/** Seven lines; the sandbox changes the second, and then the host what it is told. */
async function conflict(onHost: string, inSandbox = 'sed -i s/2/two/ f'): Promise<ChangeList> {
  s.onHost(`seq 7 > f; ${tick}`);
  s.inSandbox(inSandbox);
  await recordBases(s.ctx, { earliestCall: Date.now() });
  s.onHost(`${tick}; ${onHost}; ${tick}`);
  return await scan(s.ctx);
}

async function commit(choice: ConflictChoice, merges?: Record<string, string>) {
  const { changes } = await scan(s.ctx);
  const choices = Object.fromEntries(changes.map(({ id }) => [id, choice]));
  return await commitNow(s, { request: { choices, merges } });
}

test('both changes land, nothing is pending, and an undo brings back both versions and the conflict', async () => {
  await conflict('sed -i s/6/six/ f');
  const mine = host();
  expect(await commit('merge')).toMatchObject({ state: 'applied', applied: 1 });
  expect(host()).toBe(text(1, 'two', 3, 4, 5, 'six', 7));
  expect((await scan(s.ctx)).changes).toEqual([]);
  expect(await undoCommit(s.ctx, undoRequest())).toMatchObject({ state: 'applied' });
  expect(host()).toBe(mine);
  s.inSandbox(`cat f > '${s.ctx.stateDir}/seen'`);
  expect(readFileSync(`${s.ctx.stateDir}/seen`, 'utf8')).toBe(text(1, 'two', 3, 4, 5, 6, 7));
  expect((await scan(s.ctx)).changes).toMatchObject([{ kind: 'modified', conflict: 'host-changed' }]);
  await commit('merge');
  expect(host()).toBe(text(1, 'two', 3, 4, 5, 'six', 7));
});

const UNDO = undoRequest();
const redo = async () => await redoCommit(s.ctx, await scan(s.ctx));

test.each(['merge', 'merge-markers'] as const)(
  'a redo of what was undone makes the same merge again, with an undo of its own: %s',
  async (choice) => {
    await conflict(choice === 'merge' ? 'sed -i s/6/six/ f' : 'sed -i "s/2/zwei/; s/6/six/" f');
    const mine = host();
    await commit(choice);
    const merged = host();
    await undoCommit(s.ctx, UNDO);
    const again = await redo();
    expect(again).toMatchObject({ n: 3, state: 'applied', applied: 1 });
    expect(again.marked).toEqual(choice === 'merge' ? undefined : [`${s.host}/f`]);
    expect(host()).toBe(merged);
    expect((await scan(s.ctx)).changes).toEqual([]);
    await undoCommit(s.ctx, { ...UNDO, n: 3 });
    expect(host()).toBe(mine);
    expect((await scan(s.ctx)).changes).toMatchObject([{ kind: 'modified', conflict: 'host-changed' }]);
    expect(await redo()).toMatchObject({ n: 5, applied: 1 });
    expect(host()).toBe(merged);
  },
);

test('a redo that would make another merge is refused, and changes nothing', async () => {
  await conflict('sed -i s/6/six/ f');
  await commit('merge');
  await undoCommit(s.ctx, UNDO);
  s.onHost(`${tick}; sed -i s/7/seven/ f; ${tick}`);
  const mine = host();
  await expect(redo()).rejects.toMatchObject({ code: 'stale-revision' });
  expect(host()).toBe(mine);
  expect((await scan(s.ctx)).changes).toMatchObject([{ kind: 'modified', conflict: 'host-changed' }]);
  s.onHost(`sed -i s/seven/7/ f`);
  expect(await redo()).toMatchObject({ state: 'applied', applied: 1 });
  expect(host()).toBe(text(1, 'two', 3, 4, 5, 'six', 7));
});

test('the same lines changed are refused with their number, and marked only where that is asked for', async () => {
  await conflict('sed -i "s/2/zwei/; s/6/six/" f');
  const before = host();
  await expect(commit('merge')).rejects.toMatchObject({ code: 'conflicts', data: { count: 1 } });
  expect(host()).toBe(before);
  expect(await commit('merge-markers')).toMatchObject({ marked: [`${s.host}/f`] });
  expect(host()).toBe(
    text(
      1,
      '<<<<<<< host',
      'zwei',
      '||||||| base',
      2,
      '=======',
      'two',
      '>>>>>>> sandbox',
      3,
      4,
      5,
      'six',
      7,
    ),
  );
});

test('what lands is what was shown, or nothing', async () => {
  const [change] = (await conflict('sed -i s/6/six/ f')).changes;
  if (change === undefined) throw new Error('expected a change');
  const shown = previewMerge(s.ctx, change);
  expect(shown).toMatchObject({ conflicts: 0, refused: null, diff: { added: 1, removed: 1 } });
  s.onHost(`${tick}; sed -i s/7/seven/ f; ${tick}`);
  await expect(commit('merge', { [change.id]: shown.etag })).rejects.toMatchObject({
    code: 'stale-revision',
  });
  // A list that has moved on shows no merge of something else either.
  expect(previewMerge(s.ctx, change)).toMatchObject({
    diff: null,
    refused: expect.stringContaining('Look again'),
  });
  const [now] = (await scan(s.ctx)).changes;
  if (now === undefined) throw new Error('expected a change');
  await commit('merge', { [now.id]: previewMerge(s.ctx, now).etag });
  expect(host()).toBe(text(1, 'two', 3, 4, 5, 'six', 'seven'));
});

test('modes: the sandbox’s where it changed them, else the host’s; also of a file that nobody may write', async () => {
  await conflict('sed -i s/6/six/ f; chmod 600 f');
  await commit('merge');
  expect(statSync(`${s.host}/f`).mode & 0o777).toBe(0o600);
  await recordBases(s.ctx);
  s.onHost(`seq 7 > g; ${tick}`);
  s.inSandbox('sed -i s/2/two/ g; chmod 444 g');
  await recordBases(s.ctx, { earliestCall: Date.now() });
  s.onHost(`${tick}; sed -i s/6/six/ g`);
  await commit('merge');
  expect([statSync(`${s.host}/g`).mode & 0o777, host('g')]).toEqual([
    0o444,
    text(1, 'two', 3, 4, 5, 'six', 7),
  ]);
});

test.each([
  ['a file that is no text', `printf 'a\\0b' > f`, `printf 'a\\0c' > f`],
  ['a file that the host removed', 'rm f', 'sed -i s/2/two/ f'],
])('%s is refused', async (_, onHost, inSandbox) => {
  await conflict(onHost, inSandbox);
  await expect(commit('merge')).rejects.toMatchObject({ code: 'conflicts' });
});

test('a live session is refused: its processes would go on with another version', async () => {
  const list = await conflict('sed -i s/6/six/ f');
  const choices = Object.fromEntries(list.changes.map(({ id }): [string, ConflictChoice] => [id, 'merge']));
  await expect(commitNow(s, { live: true, request: { choices } })).rejects.toMatchObject({ code: 'live' });
});

test('a base whose content is damaged is not used', async () => {
  const [change] = (await conflict('sed -i s/6/six/ f')).changes;
  if (change === undefined) throw new Error('expected a change');
  s.onHost(`for f in '${s.ctx.sessionDir}'/overlay/blobs/*; do echo x > "$f"; done`);
  expect(previewMerge(s.ctx, change).refused).toBe('The common base is not kept any more.');
});
