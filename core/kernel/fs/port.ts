/**
 * Files. Two views of the disk, for two kinds of callers:
 *
 * - `FsPort` (here): every file system call and every spawned program of a transaction. Tests make the n-th
 *   call fail or die (testing/commit/fault-port.ts). Calls are synchronous, because they are five times
 *   cheaper than Node's asynchronous ones; callers yield to the event loop with `Pace` (pace.ts).
 * - entry.ts: lstat and readdir for walks that only read; absence is a value, not an error.
 *
 * dir-handles.ts walks to a directory by held descriptors; its callers name an entry by descriptor and name,
 * never by path. fingerprint.ts identifies entries, file-content.ts compares and reads them, xattrs.ts reads
 * and sets their extended attributes. state-file.ts is for the small files of trai's own state.
 */
import fs, { realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { type BytePath, bytePath, isAscii } from '../../../shared/bytes.ts';
import type { EntryType } from '../../../shared/model/change.ts';
import { askPerl, isPerlKept } from '../perl.ts';
import { plainEnv, type RunResult, run } from '../run.ts';
import { askXattrs, readOpenXattrs, setOpenXattrs, xattrsOf } from './xattrs.ts';

/** lstat(2). Times in nanoseconds; `birthNs` is 0 where the file system has no birth time. */
export interface Stat {
  type: EntryType;
  mode: number;
  uid: number;
  gid: number;
  /** 0 for other types than regular files. */
  size: number;
  nlink: number;
  dev: bigint;
  ino: bigint;
  rdev: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  birthNs: bigint;
  disk: number;
}

/** openat(2): the entry `name` of the directory that `fd` holds, wherever that directory is by now. */
export function at(fd: number, name: BytePath | string = ''): BytePath {
  return (name === '' ? `/proc/self/fd/${fd}` : `/proc/self/fd/${fd}/${name}`) as BytePath;
}

export function withHandle<T>(port: FsPort, fd: number, use: (fd: number) => T): T {
  return useAndClose({ close: () => port.close(fd) }, () => use(fd));
}

export async function withHandleAsync<T>(
  port: FsPort,
  fd: number,
  use: (fd: number) => Promise<T>,
): Promise<T> {
  return await useAndCloseAsync({ close: () => port.close(fd) }, async () => await use(fd));
}

/** Closes `held` after `use`, whether or not it throws. */
export function useAndClose<H extends { close(): void }, T>(held: H, use: (held: H) => T): T {
  try {
    return use(held);
  } finally {
    held.close();
  }
}

export async function useAndCloseAsync<H extends { close(): void | Promise<void> }, T>(
  held: H,
  use: (held: H) => Promise<T>,
): Promise<T> {
  try {
    return await use(held);
  } finally {
    await held.close();
  }
}

/** Code of a system error (ENOENT ...); empty for other errors. */
export function errorCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}

/** Of a full disk or a quota, also when it was reported as a TraiError. */
export function isNoSpace(thrown: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'no-space'].includes(errorCode(thrown));
}

/** Rethrows what is no system error. */
export function orIfRefused<T, U>(call: () => T, otherwise: U): T | U {
  try {
    return call();
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return otherwise;
  }
}

/** Missing from Node's constants; the same on every architecture of Node 20 on Linux. */
const O_PATH = 0o10000000;
const O_DIR = O_PATH | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW;
const O_ENTRY = O_PATH | fs.constants.O_NOFOLLOW;
const O_APPEND =
  fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT | fs.constants.O_NOFOLLOW;

/** Strings are a fifth cheaper at each call than buffers. */
export function fsPath(path: BytePath): string | Buffer {
  return isAscii(path) ? path : Buffer.from(path, 'latin1');
}

const TYPES = new Map<number, EntryType>([
  [0o010000, 'fifo'],
  [0o020000, 'char'],
  [0o040000, 'dir'],
  [0o060000, 'block'],
  [0o100000, 'file'],
  [0o120000, 'symlink'],
  [0o140000, 'socket'],
]);

