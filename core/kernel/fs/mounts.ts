/** Mount tables, see proc_pid_mountinfo(5), and what trai can do with each type of file system. */
import { readFileSync } from 'node:fs';
import { type BytePath, innermost, isWithin, joinPath, toText } from '../../../shared/bytes.ts';
import { programPath } from '../programs.ts';
import { run } from '../run.ts';
import { type FsPort, withHandle } from './port.ts';

export interface Mount {
  point: BytePath;
  /** The directory of the file system that shows at `point`, unescaped. */
  root: BytePath;
  type: string;
  /** `MAJOR:MINOR`, which is not always the device that stat(2) says. */
  device: string;
  source: string;
  options: string;
  readOnly: boolean;
  /** Mount flags that a bind mount has to repeat: in a user namespace they are locked. */
  flags: string[];
  /** No path leads to it: another mount covers a directory above it. */
  hidden?: true;
}

const BIND_FLAGS = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime']);

export function escapeMount(path: string): string {
  return path.replace(/[ \t\n\\]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** The kernel escapes space, tab, newline, backslash and, in some fields, `#`. */
export function unescapeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** Skips malformed lines. Of several mounts on one point the last is on top. */
export function parseMountinfo(text: string): Mount[] {
  const mounts: Mount[] = [];
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    const end = line.indexOf(' - ');
    const [id = '', parent = '', device = '', root = '', at, flags = ''] = line.slice(0, end).split(' ');
    const [type, source = '', options = ''] = line.slice(end + 3).split(' ');
    if (end < 0 || at === undefined || type === undefined) continue;
    const point = unescapeMount(at) as BytePath;
    lines.push({ id, parent, point });
    mounts.push({
      point,
      root: unescapeMount(root) as BytePath,
      type,
      device,
      source: unescapeMount(source),
      options,
      readOnly: flags.split(',').includes('ro'),
      flags: flags.split(',').filter((flag) => BIND_FLAGS.has(flag)),
    });
  }
  const hidden = hiddenLines(lines);
  return mounts.map((mount, i) => (hidden[i] === true ? { ...mount, hidden: true as const } : mount));
}

/** Of this process. */
export function ownMounts(): Mount[] {
  return parseMountinfo(readFileSync('/proc/self/mountinfo', 'latin1'));
}

type Line = Record<'id' | 'parent', string> & Pick<Mount, 'point'>;

/** A mount is hidden when its parent is, or when a sibling mount covers a directory above it. */
function hiddenLines(lines: readonly Line[]): boolean[] {
  const byId = new Map(lines.map((line, i) => [line.id, i]));
  const onParent = new Map<string, Line[]>();
  for (const line of lines) onParent.set(line.parent, [...(onParent.get(line.parent) ?? []), line]);
  const known: (boolean | undefined)[] = [];
  const isHidden = (i: number): boolean => {
    const line = lines[i];
    if (line === undefined) return false;
    const answer = known[i];
    if (answer !== undefined) return answer;
    // Stops the recursion: the root mount may be its own parent.
    known[i] = false;
    const covers = (other: Line): boolean => other.point !== line.point && isWithin(line.point, other.point);
    const parent = byId.get(line.parent);
    known[i] = (onParent.get(line.parent) ?? []).some(covers) || (parent !== undefined && isHidden(parent));
    return known[i] === true;
  };
  return lines.map((_, i) => isHidden(i));
}

export function visibleMounts(mounts: readonly Mount[]): Map<BytePath, Mount> {
  const seen = new Map<BytePath, Mount>();
  for (const mount of mounts) if (mount.hidden !== true) seen.set(mount.point, mount);
  return seen;
}

/** `path` has no links. */
export function holderOf(path: BytePath, mounts: ReadonlyMap<BytePath, Mount>): Mount | undefined {
  return innermost(path, mounts.values(), (mount) => mount.point);
}

/** The file system of `path` may be mounted elsewhere too, whole or in part. `path` has no links. */
export function otherNames(path: BytePath, mounts: ReadonlyMap<BytePath, Mount>): BytePath[] {
  const holder = holderOf(path, mounts);
  if (holder === undefined) return [];
  const inside = under(holder.root, below(path, holder.point));
  return [...mounts.values()].flatMap((mount) =>
    mount !== holder && mount.device === holder.device && isWithin(inside, mount.root)
      ? [under(mount.point, below(inside, mount.root))]
      : [],
  );
}

function below(path: BytePath, dir: BytePath): string {
  return dir === '/' ? (path === '/' ? '' : path) : path.slice(dir.length);
}

function under(dir: BytePath, rest: string): BytePath {
  return (dir === '/' && rest !== '' ? rest : `${dir}${rest}`) as BytePath;
}

/** link(2) and rename(2) work only within one mount and device. */
export function mountOf(port: FsPort, path: BytePath): string {
  return withHandle(port, port.openDir(joinPath(path, '.')), (fd) => {
    const id = /^mnt_id:\s+(\d+)/m.exec(port.readText(`/proc/self/fdinfo/${fd}` as BytePath) ?? '')?.[1];
    return `${id ?? ''}:${port.fstat(fd).dev}`;
  });
}

/** For overlays of real root, where distributions turn metacopy or redirect_dir on: each feature is named. */
export const ROOT_OPTIONS = 'index=off,metacopy=off,redirect_dir=off,xino=off,nfs_export=off';

/** Kernel interfaces: they hold no files of the user. */
export const KERNEL_TYPES: ReadonlySet<string> = new Set(
  (
    'proc sysfs devtmpfs devpts cgroup cgroup2 mqueue debugfs tracefs securityfs bpf pstore configfs efivarfs ' +
    'hugetlbfs binfmt_misc fusectl nsfs rpc_pipefs selinuxfs smackfs'
  ).split(' '),
);

/** A dead server behind these hangs every system call: trai only mounts them read-only. */
const REMOTE_TYPES = new Set(
  'fuse cifs smb3 smbfs 9p drvfs afs coda lustre gpfs orangefs gfs2 ocfs2'.split(' '),
);

export function isRemote(type: string): boolean {
  return REMOTE_TYPES.has(type) || type.startsWith('fuse.');
}

/** Possible as a lower, but their server may hang: `silentMounts` asks first. */
export function isNetwork(type: string): boolean {
  return type === 'nfs' || type === 'nfs4' || type === 'ceph';
}

/** False on a mount where lstat may hang, or mounts something. `path` has no links. */
export function isLocal(path: BytePath, mounts: ReadonlyMap<BytePath, Mount>): boolean {
  const type = holderOf(path, mounts)?.type;
  return type !== undefined && !isRemote(type) && !isNetwork(type) && type !== 'autofs';
}

/**
 * The kernel refuses FAT, exFAT, NTFS (`/boot/efi` is one) and those with name comparison of their own as a
 * lower. One refused mount would stop every call, so all types that are not listed are mounted read-only.
 */
export const LOWER_TYPES: ReadonlySet<string> = new Set(
  (
    'ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs2 tmpfs ramfs overlay squashfs erofs iso9660 udf ' +
    'ecryptfs nfs nfs4 ceph virtiofs'
  ).split(' '),
);

/** Time limit of an answer, and for how long a silent server is not asked again (ms). */
const ANSWER_MS = 2_000;
const REMEMBER_MS = 60_000;

const silentUntil = new Map<BytePath, number>();

export function knownSilent(): Set<BytePath> {
  const now = Date.now();
  return new Set([...silentUntil].filter(([, until]) => until > now).map(([point]) => point));
}

/** Calls stat(1) on every network mount, each in a process that may hang. Returns the silent ones. */
export async function silentMounts(mounts: readonly Mount[]): Promise<Set<BytePath>> {
  const points = [...visibleMounts(mounts)].filter(([, { type }]) => isNetwork(type)).map(([point]) => point);
  await Promise.all(
    points.map(async (point) => {
      const name = toText(point);
      const { timedOut } = await run(programPath('stat'), ['--', name], { timeout: ANSWER_MS });
      if (timedOut) silentUntil.set(point, Date.now() + REMEMBER_MS);
      else silentUntil.delete(point);
    }),
  );
  return knownSilent();
}
