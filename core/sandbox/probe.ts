/**
 * Asks the kernel whether a session's uppers are in use, by mounting each once. Every one has to be either mounted then
 * (free) or refused as busy; what can be neither is no answer, and an error.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { TraiError } from '../../shared/errors.ts';
import { parseMountinfo } from '../kernel/mounts.ts';
import type { SessionContext } from '../session/session-context.ts';

type Session = Pick<SessionContext, 'sessionDir' | 'root'>;

/** In a session's overlay directory. The kernel looks at the marks when it mounts, and at no other time. */
const CLEAR = 'rm -rf */w/work/incompat';

/** What enters the namespace in which an overlay may be mounted; a mount namespace only where one is asked for. */
function enter({ root }: Session, ...more: string[]): string[] {
  return root ? more : ['--user', '--map-root-user', ...more];
}

/**
 * Takes away the marks of `volatile` that the last mount left, which would forbid the next one. They say that nothing was
 * forced to the disk, and lie below directories that only the namespace's root may enter. Best effort: the launcher does
 * it where nobody has.
 */
export async function clearMarks(session: Session): Promise<void> {
  const shell = ['/bin/sh', '-c', CLEAR];
  const [program = '', ...args] = session.root ? shell : ['/usr/bin/unshare', ...enter(session), ...shell];
  const child = spawn(program, args, { cwd: `${session.sessionDir}/overlay`, stdio: 'ignore' });
  await once(child, 'close').catch(() => {});
}

/**
 * Before anything is asked: `parking` is in memory, in this namespace alone, so that a look needs no room on the disk.
 * (Where that can't be, it is on the disk.)
 */
const ROOM = 'mount -t tmpfs -o size=64m,mode=700 trai-room parking';
/** An empty directory of ours. */
const NO_LOWER = 'parking/none';

/** A mount that is tried, and what it asks about. */
interface Probe {
  name: string;
  line: string;
  /** It is over a directory of ours, and not over what the host has there. */
  ownLower: boolean;
  /** Directories in the overlay directory, for the message. */
  uppers: string[];
  /** Directories that it needs beside them. */
  own: string[];
}

/**
 * Mounts every upper once, in a namespace of its own, and looks for EBUSY. Takes the marks of `volatile` away too.
 * @throws TraiError `not-entered`: some could not be asked
 */
export async function isBusy(session: Session): Promise<boolean> {
  const overlay = `${session.sessionDir}/overlay`;
  // Between the two renames of a discard. Making it here would hide that the session's own waits beside it.
  if (!existsSync(overlay)) return false;
  const numbers = readdirSync(overlay, { encoding: 'latin1' })
    .filter((name) => /^[0-9]+$/.test(name))
    // Nobody has mounted what is not there, nor goes on in it by name.
    .filter((n) => lstatSync(`${overlay}/${n}/u`, { throwIfNoEntry: false }) !== undefined);
  const probes = session.root ? rootProbes(overlay, numbers) : numbers.map((n) => ownProbe(n, `${n}/l`));
  const first = await ask(session, probes);
  if (first.busy || first.open.length === 0) return first.busy;
  for (const probe of first.open.flatMap((open) => onceMore(session, overlay, open))) {
    const { busy, open, said } = await ask(session, [probe]);
    if (busy) return true;
    if (open.length > 0) throw unanswered(overlay, probe.uppers, said);
  }
  return false;
}

/** One by one, so that the one is named that can't be asked. */
function onceMore({ root }: Session, overlay: string, probe: Probe): Probe[] {
  const { name, uppers } = probe;
  if (root) return name === 'guard' ? [probe] : uppers.map((n) => rootProbe('again', [n]));
  // What the upper lies over on the host may be gone, or be something else by now: that says nothing of the upper. And the
  // first mount of all makes `work`: before it nobody had it mounted.
  const mounted = uppers.filter((n) => existsSync(`${overlay}/${n}/w/work`));
  return mounted.map((n) => ownProbe(n, NO_LOWER));
}