export function toStat(s: fs.BigIntStats): Stat {
  const mode = Number(s.mode);
  const type = TYPES.get(mode & 0o170000);
  if (type === undefined) throw new RangeError(`expected a file type, got mode ${mode.toString(8)}`);
  return {
    type,
    mode: mode & 0o7777,
    uid: Number(s.uid),
    gid: Number(s.gid),
    size: type === 'file' ? Number(s.size) : 0,
    nlink: Number(s.nlink),
    dev: s.dev,
    ino: s.ino,
    rdev: s.rdev,
    mtimeNs: s.mtimeNs,
    ctimeNs: s.ctimeNs,
    birthNs: s.birthtimeNs,
    disk: Number(s.blocks) * 512,
  };
}

export function lstat(path: BytePath): Stat | null {
  try {
    const s = fs.lstatSync(fsPath(path), { bigint: true, throwIfNoEntry: false });
    return s === undefined ? null : toStat(s);
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/**
 * No call follows a symbolic link in the last component, except `chmod` and `utimes`: give them a path
 * through /proc/self/fd of an entry opened with `openEntry`.
 */
export const nodePort = {
  /** Null when the entry or its directory does not exist. */
  lstat,
  fstat: (fd: number): Stat => toStat(fs.fstatSync(fd, { bigint: true })),
  /** A handle for `at()`; throws ENOTDIR or ELOOP when the last component is no directory. */
  openDir: (path: BytePath) => fs.openSync(fsPath(path), O_DIR),
  /** O_PATH: on any entry, without following or reading it. */
  openEntry: (path: BytePath) => fs.openSync(fsPath(path), O_ENTRY),
  /** Creates a missing file (0600). */
  openAppend: (path: BytePath) => fs.openSync(fsPath(path), O_APPEND, 0o600),
  /** For fsync of a directory, or of a file. */
  openRead: (path: BytePath) => fs.openSync(fsPath(path), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK),
  close: (fd: number) => fs.closeSync(fd),
  readdir: (path: BytePath) => fs.readdirSync(fsPath(path), { encoding: 'latin1' }) as BytePath[],
  readlink: (path: BytePath) => fs.readlinkSync(fsPath(path), { encoding: 'latin1' }) as BytePath,
  readText(path: BytePath): string | null {
    try {
      return fs.readFileSync(fsPath(path), 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  },
  append(fd: number, text: string): void {
    // As text, which is cheaper: nearly always all of it is written at once.
    let done = fs.writeSync(fd, text);
    if (done === Buffer.byteLength(text)) return;
    for (const bytes = Buffer.from(text, 'utf8'); done < bytes.length; )
      done += fs.writeSync(fd, bytes, done);
  },
  fsync: (fd: number) => fs.fsyncSync(fd),
  /** syncfs(2). `fd` may be a handle for `at()`. */
  syncFs: syncFileSystem,
  mkdir: (path: BytePath, mode: number): void => void fs.mkdirSync(fsPath(path), { mode }),
  symlink: (target: BytePath, path: BytePath) => fs.symlinkSync(fsPath(target), fsPath(path)),
  /** Throws EEXIST when `to` exists. */
  link: (from: BytePath, to: BytePath) => fs.linkSync(fsPath(from), fsPath(to)),
  rename: (from: BytePath, to: BytePath) => fs.renameSync(fsPath(from), fsPath(to)),
  unlink: (path: BytePath) => fs.unlinkSync(fsPath(path)),
  rmdir: (path: BytePath) => fs.rmdirSync(fsPath(path)),
  chmod: (path: BytePath, mode: number) => fs.chmodSync(fsPath(path), mode),
  lchown: (path: BytePath, uid: number, gid: number) => fs.lchownSync(fsPath(path), uid, gid),
  utimes(path: BytePath, mtimeNs: bigint): void {
    // A double holds the microseconds of a present-day time, not its nanoseconds.
    const seconds = Number(mtimeNs / 1_000_000n) / 1_000 + Number(mtimeNs % 1_000_000n) / 1e9;
    // As text: Node replaces a negative number, a time before 1970, by the current time.
    fs.utimesSync(fsPath(path), String(seconds), String(seconds));
  },
  /** Extended attributes as text (xattr-text.ts); null = unknown. One process for all paths. */
  xattrsOf,
  askXattrs,
  xattrs: readOpenXattrs,
  /** Sets all changes or none; throws ENOSYS when no program can set them. */
  setXattrs: setOpenXattrs,
  writable(path: BytePath): boolean {
    try {
      fs.accessSync(fsPath(path), fs.constants.W_OK | fs.constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
  /** `free`: bytes that an ordinary user may still write; `kind`: statfs(2) f_type. */
  space(path: BytePath) {
    const { bavail, bsize, type } = fs.statfsSync(fsPath(path));
    return { free: bavail * bsize, kind: type };
  },
  /** Without a time limit. `fds[0]` becomes descriptor 3 and so on. */
  run: async (
    program: string,
    args: readonly string[],
    input: Buffer,
    fds: readonly number[],
  ): Promise<Pick<RunResult, 'status' | 'stderr'>> =>
    await run(program, args, { input, fds, stdout: 'ignore', env: plainEnv() }),
};

export type FsPort = typeof nodePort;

export function syncDirs(port: FsPort, dirs: readonly BytePath[]): void {
  for (const dir of dirs) withHandle(port, port.openRead(dir), (fd) => port.fsync(fd));
}

/** Each file system once. Takes a descriptor only after it has finished with the one before. */
export async function syncFileSystems(port: FsPort, fds: Iterable<number>): Promise<void> {
  const synced = new Set<bigint>();
  for (const fd of fds) {
    const { dev } = port.fstat(fd);
    if (!synced.has(dev)) await port.syncFs(fd);
    synced.add(dev);
  }
}

/** Reads a path; answers the errno, or nothing where it can't be asked. */
const SYNC = `
if (opendir my $h, $input) { my $fd = fileno $h;
  $out = syscall($call[0], $fd) < 0 ? $! + 0 : 0 if defined $fd; }`;

/** syncfs(2), which Node has no call for: by the perl that a transaction keeps, else by sync(1). */
async function syncFileSystem(fd: number): Promise<void> {
  const held = `/proc/${process.pid}/fd/${fd}`;
  const answer = isPerlKept() ? await askPerl({ text: SYNC, calls: ['syncfs'] }, held) : null;
  if (answer === null || answer === '') await syncByProgram(fd);
  else if (answer !== '0') throw notSynced(`errno ${answer}`, isFull(Number(answer)));
}

async function syncByProgram(fd: number): Promise<void> {
  const options = { fds: [fd], stdout: 'ignore', env: plainEnv() } as const;
  const { status, stderr } = await run('sync', ['-f', '/proc/self/fd/3'], options);
  if (status !== 0) throw notSynced(stderr.trim() || `ended with ${status}`, /No space left/.test(stderr));
}

function isFull(errno: number): boolean {
  return errno === constants.errno.ENOSPC || errno === constants.errno.EDQUOT;
}

function notSynced(why: string, isNoSpace: boolean): Error {
  return Object.assign(new Error(`sync -f: ${why}`), { code: isNoSpace ? 'ENOSPC' : 'EIO' });
}

export function orNull<T>(call: () => T): T | null {
  return orIfRefused(call, null);
}

/** Native: `realpathSync` itself mangles names that are not UTF-8. */
export function realPath(path: BytePath): BytePath {
  return bytePath(realpathSync.native(fsPath(path), { encoding: 'buffer' }).toString('latin1'));
}
