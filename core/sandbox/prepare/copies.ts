/**
 * The lower of a covered directory with mounts below it: `<n>/c` has copies of its own files, and an empty
 * spot for each entry that is bound on top. `<n>/copies.json` records the host's entries at that time, the
 * base of every change there.
 */
import {
  accessSync,
  copyFileSync,
  constants as fsConstants,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type BytePath, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import type { HostStat } from '../../../shared/model/base-record.ts';
import { lstatEntry, readEntries, toHostStat } from '../../kernel/fs/entry.ts';
import { fsPath, orNull, type Stat } from '../../kernel/fs/port.ts';
import { readPlainJson } from '../../kernel/fs/state-file.ts';
import type { CoveredChild, CoveredDir } from '../../session/session-context.ts';

/** Every call checks all names. */
const MAX_NAMES = 2_000;
/** Bytes a directory; the largest files beyond are bound read-only. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface Copies {
  children: Record<string, 'dir' | 'file'>;
  entries: Record<string, HostStat>;
}

const dirOf = (covered: CoveredDir): BytePath => parentOf(covered.upper);

export function isCopyable(dir: BytePath): boolean {
  return (orNull(() => readdirSync(fsPath(dir)).length) ?? Number.POSITIVE_INFINITY) <= MAX_NAMES;
}

/** Too large or unreadable for a copy. A bind would hide a version in the upper (`own`). */
export function uncopied(
  dir: BytePath,
  children: readonly CoveredChild[],
  own: readonly string[],
): BytePath[] {
  const taken = new Set([...children.map(({ path }) => path), ...own.map((name) => joinPath(dir, name))]);
  return split(dir, (path) => taken.has(path)).bound;
}

/** Requires a quiet session with all bases recorded. */
export function writeCopies(covered: CoveredDir): void {
  const dir = dirOf(covered);
  const fresh = joinPath(dir, 'c.new');
  rmSync(fsPath(fresh), { recursive: true, force: true });
  mkdirSync(fsPath(fresh), { mode: 0o755 });
  const copies: Copies = { children: {}, entries: {} };
  for (const { path, file } of covered.copied ?? []) {
    const spot = joinPath(fresh, nameOf(path));
    if (file) writeFileSync(fsPath(spot), '');
    else mkdirSync(fsPath(spot));
    copies.children[nameOf(path)] = file ? 'file' : 'dir';
  }
  const { copied, bound } = split(covered.path, (path) => nameOf(path) in copies.children);
  for (const path of bound) writeFileSync(fsPath(joinPath(fresh, nameOf(path))), '');
  for (const { path } of copied) {
    const stat = copyEntry(path, joinPath(fresh, nameOf(path)));
    if (stat !== null) copies.entries[nameOf(path)] = stat;
  }
  // An entry that only the list has is at worst a conflict, so the list comes first.
  const [list, newList] = [joinPath(dir, 'copies.json'), joinPath(dir, 'copies.json.new')];
  writeFileSync(fsPath(newList), JSON.stringify({ v: 1, ...copies }), { mode: 0o600 });
  renameSync(fsPath(newList), fsPath(list));
  rmSync(fsPath(joinPath(dir, 'c')), { recursive: true, force: true });
  renameSync(fsPath(fresh), fsPath(joinPath(dir, 'c')));
}

export function readCopies(covered: CoveredDir): Copies | null {
  const value = orNull(() => readPlainJson(fsPath(joinPath(dirOf(covered), 'copies.json'))));
  // Trusted: writeCopies writes it into a directory of mode 0700.
  return Object(value).v === 1 ? (value as Copies) : null;
}

/** True if the host is as copied, except where `skip` says so. */
export function isCurrent(covered: CoveredDir, skip: (path: BytePath) => boolean): boolean {
  const copies = readCopies(covered);
  if (copies === null || lstatEntry(joinPath(dirOf(covered), 'c'))?.type !== 'dir') return false;
  const names = (covered.copied ?? []).map((child) => nameOf(child.path));
  if (names.length !== Object.keys(copies.children).length || !names.every((name) => name in copies.children))
    return false;
  const { copied } = split(covered.path, (path) => nameOf(path) in copies.children);
  const left = new Set(Object.keys(copies.entries));
  for (const { path, entry } of copied) {
    const known = left.delete(nameOf(path)) ? copies.entries[nameOf(path)] : undefined;
    if (skip(path)) continue;
    if (known === undefined || !isSame(known, toHostStat(entry, path))) return false;
  }
  return [...left].every((name) => skip(joinPath(covered.path, name)));
}

export function isSame(one: HostStat, other: HostStat): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface Listed {
  path: BytePath;
  entry: Stat;
}

/** Smallest files first up to MAX_BYTES. No subdirectory is touched: a mount may not answer. */
function split(dir: BytePath, isChild: (path: BytePath) => boolean): { copied: Listed[]; bound: BytePath[] } {
  const copied: Listed[] = [];
  const files: Listed[] = [];
  for (const one of readEntries(dir)) {
    const path = joinPath(dir, one.name);
    if (isChild(path) || !(one.isFile() || one.isSymbolicLink())) continue;
    const entry = lstatEntry(path);
    if (entry?.type === 'symlink') copied.push({ path, entry });
    if (entry?.type === 'file') files.push({ path, entry });
  }
  const bound: BytePath[] = [];
  let total = 0;
  files.sort((a, b) => a.entry.size - b.entry.size);
  for (const file of files) {
    total += file.entry.size;
    if (total > MAX_BYTES || !isReadable(file.path)) bound.push(file.path);
    else copied.push(file);
  }
  return { copied, bound };
}

function isReadable(path: BytePath): boolean {
  return orNull(() => accessSync(fsPath(path), fsConstants.R_OK)) !== null;
}

/** Null, and nothing left, if the entry changed meanwhile or is not accessible. */
function copyEntry(from: BytePath, to: BytePath): HostStat | null {
  try {
    const before = lstatEntry(from);
    if (before === null) return null;
    if (before.type === 'symlink')
      symlinkSync(readlinkSync(fsPath(from), { encoding: 'buffer' }), fsPath(to));
    else copyFileSync(fsPath(from), fsPath(to), fsConstants.COPYFILE_FICLONE);
    const stat = lstatSync(fsPath(from));
    lutimesSync(fsPath(to), stat.atime, stat.mtime);
    if (process.getuid?.() === 0) lchownSync(fsPath(to), before.uid, before.gid);
    const after = lstatEntry(from);
    const was = toHostStat(before, from);
    if (after !== null && isSame(was, toHostStat(after, from))) return was;
  } catch {
    // Removed meanwhile, or not accessible.
  }
  rmSync(fsPath(to), { force: true });
  return null;
}
