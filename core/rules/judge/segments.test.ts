import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutByLevels, cutText } from './segments.ts';

test('a plain command is cut as any other text is', () => {
  const word = fc.constantFrom(
    ...[
      'npm',
      'run',
      'a',
      '-x',
      '--y=z',
      './a',
      '/bin/rm',
      'a/b',
      '..',
      '-',
      '--',
      '%1',
      '@',
      'a,b',
      ',',
      ':',
    ],
    ...[
      'env',
      'sudo',
      'bash',
      '-c',
      'alias',
      'export',
      'git',
      'find',
      '-exec',
      'trap',
      'if',
      'time',
      'command',
    ],
    ...[
      'eval',
      'xargs',
      '=',
      '=ls',
      '~',
      '*',
      '#',
      'A=b',
      '{a,b}',
      '!',
      '$X',
      '"q"',
      '\u200b',
      'é',
      'cd',
      'test',
    ],
  );
  const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, fc.constantFrom('/p', '', '/p/../q'), (one, cwd) => {
      expect(cutText(one, cwd, '/h')).toEqual(cutByLevels(one, cwd, '/h'));
    }),
    { numRuns: 2_000 },
  );
});
