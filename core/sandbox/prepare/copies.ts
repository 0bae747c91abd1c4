/**
 * The lower of a covered directory with mounts below it (`CoveredDir.copied`): `<n>/c` holds a copy of its own files
 * and an empty spot for everything that comes back on top. `<n>/copies.json` says what the host had when it was made: the
 * base of every change there, since the sandbox never saw anything later.
 */
import {
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

/** A directory with more names than this is not copied: looking at all of them would be felt at every call. */
const MAX_NAMES = 2_000;
/** Files of one directory that are copied, in bytes together; larger ones are shown as they are, read-only. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface Copies {
  /** Names that come back on top, with their kind. */
  children: Record<string, 'dir' | 'file'>;
  /** The host's entries as they were copied. */
  entries: Record<string, HostStat>;
}

const dirOf = (covered: CoveredDir): BytePath => parentOf(covered.upper);

/** True when a copy of the directory's own files is possible. */
export function isCopyable(dir: BytePath): boolean {
  return (orNull(() => readdirSync(fsPath(dir)).length) ?? Number.POSITIVE_INFINITY) <= MAX_NAMES;
}

/**
 * Files right in a directory that can't be copied: too large, or not readable. They are bound on top, read-only; not
 * where the sandbox has a version of its own (`own`), which that would hide.
 */
export function uncopied(
  dir: BytePath,
  children: readonly CoveredChild[],
  own: readonly string[],
): BytePath[] {
  const taken = new Set([...children.map(({ path }) => path), ...own.map((name) => joinPath(dir, name))]);
  return split(dir, (path) => taken.has(path)).bound;
}

/** Makes or renews the copy. Only while nobody has it mounted, and when the bases of all changes are recorded. */
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
  // The list first: an entry that it has and the copy lacks is at worst a conflict.
  const [list, newList] = [joinPath(dir, 'copies.json'), joinPath(dir, 'copies.json.new')];
  writeFileSync(fsPath(newList), JSON.stringify({ v: 1, ...copies }), { mode: 0o600 });
  renameSync(fsPath(newList), fsPath(list));
  rmSync(fsPath(joinPath(dir, 'c')), { recursive: true, force: true });
  renameSync(fsPath(fresh), fsPath(joinPath(dir, 'c')));
}

/** What the copy was made of; null before the first. */
export function readCopies(covered: CoveredDir): Copies | null {
  const value = orNull(() => readPlainJson(fsPath(joinPath(dirOf(covered), 'copies.json'))));
  // Written by writeCopies into a directory of mode 0700.
  return Object(value).v === 1 ? (value as Copies) : null;
}

/** True when the host is as it was when the copy was made, but for what `skip` names. */
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

/** Files and links that are copied, smallest first up to the limit, and files that are not. No directory is looked at: one may be a mount that does not answer. */
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
    if (total > MAX_BYTES || !isReadable(file.entry)) bound.push(file.path);
    else copied.push(file);
  }
  return { copied, bound };
}

function isReadable(entry: Stat): boolean {
  const [uid, groups] = [process.getuid?.() ?? 0, process.getgroups?.() ?? []];
  if (uid === 0) return true;
  if (entry.uid === uid) return (entry.mode & 0o400) !== 0;
  return (entry.mode & (groups.includes(entry.gid) ? 0o040 : 0o004)) !== 0;
}

/** Copies one entry; its host stat if that was the same before and after, null when it is not to be had whole. */
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
    // Gone meanwhile, or closed to us.
  }
  rmSync(fsPath(to), { force: true });
  return null;
}
