/** The covered places of a session: their numbers, which stay for its life, and their directories. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type BytePath, fromText, toDisplay } from '../../bytes.ts';
import { TraiError } from '../../errors.ts';
import type { Place, PlacedChild } from '../types.ts';

const bytes = (path: string): Buffer => Buffer.from(path, 'latin1');

/**
 * Numbers `paths` and makes what is missing of their directories. An upper belongs to its path: one that was there and
 * is gone is an error, never made again empty, since what was pending in it would vanish without a word.
 * Errors: `corrupt`.
 */
export function makePlaces(
  overlayDir: BytePath,
  paths: readonly BytePath[],
  uid: number,
  copied: ReadonlyMap<BytePath, readonly PlacedChild[]> = new Map(),
): Place[] {
  const numbers = readNumbers(overlayDir);
  for (const place of [...numbers].map(([path, n]) => placeOf(overlayDir, path, n))) {
    if (!isDirectory(place.upper)) {
      throw new TraiError(
        'corrupt',
        `expected the directory ${toDisplay(place.upper)} with what is pending in ${toDisplay(place.path)}, found none`,
        {
          path: toDisplay(place.upper),
          hint: 'Put it back, or start a new session.',
        },
      );
    }
  }
  const fresh = paths.filter((path) => !numbers.has(path));
  for (const path of fresh) numbers.set(path, numbers.size + 1);
  const places = paths.map((path) => {
    const place = placeOf(overlayDir, path, numbers.get(path) ?? 0);
    const children = copied.get(path);
    return children === undefined ? place : { ...place, copied: children };
  });
  for (const place of places) if (fresh.includes(place.path)) preparePlace(place, uid);
  if (fresh.length > 0) {
    // Written last: a number in the file promises that the directories are there.
    const temp = bytes(`${overlayDir}/.places.new`);
    writeFileSync(temp, JSON.stringify([...numbers]), { mode: 0o600 });
    renameSync(temp, bytes(`${overlayDir}/places.json`));
  }
  return places;
}

/**
 * Every place of the session that the newest plan has, and every other one that holds something: a place leaves the
 * plan when something is mounted below it, and what is pending in it must still be seen.
 * @param planned the places of the newest plan
 * @param sessionDir ordinary text
 */
export function knownPlaces(sessionDir: string, planned: readonly Place[]): Place[] {
  const overlayDir = fromText(`${sessionDir}/overlay`);
  const others = [...readNumbers(overlayDir)]
    .filter(([path]) => planned.every((place) => place.path !== path))
    .map(([path, n]) => {
      const place = placeOf(overlayDir, path, n);
      return existsSync(bytes(`${overlayDir}/${n}/copies.json`)) ? { ...place, copied: [] } : place;
    });
  return [
    ...planned,
    ...others.filter((place) => isDirectory(place.upper) && readdirSync(bytes(place.upper)).length > 0),
  ];
}

/** Tells the names that the sandbox has in the root of a place; none when it is no place yet. Reads their table once. */
export function namesInUppers(overlayDir: BytePath): (path: BytePath) => string[] {
  let numbers: Map<BytePath, number> | null = null;
  return (path) => {
    numbers ??= readNumbers(overlayDir);
    const n = numbers.get(path);
    try {
      return n === undefined ? [] : readdirSync(bytes(`${overlayDir}/${n}/u`), { encoding: 'latin1' });
    } catch {
      return [];
    }
  };
}

/**
 * Makes a place's directories. The root of an overlay shows owner and mode of its upper: with a plain mkdir, `touch
 * /etc/x` would succeed inside though the host refuses it. So the upper of an own directory gets its mode, of
 * anybody else's 0555, or less where this user may not read or search it.
 */
export function preparePlace(place: Place, uid: number): void {
  const dir = place.upper.slice(0, -2);
  for (const name of ['u', 'w']) mkdirSync(bytes(`${dir}/${name}`), { recursive: true, mode: 0o700 });
  // One that is there is of a try that came to nothing, and may have been for another directory with this number.
  const link = bytes(`${dir}/l`);
  rmSync(link, { force: true });
  symlinkSync(bytes(place.path), link);
  const host = lstatSync(bytes(place.path));
  const own = host.uid === uid || uid === 0;
  chmodSync(bytes(place.upper), own ? host.mode & 0o7777 : host.mode & 0o555);
}

function placeOf(overlayDir: BytePath, path: BytePath, n: number): Place {
  return { n, path, upper: `${overlayDir}/${n}/u` as BytePath, work: `${overlayDir}/${n}/w` as BytePath };
}

function readNumbers(overlayDir: BytePath): Map<BytePath, number> {
  const file = bytes(`${overlayDir}/places.json`);
  if (!existsSync(file)) return new Map();
  const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isNumberTable(stored)) {
    throw new TraiError(
      'corrupt',
      `expected a list of [path, number], found something else in ${toDisplay(overlayDir)}/places.json`,
    );
  }
  return new Map(stored.map(([path, n]) => [path as BytePath, n]));
}

function isNumberTable(value: unknown): value is [string, number][] {
  return (
    Array.isArray(value) &&
    value.every((row) => Array.isArray(row) && typeof row[0] === 'string' && typeof row[1] === 'number')
  );
}

function isDirectory(path: BytePath): boolean {
  return lstatSync(bytes(path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}
