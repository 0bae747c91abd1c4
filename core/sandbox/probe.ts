/**
 * Asks the kernel whether uppers are in use, by mounting each once in a namespace of its own: a probe ends as
 * mounted (free) or EBUSY (in use); anything else is an error.
 */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { type BytePath, fromText, joinPath } from '../../shared/bytes.ts';
import { removePath } from '../kernel/fs/dir-handles.ts';
import { namesOrNone } from '../kernel/fs/entry.ts';
import { parseMountinfo } from '../kernel/fs/mounts.ts';
import { nodePort, orNull } from '../kernel/fs/port.ts';
import { programPath } from '../kernel/programs.ts';
import { plainEnv, run } from '../kernel/run.ts';
import type { SessionContext } from '../session/session-context.ts';
import { probeFailed, upperNotMounted } from './messages/errors.ts';

type Session = Pick<SessionContext, 'sessionDir' | 'root'>;

/** Removes the marks of `volatile` mounts, which the kernel reads only when it mounts. Starts no program for none. */
const CLEAR = 'clear() { set -- */w/work/incompat; [ ! -e "$1" ] || rm -rf "$@"; }; clear';

function enter({ root }: Session, ...more: string[]): string[] {
  return root ? more : ['--user', '--map-root-user', ...more];
}

/**
 * The marks forbid the next mount. Best effort, as the launcher removes them too. Starts no program: the kernel makes
 * these directories with mode 000, but as the user whose namespace mounts the overlay.
 */
export function clearMarks({ sessionDir }: Pick<SessionContext, 'sessionDir'>): void {
  const overlay = fromText(`${sessionDir}/overlay`);
  for (const name of namesOrNone(joinPath(overlay, '.')))
    orNull(() => clearMark(joinPath(joinPath(overlay, name), 'w/work')));
}

function clearMark(work: BytePath): void {
  const entry = nodePort.lstat(work);
  // A second link is `incompat`, where the file system counts subdirectories; a change of mode looks like a mount.
  if (entry?.type !== 'dir' || entry.nlink === NO_SUBDIRECTORY) return;
  nodePort.chmod(work, 0o700);
  try {
    for (const name of ['incompat', 'incompat/volatile']) nodePort.chmod(joinPath(work, name), 0o700);
    removePath(nodePort, work, fromText('incompat'));
  } finally {
    nodePort.chmod(work, 0);
  }
}

/** Links of an empty directory: its name and `.`. */
const NO_SUBDIRECTORY = 2;

/** A tmpfs, private to the probe's namespace: a probe needs no room on the disk. */
const ROOM = 'mount -t tmpfs -o size=64m,mode=700 trai-room parking';
const NO_LOWER = 'parking/none';

interface Probe {
  name: string;
  line: string;
  /** The lower is not a directory of the host. */
  ownLower: boolean;
  uppers: string[];
  own: string[];
}

/** Removes the marks of `volatile`. Errors: `not-entered` when an upper could not be probed. */
export async function isBusy(session: Session): Promise<boolean> {
  const overlay = `${session.sessionDir}/overlay`;
  // It must not be made here: repair puts the one that it should be in its place.
  if (!existsSync(overlay)) return false;
  const numbers = readdirSync(overlay, { encoding: 'latin1' }).filter(
    (n) => /^[0-9]+$/.test(n) && lstatSync(`${overlay}/${n}/u`, { throwIfNoEntry: false }) !== undefined,
  );
  const probes = session.root ? rootProbes(overlay, numbers) : numbers.map((n) => ownProbe(n, `${n}/l`));
  const first = await ask(session, probes);
  if (first.busy || first.open.length === 0) return first.busy;
  for (const probe of first.open.flatMap((open) => onceMore(session, overlay, open))) {
    const { busy, open, said } = await ask(session, [probe]);
    if (busy) return true;
    if (open.length > 0) throw upperNotMounted(`${overlay}/${probe.uppers[0] ?? ''}/u`, said);
  }
  return false;
}

function onceMore({ root }: Session, overlay: string, probe: Probe): Probe[] {
  const { name, uppers } = probe;
  if (root) return name === 'guard' ? [probe] : uppers.map((n) => rootProbe('again', [n]));
  // The host's lower may be gone or replaced. Without `work` the upper was never mounted.
  const mounted = uppers.filter((n) => existsSync(`${overlay}/${n}/w/work`));
  return mounted.map((n) => ownProbe(n, NO_LOWER));
}

