import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BytePath, bytePath, fromText } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import { makeChange, side } from '../../../testing/dashboard/make.ts';
import { BULK_ENTRIES, buildTree, reveal, type TreeRow, treeRows } from './tree.ts';

const ROOT = fromText('/home/kim/shop');

function file(path: string, patch: Partial<Change> = {}): Change {
  return makeChange(fromText(path), 'modified', { pending: side({ size: 10 }), host: side(), ...patch });
}

function sorted(changes: Change[]): Change[] {
  return [...changes].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function draw(rows: TreeRow[]): string[] {
  return rows.map((row) => `${'  '.repeat(row.depth)}${row.name}${row.kind === 'dir' ? '/' : ''}`);
}

function rowsOf(changes: Change[], expansion = new Map<string, boolean>()): TreeRow[] {
  return treeRows(buildTree(sorted(changes), ROOT), expansion, false);
}

describe('the tree', () => {
  test('folds chains of directories and puts the project before what lies outside', () => {
    const rows = rowsOf([
      file('/home/kim/shop/src/app/a.ts'),
      file('/home/kim/shop/src/app/b.ts'),
      file('/etc/hosts'),
    ]);
    expect(draw(rows)).toEqual(['/home/kim/shop/src/app/', '  a.ts', '  b.ts', '/etc/', '  hosts']);
  });

  test('shows a file that became a directory as two rows', () => {
    const rows = rowsOf([
      file('/home/kim/shop/config', { kind: 'replaced', pending: side({ type: 'dir' }), host: side() }),
      file('/home/kim/shop/config/a.json', { kind: 'added', host: null }),
    ]);
    expect(draw(rows)).toEqual(['/home/kim/shop/', '  config/', '    a.json', '  config']);
  });

  test('shows a directory that became a file beside what was deleted in it', () => {
    const rows = rowsOf([
      file('/home/kim/shop/lib', { kind: 'replaced', pending: side(), host: side({ type: 'dir' }) }),
      file('/home/kim/shop/lib/old.js', { kind: 'deleted', pending: null }),
    ]);
    expect(draw(rows)).toEqual(['/home/kim/shop/', '  lib/', '    old.js', '  lib']);
  });

  test('rolls up a directory that came as a whole and holds many entries', () => {
    const many = Array.from({ length: BULK_ENTRIES }, (_, i) =>
      file(`/home/kim/shop/node_modules/p${i % 9}/f${i}.js`, { kind: 'added', host: null }),
    );
    const whole = file('/home/kim/shop/node_modules', {
      kind: 'added',
      pending: side({ type: 'dir' }),
      host: null,
    });
    const rows = rowsOf([...many, whole, file('/home/kim/shop/a.ts')]);
    expect(draw(rows)).toEqual(['/home/kim/shop/', '  node_modules/', '  a.ts']);
    const [, bulk] = rows;
    expect(bulk?.kind === 'dir' && bulk.dir.stats).toMatchObject({
      added: BULK_ENTRIES + 1,
      bytes: BULK_ENTRIES * 10,
    });
    const opened = rowsOf([...many, whole], new Map([['/home/kim/shop/node_modules', true]]));
    expect(opened.length).toBeGreaterThan(BULK_ENTRIES);
  });

  test('keeps what was modified open, however much it is and wherever it lies', () => {
    const flat = Array.from({ length: 5_000 }, (_, i) => file(`/home/kim/shop/src/f${i}.ts`));
    expect(rowsOf(flat)).toHaveLength(5_001);
    const mixed = [...flat, file('/home/kim/shop/src/new.ts', { kind: 'added', host: null })];
    expect(rowsOf(mixed)).toHaveLength(5_002);
    const rows = rowsOf(flat.map((each) => ({ ...each, kind: 'meta' as const })));
    expect(rows.some((row) => row.kind === 'dir' && row.dir.bulk)).toBe(false);
  });

  test('keeps a package folded when a filter hides the entry of its directory', () => {
    const whole = file('/home/kim/shop/lib', { kind: 'added', pending: side({ type: 'dir' }), host: null });
    const files = Array.from({ length: 300 }, (_, i) =>
      file(`/home/kim/shop/lib/f${i}`, { kind: 'added', host: null }),
    );
    const list = sorted([whole, ...files]);
    const tree = buildTree(list.slice(1), ROOT, list);
    expect(draw(treeRows(tree, new Map(), false))).toEqual(['/home/kim/shop/lib/']);
  });

  test('folds what was deleted as a whole, which is no installed package', () => {
    const gone = [
      file('/home/kim/shop/old', { kind: 'deleted', pending: null, host: side({ type: 'dir' }) }),
      ...Array.from({ length: 300 }, (_, i) =>
        file(`/home/kim/shop/old/f${i}`, { kind: 'deleted', pending: null }),
      ),
    ];
    const [, old] = rowsOf([...gone, file('/home/kim/shop/x')]);
    expect(old?.kind === 'dir' && [old.expanded, old.dir.bulk]).toEqual([false, false]);
  });

  test('folds each of many added packages in a directory that was there before', () => {
    const packages = Array.from({ length: 30 }, (_, p) => {
      const dir = `/home/kim/shop/node_modules/p${p}`;
      const added = { kind: 'added' as const, host: null };
      const files = Array.from({ length: 9 }, (_, i) => file(`${dir}/f${i}.js`, added));
      return [file(dir, { ...added, pending: side({ type: 'dir' }) }), ...files];
    });
    const lock = file('/home/kim/shop/node_modules/.package-lock.json');
    const rows = rowsOf([...packages.flat(), lock]);
    expect(rows).toHaveLength(32);
    expect(rows.at(-1)?.name).toBe('.package-lock.json');
    expect(rowsOf(packages.slice(0, 2).flat()).some((row) => row.kind === 'dir' && row.dir.bulk)).toBe(false);
  });

  test('opens the way to a path in a folded directory', () => {
    const flat = file('/home/kim/shop/flat', { kind: 'added', pending: side({ type: 'dir' }), host: null });
    const many = Array.from({ length: 300 }, (_, i) =>
      file(`/home/kim/shop/flat/f${i}`, { kind: 'added', host: null }),
    );
    const tree = buildTree(sorted([flat, ...many]), ROOT);
    expect(draw(treeRows(tree, new Map(), false))).toEqual(['/home/kim/shop/flat/']);
    const way = reveal(new Map(), fromText('/home/kim/shop/flat/f7'), tree);
    expect(treeRows(tree, way, false).some((row) => row.name === 'f7')).toBe(true);
  });

  test('keeps names that are no UTF-8 and names that objects have of their own', () => {
    const rows = rowsOf([
      file('/home/kim/shop/__proto__/constructor'),
      { ...file('/x'), path: bytePath('/home/kim/shop/\xff') },
    ]);
    expect(draw(rows)).toEqual(['/home/kim/shop/', '  __proto__/', '    constructor', '  \\xff']);
  });

  test('tells each row its place among its siblings', () => {
    const rows = rowsOf([file('/home/kim/shop/b/x'), file('/home/kim/shop/a'), file('/home/kim/shop/c')]);
    expect(rows.map((row) => [row.name, row.position, row.size])).toEqual([
      ['/home/kim/shop', 1, 1],
      ['b', 1, 3],
      ['x', 1, 1],
      ['a', 2, 3],
      ['c', 3, 3],
    ]);
  });

  test('has every entry exactly once when all is open, whatever the paths', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'dé', '-');
    const path = fc
      .array(name, { minLength: 1, maxLength: 6 })
      .map((names) => fromText(`/${names.join('/')}`));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 60 }), (paths) => {
        const changes = sorted(paths.map((each) => ({ ...file('/x'), path: each })));
        const rows = treeRows(buildTree(changes, '/a/b' as BytePath), new Map(), true);
        const seen = rows.flatMap((row) => (row.kind === 'entry' ? [row.change.path] : []));
        expect(seen.sort()).toEqual(paths.sort());
        const total = rows
          .filter((row) => row.depth === 0)
          .reduce((sum, row) => sum + (row.kind === 'dir' ? row.dir.stats.total : 1), 0);
        expect(total).toBe(paths.length);
      }),
    );
  });

  test('of a part of a list is what it would be of a list of that part', () => {
    const root = '/a/b' as BytePath;
    const entry = fc.record({
      path: fc
        .array(fc.constantFrom('a', 'b', 'c', 'dé', '-'), { minLength: 1, maxLength: 6 })
        .map((names) => fromText(`/${names.join('/')}`)),
      patch: fc.constantFrom<Partial<Change>>(
        {},
        { kind: 'added', host: null, pending: side({ size: 7 }) },
        { kind: 'deleted', pending: null },
        { kind: 'added', host: null, pending: side({ type: 'dir' }) },
        { ignored: 'a rule' },
        { conflict: 'host-changed' },
      ),
      isShown: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.uniqueArray(entry, { maxLength: 60, selector: ({ path }) => path }), (entries) => {
        const shown = new Set(entries.filter(({ isShown }) => isShown).map(({ path }) => path));
        const all = sorted(entries.map(({ path, patch }) => ({ ...file('/x', patch), path })));
        const some = all.filter(({ path }) => shown.has(path));
        for (const part of [some, all, some])
          expect(buildTree(part, root, all)).toEqual(buildTree([...part], root));
      }),
    );
  });
});
