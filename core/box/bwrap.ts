/** bubblewrap: which one, whether it can be trusted, and whether it can make a box here. */
import { accessSync, constants, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fromText, toText } from '../../shared/bytes.ts';
import { identityOf, lstatEntry } from '../kernel/fs/entry.ts';
import { isPast } from '../kernel/fs/fingerprint.ts';
import { orNull, realPath } from '../kernel/fs/port.ts';
import { isRealRoot } from '../kernel/proc/proc.ts';
import { isReplaceable, rootUids } from '../kernel/proc/trusted-path.ts';
import { PROGRAM_DIR, programPath } from '../kernel/programs.ts';
import { run } from '../kernel/run.ts';
import { readSetting, remedyForPackage } from '../sandbox/doctor/check.ts';
import { BWRAP, noBwrap, unsafeBwrap } from './messages/errors.ts';

/** With known holes where they are setuid: a local user becomes root. */
const HOLES: ReadonlySet<string> = new Set(['0.11.0', '0.11.1']);
const PROBE_MS = 5_000;
const OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH;

export interface Bwrap {
  /** Without links. */
  path: string;
  setuid: boolean;
}

/** Errors: `not-entered`, with the line that installs or updates it. */
export async function findBwrap(env: NodeJS.ProcessEnv): Promise<Bwrap> {
  const dirs = [...(env['PATH'] ?? '').split(':'), PROGRAM_DIR];
  const path = dirs
    .filter((dir) => dir.startsWith('/'))
    .flatMap((dir) => orNull(() => executable(join(dir, 'bwrap'))) ?? [])
    .at(0);
  const remedy = remedyForPackage('bubblewrap');
  if (path === undefined) throw noBwrap(remedy);
  const stat = lstatSync(path);
  const owners = rootUids();
  if (!owners.includes(stat.uid)) throw unsafeBwrap(path, BWRAP.others(stat.uid), remedy);
  if (isReplaceable(path, owners, OTHERS_WRITE)) throw unsafeBwrap(path, BWRAP.written, remedy);
  // Only then the version matters, and asking for it is a process.
  const setuid = (stat.mode & 0o4000) !== 0;
  if (setuid) {
    const version = await versionOf({ path });
    if (HOLES.has(version)) throw unsafeBwrap(path, BWRAP.setuid(version), remedy);
  }
  return { path, setuid };
}

/** Empty if it does not say. */
export async function versionOf({ path }: Pick<Bwrap, 'path'>): Promise<string> {
  const { stdout } = await run(path, ['--version'], { timeout: PROBE_MS, env: {} });
  return /(\d+(?:\.\d+)+)/.exec(stdout)?.[1] ?? '';
}

function executable(path: string): string {
  accessSync(path, constants.X_OK);
  return realpathSync(path);
}

/** Makes a box as a session does, with namespaces of trai's around. Empty, or what bwrap said. */
export async function tryBox({ path }: Bwrap, { ownProc }: { ownProc: boolean }): Promise<string> {
  const argv = [
    path,
    '--ro-bind',
    '/',
    '/',
    ...NAMESPACES,
    ...(ownProc ? ['--proc', '/proc'] : []),
    '--dev',
    '/dev',
    '--',
    '/bin/sh',
    '-c',
    'true',
  ];
  // As ordinary users have it: mounts below root of a namespace, the command below that.
  const nested = isRealRoot()
    ? ['--mount', ...argv]
    : [
        '--user',
        '--map-root-user',
        '--mount',
        programPath('unshare'),
        '--user',
        `--map-user=${process.getuid?.()}`,
        `--map-group=${process.getgid?.()}`,
        '--mount',
        ...argv,
      ];
  const { status, stderr, timedOut } = await run(programPath('unshare'), nested, { timeout: PROBE_MS });
  if (status === 0) return '';
  if (timedOut) return `no answer within ${PROBE_MS / 1000} s`;
  return toText(stderr).trim().split('\n').slice(0, 2).join(' ') || `exit status ${status}`;
}

/** Its own processes, message queues, host name and control groups; it ends with what started it. */
export const NAMESPACES: readonly string[] = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
];

/** Of TIOCSTI: since Linux 6.2; `readSetting` gives null before. */
export const TYPING = 'dev/tty/legacy_tiocsti';

/** Whether a process can type into its terminal: before there was a setting always, since then as it says. */
export function canType(): boolean {
  return readSetting(TYPING) !== '0';
}

/** With env(1): gives a command the signals back that bwrap ignores. */
export const RESETS = ['--default-signal=INT,QUIT', '--'] as const;

/** By the identity of env(1) when it was asked. */
let asked: { of: string; resets: boolean } | null = null;

/**
 * Whether env(1) can do that; asked again once it is another file. For a session in which nothing is pending: another one may have
 * an env(1) of its own.
 */
export async function resetsSignals(): Promise<boolean> {
  const env = programPath('env');
  const entry = lstatEntry(realPath(fromText(env)));
  const of = `${entry?.dev} ${identityOf(entry)}`;
  if (asked?.of === of) return asked.resets;
  const { status } = await run(env, [...RESETS, programPath('true')], { timeout: PROBE_MS, env: {} });
  // A write just now may have left its times as they are.
  asked = entry !== null && isPast(entry.ctimeNs) ? { of, resets: status === 0 } : null;
  return status === 0;
}

/** It notes the status of what ran in that file, and nothing where it failed before. */
export function hasRun(status: string): boolean {
  return (orNull(() => readFileSync(status, 'latin1')) ?? '').includes('"exit-code"');
}
