/**
 * Test help: random programs of file operations, as data, and the Python that runs them: the same in the sandbox and in a
 * plain copy. An operation that can't be done (no such directory ...) does nothing.
 */

/** Few names, so that operations meet: some begin like others, some need care in a shell or are no UTF-8. */
const NAMES = ['a', 'b', 'a-b', 'a.c', '-n', 'x\ny', '\xff'];
const MODES = [0o755, 0o555, 0o500, 0o700, 0o4755, 0o2775];
/** What its owner may not read or search can't be compared: unread.test.ts and closed.test.ts are about that. */
const FILE_MODES = [0o644, 0o600, 0o444];

/** Name and arguments, as the functions of `RUNNER` take them. Names are one character a byte. */
export type Operation = readonly [string, ...(string | number)[]];

/** Weights: how often each is picked. */
const KINDS: readonly (readonly [number, (pick: Pick) => Operation])[] = [
  [5, (pick) => ['write', pick.path(), pick.of(9)]],
  [3, (pick) => ['append', pick.path(), pick.of(9)]],
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
];
const BAG = KINDS.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));

/** Random numbers by a seed (mulberry32). */
export class Pick {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
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
    return Array.from({ length: 1 + this.of(3) }, () => this.from(NAMES)).join('/');
  }

  program(): Operation[] {
    return Array.from({ length: 1 + this.of(12) }, () => this.from(BAG)(this));
  }
}

/** Arguments: a JSON file of programs by directory name. Runs each in its directory below the working directory. */
export const RUNNER = `
import errno, json, os, shutil, stat, struct, sys
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

/** Gives every name a file of its own, as an overlay does before it changes one of several names. */
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
