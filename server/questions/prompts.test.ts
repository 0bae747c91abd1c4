import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logTo } from '../../core/session/log/append.ts';
import { removeTree } from '../../testing/remove-tree.ts';
import { LastPrompts } from './prompts.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'trai-prompts-'));
  mkdirSync(path.join(dir, 'empty'));
});
afterAll(() => removeTree(dir));

it('the last prompt counts, cut at 200 characters and never within one', () => {
  const prompts = new LastPrompts();
  prompts.saw('c', null, 'first');
  prompts.saw('c', null, 'x'.repeat(200));
  expect(prompts.of('c', null, dir)).toBe('x'.repeat(200));
  prompts.saw('c', null, `${'x'.repeat(199)}🂡`);
  expect(prompts.of('c', null, dir)).toBe(`${'x'.repeat(199)}…`);
});

it('what begins no turn is none', () => {
  const prompts = new LastPrompts();
  prompts.saw('c', null, 'real');
  for (const text of ['', '  ', '/trai:status']) prompts.saw('c', null, text);
  expect(prompts.of('c', null, dir)).toBe('real');
});

it('a client in a session speaks for no conversation outside of it', () => {
  const prompts = new LastPrompts();
  prompts.saw('c', null, 'outside');
  prompts.saw('c', 's', 'inside');
  expect([prompts.of('c', null, dir), prompts.of('c', 's', dir)]).toEqual(['outside', 'inside']);
});

it('what is not remembered is in the log; empty without one', () => {
  const empty = path.join(dir, 'empty');
  expect(new LastPrompts().of('c', null, empty)).toBe('');
  for (const [claude, text] of [
    ['c', 'one'],
    ['c', 'two'],
    ['d', 'of another'],
  ] as const)
    logTo(dir, { t: 'prompt', claude, text, cut: 0 });
  expect(new LastPrompts().of('c', null, dir)).toBe('two');
});
