import { describe, expect, test } from 'vitest';
import type { CommitPreview } from '../../shared/api/types.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { commitObstacle, commitRequest, parseTyped, typedObstacle } from './commit-flow.ts';

function preview(patch: Partial<CommitPreview> = {}): CommitPreview {
  return {
    revision: 'r1',
    scope: { kind: 'all' },
    action: 'commit',
    along: [],
    cannot: [],
    writers: [],
    linked: [],
    space: [],
    effects: { flagged: [], confirm: [], never: [] },
    totals: { along: 0, cannot: 0, writers: 0, linked: 0, flagged: 0, confirm: 0, never: 0 },
    counts: { added: 1, modified: 0, deleted: 0, replaced: 0, meta: 0 },
    places: { root: '/p' as BytePath, shown: [], more: { project: 0, outside: 0, cache: 0 } },
    bytes: 1,
    risks: [],
    unread: 0,
    conflicts: [],
    ignored: { count: 0, bytes: 0 },
    guard: null,
    undo: { bytes: 0, maxBytes: 1 },
    processes: [],
    live: false,
    ...patch,
  };
}

const CONFLICTS = [
  { id: 'a', path: '/a', reason: 'host-changed' },
  { id: 'b', path: '/b', reason: 'host-changed' },
];

describe('what stands in the way of a commit', () => {
  test('an open conflict', () => {
    const plan = preview({ conflicts: CONFLICTS });
    expect(commitObstacle(plan, { a: 'keep-host' })).toContain('one conflict');
    expect(commitObstacle(plan, { a: 'keep-host', b: 'take-sandbox' })).toBeNull();
  });

  test.each([
    ['an empty count', '', 'Type the number'],
    ['a wrong count', '1203', 'Type the number'],
    ['the right count as it is shown', '1,204', null],
  ])('%s', (_, typed, expected) => {
    const found = typedObstacle({ count: 1204 }, typed);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toContain(expected);
  });

  test('what a rule asks about is ticked', () =>
    expect(typedObstacle({ count: 2, tick: 'Yes' }, '')).toContain('Confirm'));
  test('without a guard nothing is typed', () => expect(typedObstacle(null, '')).toBeNull());
});

test('a commit that cannot be undone has to be confirmed', () => {
  const plan = preview({ undo: { bytes: 3, maxBytes: 2 } });
  expect(commitObstacle(plan, {})).toContain('cannot be undone');
  expect(commitObstacle(plan, {}, true)).toBeNull();
  expect(commitRequest(plan, { noUndo: true })).toMatchObject({ noUndo: true });
});

describe('the request', () => {
  test('names the list, and never answers the guard by itself', () => {
    const plan = preview({ guard: { reasons: [], count: 3 } });
    expect(commitRequest(plan, { includeIgnored: true, typedCount: 3 })).toEqual({
      scope: { kind: 'all' },
      revision: 'r1',
      includeIgnored: true,
      conflicts: 'refuse',
      choices: {},
      yes: false,
      typedCount: 3,
      noUndo: false,
    });
  });

  test('sends single choices as they were made', () => {
    const request = commitRequest(preview({ conflicts: CONFLICTS }), {
      choices: { a: 'keep-host', b: 'take-sandbox' },
    });
    expect(request).toMatchObject({ conflicts: 'refuse', choices: { a: 'keep-host', b: 'take-sandbox' } });
  });

  test('sends one choice for all as such, and drops choices of conflicts that are gone', () => {
    const choices = { a: 'keep-host', b: 'keep-host', old: 'take-sandbox' } as const;
    expect(commitRequest(preview({ conflicts: CONFLICTS }), { choices })).toMatchObject({
      conflicts: 'keep-host',
      choices: {},
    });
  });
});

test.each([
  ['1204', 1204],
  ['1 204', 1204],
  ['', null],
  ['12e3', null],
  ['-5', null],
])('"%s" typed is %s', (text, value) => expect(parseTyped(text)).toBe(value));
