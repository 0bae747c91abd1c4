import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base, decided, ended, started } from '../../testing/log/events.ts';
import type { LogEvent } from './events.ts';
import { foldLog } from './fold.ts';
import { findTested, type TestFacts } from './tested.ts';

/** `test…` runs tests, `ls…` only reads. */
function facts(events: readonly LogEvent[]): TestFacts {
  const fold = foldLog(events);
  return {
    calls: fold.views(),
    spans: fold.spans(),
    marks: fold.marks(),
    isTest: (command) => command.startsWith('test'),
    onlyLooks: ({ command }) => command.startsWith('ls'),
    projectRoot: '/p',
  };
}

const ask = (...events: LogEvent[][]) => findTested(facts(events.flat()));

function call(id: string, command: string, rc = 0, mode: 'sandbox' | 'host' = 'sandbox'): LogEvent[] {
  return [decided(id, '', mode, command), started(id, mode), ended(id, rc)];
}
const left = (id: string, pid: number): LogEvent[] => [{ ...base(), t: 'call.left', call: id, pids: [pid] }];
const gone = (pid: number): LogEvent[] => [
  { ...base(), t: 'processes', state: 'ended', pids: [pid], commands: ['x'], quiet: true },
];
const wrote = (path: string): LogEvent[] => [
  {
    ...base(),
    t: 'file',
    request: 'r',
    claude: 'c',
    agent: '',
    tool: 'Edit',
    path,
    outcome: 'written',
    text: '',
  },
];
const discarded = (): LogEvent[] => [{ ...base(), t: 'discard', trash: 's.1', entries: 1, ended: [] }];
const committed = (): LogEvent[] => [
  {
    ...base(),
    t: 'commit',
    n: 1,
    state: 'applied',
    entries: 1,
    bytes: 1,
    conflicts: 0,
    text: '',
    auto: '',
  },
];

describe('what is about to land is tested', () => {
  it.each<[string, LogEvent[][]]>([
    ['tests passed after the last write', [call('a', 'make'), call('t', 'test')]],
    ['only looks came after them', [call('a', 'make'), call('t', 'test'), call('b', 'ls')]],
    ['a look on the host came after them', [call('t', 'test'), call('b', 'ls', 0, 'host')]],
    ['a process of an earlier call had ended', [call('a', 'make'), left('a', 7), gone(7), call('t', 'test')]],
    ['what it left itself has ended', [call('t', 'test'), left('t', 7), gone(7)]],
    ['they failed at first', [call('s', 'test', 1), call('a', 'make'), call('t', 'test')]],
    ['Claude wrote elsewhere', [call('t', 'test'), wrote('/tmp/notes')]],
    ['a part of it was committed since', [call('t', 'test'), committed()]],
  ])('when %s', (_name, events) => {
    expect(ask(...events)).toMatchObject({ state: 'passed', run: { call: 't', rc: 0 }, since: '' });
  });
});

describe('what is about to land is not tested', () => {
  it.each<[string, LogEvent[][], object]>([
    ['no tests ran', [call('a', 'make')], { state: 'none', run: null }],
    ['tests ran on the host', [call('t', 'test', 0, 'host')], { state: 'none' }],
    ['the last ones failed', [call('s', 'test'), call('t', 'test', 1)], { state: 'failed', run: { rc: 1 } }],
    [
      'they still run',
      [[decided('t', '', 'sandbox', 'test'), started('t')]],
      { state: 'failed', run: { rc: null } },
    ],
    ['something ran after', [call('t', 'test'), call('a', 'make x')], { since: 'make x', sinceCall: 'a' }],
    [
      'something ran at the same time',
      [[decided('a', '', 'sandbox', 'make'), started('a')], call('t', 'test'), [ended('a')]],
      { state: 'moved-on', sinceCall: 'a' },
    ],
    [
      'something began before and still runs',
      [[decided('a', '', 'sandbox', 'make'), started('a')], call('t', 'test')],
      { state: 'moved-on', sinceCall: 'a' },
    ],
    [
      'a process of an earlier call ran on',
      [call('a', 'make'), left('a', 7), call('t', 'test')],
      { state: 'moved-on', sinceCall: 'a' },
    ],
    [
      'it ended only afterwards',
      [call('a', 'make'), left('a', 7), call('t', 'test'), gone(7)],
      { state: 'moved-on', sinceCall: 'a' },
    ],
    ['it left a process itself', [call('t', 'test'), left('t', 7)], { since: /background/ }],
    ['a host command came after', [call('t', 'test'), call('g', 'git pull', 0, 'host')], { sinceCall: 'g' }],
    [
      'Claude wrote a file of the project',
      [call('t', 'test'), wrote('/p/src/a.ts')],
      { since: /src\/a\.ts/ },
    ],
    ['a part was discarded', [call('t', 'test'), discarded()], { since: /discarded/ }],
  ])('when %s', (_name, events, expected) => {
    const { since, ...rest } = ask(...events);
    const { since: words, ...others } = expected as { since?: string | RegExp };
    expect(rest).toMatchObject(others);
    expect(rest.state).not.toBe('passed');
    if (words !== undefined) expect(since).toMatch(words);
  });
});

it('is never said when a call that may write ran on, or began, after the tests did', () => {
  const step = fc.tuple(fc.constantFrom('start', 'end', 'left', 'gone'), fc.constantFrom('a', 'b', 't', 'u'));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const events = steps.flatMap(([what, id], i): LogEvent[] => {
        const name = `${id}${i}`;
        const open = steps.slice(0, i).findLastIndex(([w, other]) => w === 'start' && other === id);
        if (what === 'start')
          return [decided(name, '', 'sandbox', id < 'c' ? `make ${name}` : 'test'), started(name)];
        if (open < 0) return [];
        if (what === 'end') return [ended(`${id}${open}`)];
        return what === 'left' ? left(`${id}${open}`, open) : gone(open);
      });
      const found = facts(events);
      const { state, run } = findTested(found);
      if (state !== 'passed') return;
      const from = Date.parse(run?.at ?? '');
      for (const span of found.spans) {
        if (span.call !== run?.call) expect(span.to).toBeLessThan(from);
        else expect(span.to).not.toBeNull();
      }
    }),
    { numRuns: 500 },
  );
});
