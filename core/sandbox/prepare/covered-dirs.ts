/**
 * A session's covered directories. Each has a number for the session's life, and `overlay/N/` with `u`
 * (upper), `w` (work) and `l` (link to it). An upper must only be mounted over the directory that it was made
 * for; `places.json` and the link record which.
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
import { type BytePath, bytePath, fromText, joinPath } from '../../../shared/bytes.ts';
import { fsPath, lstat, orNull } from '../../kernel/fs/port.ts';
import { readPlainJson } from '../../kernel/fs/state-file.ts';
import { type CoveredChild, type CoveredDir, coveringDir, upperPath } from '../../session/session-context.ts';
import {
  LINK_IS_MISSING,
  linkContradicts,
  linkIsTaken,
  tableSays,
  upperMissing,
} from '../messages/errors.ts';
import { currentId, isWholePlan } from './plan-files.ts';

const fsPathIn = (dir: BytePath, name: string): string | Buffer => fsPath(`${dir}/${name}` as BytePath);

export interface MakeCoveredDirs {
  overlayDir: BytePath;
  paths: readonly BytePath[];
  uid: number;
  copied?: ReadonlyMap<BytePath, readonly CoveredChild[]>;
  /** Called with the new ones before their numbers are stored. */
  onMade?: (coveredDirs: readonly CoveredDir[]) => void;
}

