/**
 * Quiet or live: does any process have one of the session's uppers mounted? Whatever renames out of, removes from or
 * adds to an upper asks here first, with the session's lock held, since what it asked would be old a moment later.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveProcess } from '../../commit/types.ts';
import { TraiError } from '../../errors.ts';
import { processArguments, processStat } from '../../session/node/proc.ts';
import type { SessionContext } from '../types.ts';
import { ageSeconds, commandLine } from './processes/describe.ts';
import { endWhile } from './processes/end.ts';

/** How often a namespace that is going away is looked at again. */
const RETRIES = 20;
const RETRY_MS = 15;

/**
 * True when nobody has an upper of the session mounted. The lock must be held. The kernel is asked by mounting: a
 * process that is just exiting shows no namespace in /proc any more while its mounts are still there. Real root's guard
 * may have been unmounted by a process that kept the rest, so there the processes are looked at as well.
 */
export async function isQuiet(
  ctx: Pick<SessionContext, 'sessionDir' | 'places' | 'root' | 'source'>,
): Promise<boolean> {
  for (let i = 0; i < RETRIES; i++) {
    if (ctx.root && (await liveProcesses(ctx.source)).length > 0) return false;
    if (!(await isBusy(ctx))) return true;
    if (!ctx.root && (await liveProcesses(ctx.source)).length > 0) return false;
    // No process, yet busy: the last one is on its way out.
    await sleep(RETRY_MS);
  }
  return false;
}

/** In a session's overlay directory. The kernel looks at the marks when it mounts, and at no other time. */
const CLEAR = 'rm -rf */w/work/incompat parking/asks-*/w/work/incompat';

/**
 * Takes away the marks of `volatile` that the last mount left, which would forbid the next one. They say that nothing was
 * forced to the disk, and lie below directories that only the namespace's root may enter. Best effort: the launcher does
 * it where nobody has.
 */
export async function clearMarks(ctx: Pick<SessionContext, 'sessionDir' | 'root'>): Promise<void> {
  const enter = ctx.root ? [] : ['/usr/bin/unshare', '--user', '--map-root-user'];
  const [program = '', ...args] = [...enter, '/bin/sh', '-c', CLEAR];
  const child = spawn(program, args, { cwd: `${ctx.sessionDir}/overlay`, stdio: 'ignore' });
  await once(child, 'close').catch(() => {});
}

/** Mounts every upper once, in a namespace of its own, and looks for EBUSY. Takes the marks of `volatile` away too. */
async function isBusy(ctx: Pick<SessionContext, 'sessionDir' | 'places' | 'root'>): Promise<boolean> {
  const overlay = `${ctx.sessionDir}/overlay`;
  // Between the two renames of a discard. Making it here would hide that the session's own waits beside it.
  if (!existsSync(overlay)) return false;
  mkdirSync(`${overlay}/parking/probe`, { recursive: true, mode: 0o700 });
  const numbers = readdirSync(overlay, { encoding: 'latin1' }).filter((name) => /^[0-9]+$/.test(name));
  const probes = ctx.root ? rootProbes(overlay, numbers) : numbers.map((n) => probe(n, n, `${n}/l`));
  const enter = ctx.root ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  writeFileSync(`${overlay}/parking/probe.fstab`, probes.join(''), { mode: 0o600 });
  // 32 and 64: some could not be mounted. Any other status: nothing was asked, which must not pass for an answer.
  const asked = 'LC_ALL=C mount -c -a -T parking/probe.fstab 2>&1; case $? in 0|32|64) asked=1;; esac';
  const script = `${CLEAR};${asked};${CLEAR};[ -n "$asked" ] && echo done`;
  const child = spawn('/usr/bin/unshare', [...enter, '/bin/sh', '-c', script], {
    cwd: overlay,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C in the person's terminal is for us: half an answer would be none.
    detached: true,
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  await once(child, 'close');
  if (!said.endsWith('done\n')) {
    throw new TraiError(
      'not-entered',
      `could not look whether the session is in use: ${said.trim() || 'unshare failed'}`,
      { hint: 'Run: trai doctor' },
    );
  }
  // The kernel's EBUSY, in the two forms that mount(8) has for it.
  return /already mounted|busy/.test(said);
}

/** A line for mount(8), which takes all at once. Each has a source of its own: what it takes for mounted already is passed over. */
function probe(name: string, dir: string, lower: string, user = 'userxattr,'): string {
  return `trai-probe-${name} parking/probe overlay lowerdir=${lower},upperdir=${dir}/u,workdir=${dir}/w,${user}index=on,volatile 0 0\n`;
}

/**
 * Beside the guard all uppers, as lower directories of as few mounts as take them: a descriptor that has left the
 * namespace (over a socket, or with a process that went to another one) keeps an overlay alive of which the guard is
 * unmounted already.
 */
function rootProbes(overlay: string, numbers: readonly string[]): string[] {
  const guard = probe('guard', 'guard', 'guard/l', '');
  const probes = [guard];
  for (let from = 0; from < numbers.length; from += AT_ONCE) {
    const dir = `parking/asks-${from}`;
    for (const name of ['u', 'w']) mkdirSync(`${overlay}/${dir}/${name}`, { recursive: true, mode: 0o700 });
    const uppers = numbers.slice(from, from + AT_ONCE).map((n) => `${n}/u`);
    probes.push(probe(`uppers-${from}`, dir, ['guard/l', ...uppers].join(':'), ''));
  }
  return probes;
}

/** The kernel takes 500 lower directories, and (by the calls that a newer mount(8) makes) 255 bytes of names of them. */
const AT_ONCE = 30;

/** The processes of this user that have an overlay of that source mounted, nested namespaces included. */
export async function liveProcesses(source: string): Promise<LiveProcess[]> {
  const known = new Map<string, boolean>();
  const mark = ` - overlay ${source} `;
  const found: LiveProcess[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    try {
      const namespace = readlinkSync(`/proc/${name}/ns/mnt`);
      let named = known.get(namespace);
      if (named === undefined) {
        named = readFileSync(`/proc/${name}/mountinfo`, 'latin1').includes(mark);
        known.set(namespace, named);
      }
      const process = named ? describeProcess(Number(name)) : null;
      if (process !== null) found.push(process);
    } catch {
      // Gone meanwhile, or somebody else's.
    }
  }
  return found;
}

/** Null when it has gone between the two looks. */
function describeProcess(pid: number): LiveProcess | null {
  const stat = processStat(pid);
  if (stat === null) return null;
  const command = commandLine(processArguments(pid) ?? [], stat.name);
  return { pid, start: stat.start, command, seconds: ageSeconds(stat.start) };
}

/** Ends every process of the session by pid: TERM, then KILL. Resolves to the pids that were signalled. */
export async function endProcesses(source: string): Promise<number[]> {
  return await endWhile(() => liveProcesses(source));
}
