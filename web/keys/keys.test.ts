import { expect, test } from 'vitest';
import { KEYS, matchKey, type Press, type ShortcutId } from './keys.ts';

function press(key: string, patch: Partial<Press> = {}): Press {
  return { key, ctrlKey: false, metaKey: false, altKey: false, inField: false, onButton: false, ...patch };
}

test('each key of the table runs its own action, and no two actions share one', () => {
  const all = (Object.keys(KEYS) as ShortcutId[]).flatMap((id) => KEYS[id].keys.map((key) => ({ id, key })));
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  for (const { id, key } of all) {
    const [first = '', second] = key.split(' ');
    const result = matchKey(press(first), '', true);
    if (second === undefined) expect(result).toEqual({ action: id });
    else {
      expect(result).toEqual({ prefix: first });
      expect(matchKey(press(second), first, true)).toEqual({ action: id });
    }
  }
});

test('no key commits or discards', () => {
  expect(Object.keys(KEYS).filter((id) => /commit|discard|undo/.test(id))).toEqual([]);
});

test.each([
  ['with Ctrl', press('f', { ctrlKey: true }), true],
  ['with Meta', press('f', { metaKey: true }), true],
  ['with Alt', press('f', { altKey: true }), true],
  ['in a field', press('j', { inField: true }), true],
  ['switched off', press('j'), false],
  ['Enter on a button', press('Enter', { onButton: true }), true],
  ['a letter of no action', press('q'), true],
])('nothing happens: %s', (_, key, enabled) => {
  expect(matchKey(key, '', enabled)).toBeNull();
});

test('Escape works in a field and when letters are off', () => {
  expect(matchKey(press('Escape', { inField: true }), '', false)).toEqual({ action: 'escape' });
});

test('a sequence that goes wrong is dropped', () => {
  expect(matchKey(press('j'), 'g', true)).toBeNull();
});
