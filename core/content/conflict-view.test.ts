/** The sides of a conflict on real overlays. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Change } from '../../shared/model/change.ts';
import type { ConflictView } from '../../shared/text/merge-text.ts';
import { type TestSession, testSession } from '../../testing/changes/changes.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from '../scan/scan.ts';
import { conflictView } from './merge-entry.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => s.remove());

const tick = 'sleep 0.05';
const shapes = ({ blocks }: ConflictView) =>
  blocks.map(({ kind, host, base, sandbox }) => [kind, host.length, base.length, sandbox.length]);

async function clash(before: string, inSandbox: string, onHost: string): Promise<Change> {
  if (before !== '') s.onHost(`${before}; ${tick}`);
  s.inSandbox(inSandbox);
  await recordBases(s.ctx, { earliestCall: Date.now() });
  s.onHost(`${tick}; ${onHost}; ${tick}`);
  const found = (await scan(s.ctx)).changes.find(({ path }) => path.endsWith('/f'));
  if (found === undefined) throw new Error('expected a pending change of f, found none');
  return found;
}

test('host, base and sandbox stand in stretches', async () => {
  const change = await clash('seq 7 > f', 'sed -i "s/2/two/; s/6/six/" f', 'sed -i s/2/zwei/ f');
  const view = conflictView(s.ctx, change);
  expect(view).toMatchObject({ id: change.id, host: true, sandbox: true, noBase: null, refused: null });
  expect(shapes(view)).toEqual([
    ['same', 1, 0, 0],
    ['both', 1, 1, 1],
    ['same', 3, 0, 0],
    ['sandbox', 1, 1, 1],
    ['same', 1, 0, 0],
  ]);
  expect(view.blocks[1]).toMatchObject({
    host: [{ text: 'zwei' }],
    base: [{ text: '2' }],
    sandbox: [{ text: 'two' }],
  });
});

test('where both made it there is no base, and where one has none its side is empty', async () => {
  const twice = await clash('', 'echo mine > f', 'echo theirs > f');
  expect(conflictView(s.ctx, twice)).toMatchObject({
    noBase: expect.stringContaining('each made its own'),
    blocks: [{ kind: 'differs', host: [{ text: 'theirs' }], sandbox: [{ text: 'mine' }] }],
  });
});

test('a side that is gone is empty', async () => {
  const change = await clash('seq 3 > f', 'echo 4 >> f', 'rm f');
  const view = conflictView(s.ctx, change);
  expect(view).toMatchObject({ host: false, sandbox: true, refused: null });
  expect(view.blocks.flatMap(({ host }) => host)).toEqual([]);
});

test.each([
  ['no text', 'printf "a\\0b" > f', 'On the host it is not text.'],
  ['no regular file', 'rm f; ln -s elsewhere f', 'On the host it is no regular file'],
  ['too large', 'head -c 600000 /dev/zero | tr "\\0" "\\n" > f', 'only texts of up to 512000'],
  ['too many lines', 'seq 20002 | tr -d "0-9" > f', 'more than 20000 lines'],
])('%s is said in a sentence', async (_name, onHost, sentence) => {
  const change = await clash('seq 7 > f', 'echo 8 >> f', onHost);
  expect(conflictView(s.ctx, change)).toMatchObject({
    blocks: [],
    refused: expect.stringContaining(sentence),
  });
});

test('a base that was too large to be kept is said, and the two sides are shown', async () => {
  const change = await clash(
    'seq 3000 | sed s/^/long-enough-to-be-too-large-a-line-to-be-kept-whole-in-the-state-directory-of-a-session-or-anywhere-else-at-all-/ > f',
    'echo end >> f',
    'sed -i 1d f',
  );
  const view = conflictView(s.ctx, change);
  expect(view).toMatchObject({ refused: null, noBase: expect.stringContaining('was not kept') });
  expect(view.blocks.map(({ kind }) => kind)).toEqual(['differs', 'same', 'differs']);
});

test('what changed since the list was made is not shown as what it is', async () => {
  const change = await clash('seq 7 > f', 'echo 8 >> f', 'sed -i 1d f');
  s.onHost('echo 9 >> f');
  expect(conflictView(s.ctx, change).refused).toContain('has changed since the list was made');
});

test.each([
  ['a link out of the project', 'rm f; ln -s /etc/passwd f'],
  ['a pipe that nobody writes to', 'rm f; mkfifo f'],
  ['a directory', 'rm f; mkdir f'],
  ['a text that has grown beyond what is shown', 'yes | head -c 9000000 >> f'],
])('%s in the place of the host’s file is neither followed nor waited for', async (_name, onHost) => {
  const change = await clash('seq 7 > f', 'echo 8 >> f', 'sed -i 1d f');
  s.onHost(onHost);
  expect(conflictView(s.ctx, change)).toMatchObject({
    blocks: [],
    refused: expect.stringContaining('has changed since the list was made'),
  });
});
