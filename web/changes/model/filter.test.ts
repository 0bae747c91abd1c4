import { expect, test } from 'vitest';
import type { EffectsById } from '../../../shared/api/packed-marks.ts';
import { fromText } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import { makeCall, makeChange, side } from '../../../testing/dashboard/make.ts';
import {
  callTimes,
  extensionOf,
  extensionsIn,
  filterChanges,
  isMarked,
  isSearch,
  NO_FILTER,
  sortChanges,
} from './filter.ts';
import { countEffects, NOTHING_KNOWN } from './lists.ts';
import { buildTree, changesAt, findDir, flatRows, treeRows } from './tree.ts';

const added = (path: string, size: number, patch: Partial<Change> = {}): Change =>
  makeChange(fromText(path), 'added', { pending: side({ size }), ...patch });

const changes = [
  added('/p/.env', 3, { by: ['late', 'early'] }),
  added('/p/a.TS', 10, { by: ['early'] }),
  makeChange(fromText('/p/b.ts'), 'deleted', { host: side({ size: 900 }), by: ['late'] }),
  added('/p/dir.d', 0, { pending: side({ type: 'dir' }) }),
  added('/p/dir.d/c', 20),
  added('/q/x.tar.gz', 5, { ignored: 'cache' }),
];
const names = (some: readonly Change[]): string[] => some.map(({ path }) => path.replace(/.*\//, ''));

test('extensions are those of files, in small letters, the frequent ones first', () => {
  expect(changes.map(extensionOf)).toEqual(['', '.ts', '.ts', '.d', '', '.gz']);
  expect(extensionsIn(changes)).toEqual([
    ['', 2],
    ['.ts', 2],
  ]);
});

test('the menu narrows by extension, size of either side, and call', () => {
  const by = (patch: Partial<typeof NO_FILTER>): string[] =>
    names(filterChanges(changes, { ...NO_FILTER, ...patch }));
  expect(by({ extension: '.ts' })).toEqual(['a.TS', 'b.ts']);
  expect(by({ extension: '' })).toEqual(['.env', 'c']);
  expect(by({ minBytes: 20 })).toEqual(['b.ts', 'c']);
  expect(by({ call: 'late' })).toEqual(['.env', 'b.ts']);
  expect([isMarked(NO_FILTER), isSearch({ ...NO_FILTER, call: 'x' })]).toEqual([false, true]);
});

test('effect rules narrow the list, and an entry that two kinds are about counts for both', () => {
  const [env, a] = changes.map(({ id }) => id);
  const effects: EffectsById = new Map([
    [env ?? '', [{ do: 'never', text: 'x' } as const, { do: 'confirm', text: 'y' } as const]],
    [a ?? '', [{ do: 'confirm', text: 'y' } as const]],
    ['of another list', [{ do: 'auto', text: 'z' } as const]],
  ]);
  const by = (effect: 'never' | 'confirm' | 'auto'): string[] =>
    names(filterChanges(changes, { ...NO_FILTER, effect }, { ...NOTHING_KNOWN, effects }));
  expect([by('never'), by('confirm'), by('auto')]).toEqual([['.env'], ['.env', 'a.TS'], []]);
  expect(countEffects(changes, effects)).toEqual({ never: 1, confirm: 2, flag: 0, auto: 0 });
  expect(isSearch({ ...NO_FILTER, effect: 'auto' })).toBe(true);
});

test('the largest and the newest come first, and what is not known last, by path', () => {
  expect(names(sortChanges(changes, 'largest', new Map()))).toEqual([
    ...['b.ts', 'c', 'a.TS', 'x.tar.gz', '.env', 'dir.d'],
  ]);
  const times = callTimes([makeCall('early', 'a'), makeCall('late', 'b')]);
  expect(names(sortChanges(changes, 'newest', times))).toEqual([
    ...['.env', 'b.ts', 'a.TS', 'dir.d', 'c', 'x.tar.gz'],
  ]);
  expect(
    callTimes([makeCall('never', 'x', { startedAt: null, endedAt: null })]).get('never'),
  ).toBeGreaterThan(0);
});

test('a list shows paths from the project on, and others whole', () => {
  const rows = flatRows(changes, fromText('/p'));
  expect(rows.map((row) => (row.kind === 'entry' ? row.name : ''))).toEqual([
    ...['.env', 'a.TS', 'b.ts', 'dir.d', 'dir.d/c', '/q/x.tar.gz'],
  ]);
});

test('a row stands for all below it, and a directory is found by its path', () => {
  const tree = buildTree(changes, fromText('/p'));
  const row = treeRows(tree, new Map(), true).find(({ key }) => key === 'd/p/dir.d');
  expect(row === undefined ? [] : names(changesAt(row))).toEqual(['dir.d', 'c']);
  expect(findDir(tree, fromText('/p/dir.d'))?.stats.total).toBe(2);
  expect(findDir(tree, fromText('/p/b.ts'))).toBeNull();
});