interface Answer {
  busy: boolean;
  open: Probe[];
  said: string;
}

const BUSY = /already mounted|busy/;
/** ESTALE: found free, but mounted over another directory before. A network lower returns it earlier. */
const FREE = /stale file handle|failed to verify/i;

async function ask(session: Session, probes: readonly Probe[]): Promise<Answer> {
  const overlay = `${session.sessionDir}/overlay`;
  const dirs = ['parking/probe', NO_LOWER, ...probes.flatMap(({ own }) => own)].join(' ');
  const room = `${ROOM} 2>/dev/null; mkdir -p ${dirs} && printf %s "$1" >parking/probe.fstab || exit`;
  // 32 and 64: some failed, and the mount table tells which. Any other status: nothing was mounted.
  const mount = 'mount -c -a -T parking/probe.fstab; rc=$?; echo; echo "mounted $rc"';
  const script = `exec 2>&1; ${CLEAR}; ${room}; ${mount}; [ $rc = 0 ] || cat /proc/self/mountinfo; clear; echo done`;
  const fstab = probes.map(({ line }) => line).join('');
  const args = [...enter(session, '--mount'), '/bin/sh', '-c', script, 'probe', fstab];
  const { stdout, stderr } = await run(programPath('unshare'), args, { cwd: overlay, env: plainEnv() });
  const text = stdout + stderr;
  const [, told = '', status, table = ''] = /^(.*?)\nmounted (0|32|64)\n(.*)done\n$/s.exec(text) ?? [];
  if (status === undefined) throw probeFailed(text.trim());
  const lines = told.split('\n').filter((line) => line.startsWith('mount: '));
  const mounted = new Set(parseMountinfo(table).map(({ source }) => source));
  const open = status === '0' ? [] : probes.filter(({ name }) => !mounted.has(sourceOf(name)));
  const free = probes.every(({ ownLower }) => ownLower) ? lines.filter((line) => FREE.test(line)).length : 0;
  const said = lines.join('; ') || 'no word of mount(8)';
  return { busy: lines.some((line) => BUSY.test(line)), open: open.length <= free ? [] : open, said };
}

const sourceOf = (name: string): string => `trai-probe-${name}`;

/** Each has a source of its own: `mount -a` skips a source that is mounted already. */
function lineOf(name: string, dir: string, lower: string, user: string): string {
  return `${sourceOf(name)} parking/probe overlay lowerdir=${lower},upperdir=${dir}/u,workdir=${dir}/w,${user}index=on,volatile 0 0\n`;
}

function ownProbe(n: string, lower: string): Probe {
  const line = lineOf(n, n, lower, 'userxattr,');
  return { name: n, line, ownLower: lower === NO_LOWER, uppers: [n], own: [] };
}

/**
 * A descriptor outside the namespace (sent over a socket, or of a process that left) keeps an overlay alive
 * whose guard is unmounted: so all uppers are probed as well, as lowers of few mounts.
 */
function rootProbes(overlay: string, numbers: readonly string[]): Probe[] {
  if (!existsSync(`${overlay}/guard/u`)) return [];
  const line = lineOf('guard', 'guard', 'guard/l', '');
  const probes: Probe[] = [{ name: 'guard', line, ownLower: true, uppers: ['guard'], own: [] }];
  for (let from = 0; from < numbers.length; from += AT_ONCE)
    probes.push(rootProbe(String(from), numbers.slice(from, from + AT_ONCE)));
  return probes;
}

function rootProbe(dir: string, uppers: string[]): Probe {
  const name = `uppers-${dir}`;
  const lower = ['guard/l', ...uppers.map((n) => `${n}/u`)].join(':');
  const asks = `parking/asks-${dir}`;
  const own = [`${asks}/u`, `${asks}/w`];
  return { name, line: lineOf(name, asks, lower, ''), ownLower: true, uppers, own };
}

/** The kernel takes 500 lowers; newer mount(8) releases pass at most 255 bytes of names. */
const AT_ONCE = 30;
