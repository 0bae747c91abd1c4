/** Random programs of file operations, for sandbox and plain copy. Impossible operations do nothing. */

/** Few names, so that operations meet; some share a prefix, need quoting in a shell or are not UTF-8. */
const NAMES = ['a', 'b', 'a-b', 'a.c', '-n', 'x\ny', '\xff'];
/** Rarely: another case, two spellings of one letter, the longest name. */
const ODD_NAMES = ['A', '\xc3\xa9', 'e\xcc\x81', 'n'.repeat(255)];
const MODES = [0o755, 0o555, 0o500, 0o700, 0o4755, 0o2775];
/** Modes that the owner can read; unread.test.ts and closed.test.ts are about the others. */
const FILE_MODES = [0o644, 0o600, 0o444];

/** Name and arguments, as the functions of `RUNNER` take them. Names are one character a byte. */
export type Operation = readonly [string, ...(string | number)[]];

/** Weights: how often each is picked. */
const KINDS: readonly (readonly [number, (pick: Pick) => Operation])[] = [
  [5, (pick) => ['write', pick.path(), pick.of(pick.texts)]],
  [3, (pick) => ['append', pick.path(), pick.of(pick.texts)]],
  [5, (pick) => ['makedirs', pick.path()]],
  [3, (pick) => ['remove', pick.path()]],
  [3, (pick) => ['again', pick.path()]],
  [3, (pick) => ['move', pick.path(), pick.path()]],
  [2, (pick) => ['link', pick.path(), pick.path()]],
  [1, (pick) => ['symlink', pick.path(), pick.path()]],
  [1, (pick) => ['fifo', pick.path()]],
  [2, (pick) => ['chmod', pick.path(), pick.from(MODES)]],
  [1, (pick) => ['chmod_file', pick.path(), pick.from(FILE_MODES)]],
  [1, (pick) => ['touch', pick.path()]],
  [2, (pick) => ['xattr', pick.path(), pick.of(3)]],
  [1, (pick) => ['sparse', pick.path(), pick.of(3)]],
  [1, (pick) => ['tmpfile', pick.path(), pick.of(pick.texts)]],
  [1, (pick) => ['exchange', pick.path(), pick.path()]],
  [1, (pick) => ['punch', pick.path()]],
  [1, (pick) => ['copy_range', pick.path(), pick.path()]],
  [1, (pick) => ['map_write', pick.path(), pick.of(pick.texts)]],
  [2, (pick) => ['save', pick.path(), pick.of(pick.texts)]],
  [2, (pick) => ['copy_tree', pick.path(), pick.path()]],
  [1, (pick) => ['renew_tree', pick.path()]],
  [1, (pick) => ['there_and_back', pick.path(), pick.of(pick.texts)]],
  [1, (pick) => ['to_link', pick.path(), pick.from(['.', '..', '../b', 'a', '../../other'])]],
  [1, (pick) => ['default_acl', pick.path()]],
  [1, (pick) => ['stamp', pick.path(), pick.of(4)]],
  [1, (pick) => ['deep', pick.path()]],
];
const bagOf = (kinds: number) =>
  KINDS.slice(0, kinds).flatMap(([weight, make]) => Array.from({ length: weight }, () => make));

/** Random numbers by a seed (mulberry32). */
export class Pick {
  /** Number of distinct contents: few, so that some repeat, or many, so that each is unique. */
  readonly texts: number;
  readonly #bag: readonly ((pick: Pick) => Operation)[];
  readonly #odd: boolean;
  #state: number;

  /** `kinds`: how many kinds of operations and names existed when the seed found a failure */
  constructor(seed: number, { texts = 9, kinds }: { texts?: number; kinds?: number | undefined } = {}) {
    this.#state = seed;
    this.texts = texts;
    this.#bag = bagOf(kinds ?? KINDS.length);
    this.#odd = kinds === undefined || kinds > 14;
  }

  of(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  }

  from<T>(list: readonly T[]): T {
    const one = list[this.of(list.length)];
    if (one === undefined) throw new RangeError('expected a list with something in it');
    return one;
  }

