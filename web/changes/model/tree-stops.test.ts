import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import { makeChange, side } from '../../../testing/dashboard/make.ts';
import type { Mark } from './lists.ts';
import { buildTree, nextUnviewed, positionOf, stepFrom, stopsOf, type Tree, treeRows } from './tree.ts';

const ROOT = fromText('/p');
const NOTHING: ReadonlySet<string> = new Set();

function file(path: string, patch: Partial<Change> = {}): Change {
  return makeChange(fromText(path), 'modified', { pending: side(), host: side(), ...patch });
}

const NEW = { kind: 'added', host: null } as const;
const sorted = (changes: Change[]): Change[] => [...changes].sort((a, b) => (a.path < b.path ? -1 : 1));
const treeOf = (changes: Change[]): Tree => buildTree(sorted(changes), ROOT);
const viewed = (...changes: Change[]): Map<string, Mark> => new Map(changes.map(({ id }) => [id, 'viewed']));

const PACKAGE = [
  file('/p/node_modules', { ...NEW, pending: side({ type: 'dir' }) }),
  ...Array.from({ length: 300 }, (_, i) => file(`/p/node_modules/f${String(i).padStart(3, '0')}`, NEW)),
];
const [A, Z] = [file('/p/a/x'), file('/p/z/x')];
const ALL = treeOf([A, ...PACKAGE, Z]);

function step(tree: Tree, from: BytePath | null, by: 1 | -1, marks = viewed()): string | undefined {
  const stops = stopsOf(tree, new Map(), false);
  return stepFrom(stops, positionOf(stops, tree, from), by, marks)?.path;
}

describe('the keys that go from file to file', () => {
  test('go into a folded directory, as long as something in it is not viewed', () => {
    expect(step(ALL, A.path, 1)).toBe('/p/node_modules');
    expect(step(ALL, fromText('/p/node_modules'), 1)).toBe('/p/node_modules/f000');
    expect(step(ALL, Z.path, -1)).toBe('/p/node_modules/f299');
    const [, ...files] = PACKAGE;
    expect(step(ALL, fromText('/p/node_modules'), 1, viewed(...files.slice(0, 7)))).toBe(
      '/p/node_modules/f007',
    );
    expect(step(ALL, fromText('/p/node_modules'), 1, viewed(...files))).toBe('/p/z/x');
  });

  test('go to what is viewed where it has a row, and end at both ends', () => {
    expect(step(ALL, null, 1, viewed(A))).toBe('/p/a/x');
    expect(step(ALL, A.path, -1)).toBe(undefined);
    expect(step(ALL, null, -1)).toBe('/p/z/x');
    expect(step(ALL, Z.path, 1)).toBe(undefined);
  });

  test('go from a directory without a change of its own to what is in it, or lies before it', () => {
    expect(step(ALL, fromText('/p/z'), 1)).toBe('/p/z/x');
    expect(step(ALL, fromText('/p/a'), 1)).toBe('/p/a/x');
    const tree = treeOf([A, file('/p/b/y'), Z]);
    expect(step(tree, fromText('/p/z'), -1)).toBe('/p/b/y');
    expect(step(tree, fromText('/p/nothing'), 1)).toBe('/p/a/x');
  });

  test('V goes round to what is left, wherever it is folded', () => {
    const stops = stopsOf(ALL, new Map(), false);
    const from = positionOf(stops, ALL, Z.path);
    const [dir, ...files] = PACKAGE;
    const left = files[123];
    const rest = [A, Z, ...(dir === undefined ? [] : [dir]), ...files.filter((one) => one !== left)];
    expect(nextUnviewed(stops, from, viewed(...rest), NOTHING)).toBe(left);
    expect(nextUnviewed(stops, from, viewed(...rest), new Set([left?.id ?? '']))).toBe(null);
  });

  test('stop at each entry once, in the order of the open tree, whatever is folded', () => {
    const entry = fc.record({
      path: fc
        .array(fc.constantFrom('a', 'b', 'p', '-'), { minLength: 1, maxLength: 6 })
        .map((names) => fromText(`/${names.join('/')}`)),
      patch: fc.constantFrom<Partial<Change>>({}, { ...NEW, pending: side({ type: 'dir' }) }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { maxLength: 40, selector: ({ path }) => path }),
        fc.array(fc.boolean(), { maxLength: 12 }),
        (entries, closed) => {
          const tree = treeOf(entries.map(({ path, patch }) => file('/x', { path, ...patch })));
          const open = treeRows(tree, new Map(), true);
          const dirs = open.flatMap((row) => (row.kind === 'dir' ? [row.dir.path] : []));
          const expansion = new Map(dirs.map((path, i) => [path, closed[i] !== true]));
          const shown = new Set(treeRows(tree, expansion, false).map(({ key }) => key));
          const expected = open.flatMap((row) => {
            const change = row.kind === 'dir' ? row.dir.change : row.change;
            return change === null ? [] : [{ change, folded: !shown.has(row.key) }];
          });
          expect(stopsOf(tree, expansion, false)).toEqual(expected);
        },
      ),
    );
  });
});
