/**
 * Copies many entries with one cp(1): it keeps what Node has no calls for (extended attributes, ACLs, hard
 * links, reflinks), and can join the namespace of the viewer.
 */
import { type BytePath, joinPath, nameOf, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { byParent, removeTree } from '../../kernel/fs/dir-handles.ts';
import { entryMessage, NotApplied, refusalOf } from '../../kernel/fs/entry-errors.ts';
import { identityOf, looksAlike } from '../../kernel/fs/fingerprint.ts';
import { at, type FsPort, orIfRefused, orNull, withHandle } from '../../kernel/fs/port.ts';
import { xattrChanges } from '../../kernel/fs/xattr-text.ts';
import { aclsOf } from '../../kernel/fs/xattrs.ts';
import { NO_XATTRS } from '../../kernel/messages/reasons.ts';
import { noCp, noSpaceForCopies } from '../messages/errors.ts';
import { aclNotKept } from '../messages/reasons.ts';

/** Bytes of names for one cp: execve takes about 2 MB of arguments and environment together. */
const ARGUMENT_BYTES = 1_000_000;

/**
 * Reads a directory and names, each ended by NUL, from stdin: Node can't pass arguments that are not UTF-8.
 * Descriptor 3 is the target. `--parents` keeps the relative paths; `-u` completes a tree that cp could not
 * read completely the first time.
 */
const SCRIPT =
  'IFS= read -r -d "" how; IFS= read -r -d "" dir; cd -- "$dir" || exit 3; mapfile -d "" -t names; ' +
  'exec cp -au "$how" --parents -t /proc/self/fd/3 -- "$' +
  '{names[@]}"';

// Node's pipes are sockets, and bash takes a socket as stdin for a remote login, which reads ~/.bashrc.
const SHELL = ['bash', '--norc', '-c', SCRIPT];

interface Copying {
  port: FsPort;
  from: BytePath;
  names: readonly BytePath[];
  to: number;
  how: string;
}

/**
 * Copies `names` (relative to `from`, which lies in a viewer or on the host) into the directory of descriptor
 * `to`. The merged view hides overlay marks, so none is copied.
 *
 * What an ordinary user's cp may not read is copied in the viewer's user namespace: as root there it can read and write
 * the user's own entries of any mode (000, 0555), and nothing else that the user could not. From the host it is a new
 * user namespace, where the group has to be the user's primary one.
 * @param how `--link`: files get a second name instead of a copy, directories are made anew
 * @returns the first complaint of cp, or ''; the caller checks the copies
 * @throws TraiError `no-space`
 */
export async function copyOut(
  port: FsPort,
  from: BytePath,
  names: readonly BytePath[],
  to: number,
  how: '--reflink=auto' | '--link' = '--reflink=auto',
): Promise<string> {
  const copying = { port, from, names, to, how };
  const viewer = /^\/proc\/(\d+)\/root\//.exec(from)?.[1];
  const isRoot = process.getuid?.() === 0;
  const enter =
    viewer === undefined
      ? ['unshare', '--user', '--map-root-user']
      : ['nsenter', '--preserve-credentials', '-U', '-t', viewer];
  let complaints = await copyWith(copying, SHELL);
  const other = complaints.filter((line) => !line.endsWith('Permission denied'));
  if (!isRoot && other.length < complaints.length) {
    const again = (await copyWith(copying, [...enter, ...SHELL])).filter((line) => !ACL_LOST.test(line));
    complaints = [...other, ...again, ...setAcls(copying)];
  }
  dropInheritedSetgid(copying);
  return complaints[0] ?? '';
}

async function copyWith({ port, from, names, to, how }: Copying, command: string[]): Promise<string[]> {
  const [program = '', ...args] = command;
  const complaints: string[] = [];
  for (const chunk of chunks(names)) {
    // `/.` and `./` keep a name that begins with a dash from being an option of cd or cp.
    const input = [how, `${from}/.`, ...chunk.map((name) => `./${name}`), ''].join('\0');
    const { status, stderr } = await port.run(program, args, Buffer.from(input, 'latin1'), [to]);
    if (status === 0) continue;
    const lines = stderr.trim().split('\n');
    if (/No space left on device|Disk quota exceeded/.test(stderr)) throw noSpaceForCopies(lines[0] ?? '');
    if (status === 127) throw noCp(stderr.trim());
    complaints.push(...lines);
  }
  return complaints;
}

function* chunks(names: readonly BytePath[]): Generator<BytePath[]> {
  let chunk: BytePath[] = [];
  let bytes = 0;
  for (const name of names) {
    bytes += name.length + 12;
    if (bytes > ARGUMENT_BYTES && chunk.length > 0) {
      yield chunk;
      chunk = [];
      bytes = name.length + 12;
    }
    chunk.push(name);
  }
  if (chunk.length > 0) yield chunk;
}

/** cp's complaint about what `setAcls` puts right. */
const ACL_LOST = /^cp: preserving permissions for /;

/**
 * A user namespace knows no other user's id, so there cp gives up an ACL that names one, and the group gets the rights
 * of its mask. Sets such ACLs from outside; a copy that can't have its own is removed. Returns complaints.
 */
function setAcls({ port, from, names, to }: Copying): string[] {
  const pairs = names.flatMap((name) => [...pairsBelow(port, joinPath(from, name), to, name)]);
  const texts = aclsOf(pairs.flatMap(({ original, dir, name }) => [original, at(dir, name)]));
  return pairs.flatMap(({ original, dir, name, mode }, i) => {
    const [wanted, has] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
    if (wanted === has && (wanted !== null || (mode & 0o400) !== 0)) return [];
    const why = refusalOf(() => {
      if (wanted === null || has === null) throw new NotApplied(NO_XATTRS);
      withHandle(port, port.openEntry(at(dir, name)), (fd) => {
        port.setXattrs(fd, xattrChanges(has, wanted));
        port.chmod(at(fd), mode);
      });
    });
    if (why === null) return [];
    const above = at(dir, `.${parentOf(`/${name}` as BytePath)}`);
    withHandle(port, port.openDir(above), (fd) => {
      const { mode: closed } = port.fstat(fd);
      port.chmod(at(fd), closed | 0o700);
      removeTree(port, fd, nameOf(name));
      port.chmod(at(fd), closed);
    });
    return [aclNotKept(toDisplay(nameOf(original)), why)];
  });
}

interface CopyPair {
  original: BytePath;
  dir: number;
  /** Relative to `dir`. */
  name: BytePath;
  mode: number;
}

/** What is below before its directory, whose copy may go. */
function* pairsBelow(port: FsPort, original: BytePath, dir: number, name: BytePath): Generator<CopyPair> {
  const [mine = null, copy] = orIfRefused(() => [port.lstat(original), port.lstat(at(dir, name))], []);
  if (mine === null || mine.type !== copy?.type || mine.type === 'symlink') return;
  const children = mine.type === 'dir' ? orIfRefused(() => port.readdir(original), []) : [];
  for (const child of children)
    yield* pairsBelow(port, joinPath(original, child), dir, joinPath(name, child));
  yield { original, dir, name, mode: mine.mode };
}

const SETGID = 0o2000;

/**
 * A directory made in a setgid directory inherits the bit, and cp does not clear it where ACLs are set:
 * acl_set_file(3) knows only rwx. Clears it on copied directories whose originals lack it. Unreadable ones
 * are left to the check of the copies.
 */
function dropInheritedSetgid({ port, from, names, to }: Copying): void {
  for (const [container, inside] of byParent(names.map((name) => `/${name}` as BytePath))) {
    const dir = orNull(() => port.openDir(at(to, `.${container}`)));
    if (dir === null) continue;
    withHandle(port, dir, () => {
      if ((port.fstat(dir).mode & SETGID) !== 0)
        for (const path of inside) dropBelow(port, joinPath(from, path.slice(1)), dir, nameOf(path));
    });
  }
}

function dropBelow(port: FsPort, original: BytePath, dir: number, name: BytePath): void {
  const copy = orNull(() => port.lstat(at(dir, name)));
  if (copy?.type !== 'dir' || (copy.mode & SETGID) === 0) return;
  const fd = orNull(() => port.openDir(at(dir, name)));
  if (fd === null) return;
  withHandle(port, fd, () => {
    for (const child of orIfRefused(() => port.readdir(at(fd)), []))
      dropBelow(port, joinPath(original, child), fd, child);
    const mode = orNull(() => port.lstat(original))?.mode ?? SETGID;
    if ((mode & SETGID) === 0) port.chmod(at(fd), copy.mode & ~SETGID);
  });
}

/** Compares names, types, modes, owners, sizes, file times and attributes. For complaints without a name. */
export function isWholeCopy(port: FsPort, from: BytePath, to: BytePath): boolean {
  try {
    const pairs = pairsOf(port, from, to);
    if (pairs === null) return false;
    const texts = port.xattrsOf(pairs.flat());
    return pairs.every((_, i) => texts[2 * i] === texts[2 * i + 1]);
  } catch (error) {
    if (entryMessage(error) === null) throw error;
    return false;
  }
}

function pairsOf(port: FsPort, from: BytePath, to: BytePath): [BytePath, BytePath][] | null {
  const open: [BytePath, BytePath][] = [[from, to]];
  const pairs: [BytePath, BytePath][] = [];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [mine, theirs] = pair;
    const [original, copy] = [port.lstat(mine), port.lstat(theirs)];
    if (original === null || copy === null || !looksAlike(identityOf(original), copy)) return null;
    if (original.type === 'symlink' && port.readlink(mine) !== port.readlink(theirs)) return null;
    pairs.push(pair);
    if (original.type !== 'dir') continue;
    const names = port.readdir(mine);
    if (names.length !== port.readdir(theirs).length) return null;
    for (const name of names) open.push([joinPath(mine, name), joinPath(theirs, name)]);
  }
  return pairs;
}
