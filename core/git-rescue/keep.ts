/**
 * Git rescue: saves what a host git command is about to throw away, so that the user can restore it.
 *
 *     changes of tracked files   `git stash create`, packed into the session's directory
 *     stashes                    the same, without `create`
 *     untracked files            copies
 *     for each of them           shell lines that restore it
 *
 * The repository gets no ref: `git log --all` would show it, and `git push --mirror` would publish it. `git
 * gc --prune=now` would remove loose objects. git.ts executes nothing that the repository names.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type BytePath, fromText, isWithin, joinPath, toDisplay, toText } from '../../shared/bytes.ts';
import { messageOf } from '../../shared/errors.ts';
import { LOOK_AHEAD_MS, SAVE_MS, SAVED_BYTES, SAVED_FILES, SAVED_NAMES } from '../../shared/limits.ts';
import type { HostUse, Loss } from '../../shared/model/decision.ts';
import { copyOut } from '../commit/stage/copy.ts';
import { squeeze } from '../decide/shell/where.ts';
import { removePath } from '../kernel/fs/dir-handles.ts';
import { namesOrNone, readNames } from '../kernel/fs/entry.ts';
import { at, fsPath, nodePort as port, type Stat, withHandle, withHandleAsync } from '../kernel/fs/port.ts';
import { git, gitNames, hasNoWorkTree, namesOf, ownSettings, type Repo, TOO_LATE } from './git.ts';

export interface Kept {
  /** `git reset`. */
  what: string;
  dir: string;
  /** Shell lines that restore everything; empty = there was nothing to lose. */
  restore: string[];
  untracked: string[];
  count: number;
  /** What could not be saved, and why; empty = everything is saved. */
  failed: string;
}

const IN_SUBMODULES = 'it lies in submodules, which trai does not look into';
const UNKNOWN_PLACE = "in which directory it runs can't be told from the command";

/** Saves what the commands of one call lose, below `saved` (made on demand). Never throws. */
export async function keepLosses(
  uses: readonly HostUse[],
  saved: string,
  call: string,
  ms = SAVE_MS,
): Promise<Kept[]> {
  const kept: Kept[] = [];
  const deadline = Date.now() + ms;
  for (const use of uses) {
    if (use.losses.length === 0) continue;
    if (use.dirs === null) {
      kept.push({ what: use.what, dir: '', restore: [], untracked: [], count: 0, failed: UNKNOWN_PLACE });
    }
    for (const dir of use.dirs ?? [])
      kept.push(await keepIn(dir, use, `${saved}/${call}.${kept.length}`, deadline));
  }
  return kept.filter((one) => one.restore.length > 0 || one.failed !== '');
}

/** Before the call: a loss that certainly can't be saved, and why; null = none is known. */
export async function lookAhead(
  uses: readonly HostUse[],
  ms = LOOK_AHEAD_MS,
): Promise<{ what: string; why: string } | null> {
  const deadline = Date.now() + ms;
  for (const { what, dirs, losses, globals } of uses) {
    if (losses.length > 0 && dirs === null) return { what, why: UNKNOWN_PLACE };
    for (const loss of losses) {
      if (loss.kind === 'submodule') return { what, why: IN_SUBMODULES };
      for (const dir of dirs ?? []) {
        const why = await unkeepable({ dir, globals, settings: [], deadline }, loss);
        if (why !== '') return { what, why };
      }
    }
  }
  return null;
}

async function unkeepable(repo: Repo, loss: Loss): Promise<string> {
  if (loss.kind === 'tree')
    return loss.over !== undefined && (await reachesSubmodules(repo)) ? IN_SUBMODULES : '';
  if (loss.kind !== 'untracked') return '';
  try {
    wantRoom(fromText(repo.dir), await untrackedNames(repo, loss.clean), repo.deadline);
    return '';
  } catch (error) {
    const why = whyOf(error);
    // A timeout says nothing: the command itself is given more time.
    return why === TOO_LATE ? '' : why;
  }
}

/** What is saved of one repository. */
interface Keeping {
  repo: Repo;
  top: BytePath;
  /** The beginning of the names of what is saved. */
  target: string;
  kept: Kept;
}

