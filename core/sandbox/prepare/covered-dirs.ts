/**
 * The covered directories of a session. Each has a number for the session's life and `overlay/N/` with `u` (upper),
 * `w` (work) and `l` (link to the directory). An upper belongs to the directory that it was first mounted over, and
 * nothing else may ever be mounted over that one: `places.json` says which, and so does the link.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type BytePath, bytePath, fromText, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { fsPath, orNull } from '../../kernel/fs/port.ts';
import { readPlainJson } from '../../kernel/fs/state-file.ts';
import type { CoveredChild, CoveredDir } from '../../session/session-context.ts';
import { currentId, isWholePlan } from './plan-files.ts';

const fsPathIn = (dir: BytePath, name: string): string | Buffer => fsPath(`${dir}/${name}` as BytePath);

export interface MakeCoveredDirs {
  overlayDir: BytePath;
  paths: readonly BytePath[];
  uid: number;
  copied?: ReadonlyMap<BytePath, readonly CoveredChild[]>;
  /** Hears of new ones before their numbers are written down. */
  onMade?: (coveredDirs: readonly CoveredDir[]) => void;
}

/**
 * Numbers `paths` and makes what is missing of their directories. An upper that was there and is gone is an error,
 * never made again empty, since what was pending in it would vanish without a word. Errors: `corrupt`.
 */
export function makeCoveredDirs({ overlayDir, paths, uid, copied, onMade }: MakeCoveredDirs): CoveredDir[] {
  const numbers = readNumbers(overlayDir);
  for (const [path, n] of numbers) {
    const { upper } = coveredDirAt(overlayDir, path, n);
    if (isDirectory(upper)) continue;
    throw new TraiError(
      'corrupt',
      `expected the directory ${toDisplay(upper)} with what is pending in ${toDisplay(path)}, found none`,
      { path: toDisplay(upper), hint: 'Put it back, or start a new session.' },
    );
  }
  const fresh = paths.filter((path) => !numbers.has(path));
  let last = Math.max(0, ...numbers.values());
  for (const path of fresh) numbers.set(path, ++last);
  const all = paths.map((path) => {
    const children = copied?.get(path);
    const covered = coveredDirAt(overlayDir, path, numbers.get(path) ?? 0);
    return children === undefined ? covered : { ...covered, copied: children };
  });
  const made = all.filter(({ path }) => fresh.includes(path));
  for (const covered of made) prepareCoveredDir(covered, uid);
  onMade?.(made);
  // Last: a number in the file promises that the directories are there.
  writeNumbers(overlayDir, numbers);
  return all;
}

/**
 * The covered directories of the newest plan, and every other one whose upper holds something: one leaves the plan
 * when something is mounted below it, and what is pending in it must still be seen.
 * @param planned those of the newest plan
 * @param sessionDir ordinary text
 */
export function knownCoveredDirs(sessionDir: string, planned: readonly CoveredDir[]): CoveredDir[] {
  const overlayDir = fromText(`${sessionDir}/overlay`);
  const others = [...readNumbers(overlayDir)]
    .filter(([path]) => planned.every((covered) => covered.path !== path))
    .map(([path, n]) => {
      const covered = coveredDirAt(overlayDir, path, n);
      return existsSync(fsPathIn(overlayDir, `${n}/copies.json`)) ? { ...covered, copied: [] } : covered;
    });
  return [...planned, ...others.filter(({ path, upper }) => isDirectory(upper) && hasChanges(path, upper))];
}

/** Entries, or perhaps a mode that the sandbox gave its root. */
function hasChanges(path: BytePath, upper: BytePath): boolean {
  if (readdirSync(fsPath(upper)).length > 0) return true;
  const host = lstatSync(fsPath(path), { throwIfNoEntry: false });
  return host?.uid === process.getuid?.() && host?.mode !== lstatSync(fsPath(upper)).mode;
}

/** True when the session has an overlay, also where its plan is not to be had. Errors: `corrupt`. */
export function hasCoveredDirs(sessionDir: string): boolean {
  return readNumbers(fromText(`${sessionDir}/overlay`)).size > 0;
}

/** What the uppers of a session say of a directory. Reads their table once. */
export interface KnownUppers {
  /** Whether it is covered in the session, by this plan or another. */
  has(path: BytePath): boolean;
  /** The names in its upper; none when it is not covered yet. */
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
      return (n === undefined ? null : upperNames(overlayDir, n)) ?? [];
    },
  };
}

/**
 * Makes the directories of one. The root of an overlay shows owner and mode of its upper: with a plain mkdir, `touch
 * /etc/x` would succeed inside though the host refuses it. So the upper of an own directory gets its mode, of
 * anybody else's 0555, or less where this user may not read or search it.
 */
