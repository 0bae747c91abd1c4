import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildPlugin } from './plugin.ts';
import { compareTrees, filesBelow, treeProblems } from './tree.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'trai-build-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('two builds give the same bytes', async () => {
  const [first, second] = [path.join(scratch, 'a'), path.join(scratch, 'deeper/b')];
  expect((await buildPlugin(first)).problems).toEqual([]);
  expect((await buildPlugin(second)).problems).toEqual([]);
  expect(filesBelow(first)).toContain('THIRD-PARTY-LICENSES.md');
  expect(compareTrees(first, second)).toEqual([]);
});

test('a comparison names what is missing, left over, changed and of another mode', () => {
  const [expected, actual] = [path.join(scratch, 'expected'), path.join(scratch, 'actual')];
  for (const dir of [expected, actual]) mkdirSync(path.join(dir, 'd'), { recursive: true });
  writeFileSync(path.join(expected, 'd/missing'), '');
  writeFileSync(path.join(actual, 'left'), '');
  writeFileSync(path.join(expected, 'changed'), 'a');
  writeFileSync(path.join(actual, 'changed'), 'b');
  writeFileSync(path.join(expected, 'mode'), '', { mode: 0o755 });
  writeFileSync(path.join(actual, 'mode'), '', { mode: 0o644 });
  expect(compareTrees(expected, actual)).toEqual([
    'changed has other content.',
    'd/missing is missing.',
    'left is left over.',
    'mode has another mode.',
  ]);
});

test.each(['package.json', 'web/package-lock.json', 'node_modules/x/index.js'])(
  '%s may not be in the plugin',
  (name) => {
    const tree = mkdtempSync(path.join(scratch, 'tree-'));
    mkdirSync(path.dirname(path.join(tree, name)), { recursive: true });
    writeFileSync(path.join(tree, name), '{}');
    expect(treeProblems(tree, '/nowhere')).toHaveLength(1);
  },
);

test('a built file may not name the directory it was built from', () => {
  const tree = mkdtempSync(path.join(scratch, 'tree-'));
  writeFileSync(path.join(tree, 'a.js'), 'x("/home/somebody/trai/web/main.tsx")');
  expect(treeProblems(tree, '/home/somebody/trai')).toHaveLength(1);
});
