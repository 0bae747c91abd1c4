/**
 * Which project a directory belongs to. Only files are read, the way git itself finds a repository
 * (gitrepository-layout(5), setup.c): git is not started, so that nothing in a repository's config can run, and it
 * need not be installed. A test compares the answers with git's.
 */
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, statSync } from 'node:fs';
import { type BytePath, bytePath, joinPath, nameOf, parentOf } from '../../shared/bytes.ts';
import { fsPath, orNull, realPath } from '../kernel/fs/port.ts';

export interface Project {
  /** The repository's top level, or the directory itself outside git. Without symlinks. */
  root: BytePath;
  /** First 16 hex digits of SHA-256 of the resolved common git directory, outside git of the directory. */
  id: string;
}

/**
 * The project of a directory. All worktrees of a repository have one id; submodules and bare repositories their own.
 * Never fails: what cannot be read counts as not being there, as for git. `core.worktree` and `core.bare` are not
 * followed: a repository's own config must not choose which directory is covered.
 */
export function projectOf(cwd: BytePath): Project {
  const start = resolved(cwd) ?? cwd;
  const found = discover(start);
  const id = hash('sha256', Buffer.from(found?.commonDir ?? start, 'latin1')).slice(0, 16);
  return { root: found?.top ?? start, id };
}

export interface Repository {
  top: BytePath;
  /** Of a linked worktree another one than `commonDir`. */
  gitDir: BytePath;
  commonDir: BytePath;
}

/** The repository that git would use in a directory; null outside git. Never fails. */
export function repositoryOf(cwd: BytePath): Repository | null {
  return discover(resolved(cwd) ?? cwd);
}

export interface CheckedOut {
  /** Name of the branch; null with a detached HEAD. A byte string. */
  branch: string | null;
  /** First digits of the commit of a detached HEAD. */
  commit: string | null;
  /** Name of the linked worktree, a byte string; null in the repository's own. */
  worktree: string | null;
}

const HEAD_BRANCH = /^(?:ref:[ \t]*)?refs\/heads\/([^\n]+)/;

/** What is checked out in a directory now; null outside git, and where git keeps it elsewhere (reftable). Never fails. */
export function checkedOut(cwd: BytePath): CheckedOut | null {
  const repository = repositoryOf(cwd);
  if (repository === null) return null;
  const { gitDir, commonDir } = repository;
  const head = joinPath(gitDir, 'HEAD');
  const text = readLink(head) ?? readBytes(head, 4096) ?? '';
  const [, branch = null] = HEAD_BRANCH.exec(text.trimEnd()) ?? [];
  if (branch === '.invalid') return null;
  const [commit = null] = /^[0-9a-f]{8}/.exec(text) ?? [];
  const own = resolved(gitDir);
  const linked = own !== null && parentOf(own) === joinPath(commonDir, 'worktrees');
  return { branch, commit: branch === null ? commit : null, worktree: linked ? nameOf(own) : null };
}

/** Walks up as git does: `.git` first, then the directory itself as a bare repository; stops at a file system border. */
function discover(start: BytePath): Repository | null {
  const device = statOf(start)?.dev;
  for (let dir = start; ; dir = parentOf(dir)) {
    // git stops at a border too (GIT_DISCOVERY_ACROSS_FILESYSTEM unset).
    if (statOf(dir)?.dev !== device) return null;
    const link = gitFileTarget(joinPath(dir, '.git'), dir);
    // A .git file that leads nowhere ends the search: git reports an error and does not look further up.
    if (link === 'broken') return null;
    const gitDir = link ?? joinPath(dir, '.git');
    const commonDir = commonDirOf(gitDir);
    if (commonDir !== null) return { top: dir, gitDir, commonDir };
    if (link !== null) return null;
    const bare = commonDirOf(dir);
    if (bare !== null) return { top: dir, gitDir: dir, commonDir: bare };
    if (dir === '/') return null;
  }
}

/** Larger `.git` files are refused by git as well. */
const GIT_FILE_BYTES = 1024 * 1024;
const GIT_FILE = /^gitdir: ([\s\S]+?)[\r\n]*$/;

/** Where a `.git` file points; null when `.git` is no file. */
function gitFileTarget(path: BytePath, dir: BytePath): BytePath | 'broken' | null {
  if (statOf(path)?.isFile() !== true) return null;
  const [, target] = GIT_FILE.exec(readBytes(path, GIT_FILE_BYTES) ?? '') ?? [];
  return target === undefined ? 'broken' : against(dir, target);
}

/** The resolved common directory when `gitDir` is a git directory: a valid HEAD, and `objects` and `refs`. */
function commonDirOf(gitDir: BytePath): BytePath | null {
  if (!hasValidHead(gitDir)) return null;
  const named = readBytes(joinPath(gitDir, 'commondir'), 64 * 1024)?.replace(/[\r\n]+$/, '');
  const common = named === undefined ? gitDir : against(gitDir, named);
  const isDirectory = (name: string) => statOf(joinPath(common, name))?.isDirectory() === true;
  return isDirectory('objects') && isDirectory('refs') ? resolved(common) : null;
}

/** HEAD is a symbolic reference below refs/ (as text, or as a symlink in old repositories), or an object id. */
function hasValidHead(gitDir: BytePath): boolean {
  const path = joinPath(gitDir, 'HEAD');
  const link = readLink(path);
  if (link?.startsWith('refs/')) return true;
  return /^(ref:[ \t\n\r]*refs\/|[0-9a-f]{40})/.test(readBytes(path, 256) ?? '');
}

function against(dir: BytePath, target: string): BytePath {
  return bytePath(target.startsWith('/') ? target : joinPath(dir, target));
}

const resolved = (path: BytePath) => orNull(() => realPath(path));
const readLink = (path: BytePath) => orNull(() => readlinkSync(fsPath(path), 'latin1'));
const statOf = (path: BytePath) => orNull(() => statSync(fsPath(path)));

/** A regular file's first bytes. O_NONBLOCK: a repository may hold a FIFO under any name. */
export function readBytes(path: BytePath, limit: number): string | undefined {
  const fd = orNull(() => openSync(fsPath(path), constants.O_RDONLY | constants.O_NONBLOCK));
  if (fd === null) return undefined;
  try {
    if (!fstatSync(fd).isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(limit, fstatSync(fd).size));
    return buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0));
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