function unanswered(overlay: string, [n = '']: readonly string[], said: string): TraiError {
  const path = `${overlay}/${n}/u`;
  return new TraiError(
    'not-entered',
    `could not look whether the session is in use: expected to mount ${path}, found: ${said}`,
    { path, hint: 'Nothing was changed. Put that directory right, or run: trai doctor' },
  );
}

interface Answer {
  busy: boolean;
  /** Probes that say neither. */
  open: Probe[];
  said: string;
}

/** The kernel's EBUSY, in the two forms that mount(8) has for it. */
const BUSY = /already mounted|busy/;
/**
 * ESTALE: the upper was over another directory before. The kernel says it only after it has found it free, but where the
 * lower directory is a network file system's: that says the same of its own, before the upper is looked at.
 */
const FREE = /stale file handle|failed to verify/i;

async function ask(session: Session, probes: readonly Probe[]): Promise<Answer> {
  const overlay = `${session.sessionDir}/overlay`;
  const dirs = ['parking/probe', NO_LOWER, ...probes.flatMap(({ own }) => own)].join(' ');
  const room = `${ROOM} 2>/dev/null; mkdir -p ${dirs} && cat >parking/probe.fstab || exit`;
  // 32 and 64: some could not be mounted, then the table says which. Any other status: nothing was asked.
  const mount = 'LC_ALL=C mount -c -a -T parking/probe.fstab; rc=$?; echo; echo "mounted $rc"';
  const script = `exec 2>&1; ${CLEAR}; ${room}; ${mount}; [ $rc = 0 ] || cat /proc/self/mountinfo; ${CLEAR}; echo done`;
  const child = spawn('/usr/bin/unshare', [...enter(session, '--mount'), '/bin/sh', '-c', script], {
    cwd: overlay,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C in the user's terminal is for us: half an answer would be none.
    detached: true,
  });
  // One that could not be started does not read; what it says of it is told below.
  child.stdin.on('error', () => undefined);
  child.stdin.end(probes.map(({ line }) => line).join(''));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
  await once(child, 'close');
  const [, told = '', status, table = ''] = /^(.*?)\nmounted (0|32|64)\n(.*)done\n$/s.exec(text) ?? [];
  if (status === undefined) {
    throw new TraiError(
      'not-entered',
      `could not look whether the session is in use: ${text.trim() || 'unshare failed'}`,
      { hint: 'Run: trai doctor' },
    );
  }
  const lines = told.split('\n').filter((line) => line.startsWith('mount: '));
  const mounted = new Set(parseMountinfo(table).map(({ source }) => source));
  const open = status === '0' ? [] : probes.filter(({ name }) => !mounted.has(sourceOf(name)));
  const free = probes.every(({ ownLower }) => ownLower) ? lines.filter((line) => FREE.test(line)).length : 0;
  const said = lines.join('; ') || 'no word of mount(8)';
  return { busy: lines.some((line) => BUSY.test(line)), open: open.length <= free ? [] : open, said };
}

const sourceOf = (name: string): string => `trai-probe-${name}`;

/** A line for mount(8), which takes all at once. Each has a source of its own: what it takes for mounted already is passed over. */
function lineOf(name: string, dir: string, lower: string, user: string): string {
  return `${sourceOf(name)} parking/probe overlay lowerdir=${lower},upperdir=${dir}/u,workdir=${dir}/w,${user}index=on,volatile 0 0\n`;
}

function ownProbe(n: string, lower: string): Probe {
  const line = lineOf(n, n, lower, 'userxattr,');
  return { name: n, line, ownLower: lower === NO_LOWER, uppers: [n], own: [] };
}

/**
 * Beside the guard all uppers, as lower directories of as few mounts as take them: a descriptor that has left the
 * namespace (over a socket, or with a process that went to another one) keeps an overlay alive of which the guard is
 * unmounted already.
 */
function rootProbes(overlay: string, numbers: readonly string[]): Probe[] {
  // It comes before the first mount of any upper.
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

/** The kernel takes 500 lower directories, and (by the calls that a newer mount(8) makes) 255 bytes of names of them. */
const AT_ONCE = 30;
