import { describe, expect, it, test } from 'vitest';
import { base, requested } from '../../testing/log/events.ts';
import { isLogEvent, type LogEvent } from '../log/events.ts';
import { foldLog } from '../log/fold.ts';
import type { Permission } from '../model/rule.ts';
import { logText, permissionText } from './calls.ts';
import { PLAIN } from './text.ts';
import { whyCallText } from './why.ts';

describe('the log and the reasons of a call', () => {
  const permission = (request: string, fields: object): LogEvent => {
    const event: unknown = {
      ...{
        v: 1,
        t: 'permission',
        at: '2026-01-01T00:00:59.000Z',
        request,
        claude: 'cl',
        agent: '',
        cut: 0,
        also: [],
      },
      ...{ tool: 'Bash', subject: 'make', segment: '', hash: '', ms: 1, why: 'because', by: 'rule' },
      ...{ rule: '/rules.json deny[0]', ...fields },
    };
    if (!isLogEvent(event)) throw new Error(JSON.stringify(event));
    return event;
  };
  const fold = foldLog([
    requested('r1', 'refuse', 'rule'),
    permission('r1', { decision: 'deny', segment: 'rm -rf x' }),
    requested('r2'),
    permission('r2', { decision: 'pass', by: 'client', rule: '' }),
    permission('r3', { tool: 'WebFetch', subject: 'http://a/', decision: 'ask', rule: '/rules.json ask[1]' }),
    { ...base(), t: 'permission.outcome', request: 'r3', outcome: 'denied', by: 'client', error: '' },
    permission('r4', { tool: 'Read', subject: '/f', decision: 'pass', by: 'client', rule: '' }),
  ]);

  it('say by which rule and which part a call was denied, and what became of other tools that were asked about', () => {
    const text = logText({ calls: fold.views(), tools: fold.tools(), wrote: new Map() }, PLAIN, 10);
    expect(text).toContain('(denied by /rules.json deny[0], for rm -rf x)');
    expect(text).toMatch(/asked +WebFetch http:\/\/a\/ denied \(asked about by \/rules\.json ask\[1\]\)/);
    // What no rule decided has no line of its own.
    expect(text).not.toContain('/f');
    expect(text.split('\n')).toHaveLength(4);
  });

  it('put other tools where they ran, also beside calls without a time', () => {
    const [call] = fold.views();
    if (call === undefined) throw new Error('expected a call');
    const calls = ['10', '', '30'].map((second) => ({
      ...call,
      startedAt: null,
      requestedAt: second === '' ? null : `2026-01-01T00:00:${second}.000Z`,
      command: `call ${second}`,
    }));
    const tools = ['05', '20'].flatMap((second) =>
      fold
        .tools()
        .slice(0, 1)
        .map((tool) => ({ ...tool, subject: second, at: `2026-01-01T00:00:${second}.000Z` })),
    );
    const text = logText({ calls, tools, wrote: new Map() }, PLAIN, 10);
    expect(text.match(/(call|WebFetch) \d*/g)).toEqual([
      'WebFetch 05',
      'call 10',
      'call ',
      'WebFetch 20',
      'call 30',
    ]);
  });

  it('show no more of other tools than of calls', () => {
    const tools = fold.tools().flatMap((tool) => ['1', '2', '3'].map((subject) => ({ ...tool, subject })));
    const text = logText({ calls: [], tools, wrote: new Map() }, PLAIN, 2);
    expect(text.match(/WebFetch \d/g)).toEqual(['WebFetch 2', 'WebFetch 3']);
  });

  it('say that nothing was said, and why', () => {
    const parts = {
      session: 's',
      call: 'c',
      command: 'make',
      cwd: '/',
      origin: 'Bash',
      mode: null,
      reason: null,
    };
    const rest = {
      text: '',
      at: null,
      pending: null,
      config: null,
      configChanged: false,
      parts: [],
      plain: true,
    };
    const ruleOf = (permitted: Permission | null) =>
      /^ {2}rule +(.*)$/m.exec(whyCallText({ ...parts, ...rest, permission: permitted }, PLAIN))?.[1];
    const [denied, passed] = fold.views();
    expect(ruleOf(denied?.permission ?? null)).toBe('denied by /rules.json deny[0], for rm -rf x');
    expect(ruleOf(passed?.permission ?? null)).toBe('left to Claude Code: because');
    expect(ruleOf(null)).toBeUndefined();
  });
});

test('a question that the user answered is named with the place of the answer', () => {
  const permission = {
    ...{ v: 1, t: 'permission', at: '2026-01-01T00:00:01.000Z', claude: 'cl', agent: '', cut: 0 },
    ...{ decision: 'pass', by: 'client', rule: '', hash: '', segment: '', why: '', ms: 1 },
  };
  const of = (request: string, tool: string, end: string, by: string): LogEvent[] => {
    const question = {
      v: 1,
      t: 'question',
      at: '2026-01-01T00:00:02.000Z',
      question: 'q1',
      request,
      claude: 'cl',
    };
    return [
      { ...permission, request, tool, subject: 'x' },
      { ...question, agent: '', tool, end: 'open', by: 'client', text: '', waited: 0 },
      { ...question, agent: '', tool, end, by, text: '', waited: 9 },
    ] as LogEvent[];
  };
  const fold = foldLog([
    ...of('r1', 'WebFetch', 'always', 'tab'),
    ...of('r2', 'Read', 'ran', 'client'),
    ...of('r3', 'Bash', 'no', 'answer'),
    ...of('r4', 'Glob', 'late', 'client'),
  ]);
  const [web, read, glob] = fold.tools();
  const bash = fold.views()[0]?.permission;
  expect([web, read, bash, glob].map((one) => (one == null ? '' : permissionText(one)))).toEqual([
    'left to Claude Code; allowed, with a rule, by you in the dashboard',
    'left to Claude Code; allowed by you in Claude Code',
    'left to Claude Code; denied by you with trai answer',
    'left to Claude Code',
  ]);
});
