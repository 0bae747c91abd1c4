/** Mount tables (/proc/PID/mountinfo, see proc_pid_mountinfo(5)), and what can be done with the file systems in them. */
import { type BytePath, isWithin, joinPath } from '../../shared/bytes.ts';
import type { FsPort } from './fs/port.ts';
import { run } from './run.ts';

export interface Mount {
  /** Where it is mounted, unescaped. */
  point: BytePath;
  /** The directory of the file system that is seen at `point`, unescaped. */
  root: BytePath;
  /** `ext4`, `overlay`, `fuse.sshfs` ... */
  type: string;
  /** `MAJOR:MINOR`, which is not always the device that stat(2) says. */
  device: string;
  /** What the mount call named as the source, unescaped. */
  source: string;
  /** Super block options, as written. */
  options: string;
  readOnly: boolean;
  /** Flags that a bind has to repeat: in a user namespace they are locked. */
  flags: string[];
  /** Nobody gets there by name: another mount lies over a directory above it. */
  hidden?: true;
}

const BIND_FLAGS = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime']);

/** As the kernel writes a path in mountinfo. */
export function escapeMount(path: string): string {
  return path.replace(/[ \t\n\\]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** Undoes the kernel's octal escapes (space, tab, newline, backslash and, in some fields, `#`). */
export function unescapeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** Parses the table; lines that do not have the documented shape are left out. Later mounts on one point come later. */
export function parseMountinfo(text: string): Mount[] {
  const mounts: Mount[] = [];
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    const [left, right] = splitOnce(line, ' - ');
    if (right === undefined) continue;
    const fields = left.split(' ');
    const [type, source, options] = right.split(' ');
    const [id = '', parent = '', device = '', root = '', escaped] = fields;
    if (escaped === undefined || type === undefined) continue;
    const point = unescapeMount(escaped) as BytePath;
    lines.push({ id, parent, point });
    mounts.push({
      point,
      root: unescapeMount(root) as BytePath,
      type,
      device,
      source: unescapeMount(source ?? ''),
      options: options ?? '',
      readOnly: (fields[5] ?? '').split(',').includes('ro'),
      flags: (fields[5] ?? '').split(',').filter((flag) => BIND_FLAGS.has(flag)),
    });
  }
  const hidden = hiddenLines(lines);
  return mounts.map((mount, i) => (hidden[i] === true ? { ...mount, hidden: true as const } : mount));
}

interface Line {
  id: string;
  parent: string;
  point: BytePath;
}

/** A mount is out of reach when its parent is, or when another one on the same parent lies over a directory above it. */
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
    // The root of all may be its own parent.
    known[i] = false;
    const covers = (other: Line): boolean => other.point !== line.point && isWithin(line.point, other.point);
    const parent = byId.get(line.parent);
    known[i] = (onParent.get(line.parent) ?? []).some(covers) || (parent !== undefined && isHidden(parent));
    return known[i] === true;
  };
  return lines.map((_, i) => isHidden(i));
}

/** The mount that is seen at each mount point (the last one on it); none where another mount lies over it. */
export function visibleMounts(mounts: readonly Mount[]): Map<BytePath, Mount> {
  const seen = new Map<BytePath, Mount>();
  for (const mount of mounts) if (mount.hidden !== true) seen.set(mount.point, mount);
  return seen;
}

/** The mount that a path without links lies on. */
export function holderOf(path: BytePath, mounts: ReadonlyMap<BytePath, Mount>): Mount | undefined {
  let best: Mount | undefined;
  for (const mount of mounts.values()) {
    if (isWithin(path, mount.point) && mount.point.length >= (best?.point.length ?? 0)) best = mount;
  }
  return best;
}

/** Other names of a path without links: the file system that holds it may be mounted at more places, whole or in part. */
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

/** What follows a directory's name in a path of it, with its slash; empty for itself. */
function below(path: BytePath, dir: BytePath): string {
  return dir === '/' ? (path === '/' ? '' : path) : path.slice(dir.length);
}

function under(dir: BytePath, rest: string): BytePath {
  return (dir === '/' && rest !== '' ? rest : `${dir}${rest}`) as BytePath;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Mount and device: a link or a rename goes no further than either. */
export function mountOf(port: FsPort, path: BytePath): string {
  const fd = port.openDir(joinPath(path, '.'));
  try {
    const id = /^mnt_id:\s+(\d+)/m.exec(port.readText(`/proc/self/fdinfo/${fd}` as BytePath) ?? '')?.[1];
    return `${id ?? ''}:${port.fstat(fd).dev}`;
  } finally {
    port.close(fd);
  }
}

/** File system types by what can be done with them. */

/** Kernel interfaces: nothing in them is a file of the user's. */
export const KERNEL_TYPES: ReadonlySet<string> = new Set(
  (
    'proc sysfs devtmpfs devpts cgroup cgroup2 mqueue debugfs tracefs securityfs bpf pstore configfs efivarfs ' +
    'hugetlbfs binfmt_misc fusectl nsfs rpc_pipefs selinuxfs smackfs'
  ).split(' '),
);

/** A dead server behind these hangs whoever looks: they are never touched, only made read-only. */
const REMOTE_TYPES: ReadonlySet<string> = new Set(
  'fuse cifs smb3 smbfs 9p drvfs afs coda lustre gpfs orangefs gfs2 ocfs2'.split(' '),
);

export function isRemote(type: string): boolean {
  return REMOTE_TYPES.has(type) || type.startsWith('fuse.');
}

/** These can be covered, but a look at one may hang as well: it is taken with a time limit, see `silentMounts`. */
export function isNetwork(type: string): boolean {
  return type === 'nfs' || type === 'nfs4' || type === 'ceph';
}

/**
 * File systems that the kernel takes as a lower directory. FAT, exFAT, NTFS and whatever compares names in its own way
 * are refused (`/boot/efi` is one), and a refused mount would keep every call out: what is not named here is made
 * read-only instead.
 */
export const LOWER_TYPES: ReadonlySet<string> = new Set(
  (
    'ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs2 tmpfs ramfs overlay squashfs erofs iso9660 udf ' +
    'ecryptfs nfs nfs4 ceph virtiofs'
  ).split(' '),
);

/** How long a server may take, and how long its silence is taken for granted (ms). */
const ANSWER_MS = 2_000;
const REMEMBER_MS = 60_000;

const silentUntil = new Map<BytePath, number>();

/** The mounts that were silent a short time ago. */
export function knownSilent(): Set<BytePath> {
  const now = Date.now();
  return new Set([...silentUntil].filter(([, until]) => until > now).map(([point]) => point));
}

/** Looks at every network mount of a new plan, each in a process of its own, which can be left behind. */
export async function silentMounts(mounts: readonly Mount[]): Promise<Set<BytePath>> {
  const points = [...visibleMounts(mounts)].filter(([, { type }]) => isNetwork(type)).map(([point]) => point);
  await Promise.all(
    points.map(async (point) => {
      const name = Buffer.from(point, 'latin1').toString();
      const { timedOut } = await run('/usr/bin/stat', ['--', name], { timeout: ANSWER_MS });
      if (timedOut) silentUntil.set(point, Date.now() + REMEMBER_MS);
      else silentUntil.delete(point);
    }),
  );
  return knownSilent();
}
