import { expect, test } from 'vitest';
import { run } from './exec.ts';

const leftBy = async (script: string) =>
  (await run('bash', ['-c', script], { cwd: '/', output: 'ignore' })).leftGroup;

test('a process that a program leaves behind in its group is named, and ended', async () => {
  expect(await leftBy('sleep 301 & exit')).toEqual(['sleep 301']);
});

test('one that has ended is not left behind, although its parent has not heard of it', async () => {
  // The parent leaves the group and never asks for the end of its child.
  expect(await leftBy('(sleep 0.1 & exec setsid sleep 3) & exit')).toEqual([]);
});
