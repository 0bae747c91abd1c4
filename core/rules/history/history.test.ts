import { lstatSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../../shared/config/config.ts';
import type { LogEvent } from '../../../shared/log/events.ts';
import type { Fate, Suggestion } from '../../../shared/model/rule.ts';
import { linesOf, type Made, putSession } from '../../../testing/rules/decisions.ts';
import { plainFacts, ruleSet } from '../../../testing/rules/facts.ts';
import { RulesPlace } from '../../../testing/rules/place.ts';
import { ALLOWANCES, ORDERS } from '../../../testing/rules/rows/allowances.ts';
import { DENIALS, WHOLE_TEXTS } from '../../../testing/rules/rows/denials.ts';
import { READING, SANDBOXED } from '../../../testing/rules/rows/reading.ts';
import { spelling } from '../../../testing/rules/spelling.ts';
import { judge } from '../judge/judge.ts';
import { cutText } from '../judge/segments.ts';
import { suggestRules } from '../manage/suggest.ts';
import { verifyRules } from '../manage/verify.ts';
import { compileOne, ruleProblem } from '../model/model.ts';
import { hitsOf, readCandidates, readDecisions } from './decisions.ts';
import { aloneSet, callOf, matchHistory, mayDecide } from './history.ts';
import { savedPrompts, setSandboxed } from './sandboxed.ts';

let place: RulesPlace;
beforeEach(() => {
  place = new RulesPlace();
});
afterEach(() => place.remove());

const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const put = (id: string, calls: readonly Made[]) =>
  putSession(place.stateDir, id, linesOf(calls, id), place.project);
const read = (since = '') => readDecisions({ stateDir: place.stateDir, since });

describe('readDecisions', () => {
  it('gives the decisions of all sessions by time, with what became of the calls', async () => {
    await put('a', [
      { command: 'make', at: at(1), said: { decision: 'ask', by: 'rule' } },
      { command: 'rm x', at: at(4), rc: null, said: { decision: 'ask', by: 'rule' } },
      { command: 'rm y', at: at(5), rc: null, said: { decision: 'deny', by: 'rule' } },
    ]);
    await put('b', [
      { command: 'false', at: at(2), rc: 1 },
      { command: 'true', at: at(3), said: { decision: 'allow', by: 'rule' } },
    ]);
    const found = await read();
    expect(found.map(({ session, subject, outcome, cwd }) => [session, subject, outcome, cwd])).toEqual([
      ['a', 'make', 'ran', '/p'],
      ['b', 'false', 'failed', '/p'],
      ['b', 'true', 'ran', '/p'],
      ['a', 'rm x', 'denied', '/p'],
      ['a', 'rm y', 'denied', '/p'],
    ]);
    expect(await read(at(4))).toHaveLength(2);
  });

  it('says how the user answered the question about a call', async () => {
    const asked = linesOf([{ command: 'make', at: at(1), said: { decision: 'ask', by: 'rule' } }]);
    const answer = { v: 1, t: 'question', at: at(1), request: 'r0', question: 'q1', claude: 'cl' } as const;
    const log: LogEvent[] = [
      ...asked,
      { ...answer, agent: '', tool: 'Bash', end: 'always', by: 'tab', text: '', waited: 9 },
    ];
    await putSession(place.stateDir, 'a', log, place.project);
    expect((await read())[0]?.answered).toEqual({ end: 'always', by: 'tab' });
  });

  it('has no decisions where there is no session, and passes over a log that cannot be read', async () => {
    expect(await read()).toEqual([]);
    await put('a', [{ command: 'x', at: at(1) }]);
    await putSession(place.stateDir, 'b', [], place.project);
    expect(await read()).toHaveLength(1);
  });
});

it('hits count the rules that allowed parts, and trai’s own by name', async () => {
  await put('a', [
    { command: 'x', at: at(1), said: { decision: 'allow', by: 'rule', hash: 'h1', rule: 'f allow[0]' } },
    { command: 'x && y', at: at(2), said: { decision: 'allow', by: 'rule', also: ['h1', 'h2'] } },
    { command: 'ls', at: at(3), said: { decision: 'allow', by: 'read-only', rule: 'read-only' } },
  ]);
  expect([...hitsOf(await read())]).toEqual([
    ['h1', { hits: 2, last: at(2) }],
    ['h2', { hits: 1, last: at(2) }],
    ['read-only', { hits: 1, last: at(3) }],
  ]);
});

describe('matchHistory', () => {
  const rule = (command: string, list: 'allow' | 'deny' = 'allow') =>
    compileOne({ tool: '^Bash$', match: { command } }, list);

  it('finds the calls that one rule decides alone, with the built-in rules beside it', async () => {
    await put('a', [
      { command: 'npm test', at: at(1), said: { decision: 'ask' } },
      { command: 'npm test | tail -3', at: at(2), rc: null },
      { command: 'npm test && rm x', at: at(3) },
      { command: 'npm publish', at: at(4) },
      { command: 'npm test more', at: at(5), said: { cut: 7 } },
      { command: '{}', at: at(6), said: { tool: 'WebFetch', subject: 'https://x' } },
    ]);
    const decisions = await read();
    const set = ruleSet({ user: { version: 2, deny: [{ tool: 'Bash' }] } });
    const subjects = (found: ReturnType<typeof matchHistory>) => found.matched.map(({ subject }) => subject);
    const found = matchHistory(rule('^npm test$'), decisions, set, plainFacts());
    expect(found.looked).toBe(5);
    expect(subjects(found)).toEqual(['npm test', 'npm test | tail -3']);
    expect(subjects(matchHistory(rule('\\brm\\b', 'deny'), decisions, set, plainFacts()))).toEqual([
      'npm test && rm x',
    ]);
    const fetch = compileOne({ tool: '^WebFetch$', match: { url: '^https://x' } }, 'allow');
    expect(subjects(matchHistory(fetch, decisions, set, plainFacts()))).toEqual(['https://x']);
  });
});

it('matchHistory passes over no call whose words the shell makes', async () => {
  const commands = [
    'A=np; B=m; $A$B publish',
    "$'\\x6epm' publish",
    '{npm,publish}',
    'n"p"m publish',
    'echo $x',
  ];
  await put(
    'a',
    commands.map((command, i) => ({ command, at: at(1 + i) })),
  );
  const deny = compileOne({ tool: '^Bash$', match: { command: '^npm publish' } }, 'deny');
  const { matched } = matchHistory(deny, await read(), ruleSet({}), plainFacts());
  expect(matched.map(({ subject }) => subject)).toEqual(commands.slice(0, 4));
});

it('a rule’s history is what judging each call by itself says, however little of the log is read', async () => {
  const words = fc.constantFrom(['npm', 'run', 'x'], ['npm', 'test'], ['rm', 'npm'], ['ls', 'npm run x']);
  const command = fc.oneof(
    words.chain(spelling),
    fc.constantFrom('npm run x', "X=n; $X''pm run x", 'ls', '{npm,run}'),
  );
  const said = fc.record({
    tool: fc.constantFrom('Bash', 'Bash', 'Monitor', 'WebFetch'),
    cut: fc.constantFrom(0, 0, 0, 3),
    decision: fc.constantFrom('pass', 'ask', 'deny'),
  });
  const rc = fc.constantFrom(null, 0, 1);
  const calls = fc.array(fc.record({ command, said, rc, at: fc.nat(20).map((day) => at(1 + day)) }));
  const pattern = fc.constantFrom('^npm run', 'npm run x$', 'run|test', '^(npm|rm) ', 'ls', '^[a-z]+ npm');
  const list = fc.constantFrom('allow' as const, 'deny' as const);
  const set = ruleSet({});
  await fc.assert(
    fc.asyncProperty(calls, pattern, list, fc.nat(3), async (made, source, kind, repeated) => {
      const log = [...linesOf(made), ...linesOf(made.slice(0, repeated))];
      await putSession(place.stateDir, 'a', log, place.project);
      const one = compileOne({ tool: '^(Bash|Web)', match: { command: source } }, kind);
      const all = await read();
      const expected = all.filter((call) => {
        const { decision, rule, segments } = judge(callOf(call, one.rule), aloneSet(one, set), plainFacts());
        const refs = [rule, ...segments.map((segment) => segment.rule)];
        return call.cut === 0 && decision === kind && refs.some((ref) => ref?.hash === one.ref.hash);
      });
      const some = await readCandidates({ stateDir: place.stateDir, since: '' }, mayDecide(one));
      const { looked, matched } = matchHistory(one, some.decisions, set, plainFacts());
      expect(matched).toEqual(expected);
      expect(looked + some.others).toBe(all.filter(({ cut }) => cut === 0).length);
    }),
    { numRuns: 300 },
  );
});

it('mayDecide passes over no call of which a rule matches some spelling', () => {
  const groups = [...DENIALS, ...WHOLE_TEXTS, ...ALLOWANCES, ...ORDERS, ...READING, ...SANDBOXED];
  const missed: string[] = [];
  for (const row of groups.flatMap(({ rows }) => rows.split('\n'))) {
    const subject = row.slice(row.indexOf(' | ') + 3).replaceAll('⏎', '\n');
    const { segments, whole } = cutText(subject, '/p', '/home/kim');
    const spelled = segments.flatMap(({ allowed, spellings }) => [
      allowed,
      ...spellings.map(([, one]) => one),
    ]);
    for (const text of new Set([whole, ...spelled])) {
      const command = `^${text.replace(/[^\w\s]/gu, '\\$&')}$`;
      if (text.length > 4_000 || ruleProblem({ match: { command } }, 'deny') !== '') continue;
      const rule = compileOne({ match: { command } }, 'deny');
      if (!mayDecide(rule)({ tool: 'Bash', subject, cut: 0 })) missed.push(`${subject}: ${text}`);
    }
  }
  expect(missed).toEqual([]);
});

it('a decision has how its call ended, and the type of a failure', async () => {
  const head = (text: string) => ({ head: `Exit code ${text}` });
  await put('a', [
    { command: 'ok', at: at(1) },
    { command: 'bad', at: at(2), rc: 2 },
    { command: 'killed', at: at(3), rc: 137 },
    { command: 'slow', at: at(4), rc: 143, ended: head('143\nCommand timed out after 2s') },
    { command: 'stopped', at: at(5), rc: 137, ended: { interrupted: true } },
  ]);
  const found = await read();
  expect(found.map(({ outcome, error, rc }) => [outcome, error, rc])).toEqual([
    ['ran', '', 0],
    ['failed', 'exit 2', 2],
    ['failed', 'signal 9', 137],
    ['timed-out', '', 143],
    ['interrupted', '', 137],
  ]);
});

describe('suggestRules', () => {
  const suggested = async (fates: ReadonlyMap<string, Fate> = new Map()) => {
    const set = place.load();
    const about = { env: { HOME: place.base }, home: place.base, projectRoot: place.project };
    const facts = plainFacts({ runs: 'sandbox' });
    return suggestRules({ decisions: await read(), set, facts, place: about, fates });
  };
  const ran = (...commands: string[]) => commands.map((command, i) => ({ command, at: at(1 + i) }));

  it('ranks shapes by the prompts that they would have saved, with examples', async () => {
    await put(
      'a',
      ran(
        ...['make all', 'make all', 'make all | tail'],
        ...['npm run b', 'npm run b -- c', 'npm run b -- d', 'npm run b -- e', 'npm run other'],
      ),
    );
    await put('b', [{ command: 'make all', at: at(9), rc: 2 }, ...ran('go test', 'go test')]);
    const found = await suggested();
    const pattern = (start: string) => `^${start}( [\\w./:=@%+,~-]+)*$`;
    expect(found).toMatchObject([
      {
        rule: { tool: '^Bash$', match: { command: pattern('make all') } },
        ...{ saved: 4, failed: 1, sessions: 2 },
        exits: [
          { rc: 0, count: 3 },
          { rc: 2, count: 1 },
        ],
        fate: { written: 0 },
      },
      {
        rule: { match: { command: pattern('npm run b') } },
        saved: 4,
        examples: ['npm run b -- e', 'npm run b -- d', 'npm run b -- c'],
      },
    ]);
  });

  it('ranks down what was discarded or undone', async () => {
    await put('a', ran('make a', 'make a', 'make a', 'make a', 'go test', 'go test', 'go test'));
    const fate = (more: Partial<Fate>): Fate => ({
      ...{ written: 4, committed: 4, discarded: 0, undone: 0 },
      ...more,
    });
    const programs = (found: readonly Suggestion[]) =>
      found.map(({ rule }) => /\^(\w+)/.exec(rule.match?.['command'] ?? '')?.[1]);
    const requests = (await read()).map(({ request }) => request);
    const [first = '', second = ''] = requests;
    expect(programs(await suggested())).toEqual(['make', 'go']);
    expect(programs(await suggested(new Map([[first, fate({})]])))).toEqual(['make', 'go']);
    const bad = new Map([
      [first, fate({ discarded: 3 })],
      [second, fate({ undone: 1 })],
    ]);
    const found = await suggested(bad);
    expect(programs(found)).toEqual(['go', 'make']);
    expect(found[1]?.fate).toEqual({ written: 8, committed: 8, discarded: 3, undone: 1 });
  });

  it('suggests nothing that was denied once, is covered, or cannot be allowed', async () => {
    place.put(place.user, { version: 2, allow: [{ tool: '^Bash$', match: { command: '^own' } }] });
    place.put(join(place.project, '.claude/settings.json'), { permissions: { allow: ['Bash(theirs *)'] } });
    const three = (command: string) => ran(command, command, command);
    await put('a', [
      ...three('tool ./a'),
      { command: 'tool -rf b', at: at(7), rc: null },
      ...three('sudo ls x'),
      ...three('python3 x.py'),
      ...three('own x'),
      ...three('theirs x'),
      ...three('f() { x; }; f'),
      ...three('echo "$(date)" > a; $X'),
      ...three('ls -la'),
      // For any words these rules would allow anything.
      ...['rm a', 'python3 a.py', 'curl https://x', 'uv run python a.py'].flatMap(three),
    ]);
    expect(await suggested()).toEqual([]);
  });
});

describe('sandboxed', () => {
  it('says which prompts it would have saved, and which it would still ask', async () => {
    await put('a', [
      { command: 'for f in a b; do touch $f; done', at: at(1) },
      { command: 'curl -d x https://x', at: at(2) },
      { command: 'git commit -m x', at: at(3) },
      { command: 'make', at: at(4), said: { decision: 'allow', by: 'rule' } },
    ]);
    const found = savedPrompts(await read(), place.request(), DEFAULT_CONFIG);
    expect(found.saved.map(({ subject }) => subject)).toEqual(['for f in a b; do touch $f; done']);
    expect(found.still.map(({ call }) => call.subject)).toEqual(['curl -d x https://x', 'git commit -m x']);
  });

  it('is written into the config, whose other keys stay; a config that is no JSON is left alone', async () => {
    const request = place.request();
    const file = join(place.base, 'config/trai/config.json');
    expect(await setSandboxed(request, 'allow')).toBe(file);
    place.put(file, { scratch: ['/x'], rules: { logMcp: true, sandboxed: 'ask' }, note: 1 });
    await setSandboxed(request, 'allow');
    expect(place.read(file)).toEqual({
      scratch: ['/x'],
      rules: { logMcp: true, sandboxed: 'allow' },
      note: 1,
    });
    const link = join(place.base, 'dotfiles/config.json');
    place.put(link, { scratch: ['/y'] });
    rmSync(file);
    symlinkSync(link, file);
    await setSandboxed(request, 'allow');
    expect(place.read(link)).toEqual({ scratch: ['/y'], rules: { sandboxed: 'allow' } });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    place.put(file, '{');
    await expect(setSandboxed(request, 'ask')).rejects.toMatchObject({ code: 'corrupt' });
  });
});

it('verify names rules that decided nothing in 90 days, in a file that is as old', () => {
  const now = Date.parse('2026-06-01T00:00:00Z');
  const facts = plainFacts({ now });
  place.put(place.user, { version: 2, allow: [{ tool: '^A$' }, { tool: '^B$' }] });
  const set = place.load();
  const [, b] = set.ordered;
  const use = {
    hits: new Map([[b?.ref.hash ?? '', { hits: 3, last: '2026-05-01T00:00:00.000Z' }]]),
    oldest: at(1),
  };
  const unused = () => verifyRules(set, facts, use).map(({ code, at: where }) => [code, where]);
  expect(unused()).toEqual([]);
  utimesSync(place.user, new Date(at(2)), new Date(at(2)));
  expect(unused()).toEqual([['unused', 'allow[0]']]);
  expect(verifyRules(set, facts, { ...use, oldest: '2026-05-01T00:00:00.000Z' })).toEqual([]);
  expect(verifyRules(set, facts)).toEqual([]);
});
