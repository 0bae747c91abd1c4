import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { testLine } from './test-run.ts';

const line = (command: string, cwd = '/home/kim/shop') =>
  testLine({ session: 'shop', cwd, command, testCommands: ['npm test'] });

it.each<[string, string, string | null]>([
  ['npm test', '/p', 'cd /p && trai exec --session shop -- npm test'],
  ['npm test -- -t "a b"', '/p', 'cd /p && trai exec --session shop -- npm test -- -t "a b"'],
  ['cd web && npm test', '/p', "cd /p && trai exec --session shop -- bash -c 'cd web && npm test'"],
  ["A='x' npm test", '/p q', `cd '/p q' && trai exec --session shop -- bash -c 'A='"'"'x'"'"' npm test'`],
  // Nothing invisible goes into a line that is to be pasted.
  ['npm test\n', '/p', 'cd /p && trai exec --session shop -- npm test'],
  ['npm test -- \u202e', '/p', 'cd /p && trai exec --session shop -- npm test'],
  ['npm test', '/p\u202e', null],
  ['make\nnothing', '/p', null],
])('%j in %j', (command, cwd, expected) => {
  expect(line(command, cwd)).toBe(expected);
});

it('runs nothing outside of the sandbox but cd and trai, whatever the command is', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('a', ' ', "'", '"', '$', '(', ')', '`', ';', '&', '|', '>', '\\', '-', '#', '!'),
    maxLength: 24,
  });
  const lines: string[] = [];
  fc.assert(
    fc.property(nasty, nasty, (command, dir) => {
      const made = line(command, `/tmp/${dir}`);
      if (made !== null) lines.push(made);
    }),
    { numRuns: 150, seed: 7 },
  );
  expect(lines.length).toBeGreaterThan(50);
  for (const made of lines) {
    const script = `cd() { :; }; trai() { printf 'trai %s' "$#"; }; PATH=/nowhere\n${made}`;
    const out = execFileSync('/bin/bash', ['-c', script], { encoding: 'utf8', stdio: 'pipe' });
    expect(out, made).toMatch(/^trai \d+$/);
  }
});
