/**
 * The matrix of what can happen to one entry, in two tables: the entry at a name before and after, and what
 * is done to an entry that stays. Lines of Python, run in the cell's directory, where the entry is `x`. An
 * impossible cell says why.
 */
import { type ChangeKind, ENTRY_TYPES, type EntryType } from '../../shared/model/change.ts';

/** A hard-link set is a type of its own here: two names (`x`, `y`) of one file. */
export const STATES = ['none', ...ENTRY_TYPES, 'links'] as const;
export type State = (typeof STATES)[number];
export type Present = Exclude<State, 'none'>;

/** Only root makes devices. */
export const ROOT_ONLY: ReadonlySet<State> = new Set(['char', 'block']);

/** Makes `x`; `a` and `b` differ. */
export const MAKE: Record<State, { a: string; b: string }> = {
  none: { a: 'pass', b: 'pass' },
  file: { a: 'write("x", "one")', b: 'write("x", "two")' },
  dir: {
    a: 'os.mkdir("x"); write("x/one", "one"); write("x/both", "both")',
    b: 'os.mkdir("x"); write("x/two", "two"); write("x/both", "both")',
  },
  symlink: { a: 'os.symlink("one", "x")', b: 'os.symlink("two", "x")' },
  fifo: { a: 'os.mkfifo("x")', b: 'os.mkfifo("x")' },
  socket: { a: 'sock("x")', b: 'sock("x")' },
  char: { a: 'os.mknod("x", 0o020644, os.makedev(1, 3))', b: 'os.mknod("x", 0o020644, os.makedev(1, 5))' },
  block: { a: 'os.mknod("x", 0o060644, os.makedev(7, 1))', b: 'os.mknod("x", 0o060644, os.makedev(7, 2))' },
  links: { a: 'write("x", "one"); os.link("x", "y")', b: 'write("x", "two"); os.link("x", "y")' },
};

/** The kind listed for `x` when `after` replaced `before`. */
export function expectedKind(before: State, after: State): ChangeKind | null {
  const [from, to] = [typeOf(before), typeOf(after)];
  if (from === null) return to === null ? null : 'added';
  if (to === null) return 'deleted';
  if (from !== to) return 'replaced';
  if (to === 'dir') return 'dir-replaced';
  // FIFOs and sockets have no content: another one is the same.
  return to === 'fifo' || to === 'socket' ? null : 'modified';
}

function typeOf(state: State): EntryType | null {
  if (state === 'none') return null;
  return state === 'links' ? 'file' : state;
}

/** What is done to an entry that stays. */
export const WAYS = [
  'content',
  'opened',
  'written-the-same',
  'mode',
  'setuid',
  'setgid',
  'sticky',
  'owner',
  'group',
  'times',
  'xattr',
  'xattr-and-mode',
  'xattr-removed',
  'acl',
  'sparse',
  'one-name-removed',
  'name-added',
  'renamed',
] as const;
export type Way = (typeof WAYS)[number];

export interface Doing {
  /** Runs on the host, after the entry was made. */
  before?: string;
  inside: string;
  /** What the list says of `x`. */
  kind: ChangeKind | null;
  /** An ordinary user can't do it. */
  rootOnly?: boolean;
}
/** A cell that can't exist. */
interface Never {
  never: string;
}
export type Cell = Doing | Never;

const mode = (bits: string): Doing => ({ inside: `os.chmod("x", ${bits})`, kind: 'meta' });
const owner: Doing = {
  inside: 'os.chown("x", 1234, -1, follow_symlinks=False)',
  kind: 'meta',
  rootOnly: true,
};
const group: Doing = {
  inside: 'os.chown("x", -1, 1234, follow_symlinks=False)',
  kind: 'meta',
  rootOnly: true,
};
const times: Doing = { inside: 'os.utime("x", (1e9, 1e9), follow_symlinks=False)', kind: null };
const NOT_A_FILE: Never = { never: 'it has no content of its own' };
const ONE_NAME: Never = { never: 'the row of hard-link sets has it' };
const NO_MODE: Never = { never: 'a symbolic link has no mode' };
const acl: Doing = { inside: 'acl("x")', kind: 'meta' };
/** user.* is for files and directories; root may give others a trusted.* one. */
const userXattr = (name: string): Doing => ({ inside: `xattr("x", "${name}", "v")`, kind: 'meta' });
const trusted: Doing = { ...userXattr('trusted.t'), rootOnly: true };
const special = {
  content: NOT_A_FILE,
  opened: { never: 'opening it asks a process, and copies nothing' },
  'written-the-same': NOT_A_FILE,
  mode: mode('0o600'),
  setuid: mode('0o4711'),
  setgid: mode('0o2711'),
  sticky: mode('0o1755'),
  owner,
  group,
  times,
  xattr: trusted,
  'xattr-and-mode': {
    inside: 'xattr("x", "trusted.t", "v"); os.chmod("x", 0o600)',
    kind: 'meta',
    rootOnly: true,
  },
  'xattr-removed': {
    before: 'xattr("x", "trusted.t", "v")',
    inside: 'os.removexattr("x", "trusted.t", follow_symlinks=False)',
    kind: 'meta',
    rootOnly: true,
  },
  acl,
  sparse: NOT_A_FILE,
  'one-name-removed': ONE_NAME,
  'name-added': { inside: 'os.link("x", "z", follow_symlinks=False)', kind: null },
  renamed: { inside: 'os.rename("x", "z")', kind: 'deleted' },
} as const satisfies Record<Way, Cell>;

