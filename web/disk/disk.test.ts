import { expect, test } from 'vitest';
import type { GarbageItem } from '../../shared/api/types.ts';
import { bytePath } from '../../shared/bytes.ts';
import { diskParts, garbageKey, gcRequest } from './disk.ts';

const item = (kind: GarbageItem['kind'], session: string, name: string, bytes: number): GarbageItem => ({
  kind,
  session,
  name,
  bytes,
  at: '',
  why: '',
});

test('the parts of all sessions add up to what they take', () => {
  const one = { projectRoot: bytePath('/p'), projectGone: false, upper: 1, images: 2, trash: 4, other: 8 };
  const sessions = ['a', 'b'].map((session) => ({ ...one, session, total: 15 }));
  const parts = diskParts({
    at: '',
    sessions,
    problems: [],
    total: 30,
    free: 3,
    size: 0,
    warnFreeBytes: 0,
    low: false,
  });
  expect(parts.map(({ bytes }) => bytes)).toEqual([2, 4, 8, 16, 3]);
});

test('the request names exactly what is chosen, and nothing of what was shown about it', () => {
  const found = [item('images', 'a', '1', 10), item('discard', 'a', 'a.1', 5), item('session', 'b', '', 2)];
  const all = gcRequest(found, new Set());
  expect(all.bytes).toBe(17);
  expect(all.request.items[1]).toEqual({ kind: 'discard', session: 'a', name: 'a.1' });
  const [first] = found;
  const some = gcRequest(found, new Set(first === undefined ? [] : [garbageKey(first)]));
  expect([some.request.items.length, some.bytes]).toEqual([2, 7]);
});
