/**
 * Tests of scans: a session over a temporary directory with real overlays, mounted as the launcher does, as
 * the user of the run. matrix.ts makes every kind of change; interleavings.testing.ts runs random steps of
 * sandbox and host against a model.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import type { LiveSession, QuietSession } from '../../core/sandbox/lock.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { type BytePath, bytePath } from '../../shared/bytes.ts';
import { removeTree } from '../remove-tree.ts';

export const asRoot = userInfo().uid === 0;

export interface TestSession {
  /** As a quiet and locked one, as it mostly is here, so that a test can call parts of a transaction. */
  ctx: QuietSession;
  /** The covered directory on the host; also the home and the project's root. */
  host: string;
  upper: string;
  /** Runs shell lines on the host, in the covered directory. */
  onHost(lines: string): void;
  /** Runs shell lines in a fresh mount, as a call of a quiet session. Throws when they fail. */
  inSandbox(lines: string): void;
  /** The same in another overlay directory over the covered directory, mounted as number `n`. */
  inOverlay(overlay: string, n: number, lines: string): void;
  /** Starts shell lines in a fresh mount; its standard input and output are pipes. */
  start(lines: string): ChildProcess;
  /** Starts shell lines in a mount that stays until `stop`; resolves when they print `ready`. */
  live(lines: string): Promise<{ stop(): Promise<void> }>;
  remove(): void;
}

export interface TestOptions {
  /** Name of the covered directory; may be odd. */
  name?: string;
  /** The state directory lies in the covered directory, as it does below $HOME. */
  stateInside?: boolean;
}

const OPTIONS = asRoot
  ? 'index=off,metacopy=off,redirect_dir=off,xino=off,nfs_export=off'
  : 'userxattr,index=on';

/**
 * As root the launcher drops the capability that would make a copy share the inode of a renamed host file.
 */
const MOUNT = asRoot ? 'setpriv --bounding-set -dac_read_search mount' : 'mount';

/** As it is where processes of the session run, or may run. */
export function asLive(ctx: LiveSession): LiveSession {
  return { ...ctx, quiet: false };
}

export function testSession(options: TestOptions = {}): TestSession {
  const base = realpathSync(mkdtempSync(`${tmpdir()}/trai-changes-`));
  const host = `${base}/${options.name ?? 'host'}`;
  const stateDir = options.stateInside ? `${host}/.state` : `${base}/state`;
  const sessionDir = `${stateDir}/sessions/s1`;
  const overlay = `${sessionDir}/overlay`;
  for (const dir of [host, sessionDir, `${stateDir}/overlays/s1.0`]) mkdirSync(dir, { recursive: true });
  symlinkSync('../../overlays/s1.0', overlay);
  for (const dir of [`${overlay}/9/u`, `${overlay}/9/w`]) mkdirSync(dir, { recursive: true });
  symlinkSync(host, `${overlay}/9/l`);
  const at = (path: string): BytePath => bytePath(Buffer.from(path).toString('latin1'));
  const place = { n: 9, path: at(host), upper: at(`${overlay}/9/u`), work: at(`${overlay}/9/w`) };
  const context: SessionContext = {
    session: 's1',
    stateDir,
    sessionDir,
    coveredDirs: [place],
    // As in the product, one for each state directory: a test beside this one would make the session live.
    source: `trai:${randomBytes(4).toString('hex')}:s1`,
    root: asRoot,
    uid: userInfo().uid,
    gid: userInfo().gid,
    home: at(host),
    projectRoot: at(host),
    excluded: [at(stateDir)],
    ignore: [],
  };
  const ctx = { ...context, quiet: true } as QuietSession;
  // The mount of an earlier call stays busy while anyone reads its mountinfo. The launcher retries, too.
  const mount = (n: number): string => `set -e; tries=0
until said=$(${MOUNT} -t overlay -o lowerdir=${n}/l,upperdir=${n}/u,workdir=${n}/w,${OPTIONS} ${ctx.source} "$1" 2>&1); do
  case $said in *busy*) tries=$((tries + 1));; *) tries=1000;; esac
  [ $tries -lt 200 ] || { echo "$said" >&2; exit 32; }
  sleep 0.05
done
cd "$1"`;
  const enter = (lines: string, n = 9): string[] => [
    ...(asRoot ? [] : ['--user', '--map-root-user']),
    ...['--mount', 'bash', '-c', `${mount(n)}\n${lines}`, 'bash', host],
  ];
  return {
    ctx,
    host,
    upper: `${overlay}/9/u`,
    onHost: (lines) => void execFileSync('bash', ['-ec', lines], { cwd: host, stdio: 'pipe' }),
    inSandbox: (lines) => void execFileSync('unshare', enter(lines), { cwd: overlay, stdio: 'pipe' }),
    inOverlay: (dir, n, lines) => void execFileSync('unshare', enter(lines, n), { cwd: dir, stdio: 'pipe' }),
    start: (lines) => spawn('unshare', enter(lines), { cwd: overlay, stdio: ['pipe', 'pipe', 'inherit'] }),
    live: (lines) =>
      startLive(spawn('unshare', enter(lines), { cwd: overlay, stdio: ['pipe', 'pipe', 'inherit'] })),
    remove: () => removeTree(base),
  };
}

/** Another session over the same covered directory, as number `n`. */
export function beside({ ctx, host }: TestSession, session: string, n = 9): QuietSession {
  const sessionDir = `${ctx.stateDir}/sessions/${session}`;
  const overlay = `${sessionDir}/overlay`;
  for (const dir of [sessionDir, `${ctx.stateDir}/overlays/${session}.0`])
    mkdirSync(dir, { recursive: true });
  symlinkSync(`../../overlays/${session}.0`, overlay);
  for (const dir of [`${overlay}/${n}/u`, `${overlay}/${n}/w`]) mkdirSync(dir, { recursive: true });
  symlinkSync(host, `${overlay}/${n}/l`);
  const at = (path: string): BytePath => bytePath(Buffer.from(path).toString('latin1'));
  const covered = { n, path: at(host), upper: at(`${overlay}/${n}/u`), work: at(`${overlay}/${n}/w`) };
  return {
    ...ctx,
    session,
    sessionDir,
    source: ctx.source.replace(/[^:]*$/, session),
    coveredDirs: [covered],
  };
}

function startLive(child: ChildProcess): Promise<{ stop(): Promise<void> }> {
  const stop = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.stdin?.end();
    });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the live call ended early with ${code}`)));
    child.stdout?.once('data', () => resolve({ stop }));
  });
}
