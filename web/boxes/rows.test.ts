import { expect, test } from 'vitest';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import type { BoxHow, BoxRow } from '../../shared/model/box.ts';
import { findRows, groupRows, sortInstances, sourceOf } from './rows.ts';

const INSTANCE = '/home/zoë/state/box/0123456789abcdef';
const row = (to: string, how: BoxHow, from: string | null = to): BoxRow => ({
  what: 'allowed',
  from: from === null ? null : fromText(from),
  to: fromText(to),
  how,
  why: '--allow',
});

test('rows are in groups, those that write the host first, in the order of the table', () => {
  const rows = [row('/', 'tmpfs', null), row('/dev', 'dev', null), row('/b', 'host'), row('/a', 'host')];
  expect(groupRows(rows).map(({ group, rows: own }) => [group, own.map(({ to }) => to)])).toEqual([
    ['host', ['/b', '/a']],
    ['tmpfs', ['/']],
    ['own', ['/dev']],
  ]);
  // A new way to mount has a group, too.
  const all: Record<BoxHow, null> = {
    ...{
      ro: null,
      host: null,
      pending: null,
      instance: null,
      empty: null,
      tmpfs: null,
      proc: null,
      dev: null,
    },
  };
  const each = (Object.keys(all) as BoxHow[]).map((how) => row('/x', how));
  expect(groupRows(each).flatMap(({ rows: own }) => own)).toHaveLength(each.length);
});

test('a row is found by what is shown of it', () => {
  const rows = [row('/srv/\u202eodd', 'ro'), row('/usr', 'ro', '/opt/usr')];
  expect(findRows(rows, 'U{202E} allow')).toEqual([rows[0]]);
  expect(findRows(rows, 'opt')).toEqual([rows[1]]);
  expect(findRows(rows, ' ')).toEqual(rows);
});

test('what is kept comes from the instance, by its path there', () => {
  const kept = (from: string) => sourceOf(row('/home/zoë/.cache', 'instance', from), INSTANCE);
  expect(kept('/home/zoë/state/instance/cache/xdg')).toBe('cache/xdg');
  expect(kept('/home/zoë/state/instances/x')).toBe(fromText('/home/zoë/state/instances/x'));
  expect(sourceOf(row('/usr', 'ro'), INSTANCE)).toBeNull();
  expect(sourceOf({ ...row('/x', 'ro'), from: '/\xff' as BytePath }, INSTANCE)).toBe('/\xff');
});

test('instances that run come first, then the last used', () => {
  const one = (id: string, running: boolean, lastUse: string) => ({
    ...{ id, running, lastUse, root: null, state: 'used' as const, why: '', sessions: [], bytes: 0 },
  });
  const sorted = sortInstances([
    one('a', false, '2026-01-01'),
    one('b', false, '2026-02-01'),
    one('c', true, ''),
  ]);
  expect(sorted.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});
