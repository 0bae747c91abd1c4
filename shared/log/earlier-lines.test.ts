/** One line of each event as earlier versions wrote it: a log outlives the version that began it. */
import { expect, it } from 'vitest';
import { EVENT_FIELDS } from './events.ts';
import { parseLine } from './lines.ts';

/** Never changed: a field that comes later has a meaning where it is missing (`LATER_FIELDS`). */
const EARLIER: readonly Readonly<Record<string, unknown>>[] = [
  { 't': 'session', 'claude': 'x', 'source': 'startup', 'cwd': 'x', 'plugin': 'x' },
  { 't': 'session.end', 'claude': 'x', 'reason': 'x' },
  { 't': 'prompt', 'claude': 'x', 'text': 'x', 'cut': 1 },
  {
    't': 'call.requested',
    'request': 'x',
    'claude': 'x',
    'tool': 'x',
    'command': 'x',
    'cwd': 'x',
    'agent': 'x',
    'background': true,
    'mode': 'sandbox',
    'reason': 'default',
    'text': 'x',
    'twins': 1,
  },
  {
    't': 'permission',
    'request': 'x',
    'claude': 'x',
    'agent': 'x',
    'tool': 'x',
    'subject': 'x',
    'cut': 1,
    'decision': 'allow',
    'by': 'rule',
    'rule': 'x',
    'hash': 'x',
    'also': ['x'],
    'segment': 'x',
    'why': 'x',
    'ms': 1,
  },
  { 't': 'permission.outcome', 'request': 'x', 'outcome': 'ran', 'by': 'client', 'error': 'x' },
  {
    't': 'question',
    'question': 'x',
    'request': 'x',
    'claude': 'x',
    'agent': 'x',
    'tool': 'x',
    'end': 'open',
    'by': 'tab',
    'text': 'x',
    'waited': 1,
  },
  {
    't': 'call.decided',
    'call': 'x',
    'request': 'x',
    'matched': 'exact',
    'origin': 'claude',
    'command': 'x',
    'cwd': 'x',
    'mode': 'sandbox',
    'reason': 'default',
    'text': 'x',
  },
  { 't': 'call.grounds', 'call': 'x', 'program': 'x', 'pending': 'yes', 'config': 'x' },
  { 't': 'call.started', 'call': 'x', 'pid': 1, 'mode': 'sandbox' },
  { 't': 'call.joined', 'call': 'x' },
  { 't': 'call.ended', 'call': 'x', 'rc': 1, 'ms': 1 },
  { 't': 'call.failed', 'call': 'x', 'step': 1 },
  { 't': 'call.closed', 'call': 'x', 'request': 'x', 'why': 'launcher-gone' },
  {
    't': 'call.outcome',
    'request': 'x',
    'ok': true,
    'interrupted': true,
    'background': 'x',
    'head': 'x',
    'tail': 'x',
    'cut': 1,
    'ms': 1,
    'unsandboxed': true,
  },
  {
    't': 'call.saved',
    'call': 'x',
    'what': 'x',
    'dir': 'x',
    'restore': ['x'],
    'untracked': ['x'],
    'count': 1,
    'text': 'x',
  },
  { 't': 'call.left', 'call': 'x', 'pids': [1] },
  { 't': 'processes', 'state': 'ending', 'pids': [1], 'commands': ['x'], 'quiet': true },
  { 't': 'grant', 'kind': 'permit', 'what': 'x', 'state': 'open' },
  { 't': 'commit', 'n': 1, 'state': 'started', 'entries': 1, 'bytes': 1, 'conflicts': 1, 'text': 'x' },
  { 't': 'discard', 'trash': 'x', 'entries': 1, 'ended': [1] },
  { 't': 'undo', 'what': 'discard', 'trash': 'x', 'entries': 1 },
  {
    't': 'commit.undone',
    'n': 1,
    'of': 1,
    'redo': true,
    'state': 'applied',
    'entries': 1,
    'bytes': 1,
    'text': 'x',
  },
  { 't': 'adopt', 'from': 'x', 'to': 'x', 'entries': 1 },
  { 't': 'doctor', 'ok': true, 'failed': ['x'] },
  {
    't': 'file',
    'request': 'x',
    'claude': 'x',
    'agent': 'x',
    'tool': 'x',
    'path': 'x',
    'outcome': 'asked',
    'text': 'x',
  },
  { 't': 'notice', 'code': 'x', 'text': 'x' },
];

const line = (event: object) => JSON.stringify({ v: 1, at: '2026-01-01T00:00:00.000Z', ...event });

it.each(EARLIER)('reads $t', (event) => {
  const read = parseLine(line(event), 0);
  expect(read).toMatchObject(event);
  expect(read).not.toHaveProperty('problem');
});

it('has a line of every event', () => {
  expect(EARLIER.map(({ t }) => t)).toEqual(Object.keys(EVENT_FIELDS));
});

it('a commit that names no rule is the user’s; nothing else becomes an event', () => {
  const commit = EARLIER.find(({ t }) => t === 'commit') ?? {};
  expect(parseLine(line(commit), 0)).toMatchObject({ auto: '' });
  expect(parseLine(line({ ...commit, auto: 'x' }), 0)).toMatchObject({ auto: 'x' });
  for (const other of [{ auto: 1 }, { n: undefined }, { v: 2 }])
    expect(parseLine(line({ ...commit, ...other }), 0)).toHaveProperty('problem');
});
