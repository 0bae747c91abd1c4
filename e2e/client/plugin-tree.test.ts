import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { treeOf } from './plugin-tree.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'trai-trees-'));
});
afterEach(() => rmSync(base, { recursive: true }));

/** A tree of that checkout, which is there. */
async function tree(checkout: string, state: string): Promise<string> {
  mkdirSync(path.join(base, checkout), { recursive: true });
  return await treeOf(path.join(base, checkout), state, path.join(base, 'stage'), async (dir) => {
    mkdirSync(dir);
    writeFileSync(path.join(dir, 'of'), state);
  });
}

it('two checkouts of one user have a tree each; a new state of one takes only its own old tree away', async () => {
  const [a, b] = [await tree('a', '1'), await tree('b', '1')];
  const next = await tree('a', '2');
  expect([a, b, next].map((one) => existsSync(one))).toEqual([false, true, true]);
  expect(await tree('b', '1')).toBe(b);
});

it('the tree of a checkout that is gone goes with the next build of another', async () => {
  await tree('a', '1');
  rmSync(path.join(base, 'a'), { recursive: true });
  await tree('b', '1');
  expect(readdirSync(path.join(base, 'stage'))).toHaveLength(1);
});

it('a run that another one of the same checkout was faster than takes its tree, and leaves no half of one', async () => {
  const checkout = path.join(base, 'a');
  mkdirSync(checkout);
  const stage = path.join(base, 'stage');
  const one = await treeOf(checkout, '1', stage, async (dir) => {
    mkdirSync(dir);
    mkdirSync(path.join(dir, '../plugin-1/hooks'), { recursive: true });
  });
  expect(readdirSync(one)).toEqual(['hooks']);
  expect(readdirSync(path.dirname(one)).sort()).toEqual(['checkout', 'plugin-1']);
});

it('what a build that died has left is removed, what another builds just now stays', async () => {
  const one = path.dirname(await tree('a', '1'));
  const { pid } = spawnSync('true');
  mkdirSync(path.join(one, `building-${pid}`));
  mkdirSync(path.join(one, 'building-1'));
  await tree('a', '2');
  expect(readdirSync(one).sort()).toEqual(['building-1', 'checkout', 'plugin-2']);
});
