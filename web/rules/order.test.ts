import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ListedRule, RuleList } from '../../shared/model/rule.ts';
import { movedRules, moveTo, ruleKeys } from './order.ts';

const rule = (list: RuleList, index: number, text: string, more: Partial<ListedRule> = {}): ListedRule => {
  const ref = { scope: 'user', file: 'f', list, index, hash: text, text, reason: '' } as const;
  return { ref, rule: {}, source: 'authored', counts: true, hits: 0, last: '', ...more };
};
const shown = (rules: readonly ListedRule[]) => rules.map(({ ref }) => `${ref.list}${ref.index} ${ref.text}`);

it('moves within a list, whatever stands between', () => {
  const rules = [
    rule('deny', 0, 'd'),
    rule('ask', 0, 'a'),
    rule('allow', 0, 'x', { source: 'imported' }),
    rule('ask', 1, 'b'),
    rule('ask', 2, 'c'),
  ];
  const moved = movedRules(rules, 'user', { do: 'move', list: 'ask', index: 2, before: 0 });
  expect(shown(moved)).toEqual(['deny0 d', 'ask0 c', 'allow0 x', 'ask1 a', 'ask2 b']);
  expect(movedRules(rules, 'project', { do: 'move', list: 'ask', index: 2, before: 0 })).toEqual(rules);
});

it('is what the server does with the list, and the way back', () => {
  const scene = fc.tuple(fc.array(fc.string(), { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat());
  fc.assert(
    fc.property(scene, ([texts, a, b]) => {
      const [index, before] = [a % texts.length, b % texts.length];
      const rules = texts.map((text, i) => rule('allow', i, text));
      const moved = movedRules(rules, 'user', { do: 'move', list: 'allow', index, before });
      const expected = [...texts];
      expected.splice(before, 0, ...expected.splice(index, 1));
      expect(moved.map(({ ref }) => ref.text)).toEqual(expected);
      expect(moved.map(({ ref }) => ref.index)).toEqual(texts.map((_, i) => i));
      expect(movedRules(moved, 'user', { do: 'move', list: 'allow', index: before, before: index })).toEqual(
        rules,
      );
      const keys = ruleKeys(moved);
      expect(new Set(keys.values()).size).toBe(texts.length);
    }),
  );
});

it('a rule moves in its own list only', () => {
  const at = { scope: 'user', list: 'ask', index: 1 } as const;
  expect(moveTo(at, { ...at, index: 0 })).toEqual({ do: 'move', list: 'ask', index: 1, before: 0 });
  expect(moveTo(at, at)).toBe(null);
  expect(moveTo(at, { ...at, list: 'deny', index: 0 })).toBe(null);
  expect(moveTo(at, { ...at, scope: 'session', index: 0 })).toBe(null);
});
