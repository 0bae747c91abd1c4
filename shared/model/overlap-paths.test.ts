import { expect, test } from 'vitest';
import { filePaths, packing } from '../api/packed-changes.ts';
import { type BytePath, bytePath } from '../bytes.ts';
import type { Change, EntryType } from './change.ts';
import { sharedPaths } from './overlap-paths.ts';

function change(path: string, patch: Partial<Change> = {}, type: EntryType = 'file'): Change {
  return {
    id: '0',
    path: bytePath(path),
    kind: 'added',
    pending: { type, mode: 0o644, uid: 1, gid: 1, size: 0 },
    host: null,
    ignored: null,
    conflict: null,
    group: null,
    ...patch,
  };
}

/** As a server holds them. */
function pathsOf(changes: readonly Change[]): BytePath[] {
  const steps = packing(changes);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return filePaths(value);
  }
}

test('names both sessions of a shared path, the one with more paths first', () => {
  const found = sharedPaths([
    { id: 'a', paths: pathsOf([change('/p/1'), change('/p/2'), change('/p/3')]) },
    { id: 'b', paths: pathsOf([change('/p/3')]) },
    { id: 'c', paths: pathsOf([change('/p/1'), change('/p/2'), change('/q')]) },
  ]);
  expect(Object.fromEntries(found)).toEqual({
    a: [
      { session: 'c', paths: 2 },
      { session: 'b', paths: 1 },
    ],
    b: [{ session: 'a', paths: 1 }],
    c: [{ session: 'a', paths: 2 }],
  });
});

test('counts a deletion, and neither directories nor what is ignored', () => {
  const gone = change('/p/gone', { kind: 'deleted', pending: null, host: change('/p/gone').pending });
  const rest = [change('/p/dir', {}, 'dir'), change('/p/cache', { ignored: '~/.cache' })];
  const found = sharedPaths([
    { id: 'a', paths: pathsOf([gone, ...rest]) },
    { id: 'b', paths: pathsOf([change('/p/gone'), ...rest]) },
  ]);
  expect(found.get('a')).toEqual([{ session: 'b', paths: 1 }]);
});