async function keepIn(dir: string, use: HostUse, target: string, deadline: number): Promise<Kept> {
  const kept: Kept = { what: use.what, dir, restore: [], untracked: [], count: 0, failed: '' };
  const repo: Repo = { dir, globals: use.globals, settings: [], deadline };
  try {
    const found = await git(repo, ['rev-parse', '--show-toplevel']);
    // Without a work tree the command fails and loses nothing.
    if (!existsSync(dir) || hasNoWorkTree(found)) return kept;
    if (found.status !== 0) throw new Error(`git can't be used: ${found.err}`);
    const top = found.out.replace(/\n$/, '') as BytePath;
    const inside: Repo = { ...repo, settings: await ownSettings(repo, top) };
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    for (const loss of use.losses) await keepOne({ repo: inside, top, target, kept }, loss);
  } catch (error) {
    kept.failed = whyOf(error);
  }
  return kept;
}

async function keepOne(keeping: Keeping, loss: Loss): Promise<void> {
  const { repo, top, target, kept } = keeping;
  if (loss.kind === 'submodule') throw new Error(IN_SUBMODULES);
  if (loss.kind === 'stash') await keepStash(keeping, loss.entry);
  else if (loss.kind === 'untracked') {
    const names = await untrackedNames(repo, loss.clean);
    const prefix = (await git(repo, ['rev-parse', '--show-prefix'])).out.replace(/\n$/, '');
    const fromTop = names.map((name) => squeeze(`/${prefix}${name}`).slice(1) as BytePath);
    nameUntracked(kept, fromTop);
    await keepFiles(keeping, fromTop);
  } else if (loss.unlessRef === null || (await objectOf(repo, `${loss.unlessRef}^{commit}`)) === null) {
    await keepTree(keeping);
    const covered = await namesInTheWay(repo, top, loss.over ?? []);
    await keepFiles({ ...keeping, target: `${target}.over` }, covered);
    if (loss.over !== undefined && (await reachesSubmodules(repo))) throw new Error(IN_SUBMODULES);
  }
}

/** Its id, or null. @throws when it takes too long */
async function objectOf(repo: Repo, name: string): Promise<string | null> {
  const found = await git(repo, ['rev-parse', '-q', '--verify', '--end-of-options', name]);
  if (found.status === 124) throw new Error(found.err);
  return found.status === 0 ? found.out.trim() : null;
}

async function keepTree(keeping: Keeping): Promise<void> {
  const { repo, kept } = keeping;
  const made = await git(repo, ['stash', 'create', `before ${kept.what}`]);
  const commit = made.out.trim();
  if (made.status === 0 && commit === '') return;
  if (made.status === 0) {
    const unpack = await pack(keeping, [commit]);
    const words = gitWords(keeping);
    // Later changes go into a stash of their own: applying requires a clean work tree.
    const aside = `${words} stash push -q -m ${quote(`before taking back ${kept.what}` as BytePath)}`;
    kept.restore.push(`${unpack} && ${aside} && ${words} stash apply --index ${commit}`);
  } else {
    // During a merge, or before the first commit, `git stash` fails: save the files instead.
    const list =
      (await objectOf(repo, 'HEAD')) === null
        ? ['ls-files', '-z', '--full-name', ':/']
        : ['diff', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--no-renames', 'HEAD', '--'];
    const changed = await gitNames(repo, list, `git stash create: ${made.err}; git ${list[0]}: `);
    await keepFiles(keeping, [...new Set(changed)]);
  }
  const others = await git(repo, ['ls-files', '-z', '-o', '--exclude-standard', '--full-name', ':/']);
  nameUntracked(kept, namesOf(others.out));
}

async function keepStash(keeping: Keeping, entry: string | null): Promise<void> {
  const { repo, target, kept } = keeping;
  const list = await git(repo, ['log', '-g', '-z', '--format=%H %gs', 'refs/stash', '--']);
  // Without a stash the command fails.
  if (list.status !== 0) return;
  const only = entry === null ? null : ((await objectOf(repo, entry)) ?? '');
  const entries = namesOf(list.out)
    .map((line) => ({ commit: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(' ') + 1) }))
    .filter(({ commit }) => only === null || only === commit);
  if (entries.length === 0) return;
  const commits = entries.map(({ commit }) => commit);
  const unpack = await pack(keeping, commits);
  const words = gitWords(keeping);
  const stores = entries.map(
    ({ commit, text }) => `${words} stash store -m ${quote(text as BytePath)} ${commit}`,
  );
  // The newest one last, so that it is on top again.
  const line = [unpack, ...stores.reverse()].join(' && ');
  if (line.length <= MOST_CHARS) {
    kept.restore.push(line);
    return;
  }
  // The log would truncate it.
  writeFileSync(`${target}.sh`, `${line}\n`, { mode: 0o600, flag: 'wx' });
  kept.restore.push(`bash ${quote(fromText(`${target}.sh`))}`);
}

