import { describe, expect, test } from 'vitest';
import type { SessionSummary } from '../../shared/api/types.ts';
import { bytePath } from '../../shared/bytes.ts';
import { EndWatch, findSessions, foldIdle, groupSessions, isIdle, waitsForReview } from './sessions.ts';

const AT = '2026-01-01T10:00:00.000Z';

function session(
  id: string,
  pending: number | null = 0,
  patch: Partial<SessionSummary> = {},
): SessionSummary {
  return {
    id,
    projectId: 'p',
    projectRoot: bytePath('/home/kim/shop'),
    cwd: '/home/kim/shop',
    createdAt: AT,
    lastCallAt: null,
    calls: 0,
    counts: pending === null ? null : { added: pending, modified: 0, deleted: 0, replaced: 0, meta: 0 },
    bytes: 0,
    conflicts: 0,
    ignored: 0,
    live: false,
    off: null,
    caught: false,
    undo: null,
    unfinished: false,
    git: null,
    client: 'here',
    level: 'plugin',
    ended: null,
    shares: [],
    ...patch,
  };
}

const gone = (at = AT) => ({ client: 'gone', ended: at }) as const;
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

test.each([
  ['its client is there', session('a', 3), false],
  ['its client left', session('a', 3, gone()), true],
  ['it never had a client', session('a', 3, { client: 'none' }), true],
  ['a process is still running', session('a', 3, { ...gone(), live: true }), false],
  ['nothing is pending', session('a', 0, gone()), false],
  ['what is pending is not known yet', session('a', null, gone()), false],
])('waits for review when %s: %#', (_why, one, expected) => {
  expect(waitsForReview(one)).toBe(expected);
});

test('a session with anything the matter is never folded away', () => {
  const odd = [{ off: 'x' }, { caught: true }, { unfinished: true }, { live: true }] as const;
  expect(odd.some((patch) => isIdle(session('a', 0, { ...gone(), ...patch })))).toBe(false);
  const many = Array.from({ length: 9 }, (_, i) => session(`s${i}`, i === 5 ? 1 : 0, gone()));
  expect(foldIdle(many, false)).toEqual({
    rows: [many[0], many[1], many[2], many[5]],
    folded: 5,
  });
  expect(foldIdle(many, true).rows).toEqual(many);
  expect(foldIdle(many.slice(0, 4), false).folded).toBe(0);
});

test('a group is called like the repository, not like the worktree that was used last', () => {
  const at = (hour: number) => `2026-01-01T${hour}:00:00.000Z`;
  const groups = groupSessions([
    session('old', 0, { lastCallAt: at(10), git: { branch: 'main', commit: null, worktree: null } }),
    session('tree', 0, {
      lastCallAt: at(12),
      projectRoot: bytePath('/home/kim/shop-fix'),
      git: { branch: 'fix', commit: null, worktree: 'shop-fix' },
    }),
    session('other', 0, { projectId: 'q', lastCallAt: at(11) }),
  ]);
  expect(groups.map((group) => [group.id, group.root, ids(group.sessions)])).toEqual([
    ['p', '/home/kim/shop', ['tree', 'old']],
    ['q', '/home/kim/shop', ['other']],
  ]);
});

test('search finds words of the id, the branch and the directory, whatever their case', () => {
  const list = [
    session('alpha', 1, gone()),
    session('beta', 0, { git: { branch: 'Fix/Rounding', commit: null, worktree: null } }),
  ];
  expect(ids(findSessions(list, 'all', ' shop FIX '))).toEqual(['beta']);
  expect(ids(findSessions(list, 'all', '.*'))).toEqual([]);
  expect(ids(findSessions(list, 'review', ''))).toEqual(['alpha']);
  expect(ids(findSessions(list, 'live', ''))).toEqual([]);
});

describe('sessions that end', () => {
  test('are told once, when what is pending is known, and not when they had ended before', () => {
    const watch = new EndWatch();
    expect(watch.ended([session('old', 4, gone()), session('a', 2), session('b', null)])).toEqual([]);
    expect(watch.ended([session('a', 2, gone()), session('b', null, gone())])).toEqual([
      { id: 'a', project: 'shop', pending: 2 },
    ]);
    expect(ids(watch.ended([session('a', 2, gone()), session('b', 5, gone())]))).toEqual(['b']);
    expect(watch.ended([session('a', 2, gone()), session('b', 5, gone())])).toEqual([]);
  });

  test('are told again when they were resumed and end again, and not with nothing pending', () => {
    const watch = new EndWatch();
    watch.ended([]);
    expect(ids(watch.ended([session('a', 1, gone())]))).toEqual(['a']);
    expect(watch.ended([session('a', 1)])).toEqual([]);
    expect(watch.ended([session('a', 0, gone('2026-01-01T11:00:00.000Z'))])).toEqual([]);
    expect(ids(watch.ended([session('a', 1, gone('2026-01-01T12:00:00.000Z'))]))).toEqual(['a']);
  });
});