  path(): string {
    const name = () => this.from(this.#odd && this.of(10) === 0 ? ODD_NAMES : NAMES);
    return Array.from({ length: 1 + this.of(3) }, name).join('/');
  }

  program(): Operation[] {
    return Array.from({ length: 1 + this.of(12) }, () => this.from(this.#bag)(this));
  }
}

/** Argument: a JSON file of programs by directory name; each runs in its directory. */
export const RUNNER = `
import ctypes, errno, json, mmap, os, shutil, stat, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
os.umask(0o022)
def put(p, flags, text):
    f = os.open(p, flags | os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, 0o666)
    try:
        if stat.S_ISREG(os.fstat(f).st_mode): os.write(f, text)
    finally: os.close(f)
def write(p, n): put(p, os.O_TRUNC, b"%d\\n" % n)
def append(p, n): put(p, os.O_APPEND, b"%d\\n" % n)
def makedirs(p): os.makedirs(p, exist_ok=True)
def remove(p):
    if os.path.isdir(p) and not os.path.islink(p): shutil.rmtree(p, ignore_errors=True)
    else: os.unlink(p)
def again(p):
    remove(p); os.mkdir(p); write(p + b"/a", 7)
def copy(p, q, seen):
    s = os.lstat(p)
    if stat.S_ISDIR(s.st_mode):
        os.mkdir(q, 0o700)
        for n in os.listdir(p): copy(p + b"/" + n, q + b"/" + n, seen)
    elif s.st_nlink > 1 and s.st_ino in seen: return os.link(seen[s.st_ino], q, follow_symlinks=False)
    elif stat.S_ISLNK(s.st_mode): os.symlink(os.readlink(p), q)
    elif stat.S_ISFIFO(s.st_mode): os.mkfifo(q)
    else: shutil.copyfile(p, q)
    seen[s.st_ino] = q
    shutil.copystat(p, q, follow_symlinks=False)
def loosen(p):
    for d, dirs, files in os.walk(p): os.chmod(d, 0o700)
def move(p, q):
    try: os.rename(p, q)
    except OSError as e:
        # What mv does: an overlay does not rename directories of the host.
        if e.errno != errno.EXDEV: raise
        if os.path.lexists(q): os.rmdir(q)
        copy(p, q, {}); loosen(p); shutil.rmtree(p)
def link(p, q): os.link(p, q, follow_symlinks=False)
def symlink(p, q): os.symlink(p, q)
def fifo(p): os.mkfifo(p)
def chmod(p, m): os.path.islink(p) or os.chmod(p, m)
def chmod_file(p, m): os.path.isdir(p) or chmod(p, m)
def touch(p): os.utime(p, (1e9, 1e9), follow_symlinks=False)
def xattr(p, n):
    m = os.lstat(p).st_mode
    if stat.S_ISDIR(m): acl(p, n)
    # Who may not write in a directory sets nothing of it, but root does: both are to do the same.
    if not stat.S_ISREG(m) and not (stat.S_ISDIR(m) and m & 0o200): return
    if n == 2: os.removexattr(p, "user.u")
    else: os.setxattr(p, "user.u", b"%d" % n)
def acl(p, n):
    name = "system.posix_acl_access"
    # Without a named user, whose number depends on the namespace of who looks.
    rows = [(1, 7, -1), (4, 4 + n, -1), (16, 5, -1), (32, n, -1)]
    if n == 1: os.setxattr(p, name, struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *row) for row in rows))
    elif n == 2 and name in os.listxattr(p): os.removexattr(p, name)
def sparse(p, n): stat.S_ISREG(os.lstat(p).st_mode) and os.truncate(p, n << 16)
def is_file(p): return stat.S_ISREG(os.lstat(p).st_mode)
def tmpfile(p, n):
    try: f = os.open(os.path.dirname(p) or b".", os.O_TMPFILE | os.O_WRONLY, 0o644)
    except OSError as e:
        # Overlays have it since Linux 6.2.
        if e.errno != errno.EOPNOTSUPP: raise
        f = os.open(p, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
    try:
        os.write(f, b"%d\\n" % n)
        if not os.path.lexists(p): os.link(b"/proc/self/fd/%d" % f, p, follow_symlinks=True)
    finally: os.close(f)
def exchange(p, q):
    # Directories of the host can't be renamed in an overlay.
    if is_file(p) and is_file(q): libc.renameat2(-100, p, -100, q, 2)
def punch(p):
    if not is_file(p): return
    f = os.open(p, os.O_RDWR)
    try:
        s = os.fstat(f).st_size
        if libc.fallocate(f, 3, ctypes.c_long(1), ctypes.c_long(max(1, s - 2))) != 0: os.pwrite(f, bytes(min(s, s - 2)), 1)
    finally: os.close(f)
def copy_range(p, q):
    if not is_file(p): return
    f = os.open(p, os.O_RDONLY)
    try:
        g = os.open(q, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
        try:
            try: os.copy_file_range(f, g, 1 << 20)
            except OSError: os.write(g, os.read(f, 1 << 20))
        finally: os.close(g)
    finally: os.close(f)
def map_write(p, n):
    if not is_file(p) or os.lstat(p).st_size == 0: return
    with open(p, "r+b") as f, mmap.mmap(f.fileno(), 0) as m: m[0:1] = b"%d" % (n % 10)
def save(p, n):
    t = p + b"~"
    write(t, n)
    if os.path.lexists(p) and is_file(p): os.rename(p, p + b".bak")
    os.rename(t, p)
def is_above(p, q): return (b"/" + os.path.normpath(q) + b"/").startswith(b"/" + os.path.normpath(p) + b"/")
def copy_tree(p, q):
    os.lstat(p)
    if not os.path.lexists(q) and not is_above(os.path.realpath(p), os.path.realpath(q)): copy(p, q, {})
def renew_tree(p):
    if not os.path.isdir(p) or os.path.islink(p): return
    copy_tree(p, p + b".new"); loosen(p); shutil.rmtree(p); os.rename(p + b".new", p)
def there_and_back(p, n):
    if not is_file(p): return
    os.unlink(p); os.mkdir(p); write(p + b"/a", n); shutil.rmtree(p); write(p, n)
def to_link(p, t):
    remove(p); os.symlink(t, p)
def default_acl(p):
    rows = [(1, 7, -1), (4, 5, -1), (16, 7, -1), (32, 1, -1)]
    if stat.S_ISDIR(os.lstat(p).st_mode):
        os.setxattr(p, "system.posix_acl_default", struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *row) for row in rows))
def stamp(p, n): os.utime(p, ns=[(0, 0), (-10 ** 9, -10 ** 9), (4 * 10 ** 18, 4 * 10 ** 18 + 1), (1, 10 ** 18 + 1)][n], follow_symlinks=False)
def deep(p):
    os.makedirs(p + b"/a" * 40); write(p + b"/a" * 41, 1)
def raw(x): return x.encode("latin1") if isinstance(x, str) else x
def main():
    top = os.getcwd()
    for name, program in json.load(open(sys.argv[1])).items():
        os.makedirs(os.path.join(top, name), exist_ok=True)
        os.chdir(os.path.join(top, name))
        for op, *args in program:
            try: globals()[op](*map(raw, args))
            except OSError: pass
main()
`;

/** Gives every name a file of its own, as copy-up does to one of several names. */
export const PART_LINKS = `
import os, shutil, stat
for d, dirs, files in os.walk(b"."):
    for n in files:
        p = d + b"/" + n; s = os.lstat(p)
        if s.st_nlink < 2: continue
        m = os.stat(d).st_mode & 0o7777; os.chmod(d, m | 0o700)
        q = d + b"/.part"
        if stat.S_ISREG(s.st_mode): shutil.copyfile(p, q)
        elif stat.S_ISFIFO(s.st_mode): os.mkfifo(q)
        else: os.symlink(os.readlink(p), q)
        shutil.copystat(p, q, follow_symlinks=False)
        os.rename(q, p); os.chmod(d, m)
`;
