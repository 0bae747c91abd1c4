import { expect, test } from 'vitest';
import { bytePath } from '../bytes.ts';
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

test('names both sessions of a shared path, the one with more paths first', () => {
  const found = sharedPaths([
    { id: 'a', changes: [change('/p/1'), change('/p/2'), change('/p/3')] },
    { id: 'b', changes: [change('/p/3')] },
    { id: 'c', changes: [change('/p/1'), change('/p/2'), change('/q')] },
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
    { id: 'a', changes: [gone, ...rest] },
    { id: 'b', changes: [change('/p/gone'), ...rest] },
  ]);
  expect(found.get('a')).toEqual([{ session: 'b', paths: 1 }]);
});
