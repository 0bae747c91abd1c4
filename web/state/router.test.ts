import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { formatRoute, parseRoute, type Route, routeTitle } from './router.ts';

test('any absolute byte path survives the address', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
      const path = `/${String.fromCharCode(...bytes)}` as BytePath;
      const route: Route = { view: 'changes', session: 'a-1', path };
      expect(parseRoute(formatRoute(route))).toEqual(route);
      expect(parseRoute(formatRoute({ ...route, line: 7 }))).toEqual({ ...route, line: 7 });
      expect(formatRoute(route)).toMatch(/^#[\x21-\x7e]*$/);
    }),
  );
});

test('an address that was typed by hand with letters of its own is UTF-8', () => {
  expect(parseRoute('#/s/a/f/home/żółć')).toEqual({
    view: 'changes',
    session: 'a',
    path: fromText('/home/żółć'),
  });
});

test.each<[string, Route]>([
  ['', { view: 'sessions' }],
  ['#/', { view: 'sessions' }],
  ['#/audit', { view: 'audit' }],
  ['#/audit?', { view: 'audit' }],
  ['#/audit?nonsense=1&session=..%2F', { view: 'audit' }],
  [
    '#/audit?tool=a%26b&since=7d&text=%23%3F+%25',
    { view: 'audit', asked: { tool: 'a&b', since: '7d', text: '#? %' } },
  ],
  ['#/rules', { view: 'rules', about: null }],
  ['#/rules/a.b-c', { view: 'rules', about: 'a.b-c' }],
  ['#/s/a.b-c', { view: 'changes', session: 'a.b-c', path: null }],
  ['#/s/a/f/', { view: 'changes', session: 'a', path: null }],
  ['#/s/a/f/etc/hosts', { view: 'changes', session: 'a', path: fromText('/etc/hosts') }],
  ['#/s/a/f/etc/hosts?line=12', { view: 'changes', session: 'a', path: fromText('/etc/hosts'), line: 12 }],
  ['#/s/a/f/odd%3Fline=1', { view: 'changes', session: 'a', path: fromText('/odd?line=1') }],
  ['#/s/a/calls', { view: 'calls', session: 'a', call: null }],
  ['#/s/a/call/c%2F1', { view: 'calls', session: 'a', call: 'c/1' }],
  [
    '#/s/a/calls?window=5-9&zoom=1-20',
    { view: 'calls', session: 'a', call: null, window: { from: 5, to: 9 }, zoom: { from: 1, to: 20 } },
  ],
  [
    '#/s/a/call/c%3Fzoom=1-2?zoom=3-4',
    { view: 'calls', session: 'a', call: 'c?zoom=1-2', zoom: { from: 3, to: 4 } },
  ],
  ['#/s/a/calls?window=9-5&zoom=x&zoom=1-2-3', { view: 'calls', session: 'a', call: null }],
  ['#/s/a/details', { view: 'details', session: 'a' }],
  ['#/s/a/box', { view: 'box', session: 'a' }],
  ['#/boxes', { view: 'boxes' }],
  ['#/s/a/%zz', { view: 'unknown', hash: '/s/a/%zz' }],
  ['#/s/..', { view: 'unknown', hash: '/s/..' }],
  ['#nonsense', { view: 'unknown', hash: 'nonsense' }],
])('%s is read as it was meant', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
});

test('a time on show is written in whole milliseconds, with what lies at its edges', () => {
  const at = { view: 'calls', session: 'a', call: null } as const;
  const hash = formatRoute({ ...at, window: { from: 10.6, to: 20.2 }, zoom: null });
  expect(hash).toBe('#/s/a/calls?window=10-21');
  expect(parseRoute(hash)).toEqual({ ...at, window: { from: 10, to: 21 } });
});

test.each([
  ['#/', 'Sessions – trai'],
  ['#/doctor/a', 'Doctor – trai'],
  ['#/s/a', 'Changes – a – trai'],
  ['#/s/a/f/home/kim/odd%E2%80%AE%0A.ts', 'odd\\u{202e}\\n.ts – a – trai'],
  ['#/s/a/call/c1', 'Timeline – a – trai'],
  ['#nonsense', 'Not found – trai'],
])('the tab of %s is named', (hash, title) => {
  expect(routeTitle(parseRoute(hash))).toBe(title);
});