/** A missing upper is an error and never made again: its changes would vanish silently. Errors: `corrupt`. */
export function makeCoveredDirs({ overlayDir, paths, uid, copied, onMade }: MakeCoveredDirs): CoveredDir[] {
  const numbers = readNumbers(overlayDir);
  for (const [path, n] of numbers) {
    const { upper } = coveredDirAt(overlayDir, path, n);
    if (!isDirectory(upper)) throw upperMissing(upper, path);
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
  // A stored number promises that the directories exist.
  writeNumbers(overlayDir, numbers);
  return all;
}

/**
 * Those of the newest plan, unless it was made for an overlay that numbers them differently; and directories
 * that have left the plan, as by a mount below them, with pending changes.
 */
export function knownCoveredDirs(sessionDir: string, plan: readonly CoveredDir[]): CoveredDir[] {
  const overlayDir = fromText(`${sessionDir}/overlay`);
  const numbers = readNumbers(overlayDir);
  const planned = plan.filter(({ path, n }) => numbers.get(path) === n);
  const others = [...numbers]
    .filter(([path]) => planned.every((covered) => covered.path !== path))
    .map(([path, n]) => coveredDirAt(overlayDir, path, n))
    .filter(({ upper }) => isDirectory(upper));
  const empty = others.filter(({ upper }) => readdirSync(fsPath(upper)).length === 0);
  const written = others
    .filter((one) => !empty.includes(one))
    .map((one) => (existsSync(fsPathIn(overlayDir, `${one.n}/copies.json`)) ? { ...one, copied: [] } : one));
  const found = [...planned, ...written];
  return [...found, ...empty.filter((one) => hasOtherMode(one) && !isWrittenAbove(one, found))];
}

/** Than the host has: a call may have changed it, or the host has another directory there since. */
function hasOtherMode({ path, upper }: CoveredDir): boolean {
  const host = lstat(path);
  return host?.uid === process.getuid?.() && host?.mode !== lstat(upper)?.mode;
}

/** Since it has left the plan, calls write to the one around it. */
function isWrittenAbove({ path }: CoveredDir, others: readonly CoveredDir[]): boolean {
  const around = coveringDir(others, path);
  return around !== null && lstat(upperPath(around, path)) !== null;
}

/** Works without a plan. Errors: `corrupt`. */
export function hasCoveredDirs(sessionDir: string): boolean {
  return readNumbers(fromText(`${sessionDir}/overlay`)).size > 0;
}

/** For a fresh overlay: those that are still there, with the same numbers. */
export function makeSameDirs(
  overlayDir: BytePath,
  coveredDirs: readonly CoveredDir[],
  uid: number,
): CoveredDir[] {
  const made = coveredDirs
    .filter(({ path }) => isDirectory(path))
    .map(({ path, n }) => coveredDirAt(overlayDir, path, n));
  for (const covered of made) prepareCoveredDir(covered, uid);
  writeNumbers(overlayDir, new Map(made.map(({ path, n }) => [path, n])));
  return made;
}

export interface KnownUppers {
  /** In the current plan or an earlier one. */
  has(path: BytePath): boolean;
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
 * The overlay's root shows the upper's owner and mode: after a plain mkdir, `touch /etc/x` would succeed
 * inside though the host refuses it.
 */
export function prepareCoveredDir({ path, upper }: CoveredDir, uid: number): void {
  const dir = upper.slice(0, -2) as BytePath;
  for (const name of ['u', 'w']) mkdirSync(fsPathIn(dir, name), { recursive: true, mode: 0o700 });
  // A link of a failed attempt may name another directory.
  rmSync(fsPathIn(dir, 'l'), { force: true });
  symlinkSync(fsPath(path), fsPathIn(dir, 'l'));
  const host = lstatSync(fsPath(path));
  const own = host.uid === uid || uid === 0;
  chmodSync(fsPath(upper), own ? host.mode & 0o7777 : host.mode & 0o555);
}

export function coveredDirAt(overlayDir: BytePath, path: BytePath, n: number): CoveredDir {
  return { n, path, upper: `${overlayDir}/${n}/u` as BytePath, work: `${overlayDir}/${n}/w` as BytePath };
}

const isDirectory = (path: BytePath): boolean => lstat(path)?.type === 'dir';

function upperNames(overlayDir: BytePath, n: number): string[] | null {
  return orNull(() => readdirSync(fsPathIn(overlayDir, `${n}/u`), { encoding: 'latin1' }));
}

/** Completed from the links. Errors: `corrupt`, where table and links contradict each other. */
function readNumbers(overlayDir: BytePath): Map<BytePath, number> {
  const numbers = storedNumbers(overlayDir) ?? new Map<BytePath, number>();
  const listed = new Map([...numbers].map(([path, n]) => [n, path]));
  for (const n of numberedDirs(overlayDir)) {
    const target = orNull(() => readlinkSync(fsPathIn(overlayDir, `${n}/l`), 'latin1'));
    const link = target === null ? null : bytePath(target);
    const path = listed.get(n);
    if (path !== undefined && (link === null || link === path)) continue;
    if (path !== undefined) throw linkContradicts(overlayDir, n, tableSays(path));
    // A failed attempt: the number is reused. An unreadable upper covers a directory of others and is empty.
    if ((upperNames(overlayDir, n) ?? []).length === 0) continue;
    if (link === null) throw linkContradicts(overlayDir, n, LINK_IS_MISSING);
    const other = numbers.get(link);
    if (other !== undefined) throw linkContradicts(overlayDir, n, linkIsTaken(other));
    numbers.set(link, n);
  }
  return numbers;
}

function writeNumbers(overlayDir: BytePath, numbers: ReadonlyMap<BytePath, number>): void {
  const file = fsPathIn(overlayDir, 'places.json');
  const stored = storedNumbers(overlayDir);
  if (stored !== null && JSON.stringify([...stored]) === JSON.stringify([...numbers])) return;
  const temporary = fsPathIn(overlayDir, '.places.new');
  writeFileSync(temporary, JSON.stringify([...numbers]), { mode: 0o600 });
  if (isDirectory(joinPath(overlayDir, 'places.json'))) rmSync(file, { recursive: true });
  renameSync(temporary, file);
}

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

/** Damaged derived files; the next call writes them again. */
export function damagedFiles(sessionDir: string): string[] {
  const overlayDir = fromText(`${sessionDir}/overlay`);
  const id = currentId(sessionDir);
  const lacksTable = storedNumbers(overlayDir) === null && numberedDirs(overlayDir).length > 0;
  return [
    ...(id === null || isWholePlan(`${sessionDir}/plan/${id}`) ? [] : [`${sessionDir}/plan/${id}`]),
    ...(lacksTable ? [`${sessionDir}/overlay/places.json`] : []),
  ];
}
