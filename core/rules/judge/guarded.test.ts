import { expect, test, vi } from 'vitest';
import { plainFacts, ruleSet } from '../../../testing/rules/facts.ts';
import { compilePattern } from '../model/pattern.ts';
import { Guard } from './guarded.ts';
import { judge } from './judge.ts';

const EVIL = compilePattern('(a+)+$');
const EVIL_TEXT = `${'a'.repeat(60)}!`;
const bash = (command: string) => ({ tool: 'Bash', input: { command }, cwd: '/p', mode: 'default' });
const onCommand = (command: string) => ({ tool: '^Bash$', match: { command } });

test('an endless pattern ends, and the others are matched as if it were not there', () => {
  const guard = new Guard();
  const found = guard.run(() => [
    guard.test(compilePattern('^a'), EVIL_TEXT),
    guard.test(EVIL, EVIL_TEXT),
    guard.test(EVIL, 'aaa'),
    guard.test(compilePattern('b'), EVIL_TEXT),
  ]);
  expect(found).toEqual([true, null, true, false]);
});

test('a thousand endless patterns end too', () => {
  const guard = new Guard();
  const patterns = Array.from({ length: 1_000 }, (_, i) => compilePattern(`(a+){${i + 1}}$`));
  const slow = [EVIL, compilePattern('(a|aa)+$'), compilePattern('(a*)*$b'), ...patterns];
  expect(guard.run(() => slow.every((one) => guard.test(one, EVIL_TEXT) !== true))).toBe(true);
});

test('work that throws throws, and leaves nothing behind', () => {
  const guard = new Guard();
  expect(() =>
    guard.run(() => {
      throw new RangeError('x');
    }),
  ).toThrow(RangeError);
  expect(Reflect.has(globalThis, Symbol.for('trai.rules.guarded'))).toBe(false);
});

test('much work that is not one pattern’s makes none of them slow', () => {
  const guard = new Guard();
  let runs = 0;
  const found = guard.run(() => {
    runs += 1;
    const until = performance.now() + 120;
    while (performance.now() < until);
    return guard.test(compilePattern('^b'), 'a');
  });
  expect(found).toBe(false);
  expect(runs).toBeGreaterThan(1);
});

test('a machine that is busy with other processes makes no pattern slow', () => {
  const guard = new Guard();
  const { now } = performance;
  let [asked, runs] = [0, 0];
  // Two seconds pass between any two looks at the clock.
  const clock = vi
    .spyOn(performance, 'now')
    .mockImplementation(() => now.call(performance) + 2_000 * asked++);
  try {
    const found = guard.run(() => {
      const until = Date.now() + (runs++ === 0 ? 150 : 0);
      while (Date.now() < until);
      return guard.test(compilePattern('^b'), 'b');
    });
    expect(found).toBe(true);
    expect(runs).toBeGreaterThan(1);
  } finally {
    clock.mockRestore();
  }
});

test('an endless pattern keeps no other rule from denying, and none of its own list from being tried', () => {
  const evil = onCommand('(a+)+$');
  const command = `${EVIL_TEXT.slice(0, -1)} x!; rm x`;
  const set = ruleSet({ user: { version: 2, allow: [evil, onCommand('^a')], deny: [onCommand('^rm ')] } });
  expect(judge(bash(command), set, plainFacts())).toMatchObject({
    decision: 'deny',
    rule: { list: 'deny' },
    slow: [],
  });
  const allowing = ruleSet({ user: { version: 2, allow: [evil, onCommand('^a')] } });
  expect(judge(bash(EVIL_TEXT), allowing, plainFacts())).toMatchObject({
    decision: 'allow',
    rule: { index: 1 },
    slow: [{ index: 0 }],
  });
  const asking = ruleSet({ user: { version: 2, ask: [evil], allow: [onCommand('^a')] } });
  expect(judge(bash(EVIL_TEXT), asking, plainFacts())).toMatchObject({
    decision: 'ask',
    slow: [{ index: 0 }],
  });
});

test('a thousand rules on 100 kB are judged as a whole', () => {
  const rules = Array.from({ length: 1_000 }, (_, i) => onCommand(`^tool${i}\\b|other${i}\\s+x$`));
  const text = `${'echo word; '.repeat(9_000)}rm x`;
  const set = ruleSet({
    user: { version: 2, deny: [...rules, onCommand('^rm ')], allow: [onCommand('^echo')] },
  });
  expect(judge(bash(text), set, plainFacts()).decision).toBe('deny');
  const allowing = ruleSet({ user: { version: 2, allow: [onCommand('')] } });
  expect(judge(bash(`echo ${'x'.repeat(10_001)}`), allowing, plainFacts()).decision).toBe('pass');
});
