import { expect, it } from 'vitest';
import { originFinder, type ProcessFacts } from './origin.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const minutes = (count: number) => count * 60_000;
const facts = (pid: number, more: Partial<ProcessFacts> = {}): ProcessFacts => ({
  pid,
  parent: 1,
  sid: pid,
  began: NOON + 1_000,
  marker: null,
  inside: true,
  ...more,
});
const CALLS = [
  { call: 'a', pid: 100, from: NOON },
  { call: 'b', pid: 200, from: NOON },
];

it.each<[string, ProcessFacts[], string | null]>([
  ['the mark in its environment', [facts(5, { marker: 'a' })], 'a'],
  ['the mark, also where it lives in another call’s session', [facts(5, { marker: 'a', sid: 200 })], 'a'],
  ['the kernel’s session, when it has cleared its environment', [facts(5, { sid: 200 })], 'b'],
  [
    'the kernel’s session, whose leader still runs',
    [facts(5, { sid: 200 }), facts(200, { inside: false, began: NOON - 50 })],
    'b',
  ],
  ['a mark of a call that this log does not have: not known', [facts(5, { marker: 'other' })], null],
  [
    'its nearest ancestor with a sign',
    [
      facts(5, { parent: 4 }),
      facts(4, { parent: 3 }),
      facts(3, { marker: 'b', parent: 2 }),
      facts(2, { sid: 100 }),
    ],
    'b',
  ],
  [
    'the launcher above it, where the terminal’s session is everybody’s',
    [facts(5, { parent: 100, sid: 50 }), facts(100, { inside: false, sid: 50, began: NOON })],
    'a',
  ],
  ['parents that are gone, and no sign is left: not known', [facts(5), facts(4, { marker: 'a' })], null],
  ['a loop in what was read: not known', [facts(5, { parent: 4 }), facts(4, { parent: 5 })], null],
  [
    'a session of its own with a pid that a launcher had long ago: not known',
    [facts(100, { began: NOON + minutes(60) })].map((one) => ({ ...one, pid: 100 })),
    null,
  ],
  [
    'a pid of a launcher that is another process’s by now: not known',
    [facts(5, { parent: 100, sid: 50 }), facts(100, { inside: false, sid: 50, began: NOON + minutes(60) })],
    null,
  ],
  [
    'a session whose leader is gone, but that a process began long before the call: not known',
    [facts(5, { sid: 200, began: NOON - minutes(60) })],
    null,
  ],
])('a process is of the call that says: %s', (_what, processes, call) => {
  expect(originFinder(processes, CALLS)(processes[0]?.pid ?? 0)).toBe(call);
});

it('a launcher’s pid that was used again means the newer call', () => {
  const again = { call: 'c', pid: 100, from: NOON + 500 };
  expect(originFinder([facts(5, { sid: 100 })], [...CALLS, again])(5)).toBe('c');
});
