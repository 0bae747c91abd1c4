import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseShell } from '../../decide/shell/parse.ts';
import { withoutBraces } from './braces.ts';

const WORDS =
  "r{m,} {rm,-rf,/} {,rm} 'r'{m,} a{b,c{d,e}f}g {a,b}{c,d} {{a,b},c} {a} {} {a,b x{a..c}y {c..a} {a..c}{1,2} '{a,b}' \"{a,b}\" a{,}b {a,b}c,d} a{'b',c}d".split(
    ' ',
  );

test.each(WORDS)('%s is what bash makes of it', (word) => {
  const script = 'for x in "$@"; do echo "$x"; done';
  const made = execFileSync('bash', ['-c', `set -- ${word}; ${script}`], { encoding: 'utf8' });
  const words = withoutBraces(parseShell(`ok ${word}`).commands[0]?.words ?? []).slice(1);
  const texts = words.map(({ pieces }) =>
    pieces.map((piece) => ('text' in piece ? piece.text : '')).join(''),
  );
  expect(texts.join('\n')).toBe(made.trimEnd());
});

test.each(['{a,b}'.repeat(1_900), `${'{'.repeat(2_400)}a${',b}'.repeat(2_400)}`, `{${'a,'.repeat(4_000)}b}`])(
  'many braces are not expanded all',
  (word) => {
    const words = withoutBraces(parseShell(`ok ${word}`).commands[0]?.words ?? []);
    expect(words.length).toBeLessThan(500);
    expect(words.flatMap(({ pieces }) => pieces).length).toBeLessThan(10_000);
  },
);
