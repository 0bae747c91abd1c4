/** A name that trai uses temporarily in the project may be the user's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachInAPlace, type Place } from '../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

it.each([
  ['a file', 'echo x > .trai-replay', 'A .trai-replay'],
  [
    'a directory',
    'mkdir -p .trai-replay/in; echo x > .trai-replay/mine; echo y > .trai-replay/in/f',
    'A .trai-replay/',
  ],
  ['an empty directory', 'mkdir .trai-replay', 'A .trai-replay/'],
  [
    'a directory with names that trai uses',
    'mkdir -p .trai-replay/in; echo x > .trai-replay/kept-1',
    'A .trai-replay/',
  ],
  ['an empty directory in .git', 'mkdir -p .git/.trai-replay/in', 'A .git/.trai-replay/'],
  ['a link', 'ln -s one .trai-replay', 'A .trai-replay'],
  ['a file in .git', 'mkdir .git; echo x > .git/.trai-replay', 'A .git/.trai-replay'],
])('%s called .trai-replay is listed, committed and discarded like any other', (_what, script, line) => {
  expect(place.sh(`${script}; true`).rc).toBe(0);
  expect(place.trai(['diff', '--list']).out).toContain(line);
  expect(place.trai(['commit'])).toMatchObject({ rc: 0 });
  expect(place.trai(['diff', '--list']).out).toBe('');
  expect(place.sh('rm -rf .trai-replay .git/.trai-replay').rc).toBe(0);
  expect(place.trai(['diff', '--list']).out).toMatch(/^ {2}D \S*\.trai-replay/);
});

it('a user’s own .trai-replay in the way of a replay is left as it is', () => {
  const host = (text: string) => writeFileSync(join(place.project, 'f'), text);
  host('0\n');
  place.sh('mkdir -p .trai-replay/in .git/.trai-replay; echo x > .trai-replay/in/mine; echo 1 > f');
  place.sh('(sleep 300) > /dev/null 2>&1 &');
  expect(place.trai(['commit', 'f'])).toMatchObject({ rc: 0 });
  host('2\n');
  // A replay has no directory to work in: the host's entries still show, or are conflicts.
  place.sh('cat f');
  place.trai(['ps', '--end']);
  expect(place.sh('cat f .trai-replay/in/mine; ls -A .git').out).toBe('2\nx\n.trai-replay\n');
  expect(place.trai(['diff', '--list']).out).toMatch(/A \.git\/\n.*A \.trai-replay\//s);
});
