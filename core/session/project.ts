/**
 * The project of a directory. Reads files as git finds a repository (gitrepository-layout(5), setup.c),
 * without git: nothing in a repository's config can run. A test compares the results with git's.
 */
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, statSync } from 'node:fs';
import { type BytePath, bytePath, joinPath, nameOf, parentOf } from '../../shared/bytes.ts';
import { fsPath, orNull, realPath } from '../kernel/fs/port.ts';

export interface Project {
  /** The repository's top level, or the directory itself outside git. Without links. */
  root: BytePath;
  /** 16 hex digits of the SHA-256 of the common git directory, outside git of the directory. */
  id: string;
}

/**
 * Worktrees of a repository share an id; submodules and bare repositories have their own. Never throws: what
 * is unreadable counts as missing, as in git. `core.worktree` and `core.bare` are ignored: a repository's
 * config must not choose which directory is covered.
 */
export function projectOf(cwd: BytePath): Project {
  const start = resolved(cwd) ?? cwd;
  const found = discover(start);
  const id = hash('sha256', Buffer.from(found?.commonDir ?? start, 'latin1')).slice(0, 16);
  return { root: found?.top ?? start, id };
}

interface Repository {
  top: BytePath;
  /** Differs from `commonDir` in a linked worktree. */
  gitDir: BytePath;
  commonDir: BytePath;
}

/** Null outside git. Never throws. */
export function repositoryOf(cwd: BytePath): Repository | null {
  return discover(resolved(cwd) ?? cwd);
}

interface CheckedOut {
  /** A byte string; null with a detached HEAD. */
  branch: string | null;
  commit: string | null;
  /** A byte string; null in the main worktree. */
  worktree: string | null;
}

const HEAD_BRANCH = /^(?:ref:[ \t]*)?refs\/heads\/([^\n]+)/;

/** Null outside git, and with reftable, whose HEAD has no branch. Never throws. */
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

/** Walks up as git does: `.git` first, then the directory itself as a bare repository. */
function discover(start: BytePath): Repository | null {
  const device = statOf(start)?.dev;
  for (let dir = start; ; dir = parentOf(dir)) {
    // git stops at a file system border (GIT_DISCOVERY_ACROSS_FILESYSTEM unset).
    if (statOf(dir)?.dev !== device) return null;
    const link = gitFileTarget(joinPath(dir, '.git'), dir);
    // git reports a .git file that leads nowhere and stops.
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

/** git refuses larger `.git` files as well. */
const GIT_FILE_BYTES = 1024 * 1024;
const GIT_FILE = /^gitdir: ([\s\S]+?)[\r\n]*$/;

function gitFileTarget(path: BytePath, dir: BytePath): BytePath | 'broken' | null {
  if (statOf(path)?.isFile() !== true) return null;
  const [, target] = GIT_FILE.exec(readBytes(path, GIT_FILE_BYTES) ?? '') ?? [];
  return target === undefined ? 'broken' : against(dir, target);
}

/** The common directory if `gitDir` is a git directory: a valid HEAD, `objects` and `refs`. */
function commonDirOf(gitDir: BytePath): BytePath | null {
  if (!hasValidHead(gitDir)) return null;
  const named = readBytes(joinPath(gitDir, 'commondir'), 64 * 1024)?.replace(/[\r\n]+$/, '');
  const common = named === undefined ? gitDir : against(gitDir, named);
  const isDirectory = (name: string) => statOf(joinPath(common, name))?.isDirectory() === true;
  return isDirectory('objects') && isDirectory('refs') ? resolved(common) : null;
}

/** A reference below refs/ (text, or a link in old repositories) or an object id. */
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

/** At most `limit` bytes of a regular file. O_NONBLOCK: a repository may contain FIFOs. */
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