export function prepareCoveredDir({ path, upper }: CoveredDir, uid: number): void {
  const dir = upper.slice(0, -2) as BytePath;
  for (const name of ['u', 'w']) mkdirSync(fsPathIn(dir, name), { recursive: true, mode: 0o700 });
  // A link that is there is of an attempt that failed, perhaps for another directory.
  rmSync(fsPathIn(dir, 'l'), { force: true });
  symlinkSync(fsPath(path), fsPathIn(dir, 'l'));
  const host = lstatSync(fsPath(path));
  const own = host.uid === uid || uid === 0;
  chmodSync(fsPath(upper), own ? host.mode & 0o7777 : host.mode & 0o555);
}

function coveredDirAt(overlayDir: BytePath, path: BytePath, n: number): CoveredDir {
  return { n, path, upper: `${overlayDir}/${n}/u` as BytePath, work: `${overlayDir}/${n}/w` as BytePath };
}

function isDirectory(path: BytePath): boolean {
  return lstatSync(fsPath(path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Null where this user may not read it. */
function upperNames(overlayDir: BytePath, n: number): string[] | null {
  return orNull(() => readdirSync(fsPathIn(overlayDir, `${n}/u`), { encoding: 'latin1' }));
}

/** Where the table is damaged or lacks something, the links say the rest. Errors: `corrupt`, where they can't. */
function readNumbers(overlayDir: BytePath): Map<BytePath, number> {
  const numbers = storedNumbers(overlayDir) ?? new Map<BytePath, number>();
  const listed = new Map([...numbers].map(([path, n]) => [n, path]));
  for (const n of numberedDirs(overlayDir)) {
    const target = orNull(() => readlinkSync(fsPathIn(overlayDir, `${n}/l`), 'latin1'));
    const link = target === null ? null : bytePath(target);
    const path = listed.get(n);
    if (path !== undefined && (link === null || link === path)) continue;
    if (path !== undefined) throw contradiction(overlayDir, n, `places.json says ${toDisplay(path)}`);
    // Of an attempt that failed: its number is given again. An upper that can't be read is one of somebody else's
    // directory, in which nothing could be made.
    if ((upperNames(overlayDir, n) ?? []).length === 0) continue;
    if (link === null) throw contradiction(overlayDir, n, 'there is no such link');
    const other = numbers.get(link);
    if (other !== undefined) throw contradiction(overlayDir, n, `overlay/${other} is of that directory, too`);
    numbers.set(link, n);
  }
  return numbers;
}

/** Writes the table anew where it is not the one that is there. What has its name and is no file goes. */
function writeNumbers(overlayDir: BytePath, numbers: ReadonlyMap<BytePath, number>): void {
  const file = fsPathIn(overlayDir, 'places.json');
  const stored = storedNumbers(overlayDir);
  if (stored !== null && JSON.stringify([...stored]) === JSON.stringify([...numbers])) return;
  const temporary = fsPathIn(overlayDir, '.places.new');
  writeFileSync(temporary, JSON.stringify([...numbers]), { mode: 0o600 });
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(file, { recursive: true });
  renameSync(temporary, file);
}

/** Null where the file holds no table. */
function storedNumbers(overlayDir: BytePath): Map<BytePath, number> | null {
  const stored = readPlainJson(fsPathIn(overlayDir, 'places.json'));
  return isNumberTable(stored) ? new Map(stored.map(([path, n]) => [path as BytePath, n])) : null;
}

function isNumberTable(value: unknown): value is [string, number][] {
  const isRow = (row: unknown) =>
    Array.isArray(row) && typeof row[0] === 'string' && Number.isSafeInteger(row[1]) && row[1] > 0;
  return Array.isArray(value) && value.every(isRow);
}

function numberedDirs(overlayDir: BytePath): number[] {
  const names = orNull(() => readdirSync(fsPath(overlayDir), 'latin1')) ?? [];
  return names
    .filter((name) => /^[1-9]\d{0,8}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

function contradiction(overlayDir: BytePath, n: number, found: string): TraiError {
  const link = `${toDisplay(overlayDir)}/${n}/l`;
  return new TraiError(
    'corrupt',
    `expected that the link ${link} names the directory of which overlay/${n} holds the pending changes; ${found}`,
    {
      path: link,
      hint: 'Nothing was changed. Make that link name the right directory (ln -sfn DIRECTORY LINK), and remove places.json beside it; or start a new session.',
    },
  );
}

/** The derived files of a session that are not as they were written; its next call makes them anew. */
export function damagedFiles(sessionDir: string): string[] {
  const overlayDir = fromText(`${sessionDir}/overlay`);
  const id = currentId(sessionDir);
  const lacksTable = storedNumbers(overlayDir) === null && numberedDirs(overlayDir).length > 0;
  return [
    ...(id === null || isWholePlan(`${sessionDir}/plan/${id}`) ? [] : [`${sessionDir}/plan/${id}`]),
    ...(lacksTable ? [`${sessionDir}/overlay/places.json`] : []),
  ];
}
