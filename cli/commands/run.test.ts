import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoted } from '../../shared/terminal/quoted.ts';

test.each([
  ['make', 'make'],
  ['', "''"],
  ['two words', "'two words'"],
  ["sed -i 's/a b/c/' x", `"sed -i 's/a b/c/' x"`],
  [`echo "it's"`, `'echo "it'\\''s"'`],
  ["it's $HOME", `'it'\\''s $HOME'`],
])('%j is written as %j', (word, text) => expect(quoted(word)).toBe(text));

test('a shell reads back what was quoted', () => {
  const word = fc.string({
    unit: fc.constantFrom("'", '"', '$', '`', '\\', '!', ' ', 'a', '\n', '*', '(', '#', '~', 'é'),
  });
  fc.assert(
    fc.property(fc.array(word, { minLength: 30, maxLength: 30 }), (words) => {
      const read = execFileSync('bash', ['-c', `printf '%s\\0' ${words.map(quoted).join(' ')}`], {
        encoding: 'utf8',
      });
      expect(read.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 20 },
  );
});