const MOST_CHARS = 10_000;

/** Returns the shell words that unpack them. */
async function pack(keeping: Keeping, commits: readonly string[]): Promise<string> {
  const file = `${keeping.target}.pack`;
  const half = `${file}.half`;
  const fd = openSync(half, 'wx', 0o600);
  try {
    const input = commits.map((commit) => `${commit}\n^${commit}^1\n`).join('');
    const words = ['pack-objects', '--revs', '--stdout', '-q'];
    const made = await git(keeping.repo, words, { input, stdout: fd });
    if (made.status !== 0) throw new Error(`git pack-objects: ${made.err}`);
    renameSync(half, file);
  } finally {
    closeSync(fd);
    rmSync(half, { force: true });
  }
  return `${gitWords(keeping)} unpack-objects -q < ${quote(fromText(file))}`;
}

function gitWords({ repo: { dir, globals }, top }: Keeping): string {
  if (globals.length === 0) return `git -C ${quote(top)}`;
  return ['git', '-C', ...[dir, ...globals].map((word) => quote(fromText(word)))].join(' ');
}

async function keepFiles({ repo, top, target, kept }: Keeping, names: readonly BytePath[]): Promise<void> {
  if (names.length === 0) return;
  wantRoom(top, names, repo.deadline);
  const there = names.filter((name) => port.lstat(joinPath(top, name)) !== null);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  await withHandleAsync(port, port.openDir(fromText(target)), async (fd) => {
    const complaint = await copyOut(port, top, there, fd);
    if (complaint !== '') throw new Error(complaint);
    // The line below restores the directory's own mode and time, too.
    const { mode, mtimeNs } = withHandle(port, port.openDir(top), port.fstat);
    port.chmod(at(fd), mode & 0o777);
    port.utimes(at(fd), mtimeNs);
  });
  // Files made there since keep a backup (`NAME.~1~`).
  kept.restore.push(`cp -a --backup=numbered ${quote(fromText(`${target}/.`))} ${quote(top)}`);
}

/** What `git clean` with these arguments would delete. @throws when that can't be told */
async function untrackedNames(repo: Repo, clean: readonly string[] | null): Promise<BytePath[]> {
  if (clean === null) throw new Error("which files `git clean` deletes can't be told from the command");
  const { status, out, err } = await git(repo, ['clean', '-n', ...clean]);
  if (status === 124) throw new Error(err);
  if (status === 127) throw new Error(`git clean -n: ${err}`);
  const lines = out.split('\n').filter((line) => line.startsWith('Would remove '));
  return lines.map((line) => unquote(line.slice(13)).replace(/\/$/, '') as BytePath);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** A name as git prints it: in double quotes, with escapes, if it has special characters. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|[\s\S])/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
    );
}

function nameUntracked(kept: Kept, names: readonly BytePath[]): void {
  kept.count = names.length;
  kept.untracked = names.slice(0, SAVED_NAMES).map((name) => toDisplay(name).slice(0, 200));
}

