/**
 * Tests of transactions: snapshots of a tree, down to extended attributes and links, as comparable text.
 * fault-port.ts makes the n-th system call fail or die; random-programs.ts generates programs; sessions.ts
 * and session-orders.ts run several sessions of a project.
 */
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type CommitTools, commitAll } from '../../core/commit/commit.ts';
import { scan } from '../../core/scan/scan.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import type {
  CommitReport,
  CommitRequest,
  ScopedCommitRequest,
  UndoRequest,
} from '../../shared/model/commit.ts';
import { asLive, type TestSession } from '../changes/changes.ts';
import { PLAIN_PYTHON, runPython } from './python.ts';

/**
 * One line an entry: path, type, mode, size or target, mtime in microseconds (not of directories, unless asked),
 * content hash, xattrs, and the first path of its link set. Argument 1: also times of directories.
 */
export const SNAPSHOT = `
import os, stat, hashlib, sys
links = {}
def show(p):
    s = os.lstat(p); m = s.st_mode; out = [repr(p), oct(m)]
    if stat.S_ISREG(m):
        try: data = open(p, 'rb').read()
        except OSError: data = b'unreadable'
        out += [str(s.st_size), hashlib.sha256(data).hexdigest()[:12]]
        if s.st_nlink > 1: out.append('= ' + repr(links.setdefault((s.st_dev, s.st_ino), p)))
    if stat.S_ISLNK(m): out.append(repr(os.readlink(p)))
    if not stat.S_ISDIR(m) or len(sys.argv) > 1: out.append('mtime=%d' % (s.st_mtime_ns // 1000))
    if not stat.S_ISFIFO(m) and not stat.S_ISLNK(m):
        try: out += sorted(repr((k, os.getxattr(p, k, follow_symlinks=False))) for k in os.listxattr(p, follow_symlinks=False))
        except OSError: pass
    print(' '.join(out))
    if stat.S_ISDIR(m):
        try: names = sorted(os.listdir(p))
        except OSError: return
        for n in names:
            if p == b'.' and n == b'.state': continue
            show(p + b'/' + n)
show(b'.')
`;

export function snapshot(dir: string): string {
  // As in the sandbox: own files of mode 000 are read there too.
  return runPython(SNAPSHOT, dir);
}

/** Without mtimes (see `otherTimes`) and link sets: copy-up breaks links of host files to new names. */
export function untied(text: string): string {
  return text.replace(/ = b(['"]).*?\1(?= |$)/gm, '').replace(/ mtime=-?\d+(?= |$)/gm, '');
}

/**
 * Modification times (µs) of regular files by path. Null for a file with several names: one of them is a file
 * of its own in the sandbox, whose time alone is not committed.
 */
function fileTimes(text: string): Map<string, number | null> {
  const times = new Map<string, number | null>();
  for (const line of text.split('\n')) {
    const [, path, , link, time] =
      /^(b(['"]).*?\2) 0o10[0-7]{4} .*?( = b['"].*?)? mtime=(-?\d+)/.exec(line) ?? [];
    if (path !== undefined) times.set(path, link === undefined ? Number(time) : null);
  }
  return times;
}

/**
 * Files of both snapshots whose modification times differ, without those of several names in `before`. Some
 * calls round to microseconds, others truncate.
 */
export function otherTimes(found: string, expected: string, before = expected): string[] {
  const [mine, old] = [fileTimes(found), fileTimes(before)];
  return [...fileTimes(expected)].flatMap(([path, time]) => {
    const now = mine.get(path) ?? null;
    if (now === null || time === null || old.get(path) === null || Math.abs(now - time) <= 2) return [];
    return [`${path}: ${now}, not ${time}`];
  });
}

/** A snapshot by path, without what `untied` leaves out. */
export function byPath(text: string): Map<string, string> {
  return new Map(
    untied(text)
      .split('\n')
      .map((line) => [line.split(' ')[0] ?? '', line]),
  );
}

/** Path below `dir` → type, mode and content: fast enough for hundreds of calls. */
export function quickLook(dir: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (below: string): void => {
    for (const name of readdirSync(`${dir}/${below}`).sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      const full = `${dir}/${path}`;
      const stat = lstatSync(full);
      const kind = stat.mode.toString(8);
      if (stat.isFile()) found.set(path, `${kind} ${readFileSync(full, 'utf8')}`);
      else found.set(path, stat.isSymbolicLink() ? `${kind} ${readlinkSync(full)}` : kind);
      if (stat.isDirectory()) walk(path);
    }
  };
  walk('');
  return found;
}

const plainCopies = new Map<string, Map<string, string>>();

/** What shell lines make of a plain copy of a session's host, which is the same for each session of a test file. */
export function inPlainCopy(t: TestSession, lines: string): Map<string, string> {
  const known = plainCopies.get(lines);
  if (known !== undefined) return known;
  t.onHost(`cp -a . ../plain; cd ../plain; ${lines}`);
  const made = quickLook(`${t.host}/../plain`);
  plainCopies.set(lines, made);
  return made;
}

/** The merged view, as a call of the session sees it. */
export function mergedSnapshot(t: TestSession): string {
  const file = `${t.ctx.stateDir}/merged.txt`;
  t.inSandbox(`${PLAIN_PYTHON} -c "$(cat <<'PYTHON'\n${SNAPSHOT}\nPYTHON\n)" > '${file}'`);
  return execFileSync('cat', [file], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

export function requestFor(
  list: ChangeList,
  extra: Partial<CommitRequest> = {},
): CommitRequest & ScopedCommitRequest {
  return {
    scope: { kind: 'all' },
    revision: list.revision,
    includeIgnored: true,
    conflicts: 'refuse',
    choices: {},
    yes: true,
    typedCount: null,
    ...extra,
  };
}

/** An undo without a preview. */
export function undoRequest(n = 1, extra: Partial<UndoRequest> = {}): UndoRequest {
  return {
    n,
    revision: null,
    conflicts: 'refuse',
    choices: {},
    yes: true,
    typedCount: null,
    ...extra,
  };
}

/** Scan and commit, as the server does; of a quiet session the list is believed. */
export async function commitNow(
  t: TestSession,
  options: { live?: boolean; request?: Partial<CommitRequest>; tools?: CommitTools } = {},
): Promise<CommitReport> {
  const list = await scan(t.ctx);
  return await commitAll(
    options.live === true ? asLive(t.ctx) : t.ctx,
    list,
    requestFor(list, options.request),
    {
      ...options.tools,
      settled: options.live !== true,
    },
  );
}

/** The list in short: `kind path`. */
export function brief(list: ChangeList, host: string): string[] {
  return list.changes.map((c: Change) => `${c.kind} ${c.path.slice(host.length + 1)}`);
}
