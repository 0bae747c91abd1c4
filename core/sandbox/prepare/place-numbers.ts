/**
 * Which covered directory an `overlay/N` is of. `places.json` says it, and so does the link `overlay/N/l`: an upper
 * belongs to the directory that it was mounted over, and nothing else may ever be mounted over that one.
 */
import { lstatSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type BytePath, bytePath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { readPlainJson } from '../../kernel/fs/plain-file.ts';

const bytes = (path: string): Buffer => Buffer.from(path, 'latin1');

/** Where the table is damaged or lacks something, the links say the rest. Errors: `corrupt`, where they can't. */
export function readNumbers(overlayDir: BytePath): Map<BytePath, number> {
  const file = `${overlayDir}/places.json`;
  const numbers = storedNumbers(file) ?? new Map<BytePath, number>();
  const listed = new Map([...numbers].map(([path, n]) => [n, path]));
  for (const n of placeDirs(overlayDir)) {
    const link = linkOf(overlayDir, n);
    const path = listed.get(n);
    if (path !== undefined && (link === null || link === path)) continue;
    const holds = holdsSomething(overlayDir, n);
    if (path !== undefined) throw contradiction(overlayDir, n, `places.json says ${toDisplay(path)}`);
    // Of a try that came to nothing: its number is given again.
    if (!holds) continue;
    if (link === null) throw contradiction(overlayDir, n, 'there is no such link');
    const other = numbers.get(link);
    if (other !== undefined) throw contradiction(overlayDir, n, `overlay/${other} is of that directory, too`);
    numbers.set(link, n);
  }
  return numbers;
}

/** Writes the table anew where it is not the one that is there. What has its name and is no file goes. */
export function writeNumbers(overlayDir: BytePath, numbers: ReadonlyMap<BytePath, number>): void {
  const file = `${overlayDir}/places.json`;
  const stored = storedNumbers(file);
  if (stored !== null && JSON.stringify([...stored]) === JSON.stringify([...numbers])) return;
  const temporary = bytes(`${overlayDir}/.places.new`);
  writeFileSync(temporary, JSON.stringify([...numbers]), { mode: 0o600 });
  if (lstatSync(bytes(file), { throwIfNoEntry: false })?.isDirectory() === true)
    rmSync(bytes(file), { recursive: true });
  renameSync(temporary, bytes(file));
}

/** True when the table has to be made anew of the links. */
export function isTableDamaged(overlayDir: BytePath): boolean {
  return storedNumbers(`${overlayDir}/places.json`) === null && placeDirs(overlayDir).length > 0;
}

/** Null where the file holds no table. */
function storedNumbers(file: string): Map<BytePath, number> | null {
  const stored = readPlainJson(bytes(file));
  return isNumberTable(stored) ? new Map(stored.map(([path, n]) => [path as BytePath, n])) : null;
}

function isNumberTable(value: unknown): value is [string, number][] {
  return (
    Array.isArray(value) &&
    value.every(
      (row) => Array.isArray(row) && typeof row[0] === 'string' && Number.isSafeInteger(row[1]) && row[1] > 0,
    )
  );
}

function placeDirs(overlayDir: BytePath): number[] {
  try {
    return readdirSync(bytes(overlayDir), 'latin1')
      .filter((name) => /^[1-9]\d{0,8}$/.test(name))
      .map(Number)
      .sort((a, b) => a - b);
  } catch {
    return [];
  }
}

function linkOf(overlayDir: BytePath, n: number): BytePath | null {
  try {
    return bytePath(readlinkSync(bytes(`${overlayDir}/${n}/l`), 'latin1'));
  } catch {
    return null;
  }
}

/** An upper that this user may not read belongs to a directory in which nothing could be made either. */
function holdsSomething(overlayDir: BytePath, n: number): boolean {
  try {
    return readdirSync(bytes(`${overlayDir}/${n}/u`)).length > 0;
  } catch {
    return false;
  }
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
