import { expect, it } from 'vitest';
import { bytePath } from '../bytes.ts';
import type { LogEvent } from '../log/events.ts';
import { foldLog } from '../log/fold.ts';
import type { Change } from '../model/change.ts';
import { byCallText, groupByCall, logText } from './calls.ts';
import { PLAIN } from './text.ts';

const side = { type: 'file', mode: 0o644, uid: 1, gid: 1, size: 1 } as const;
function change(name: string, by?: string[], ignored: string | null = null): Change {
  const about = { id: name, path: bytePath(`/p/${name}`), kind: 'added', pending: side, host: null } as const;
  return { ...about, ignored, conflict: null, group: null, ...(by === undefined ? {} : { by }) };
}

const calls = foldLog(
  ['c1', 'c2'].flatMap((call): LogEvent[] => [
    {
      v: 1,
      at: '2026-01-01T00:00:00.000Z',
      t: 'call.decided',
      call,
      request: '',
      matched: 'none',
      origin: 'exec',
      command: `make ${call}`,
      cwd: '/p',
      mode: 'sandbox',
      reason: 'default',
      text: '',
    },
  ]),
).views();
const changes = [
  change('b', ['c2']),
  change('a', ['c1']),
  change('both', ['c1', 'c2']),
  change('unknown'),
  change('theirs', ['other']),
  change('noise', ['c1'], 'a rule'),
  change('c', ['c2']),
];

it('lists the changes by who wrote them last, calls in their order, candidates together, the unknown last', () => {
  expect(byCallText(groupByCall(changes, calls), bytePath('/p'), PLAIN)).toBe(
    [
      '1 change by (a call of another session) other\n  A theirs',
      '1 change by make c1 c1\n  A a',
      '1 change by one of 2 calls:\n  | make c1 c1\n  | make c2 c2\n  A both',
      '2 changes by make c2 c2\n  A b\n  A c',
      '1 change; call unknown\n  A unknown',
    ].join('\n\n'),
  );
  expect(byCallText([], bytePath('/p'), PLAIN)).toBe('Nothing is pending.');
});

it('the log says how many changes are a call’s own', () => {
  const text = logText({ calls, tools: [], wrote: new Map([['c2', 3]]) }, PLAIN, 10);
  expect(text.split('\n').map((line) => line.includes('pending'))).toEqual([false, false, true]);
  expect(text).toContain('make c2 waiting 3 pending');
});
