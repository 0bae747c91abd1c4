/**
 * A directory that is made in a setgid one gets the bit, too, and cp with ACLs does not take it away again: it sets
 * permissions by acl_set_file(3), which knows only rwx. `cp --parents` itself makes the directories above a name setgid
 * where their originals are, so that the next name below them is concerned.
 */
import { type BytePath, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { at, errorCode, type FsPort, type Stat } from '../../kernel/fs/port.ts';

const SETGID = 0o2000;

/**
 * Takes the bit off copied directories whose originals do not have it.
 *
 * @param from directory of the originals
 * @param names of the copies, relative to `from` and to the directory that `to` holds
 */
export function dropInheritedSetgid(
  port: FsPort,
  from: BytePath,
  names: readonly BytePath[],
  to: number,
): void {
  const inherit = new Map<BytePath, boolean>();
  for (const name of names) {
    const container = parentOf(joinPath('/' as BytePath, name));
    let inherits = inherit.get(container);
    if (inherits === undefined) {
      inherits = isSetgidDir(look(port, at(to, `.${container}`)));
      inherit.set(container, inherits);
    }
    if (!inherits) continue;
    const dir = open(port, at(to, `.${container}`));
    if (dir === null) continue;
    try {
      drop(port, joinPath(from, name), dir, nameOf(name));
    } finally {
      port.close(dir);
    }
  }
}

function drop(port: FsPort, original: BytePath, dir: number, name: BytePath): void {
  const copy = look(port, at(dir, name));
  if (copy === null || !isSetgidDir(copy)) return;
  const fd = open(port, at(dir, name));
  if (fd === null) return;
  try {
    for (const child of children(port, fd)) drop(port, joinPath(original, child), fd, child);
    const mode = look(port, original)?.mode;
    if (mode !== undefined && (mode & SETGID) === 0) port.chmod(at(fd), copy.mode & ~SETGID);
  } finally {
    port.close(fd);
  }
}

const isSetgidDir = (stat: Stat | null): boolean => stat?.type === 'dir' && (stat.mode & SETGID) !== 0;

/** What can't be looked at stays as it is: the check of the copies, which follows, says so. */
function look(port: FsPort, path: BytePath): Stat | null {
  return unless(() => port.lstat(path));
}

function open(port: FsPort, path: BytePath): number | null {
  return unless(() => port.openDir(path));
}

function children(port: FsPort, fd: number): BytePath[] {
  return unless(() => port.readdir(at(fd))) ?? [];
}

function unless<T>(call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}