const file = {
  content: { inside: 'write("x", "two")', kind: 'modified' },
  opened: { inside: 'os.close(os.open("x", os.O_RDWR))', kind: null },
  'written-the-same': { inside: 'write("x", "one")', kind: null },
  mode: mode('0o600'),
  setuid: mode('0o4711'),
  setgid: mode('0o2711'),
  sticky: mode('0o1755'),
  owner,
  group,
  times,
  xattr: userXattr('user.u'),
  'xattr-and-mode': { inside: 'xattr("x", "user.u", "v"); os.chmod("x", 0o600)', kind: 'meta' },
  'xattr-removed': {
    before: 'xattr("x", "user.u", "v")',
    inside: 'os.removexattr("x", "user.u")',
    kind: 'meta',
  },
  acl,
  sparse: { inside: 'os.truncate("x", 1 << 20)', kind: 'modified' },
  'one-name-removed': ONE_NAME,
  'name-added': { inside: 'os.link("x", "z")', kind: null },
  renamed: { inside: 'os.rename("x", "z")', kind: 'deleted' },
} as const satisfies Record<Way, Cell>;

/** What is done to the entry `a` of each type. */
export const DONE: Record<Present, Record<Way, Cell>> = {
  file,
  links: {
    ...file,
    'one-name-removed': { inside: 'os.unlink("x")', kind: 'deleted' },
  },
  dir: {
    ...file,
    content: { inside: 'write("x/one", "two"); write("x/new", "n")', kind: null },
    opened: { inside: 'os.close(os.open("x", os.O_RDONLY)); write("x/one", "one")', kind: null },
    'written-the-same': { never: 'it has no content of its own' },
    mode: mode('0o700'),
    setgid: mode('0o2755'),
    'xattr-and-mode': { inside: 'xattr("x", "user.u", "v"); os.chmod("x", 0o700)', kind: 'meta' },
    sparse: NOT_A_FILE,
    'name-added': { never: 'directories have one name' },
    renamed: { never: 'EXDEV: overlayfs renames no directory of the host without redirect_dir' },
  },
  symlink: {
    ...special,
    content: { never: 'another target is another link: the first table has it' },
    mode: NO_MODE,
    setuid: NO_MODE,
    setgid: NO_MODE,
    sticky: NO_MODE,
    'xattr-and-mode': NO_MODE,
    acl: { never: 'a symbolic link has no ACL' },
  },
  fifo: special,
  socket: special,
  char: special,
  block: special,
};

/** Names in Python text that a cell of its own is made for: any byte but NUL and slash. */
export const ODD_NAMES: readonly string[] = [
  ...Array.from({ length: 255 }, (_, i) => i + 1)
    .filter((byte) => byte !== 0x2f)
    .reduce<number[][]>((rows, byte) => {
      const last = rows.at(-1);
      if (last !== undefined && last.length < 32) last.push(byte);
      else rows.push([byte]);
      return rows;
    }, [])
    .map((bytes) => bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')),
  'n'.repeat(255),
  '-rf',
  '...',
  ' ',
];

/** The names that the lines above use. */
export const PRELUDE = `
import os, socket, struct, sys
def write(p, text):
    with open(p, "w") as f: f.write(text)
def sock(p):
    s = socket.socket(socket.AF_UNIX); s.bind(p); s.close()
def xattr(p, name, value):
    os.setxattr(p, name, value.encode(), follow_symlinks=False)
def acl(p):
    e = [(1, 7), (4, 4), (16, 7), (32, 0)]
    os.setxattr(p, "system.posix_acl_access", struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *x, 2**32 - 1) for x in e))
def clear(p):
    import shutil
    if os.path.isdir(p) and not os.path.islink(p): shutil.rmtree(p)
    elif os.path.lexists(p): os.unlink(p)
os.umask(0o022)
top = os.getcwd()
def cell(name):
    os.makedirs(os.path.join(top, name), exist_ok=True)
    os.chdir(os.path.join(top, name))
`;
