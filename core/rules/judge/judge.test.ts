import { expect, test } from 'vitest';
import { plainFacts, ruleSet } from '../../../testing/rules/facts.ts';
import { judge } from './judge.ts';

const bash = (command: string) => ({ tool: 'Bash', input: { command }, cwd: '/p', mode: 'default' });

test('a deny rule holds beside an allow rule, in any part of a command', () => {
  const rules = ruleSet({
    user: {
      version: 2,
      allow: [{ tool: 'Bash' }],
      deny: [{ tool: '^Bash$', match: { command: '^rm ' }, reason: 'no' }],
    },
  });
  const denied = judge(bash('ls && rm -rf x'), rules, plainFacts());
  expect(denied).toMatchObject({ decision: 'deny', rule: { list: 'deny', index: 0, file: 'user.json' } });
  expect(judge(bash('git status'), rules, plainFacts()).decision).toBe('allow');
});

test('a pattern that would take for ever denies, does not allow, and is named', () => {
  const evil = { tool: 'Bash', match: { command: '(a+)+$' } };
  const call = bash(`${'a'.repeat(50)}!`);
  const denied = judge(call, ruleSet({ user: { version: 2, deny: [evil] } }), plainFacts());
  expect(denied).toMatchObject({ decision: 'deny', slow: [{ list: 'deny' }] });
  const passed = judge(call, ruleSet({ user: { version: 2, allow: [evil] } }), plainFacts());
  expect(passed).toMatchObject({ decision: 'pass', slow: [{ list: 'allow' }] });
});

test('what a redirection reads is named, and counts as no file that is written', () => {
  const rules = ruleSet({ user: { version: 2, allow: [{ tool: 'Bash', match: { command: '^ok$' } }] } });
  const read = judge(bash('{ cat; } < ~/x'), rules, plainFacts());
  expect(read).toMatchObject({ decision: 'pass', why: 'no permission rule is about this call' });
  expect(read.segments).toMatchObject([
    { text: '< ~/x', decision: 'pass' },
    { text: 'cat', decision: 'allow' },
  ]);
  const unknown = [{ why: expect.stringMatching(/^it reads from what may be anything$/) }];
  expect(judge(bash('ok < $X'), rules, plainFacts()).segments).toMatchObject(unknown);
  const group = judge(bash('{ ok; } < $X'), rules, plainFacts());
  expect(group).toMatchObject({ decision: 'pass', why: expect.stringContaining('reads from what may be') });
});
