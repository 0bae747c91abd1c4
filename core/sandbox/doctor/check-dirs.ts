import { accessSync, constants, mkdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { messageOf, TraiError } from '../../../shared/errors.ts';
import { sizeText } from '../../../shared/format.ts';
import { LOWER_TYPES, ownMounts, visibleMounts } from '../../kernel/fs/mounts.ts';
import { errorCode, fsPath } from '../../kernel/fs/port.ts';
import { isRealRoot } from '../../kernel/proc/proc.ts';
import { loadConfig } from '../../session/config-file.ts';
import { checkOwnDir, homeDir } from '../../session/dirs.ts';
import { projectOf } from '../../session/project.ts';
import type { PlanNote } from '../../session/session-context.ts';
import { homeOf } from '../context.ts';
import { PROJECT_IS_SCRATCH } from '../messages/notes.ts';
import { groupRemedy, isUnmapped } from '../plan/groups.ts';
import { innermostStep } from '../plan/plan.ts';
import { draftOf } from '../prepare/draft.ts';
import { type Finding, fail, pass, remedyForPackage, warn } from './check.ts';

/** statfs(2) types (`stat -f -c %t`) that cannot hold an upper. */
const NO_UPPER: Record<number, string> = {
  26985: 'NFS',
  2035054128: 'overlay',
  19780: 'FAT',
  538032816: 'exFAT',
  1936094318: 'NTFS',
  1702057286: 'FUSE',
  4283649346: 'CIFS',
  4266872130: 'SMB',
  16914839: '9p',
  12805120: 'Ceph',
  61791: 'eCryptfs',
  2240043254: 'ramfs',
};
/** With less, a call may fail to start. */
const LEAST_BYTES = 1_000_000;
const LITTLE_BYTES = 100_000_000;

export function checkStateDir(stateDir: string, env: NodeJS.ProcessEnv): Finding {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    accessSync(stateDir, constants.W_OK);
    checkOwnDir(stateDir);
    const { bad, free } = fileSystemOf(stateDir);
    if (bad !== null) {
      return fail(
        `${stateDir} is on ${bad}, which can't hold an overlay's upper directory`,
        `Keep trai's state on a local disk (ext4, xfs, btrfs). Before you start claude: ${betterStateDir(env)}`,
      );
    }
    if (free < LEAST_BYTES)
      return fail(
        `${stateDir} has no room left: no call can start`,
        `Free some space on that file system: trai gc, or trai commit where your files lie elsewhere. Or: ${betterStateDir(env)}`,
      );
    const hint = 'Free some space: what calls write is kept there until it is committed.';
    if (free < LITTLE_BYTES) return warn(`${stateDir} has ${sizeText(free)} left`, hint);
    return pass(`${stateDir}, ${sizeText(free)} free`);
  } catch (error) {
    const hint = error instanceof TraiError ? error.hint : undefined;
    return fail(
      `${stateDir}: ${messageOf(error)}`,
      hint ?? `Make it writable for this user, or: ${betterStateDir(env)}`,
    );
  }
}

function fileSystemOf(dir: string): { bad: string | null; free: number } {
  const { type, bavail, bsize } = statfsSync(dir);
  return { bad: NO_UPPER[type] ?? null, free: bavail * bsize };
}

/** The remedy: the first directory of this user's, or on a local file system, that could hold the state. */
function betterStateDir(env: NodeJS.ProcessEnv): string {
  const mounts = visibleMounts(ownMounts());
  const local = [...mounts.values()].filter(
    ({ type, readOnly }) => LOWER_TYPES.has(type) && type !== 'overlay' && type !== 'tmpfs' && !readOnly,
  );
  const name = `trai-${process.getuid?.() ?? 0}`;
  const candidates = [
    join(homeDir(env), '.local/state/trai'),
    join('/var/tmp', name),
    ...local.map((mount) => join(toDisplay(mount.point), name)),
    join('/tmp', name),
  ];
  const good = candidates.find(couldHold);
  return good === undefined
    ? 'export TRAI_STATE_HOME=/a/directory/on/a/local/disk'
    : `export TRAI_STATE_HOME='${good}'`;
}

function couldHold(dir: string): boolean {
  for (let at = dir; ; at = dirname(at)) {
    try {
      accessSync(at, constants.W_OK | constants.X_OK);
      const { bad, free } = fileSystemOf(at);
      return bad === null && free >= LITTLE_BYTES;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || at === '/') return false;
    }
  }
}

export function checkMounts(stateDir: string, env: NodeJS.ProcessEnv, project: BytePath): Finding {
  const { root } = projectOf(project);
  const { notes, steps } = draftOf({
    mountinfo: readFileSync('/proc/self/mountinfo', 'latin1'),
    config: loadConfig(env).config,
    home: homeOf(env),
    projectRoot: root,
    stateDir,
  });
  const direct = notes.find((note) => note.kind === 'direct' && note.why === PROJECT_IS_SCRATCH);
  if (direct !== undefined)
    return warn(
      `${toDisplay(direct.path)}: ${direct.why}`,
      'Work in a directory below it, or take it out of "scratch" in the config.',
    );
  const step = innermostStep(steps, root);
  if (step?.do === 'read-only') {
    const why = notes.find((note) => note.path === step.path)?.why ?? '';
    return warn(
      `the project ${toDisplay(root)} can't be covered, so commands can only read it: ${why}`,
      'Work in a copy of it on a local Linux file system (ext4, xfs, btrfs), for example below your home directory.',
    );
  }
  const readOnly = notes.filter((note) => note.kind === 'read-only');
  if (readOnly.length === 0) return pass('every directory can be covered as a whole');
  return warn(
    `read-only inside: ${inPartsText(readOnly)}`,
    'Writing directly in these fails with "Read-only file system"; their other directories are covered.',
  );
}

/** One row a reason: a single deep mount affects every directory above it. */
function inPartsText(notes: readonly PlanNote[]): string {
  const byReason = new Map<string, string[]>();
  for (const { path, why } of notes) byReason.set(why, [...(byReason.get(why) ?? []), toDisplay(path)]);
  const named = [...byReason].slice(0, 8).map(([why, paths]) => `${paths.join(', ')} (${why})`);
  const more = byReason.size > 8 ? `; and others, for ${byReason.size - 8} more reasons` : '';
  return `${named.join('; ')}${more}`;
}

/** Only mapped ids exist inside: the copy-up of another owner's file fails with EOVERFLOW. */
export function checkOwners(project: BytePath): Finding {
  const shown = toDisplay(project);
  if (isRealRoot()) return pass('root');
  try {
    const { uid, gid } = statSync(fsPath(project));
    const [own, ownGroup] = [process.getuid?.(), process.getgid?.()];
    if (uid === own && (gid === ownGroup || !isUnmapped(gid)))
      return pass(`${shown} is yours${gid === ownGroup ? '' : `, of group ${gid}`}`);
    const remedy =
      uid === own
        ? groupRemedy(gid, remedyForPackage('uidmap'))
        : 'Take the files over (sudo chown -R), or work in a clone of your own.';
    return warn(
      `${shown} belongs to uid ${uid}, gid ${gid}; this user is ${own}, ${ownGroup}`,
      `Changing such files inside the sandbox fails with "Value too large for defined data type". ${remedy}`,
    );
  } catch (error) {
    return warn(`${shown}: ${messageOf(error)}`, '');
  }
}
