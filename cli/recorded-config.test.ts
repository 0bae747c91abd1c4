/** A session's hooks may find their config only in the plugin's data directory. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachInAPlace, type Place } from '../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

function record(configFile: string): void {
  const file = join(place.state, 'sessions/s/meta.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), configFile }));
}
const skip = (name: string) => JSON.stringify({ ignore: { add: [join(place.project, name)] } });

it('a commit in a terminal goes by the config of the session, and by its own where that one is gone', () => {
  const own = join(place.base, 'home/.config/trai/config.json');
  const data = join(place.base, 'data/config.json');
  for (const file of [own, data]) mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(own, skip('by-own'));
  writeFileSync(data, skip('by-data'));
  expect(place.sh('echo 1 > by-own; echo 2 > by-data').rc).toBe(0);
  record(data);
  expect(place.trai(['commit']).out).toContain('1 ignored entry left out');
  expect(['by-own', 'by-data'].map((name) => existsSync(join(place.project, name)))).toEqual([true, false]);
  expect(place.sh('echo 3 > by-own').rc).toBe(0);
  record(join(place.base, 'data/gone.json'));
  expect(place.trai(['commit']).rc).toBe(0);
  expect(readFileSync(join(place.project, 'by-own'), 'utf8')).toBe('1\n');
  expect(existsSync(join(place.project, 'by-data'))).toBe(true);
});
