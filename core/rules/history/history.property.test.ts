import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogEvent } from '../../../shared/log/events.ts';
import { RULE_LISTS } from '../../../shared/model/rule.ts';
import { linesOf, putSession } from '../../../testing/rules/decisions.ts';
import { plainFacts, ruleSet } from '../../../testing/rules/facts.ts';
import { RulesPlace } from '../../../testing/rules/place.ts';
import { judge } from '../judge/judge.ts';
import { compileOne } from '../model/model.ts';
import { readDecisions } from './decisions.ts';
import { aloneSet, callOf, readRuleHistory, ruleHistory } from './history.ts';

let place: RulesPlace;
beforeEach(() => {
  place = new RulesPlace();
});
afterEach(() => place.remove());

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

const command = fc.constantFrom(
  ...['npm test', 'npm run a', 'npm  test', "n'p'm test", 'npm \\\n test', 'A=np; $' + '{A}m test', 'rm x'],
  ...[
    'npm test && rm x',
    'ls',
    'npm test > /etc/x',
    'npm test > out',
    'timeout 5 npm test',
    'sh -c "npm test"',
  ],
  ...[
    "$'\\x6epm' test",
    'npm test # rm x',
    'cat <<E\nnpm test\nE',
    'npm "test',
    './npm test',
    'alias npm=rm',
  ],
);
const said = fc.record({
  tool: fc.constantFrom('Bash', 'Bash', 'Monitor', 'WebFetch', 'mcp__a__b'),
  decision: fc.constantFrom('allow', 'ask', 'deny', 'pass'),
  cut: fc.constantFrom(0, 0, 0, 7),
});
const made = fc.record(
  {
    command,
    at: fc.integer({ min: 0, max: 59 }).map(at),
    said,
    rc: fc.constantFrom(0, 1, null),
    cwd: fc.constantFrom('/p', '/q'),
  },
  { requiredKeys: ['command', 'at', 'said'] },
);
const pattern = fc.constantFrom(
  ...['^npm test$', '^npm (test|run)', 'npm', '^rm\\b', 'test$', '.', '^(npm|rm) ', '(?i)NPM', '^npm  ?test'],
);
const rule = fc.record({
  list: fc.constantFrom(...RULE_LISTS),
  tool: fc.constantFrom('^Bash$', 'Bash|Monitor', '.', '^mcp__'),
  command: fc.option(pattern, { nil: undefined }),
});

test('what is passed over when a log is read for one rule is nothing that the rule decides', async () => {
  let sessions = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(made, { maxLength: 12 }), { minLength: 1, maxLength: 2 }),
      fc.array(fc.nat(), { maxLength: 5 }),
      rule,
      fc.constantFrom('', at(30)),
      async (logs, twice, { list, tool, command: source }, since) => {
        place.remove();
        place = new RulesPlace();
        for (const calls of logs) {
          const id = `s${sessions++}`;
          const lines: LogEvent[] = linesOf(calls, id);
          // A hook that ran twice, and events in another order.
          for (const n of twice) lines.splice(n % (lines.length + 1), 0, ...lines.slice(n % 7, (n % 7) + 1));
          await putSession(place.stateDir, id, lines, place.project);
        }
        const match = source === undefined ? undefined : { command: source };
        const one = compileOne({ tool, ...(match === undefined ? {} : { match }) }, list);
        const [set, facts] = [ruleSet({}), plainFacts()];
        const request = { stateDir: place.stateDir, since };
        const decisions = await readDecisions(request);
        const quick = await readRuleHistory(one, request, set, facts);
        expect(quick).toEqual(ruleHistory(one, decisions, set, facts));
        const whole = decisions.filter(({ cut }) => cut === 0);
        const matched = whole.filter((call) => {
          const verdict = judge(callOf(call, one.rule), aloneSet(one, set), facts);
          const refs = [verdict.rule, ...verdict.segments.map((segment) => segment.rule)];
          return verdict.decision === list && refs.some((ref) => ref?.hash === one.ref.hash);
        });
        expect(quick).toMatchObject({ looked: whole.length, matched: matched.length });
      },
    ),
    { numRuns: 100 },
  );
});
