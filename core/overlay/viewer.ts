/**
 * A private namespace with the merged view: a read-only overlay for each covered directory, also beside a
 * live mount. It tells opaque directories from merged ones without extended attributes, which Node cannot
 * read.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { type BytePath, bytePath, fromText, isWithin, joinPath, parentOf } from '../../shared/bytes.ts';
import { namesOrNone } from '../kernel/fs/entry.ts';
import { ownMounts, ROOT_OPTIONS } from '../kernel/fs/mounts.ts';
import { fsPath, lstat, realPath } from '../kernel/fs/port.ts';
import { programPath } from '../kernel/programs.ts';
import { plainEnv } from '../kernel/run.ts';
import { mapGroups, mappedGroups } from '../sandbox/plan/groups.ts';
import { type CoveredDir, coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';
import { mountedBelow, viewNotMounted } from './messages.ts';

export interface Viewer {
  /**
   * Through /proc/PID/root, valid until `close`. Only for lstat, readdir and O_NOFOLLOW: absolute links lead
   * out of the view. Without a view (empty upper, or not covered) it is the host path.
   */
  pathOf(hostPath: BytePath): BytePath;
  close(): Promise<void>;
}

/** Milliseconds; 20 is usual. */
const OPEN_LIMIT_MS = 10_000;

/**
 * Arguments: overlay options, directories to make, then for each covered directory its number and `direct`,
 * `wrapped`, `copied` or `gone`.
 * The working directory is the overlay; names are relative (`N/l` links to the directory), so that no path of
 * the user's is in an option string.
 *
 * wrapped: a lower that contains the upper is refused (ELOOP), as $HOME with the state directory below it. An
 * overlay of the host and an empty directory is a tree of its own, which does not contain the upper.
 *
 * groups: they are mapped from outside before the mounts, so that a copy keeps a file's group.
 */
const SCRIPT = `
options=$1 dirs=$2; shift 2
if [ "$1" = groups ]; then echo groups; read -r answer; shift; fi
mount -t tmpfs -o mode=0700,size=1m trai-view ../view || exit 1
mkdir -p ../view/e $dirs
while [ $# -gt 0 ]; do
  lower=$1/l
  if [ "$2" = copied ]; then lower=$1/c; mkdir -p $1/c; fi
  if [ "$2" = gone ]; then lower=../view/e; fi
  if [ "$2" = wrapped ]; then
    mount -t overlay -o "ro,$options,lowerdir=$1/l:../view/e" trai-view ../view/h/$1 || exit 1
    lower=../view/h/$1
  fi
  mount -t overlay -o "ro,$options,lowerdir=$1/u:$lower" trai-view ../view/v/$1 || exit 1
  shift 2
done
echo ready
read -r end
`;

/** One for each scan, as it may cache lookups. Errors: `unsupported` if mounting fails or takes too long. */
export async function openViewer(ctx: SessionContext): Promise<Viewer> {
  const shown = shownBy(ctx);
  if (shown.length === 0) return { pathOf: (path) => path, close: async () => {} };
  const room = joinPath(parentOf(realPath(fromText(`${ctx.sessionDir}/overlay`))), 'view');
  mkdirSync(fsPath(room), { recursive: true, mode: 0o700 });
  const groups = ctx.root ? [] : mappedGroups();
  const child = startNamespace(ctx, shown, groups.length > 0);
  if (groups.length > 0) {
    child.stdout?.once('data', () => {
      // A failure is reported where a file of such a group is copied.
      void mapGroups(child.pid ?? 0, ctx.gid, groups).finally(() => child.stdin?.write('\n'));
    });
  }
  await untilReady(child).catch((error: unknown) => {
    throw withMounts(error, shown);
  });
  const root = bytePath(`/proc/${child.pid}/root${room}/v`);
  return {
    pathOf(path) {
      const covered = coveringDir(shown, path);
      // The innermost covered directory decides: an outer view does not show what a nested one covers.
      if (covered === null || covered !== coveringDir(ctx.coveredDirs, path)) return path;
      return upperPath({ ...covered, upper: joinPath(root, String(covered.n)) }, path);
    },
    close: () => end(child),
  };
}

/** The others look as the host does. */
export function shownBy({ coveredDirs }: SessionContext): CoveredDir[] {
  return coveredDirs.filter(({ upper }) => namesOrNone(upper).length > 0);
}

/** Names the mount below a lower, which the kernel refuses to an ordinary user without saying so. */
function withMounts(error: unknown, shown: readonly CoveredDir[]): unknown {
  const mounts = ownMounts();
  for (const { path } of shown) {
    const below = mounts.find(({ point }) => point !== path && isWithin(point, path));
    if (below !== undefined) return mountedBelow(below.point, path, error);
  }
  return error;
}

function startNamespace(ctx: SessionContext, shown: readonly CoveredDir[], groups: boolean): ChildProcess {
  const user = ctx.root ? [] : ['--user', groups ? '--map-user=0' : '--map-root-user'];
  const options = ctx.root ? ROOT_OPTIONS : 'userxattr';
  const places = shown.flatMap((covered) => [String(covered.n), lowerKind(covered)]);
  const dirs = shown.map(({ n }) => `../view/v/${n} ../view/h/${n}`).join(' ');
  return spawn(
    programPath('unshare'),
    [
      ...user,
      '--mount',
      '/bin/sh',
      '-c',
      SCRIPT,
      'sh',
      options,
      dirs,
      ...(groups ? ['groups'] : []),
      ...places,
    ],
    {
      cwd: `${ctx.sessionDir}/overlay`,
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C in the user's terminal must not end the namespace first.
      detached: true,
      // util-linux >= 2.39 would use the new mount API, which has other limits on option strings.
      env: { ...plainEnv(), LIBMOUNT_FORCE_MOUNT2: 'always' },
    },
  );
}

function lowerKind({ copied, upper, path }: CoveredDir): 'copied' | 'wrapped' | 'direct' | 'gone' {
  if (copied !== undefined) return 'copied';
  // A project in a scratch directory may be removed, and what is pending in it has to be listed still.
  if (lstat(path)?.type !== 'dir') return 'gone';
  return isWithin(realPath(upper), realPath(path)) ? 'wrapped' : 'direct';
}

/** Waits for "ready". The child ends with this process, whose pipe is its stdin. */
function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string, cause?: unknown) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(viewNotMounted(why, cause));
    };
    const timer = setTimeout(() => fail(`no answer within ${OPEN_LIMIT_MS / 1000} s`), OPEN_LIMIT_MS);
    child.on('error', (error) => fail(error.message, error));
    child.on('exit', (code, signal) =>
      fail(said.trim() || `unshare ended with ${signal ?? `status ${code}`}`),
    );
    child.stderr?.on('data', (chunk: Buffer) => {
      if (said.length < 2_000) said += chunk.toString('utf8');
    });
    // A pipe error means that the child has ended; 'exit' has the reason.
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!chunk.includes('ready')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      child.unref();
      resolve();
    });
  });
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.ref();
    child.kill('SIGKILL');
  });
}
