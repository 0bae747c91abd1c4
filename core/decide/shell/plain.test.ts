import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAll, parseShell } from './parse.ts';
import { plainScript } from './plain.ts';

const RESERVED =
  'if then elif else fi case esac for select while until do done in function time coproc [[ ]] { } ! ((';
const PROGRAMS =
  'npm git cd env timeout bash exec command declare export local readonly typeset alias let eval test [ : . - -- 2 1a a.b =x ~ %1 @ + a+=b A=1';
const ARGUMENTS =
  '-n --n=0 --a=b=c -x=~/y - -- 5 2 a/b ../c x@1.2:3 a,b a=b A+=1 -=- -a+=b .. @(x) {a,b} * #c $x "q" \\n é';

const word = fc.constantFrom(...`${RESERVED} ${PROGRAMS} ${ARGUMENTS}`.split(' '));
const odd = fc.string({ maxLength: 3 });
const command = fc
  .array(fc.oneof({ weight: 20, arbitrary: word }, { weight: 1, arbitrary: odd }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((words) => words.join(' '));
const text = fc
  .array(command, { minLength: 1, maxLength: 3 })
  .chain((parts) =>
    fc.constantFrom(' && ', ' && ', '&&', ' & ', ' || ', '; ', '\n').map((by) => parts.join(by)),
  );

test('what is told without the parser is what the parser says', () => {
  let plain = 0;
  fc.assert(
    fc.property(text, (one) => {
      const found = plainScript(one);
      if (found === null) return;
      plain += 1;
      expect(found, one).toEqual(parseAll(one));
    }),
    { numRuns: 20_000 },
  );
  expect(plain).toBeGreaterThan(200);
});

test('each word in each place is what the parser says', () => {
  const words = `${RESERVED} ${PROGRAMS} ${ARGUMENTS}`.split(' ');
  for (const a of words)
    for (const b of words)
      for (const one of [a, `${a} ${b}`, `x ${a} ${b}`, `${a} && ${b}`, `${a} ${b} && ${b} ${a} y`])
        expect(plainScript(one) ?? parseAll(one), one).toEqual(parseAll(one));
});

test('a text that is plain but for its end is looked at once', () => {
  expect(plainScript(`x ${'-a '.repeat(3_000)}$`)).toBeNull();
});

test('plain commands are told without the parser, a longer text is broken as before', () => {
  expect(plainScript('npm run build -- --n=5 && git add -A src/a.ts')).not.toBeNull();
  expect(parseShell(`a ${'b'.repeat(10_000)}`).broken).toBe(true);
});
