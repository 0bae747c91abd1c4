import { describe, expect, test } from 'vitest';
import { type BytePath, fromText } from '../bytes.ts';
import type { Change, ChangeKind } from './model.ts';
import { placesOf } from './places.ts';

function change(path: string, kind: ChangeKind = 'added', ignored: string | null = null): Change {
  return {
    id: path,
    path: fromText(path),
    kind,
    pending: null,
    host: null,
    ignored,
    conflict: null,
    group: null,
  };
}

const ROOT = fromText('/p');
const lines = (changes: readonly Change[], includeIgnored = false): string[] => {
  const { shown, more } = placesOf(changes, ROOT, includeIgnored);
  const text = shown.map(
    ({ path, isDir, outside, total }) => `${outside ? 'out ' : ''}${path}${isDir ? '/' : ''} ${total}`,
  );
  return more === 0 ? text : [...text, `more ${more}`];
};

describe('where changes lie', () => {
  test('directories of the project stand for what is below them, single entries for themselves', () => {
    const all = ['/p/a/b/c', '/p/a/d', '/p/readme', '/p/x/only'].map((path) => change(path));
    expect(lines(all)).toEqual(['/p/a/ 2', '/p/readme 1', '/p/x/only 1']);
  });

  test('what lies outside the project comes first, with its whole path', () => {
    expect(lines([change('/p/a'), change('/h/.bashrc'), change('/h/.x/1'), change('/h/.x/2')])).toEqual([
      ...['out /h/.bashrc 1', 'out /h/.x/ 2', '/p/a 1'],
    ]);
  });

  test('directories that hold nothing but one directory are gone through', () => {
    expect(lines([change('/p/src/app/a/1'), change('/p/src/app/a/2'), change('/p/src/app/b')])).toEqual([
      ...['/p/src/app/a/ 2', '/p/src/app/b 1'],
    ]);
  });

  test('a directory that changed itself counts with what is below it', () => {
    expect(lines([change('/p/gone', 'deleted'), change('/p/gone/a', 'deleted')])).toEqual(['/p/gone/ 2']);
    expect(lines([change('/p', 'meta')])).toEqual(['/p 1']);
    expect(lines([change('/p', 'meta'), change('/p/a')])).toEqual(['/p 1', '/p/a 1']);
  });

  test('the rest is counted, so that all adds up', () => {
    const many = Array.from({ length: 20 }, (_, i) => change(`/p/${String(i).padStart(2, '0')}`));
    expect(lines(many).at(-1)).toBe('more 8');
  });

  test('ignored entries are there only when they go along', () => {
    const all = [change('/p/a'), change('/p/b', 'added', 'rule')];
    expect(lines(all)).toEqual(['/p/a 1']);
    expect(lines(all, true)).toEqual(['/p/a 1', '/p/b 1']);
  });

  test('a project at the root of the file system has everything inside', () => {
    const { shown } = placesOf([change('/a/1'), change('/a/2'), change('/b')], '/' as BytePath);
    expect(shown.map(({ path, outside }) => [path, outside])).toEqual([
      ['/a', false],
      ['/b', false],
    ]);
  });
});
