import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../lib/root.ts';
import { cyclesOf, importsOf, offence, sourcesOf } from './layers.ts';

const imports = importsOf(ROOT);

test('no import is against the layers', () => {
  expect(imports.length).toBeGreaterThan(2_000);
  const offences = imports.flatMap((one) => {
    const why = offence(one);
    return why === null ? [] : [`${one.from} -> ${one.to}: ${why}`];
  });
  expect(offences).toEqual([]);
});

test('no file reaches itself through its imports', () => {
  expect(cyclesOf(imports)).toEqual([]);
});

test('no folder reaches itself through the imports of its files', () => {
  const between = imports.map(({ from, to }) => ({ from: path.dirname(from), to: path.dirname(to) }));
  expect(cyclesOf(between)).toEqual([]);
});

// A spread of a literal makes a slow object (a scan took twice as long), and hides fields that the type does not have.
test('no object literal is spread into another', () => {
  const spreads = sourcesOf(ROOT).filter(({ text }) => text.includes('...{'));
  expect(spreads.map(({ name }) => name)).toEqual([]);
});

describe('the rule itself', () => {
  test.each([
    ['core/kernel/fs/port.ts', 'core/session/store.ts'],
    ['core/commit/commit.ts', 'core/jobs/jobs.ts'],
    ['shared/errors.ts', 'core/kernel/run.ts'],
    ['web/main.tsx', 'core/kernel/run.ts'],
    ['server/main.ts', 'cli/main.ts'],
    ['cli/main.ts', 'server/main.ts'],
    ['core/kernel/run.ts', 'testing/root.ts'],
  ])('%s may not import %s', (from, to) => {
    expect(offence({ from, to })).not.toBeNull();
  });

  test.each([
    ['core/session/store.ts', 'core/kernel/fs/port.ts'],
    ['core/jobs/jobs.ts', 'core/commit/commit.ts'],
    ['server/main.ts', 'shared/errors.ts'],
    ['web/main.tsx', 'web/app/App.tsx'],
  ])('%s may import %s', (from, to) => {
    expect(offence({ from, to })).toBeNull();
  });

  test('finds a cycle, and what only leads into it is none', () => {
    const pairs = ['a b', 'b c', 'c a', 'x a', 'c y'].map((pair) => {
      const [from = '', to = ''] = pair.split(' ');
      return { from, to };
    });
    expect(cyclesOf(pairs)).toEqual([['a', 'b', 'c']]);
  });
});
