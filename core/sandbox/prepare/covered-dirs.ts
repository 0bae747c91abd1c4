/** The covered directories of a session: their numbers, which stay for its life, and their directories. */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { type BytePath, fromText, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { CoveredChild, CoveredDir } from '../../session/session-context.ts';
import { readNumbers, writeNumbers } from './place-numbers.ts';

const bytes = (path: string): Buffer => Buffer.from(path, 'latin1');

/**
 * Numbers `paths` and makes what is missing of their directories. An upper belongs to its path: one that was there and
 * is gone is an error, never made again empty, since what was pending in it would vanish without a word.
 * `onMade` hears of new ones before their numbers are written down.
 * Errors: `corrupt`.
 */
export function makeCoveredDirs(
  overlayDir: BytePath,
  paths: readonly BytePath[],
  uid: number,
  copied: ReadonlyMap<BytePath, readonly CoveredChild[]> = new Map(),
  onMade: (coveredDirs: readonly CoveredDir[]) => void = () => {},
): CoveredDir[] {
  const numbers = readNumbers(overlayDir);
  for (const covered of [...numbers].map(([path, n]) => coveredDirAt(overlayDir, path, n))) {
    if (!isDirectory(covered.upper)) {
      throw new TraiError(
        'corrupt',
        `expected the directory ${toDisplay(covered.upper)} with what is pending in ${toDisplay(covered.path)}, found none`,
        {
          path: toDisplay(covered.upper),
          hint: 'Put it back, or start a new session.',
        },
      );
    }
  }
  const fresh = paths.filter((path) => !numbers.has(path));
  let last = Math.max(0, ...numbers.values());
  for (const path of fresh) numbers.set(path, ++last);
  const coveredDirs = paths.map((path) => {
    const covered = coveredDirAt(overlayDir, path, numbers.get(path) ?? 0);
    const children = copied.get(path);
    return children === undefined ? covered : { ...covered, copied: children };
  });
  const made = coveredDirs.filter(({ path }) => fresh.includes(path));
  for (const covered of made) prepareCoveredDir(covered, uid);
  onMade(made);
  // Last: a number in the file promises that the directories are there.
  writeNumbers(overlayDir, numbers);
  return coveredDirs;
}

/**
 * Every place of the session that the newest plan has, and every other one that holds something: a place leaves the
 * plan when something is mounted below it, and what is pending in it must still be seen.
 * @param planned the places of the newest plan
 * @param sessionDir ordinary text
 */
export function knownCoveredDirs(sessionDir: string, planned: readonly CoveredDir[]): CoveredDir[] {
  const overlayDir = fromText(`${sessionDir}/overlay`);
  const others = [...readNumbers(overlayDir)]
    .filter(([path]) => planned.every((covered) => covered.path !== path))
    .map(([path, n]) => {
      const covered = coveredDirAt(overlayDir, path, n);
      return existsSync(bytes(`${overlayDir}/${n}/copies.json`)) ? { ...covered, copied: [] } : covered;
    });
  return [...planned, ...others.filter((covered) => isDirectory(covered.upper) && holdsSomething(covered))];
}

/** Entries, or perhaps a mode that the sandbox gave its root. */
function holdsSomething({ path, upper }: CoveredDir): boolean {
  if (readdirSync(bytes(upper)).length > 0) return true;
  const host = lstatSync(bytes(path), { throwIfNoEntry: false });
  return host?.uid === process.getuid?.() && host?.mode !== lstatSync(bytes(upper)).mode;
}

/** True when the session has an overlay, also where its plan is not to be had. Errors: `corrupt`. */
export function hasCoveredDirs(sessionDir: string): boolean {
  return readNumbers(fromText(`${sessionDir}/overlay`)).size > 0;
}

/** What the uppers of a session say of a directory. Reads their table once. */
export interface KnownUppers {
  /** Whether it is a place of the session, in this plan or not. */
  has(path: BytePath): boolean;
  /** The names that the sandbox has in the root of a place; none when it is no place yet. */
  names(path: BytePath): string[];
}

export function uppersIn(overlayDir: BytePath): KnownUppers {
  let table: Map<BytePath, number> | null = null;
  const numbers = () => {
    table ??= readNumbers(overlayDir);
    return table;
  };
  return {
    has: (path) => numbers().has(path),
    names(path) {
      const n = numbers().get(path);
      try {
        return n === undefined ? [] : readdirSync(bytes(`${overlayDir}/${n}/u`), { encoding: 'latin1' });
      } catch {
        return [];
      }
    },
  };
}

/**
 * Makes a place's directories. The root of an overlay shows owner and mode of its upper: with a plain mkdir, `touch
 * /etc/x` would succeed inside though the host refuses it. So the upper of an own directory gets its mode, of
 * anybody else's 0555, or less where this user may not read or search it.
 */
export function prepareCoveredDir(covered: CoveredDir, uid: number): void {
  const dir = covered.upper.slice(0, -2);
  for (const name of ['u', 'w']) mkdirSync(bytes(`${dir}/${name}`), { recursive: true, mode: 0o700 });
  // One that is there is of a try that came to nothing, and may have been for another directory with this number.
  const link = bytes(`${dir}/l`);
  rmSync(link, { force: true });
  symlinkSync(bytes(covered.path), link);
  const host = lstatSync(bytes(covered.path));
  const own = host.uid === uid || uid === 0;
  chmodSync(bytes(covered.upper), own ? host.mode & 0o7777 : host.mode & 0o555);
}

function coveredDirAt(overlayDir: BytePath, path: BytePath, n: number): CoveredDir {
  return { n, path, upper: `${overlayDir}/${n}/u` as BytePath, work: `${overlayDir}/${n}/w` as BytePath };
}

function isDirectory(path: BytePath): boolean {
  return lstatSync(bytes(path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}