function quote(path: BytePath): string {
  if (/^[A-Za-z0-9_./@%+=:,-]+$/.test(path)) return path;
  const text = toText(path);
  // UTF-8 without invisible characters or backslashes: readable in single quotes.
  if (toDisplay(path) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = path.replace(
    /[^A-Za-z0-9_./@%+=:, -]/g,
    (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `$'${escaped}'`;
}

/** @throws when the entries are too many or too large, or something can't be read */
function wantRoom(dir: BytePath, names: readonly BytePath[], deadline: number): void {
  let [files, size] = [0, 0];
  for (const { path, entry } of entriesBelow(dir, names)) {
    // What restores it could not read the copy either.
    if (entry.type === 'file') accessSync(fsPath(path), constants.R_OK);
    files++;
    size += entry.size;
    if (files > SAVED_FILES || size > SAVED_BYTES) {
      const most = `${SAVED_FILES} files or ${SAVED_BYTES / 1024 / 1024} MB`;
      throw new Error(`it is more than trai keeps (${most}; ${names.length} names at the top)`);
    }
    if (Date.now() > deadline) throw new Error(TOO_LATE);
  }
}

function* entriesBelow(dir: BytePath, names: readonly string[]): Generator<{ path: BytePath; entry: Stat }> {
  for (const name of names) {
    const path = joinPath(dir, name);
    const entry = port.lstat(path);
    if (entry === null) continue;
    yield { path, entry };
    if (entry.type === 'dir') yield* entriesBelow(path, readNames(path));
  }
}

/** One line, safe for a prompt and a terminal: it may quote names and a repository's settings. */
function whyOf(error: unknown): string {
  return toDisplay(fromText(messageOf(error).replace(/\s+/g, ' ').slice(0, 300)));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what was saved more than `days` ago (at least one), by the change time: copies have the
 * modification times of their originals. Never throws.
 */
export function expireSaved(saved: string, days: number, now: number): void {
  const oldest = BigInt(now - Math.max(1, days) * DAY_MS) * 1_000_000n;
  const dir = fromText(saved);
  for (const name of namesOrNone(dir)) {
    try {
      const entry = port.lstat(joinPath(dir, name));
      if (entry !== null && entry.ctimeNs < oldest) removePath(port, dir, name as BytePath);
    } catch {
      // The next run tries again.
    }
  }
}

async function reachesSubmodules(repo: Repo): Promise<boolean> {
  const words = ['config', '--get-all', '--type=bool', 'submodule.recurse'];
  // The last one is the override of git.ts.
  const settings = (await git(repo, words)).out.trim().split('\n').slice(0, -1);
  if (settings.at(-1) !== 'true') return false;
  return (await git(repo, ['config', '--get-regexp', '^submodule\\..*\\.url$'])).status === 0;
}

/** Further words are paths, not commits. */
const MOST_WORDS = 8;

/**
 * Untracked names, relative to the top, at paths where one of `commits` has an entry. Words that are no
 * commits are skipped; null = unknown: all untracked files that are not ignored. @throws when git fails
 */
async function namesInTheWay(
  repo: Repo,
  top: BytePath,
  commits: readonly (string | null)[],
): Promise<BytePath[]> {
  const found = new Set<BytePath>();
  const dirs = new Set<BytePath>();
  for (const word of new Set(commits.slice(0, MOST_WORDS))) {
    for (const name of word === null ? await untracked(repo, true) : await onlyIn(repo, word)) {
      const at = existing(top, name);
      if (at !== null) (at.isDirectory ? dirs : found).add(at.name);
    }
  }
  // Where a file replaces a directory, everything in the directory is lost.
  if (dirs.size > 0)
    for (const name of await untracked(repo, false))
      if ([...dirs].some((dir) => isWithin(name, dir))) found.add(name);
  return [...found];
}

async function onlyIn(repo: Repo, word: string): Promise<BytePath[]> {
  const tree = await objectOf(repo, `${word}^{tree}`);
  if (tree === null) return [];
  const words = ['--cached', '--name-only', '--diff-filter=D', '--no-renames', '-z', tree];
  return await gitNames(repo, ['diff-index', ...words, '--']);
}

async function untracked(repo: Repo, known: boolean): Promise<BytePath[]> {
  const ignored = known ? ['--exclude-standard'] : [];
  return await gitNames(repo, ['ls-files', '-z', '-o', ...ignored, '--full-name', ':/']);
}

/** The entry, or what is in place of a directory above it; null = neither exists. */
function existing(top: BytePath, name: BytePath): { name: BytePath; isDirectory: boolean } | null {
  for (let end = name.indexOf('/'); ; end = name.indexOf('/', end + 1)) {
    const part = (end < 0 ? name : name.slice(0, end)) as BytePath;
    const entry = port.lstat(joinPath(top, part));
    if (entry === null) return null;
    if (end < 0 || entry.type !== 'dir') return { name: part, isDirectory: entry.type === 'dir' };
  }
}
