/** Marks on the recorded session's timeline, and which call wrote which entry. */
import type { CallView } from '../../shared/log/calls.ts';
import type { TimelineMark } from '../../shared/log/marks.ts';
import type { FakeEntry } from './make.ts';
import { shopCalls } from './shop.ts';

/** The last writers of entries; the first match counts. */
const WRITERS: [RegExp, string[]][] = [
  [/node_modules|package\.json|\.npm|vite/, ['c02']],
  [/cart\.test\.ts$/, ['c03']],
  [/cart\.ts$|empty\.ts$|README/, ['c05']],
  // Both ran at that time.
  [/legacy-sum|release\.sh/, ['c09', 'c10']],
  [/./, ['c02']],
];

export function writtenBy(entries: FakeEntry[]): FakeEntry[] {
  for (const { change } of entries) change.by = WRITERS.find(([path]) => path.test(change.path))?.[1];
  return entries;
}

export function shopTimeline(): { calls: CallView[]; marks: TimelineMark[] } {
  const calls = shopCalls();
  const before = (id: string, ms = 4_000): string => {
    const at = calls.find((call) => call.id === id)?.requestedAt ?? '';
    return new Date(Date.parse(at) - ms).toISOString();
  };
  const file = { kind: 'file' as const, agent: '', text: '' };
  return {
    calls,
    marks: [
      { id: 'session-0', at: before('c00', 9_000), kind: 'session', what: 'startup', text: '' },
      {
        id: 'prompt-1',
        at: before('c00'),
        kind: 'prompt',
        cut: 0,
        text: 'Add discounts to the cart. A discount must never make the sum negative.\nWrite a test first.',
      },
      {
        ...file,
        id: 'file-t1',
        at: before('c02', 2_000),
        tool: 'Read',
        outcome: 'asked',
        path: '/home/kim/shop/src/cart/cart.ts',
      },
      {
        ...file,
        id: 'file-t2',
        at: before('c04', 3_000),
        tool: 'Edit',
        outcome: 'refused',
        path: '/home/kim/shop/README.md',
        text: 'This file has a pending version that is not on the host: edit it with Bash, or ask the user to commit it.',
      },
      {
        id: 'commit-1',
        at: before('c05', 5_000),
        kind: 'commit',
        n: 1,
        state: 'applied',
        entries: 3,
        bytes: 2_048,
        conflicts: 0,
        auto: '',
        text: '',
      },
      {
        id: 'prompt-5',
        at: before('c08'),
        kind: 'prompt',
        cut: 0,
        text: 'Now remove the old sum <b>and</b> start the dev server.',
      },
      {
        ...file,
        id: 'file-t3',
        at: before('c09', 2_500),
        tool: 'Write',
        outcome: 'written',
        path: '/home/kim/shop/docs/discounts.md',
        agent: 'Explore',
      },
      { id: 'discard-7', at: before('c11', 6_000), kind: 'discard', trash: 'shop.1', entries: 2 },
      {
        id: 'undo-8',
        at: before('c11', 5_000),
        kind: 'undo',
        what: 'discard',
        of: 0,
        state: 'applied',
        entries: 2,
        text: '',
      },
    ],
  };
}
