import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern, PatternError } from './pattern.ts';

const matches = (source: string, text: string) => compilePattern(source).regexp.test(text);

describe('compilePattern', () => {
  test.each([
    ['^a', 'ab', 'ba'],
    ['a$', 'ba\n', 'ab'],
    ['\\Aa\\z', 'a', 'a\n'],
    ['\\Aa\\Z', 'a\n', 'ab'],
    ['(?m)^a$', 'b\na\nc', 'b a'],
    ['a.b', 'a\rb', 'a\nb'],
    ['(?s)a.b', 'a\nb', 'ab'],
    ['(?i)abc', 'aBC', 'abd'],
    ['(?i)[a-f]+z', 'ABZ', 'gz!'],
    ['(?i:a)b', 'Ab', 'aB'],
    ['a(?i)b', 'aB', 'AB'],
    ['(a(?i)b)c', 'aBc', 'aBC'],
    ['(?-i)a', 'a', 'A'],
    ['(?x) a b # c', 'ab', 'a b'],
    ['(?x) a\\ b [ ] c', 'a b c', 'abc'],
    ['\\s', '\t', '\u00a0'],
    ['^\\S+$', 'a\u00a0b', 'a b'],
    ['\\d', '7', '\u0663'],
    ['\\h', '\t', '\n'],
    ['\\v', '\n', ' '],
    ['\\R', '\r\n', ' '],
    ['\\N', 'a', '\n'],
    ['[\\h]', '\t', '\n'],
    ['[^\\s]', 'a', ' '],
    ['[\\w.-]+x', 'a.-x', ' x'],
    ['[[:digit:][:space:]]', '7', 'a'],
    ['[]a]', ']', 'b'],
    ['[^]a]', 'b', ']'],
    ['[a\\]]', ']', 'b'],
    ['[a-]', '-', 'b'],
    ['[-a]', '-', 'b'],
    ['[\\b]', '\b', 'b'],
    ['a{2}', 'aa', 'a'],
    ['a{2,}', 'aaa', 'a'],
    ['a{x}', 'a{x}', 'a'],
    ['{', '{', 'a'],
    ['}', '}', 'a'],
    [']', ']', 'a'],
    ['a\\/b', 'a/b', 'ab'],
    ['\\-\\_\\ \\"', '-_ "', '-'],
    ['\\x41\\x{42}\\103', 'ABC', 'abc'],
    ['\\u0041', 'A', 'u'],
    ['\\x{1f98a}', '🦊', 'f'],
    ['\\e\\a\\cA', '\u001b\u0007\u0001', 'ea'],
    ['\\Qa.b\\E.', 'a.bc', 'aXbc'],
    ['(a)\\1', 'aa', 'ab'],
    ['(a)(b)\\2', 'abb', 'aba'],
    ['(a)\\g1', 'aa', 'ab'],
    ['(a)\\g{1}', 'aa', 'ab'],
    ['(?<n>a)\\k<n>', 'aa', 'ab'],
    ['(?P<n>a)(?P=n)', 'aa', 'ab'],
    ["(?'n'a)\\k{n}", 'aa', 'ab'],
    ['(?>a+)b', 'aab', 'aa'],
    ['^(?>a|ab)c$', 'ac', 'abc'],
    ['^a++a', 'x', 'aaa'],
    ['^(ab)*+a', 'aba', 'abab'],
    ['^(a)++\\1$', 'x', 'aaa'],
    ['a?+b', 'ab', 'a'],
    ['a(?#comment)b', 'ab', 'a'],
    ['(?=a)a', 'a', 'b'],
    ['(?<!a)b', 'cb', 'ab'],
    ['\\p{L}', 'é', '1'],
    ['\\pL', 'é', '1'],
    ['\\p{^L}', '1', 'é'],
    ['foo|bar', 'bar', 'baz'],
    ['^foo|bar$', 'foox', 'xfoo'],
  ])('%s is found in %j, not in %j', (source, yes, no) => {
    if (yes !== 'x') expect(matches(source, yes)).toBe(true);
    expect(matches(source, no)).toBe(false);
  });

  test.each([
    ['('],
    [')'],
    ['['],
    ['*'],
    ['a**'],
    ['\\'],
    ['(?R)'],
    ['(?1)'],
    ['(?|a|b)'],
    ['(?(1)a)'],
    ['(*FAIL)'],
    ['\\G'],
    ['\\i'],
    ['a{,3}'],
    ['\\p{Nonsense}'],
    ['[z-a]'],
    ['(a)\\2'],
    ['a'.repeat(10_001)],
  ])('%s is refused', (source) => {
    expect(() => compilePattern(source)).toThrow(PatternError);
  });

  test.each([
    ['^npm test$', 'npm test', true],
    ['\\Anpm', 'npm', true],
    ['rm -rf', 'rm -rf', false],
    ['^git\\s+push', 'git', true],
    ['^a?b', '', true],
    ['^ab*', 'a', true],
    ['^ab{2}', 'a', true],
    ['^a\\.b', 'a.b', true],
    ['a|b', '', false],
    ['^(a|b)', 'a or b', true],
    ['(?:git|npm) push', 'git or npm', false],
    ['^(a|b)?c', '', true],
    ['^(a|b)|c', '', false],
    ['^(a|)c', '', true],
    ['^(a|b.)', '', true],
    ['(?i)abc', '', false],
    ['^(?#x)abc', 'abc', true],
    ['(?m)^abc', '', false],
  ])('%s needs the text %j', (source, literal, atStart) => {
    const literals = literal === '' ? [] : literal.split(' or ');
    expect(compilePattern(source)).toMatchObject({ literals, atStart });
  });

  test('what is needed is in every match', () => {
    const piece = fc.constantFrom(
      '^',
      'a',
      'b',
      '.',
      '*',
      '+',
      '?',
      '|',
      '(',
      ')',
      '[ab]',
      '\\s',
      '\\b',
      '{2}',
      '$',
      '(?:',
      '(a|b)',
      '(?:ab|b)',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n') }),
        (all, text) => {
          const pattern = compiledOr(all.join(''));
          if (pattern === null || !pattern.regexp.test(text)) return;
          const { literals, atStart } = pattern;
          const isThere = (one: string) => (atStart ? text.startsWith(one) : text.includes(one));
          expect(literals.length === 0 || literals.some(isThere), `${all.join('')} ${text}`).toBe(true);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('nothing but a PatternError is thrown', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'\\ ( ) [ ] { } ? * + | ^ $ . (?i) (?> (?< \\Q \\E \\k< \\g{ [: :] - x 1 , ='.split(' '),
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (all) => {
        compiledOr(all.join(''));
      }),
      { numRuns: 5_000 },
    );
  });
});

function compiledOr(source: string) {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return null;
    throw error;
  }
}
