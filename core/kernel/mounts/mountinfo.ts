/**
 * Mount tables: parses /proc/PID/mountinfo, see proc_pid_mountinfo(5). The text is a byte string (read it as latin1).
 * file-systems.ts says which types can be a lower or hold an upper; mount-of.ts finds the mount of a path; silent-mounts.ts
 * asks network mounts with a time limit.
 */
import { type BytePath, isWithin } from '../../../shared/bytes.ts';

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
