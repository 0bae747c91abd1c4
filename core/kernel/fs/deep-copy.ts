/**
 * The part of a copy that cp(1) can't make: it names an entry by its whole path below the directory that it began in, and
 * the kernel takes 4,095 bytes. Here each directory is gone down into by its descriptor, and cp copies what is missing in
 * one directory at a time.
 */
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { xattrChanges } from '../xattr/text.ts';
import { entryMessage } from './entry-errors.ts';
import { chmodEntry } from './move-out.ts';
import { at, type FsPort, type Stat } from './port.ts';

/** Longest path that is left to cp: it has to name the copy, too. */
export const CP_LONGEST = 4_000;

/** What cp, or a shell, says of a path that is too long. */
export const TOO_LONG = /File name too long/;

/** Copies entries of the directory `from`, by their names, into the directory `to`; returns what cp complained about. */
export type CopyHere = (from: number, to: number, names: readonly BytePath[]) => Promise<string>;

/** Completes a copy: what is there already stays. */
export class DeepCopy {
  complaint = '';
  readonly #port: FsPort;
  readonly #to: number;
  readonly #copyHere: CopyHere;
  /** Files of several names, by device and inode: where the first one is, below `to`. */
  readonly #links = new Map<string, BytePath>();

  constructor(port: FsPort, to: number, copyHere: CopyHere) {
    this.#port = port;
    this.#to = to;
    this.#copyHere = copyHere;
  }

  /** Copies `name`, a path below the directory that `from` holds, with all that is in it. */
  async add(from: number, name: BytePath): Promise<void> {
    const port = this.#port;
    const held: number[] = [];
    const names = name.split('/').filter((part) => part !== '.') as BytePath[];
    const last = names.pop();
    if (last === undefined) return;
    try {
      let [source, copy] = [from, this.#to];
      for (const part of names) {
        source = port.openDir(at(source, part));
        held.push(source);
        const there = port.lstat(at(copy, part));
        if (there === null) port.mkdir(at(copy, part), 0o700);
        else if ((there.mode & 0o700) !== 0o700) chmodEntry(port, at(copy, part), 0o700);
        copy = port.openDir(at(copy, part));
        held.push(copy);
      }
      await this.#entries(source, copy, names.join('/') as BytePath, [last]);
    } catch (error) {
      const message = entryMessage(error);
      if (message === null) throw error;
      this.complaint ||= message;
    } finally {
      for (const fd of held.reverse()) port.close(fd);
    }
  }

  /** Returns whether names came into the directory of the copy. */
  async #entries(from: number, to: number, below: BytePath, names: readonly BytePath[]): Promise<boolean> {
    const port = this.#port;
    const missing: BytePath[] = [];
    const later: { name: BytePath; first: BytePath }[] = [];
    let added = false;
    for (const name of names) {
      const source = port.lstat(at(from, name));
      const there = port.lstat(at(to, name));
      if (source === null) continue;
      const path = below === '' ? name : joinPath(below, name);
      if (source.type === 'dir') {
        await this.#dir(from, to, path, name, source, there);
        if (there === null) added = true;
        continue;
      }
      const key = source.nlink > 1 ? `${source.dev}:${source.ino}` : null;
      const first = key === null ? undefined : this.#links.get(key);
      if (first !== undefined) later.push({ name, first });
      else {
        if (key !== null) this.#links.set(key, path);
        if (there === null) missing.push(name);
      }
    }
    if (missing.length > 0) this.complaint ||= await this.#copyHere(from, to, missing);
    for (const { name, first } of later) if (this.#link(to, name, first)) added = true;
    return added || missing.length > 0;
  }

  /** Makes `name` another name of what was copied first. */
  #link(to: number, name: BytePath, first: BytePath): boolean {
    const port = this.#port;
    const [there, known] = [port.lstat(at(to, name)), port.lstat(at(this.#to, first))];
    if (known === null || there?.ino === known.ino) return false;
    if (there !== null) port.unlink(at(to, name));
    port.link(at(this.#to, first), at(to, name));
    return true;
  }

  async #dir(
    from: number,
    to: number,
    path: BytePath,
    name: BytePath,
    source: Stat,
    there: Stat | null,
  ): Promise<void> {
    const port = this.#port;
    const closed = there !== null && (there.mode & 0o700) !== 0o700;
    if (there === null) port.mkdir(at(to, name), 0o700);
    else if (closed) chmodEntry(port, at(to, name), 0o700);
    const sourceFd = port.openDir(at(from, name));
    try {
      const fd = port.openDir(at(to, name));
      try {
        const added = await this.#entries(sourceFd, fd, path, port.readdir(at(sourceFd)));
        if (there !== null && !added && !closed) return;
        if (there === null) {
          const owner = port.fstat(fd);
          if (owner.uid !== source.uid || owner.gid !== source.gid)
            port.lchown(at(to, name), source.uid, source.gid);
          const xattrs = xattrChanges('', port.xattrs(sourceFd) ?? '');
          if (xattrs.length > 0) port.setXattrs(fd, xattrs);
        }
        port.utimes(at(fd), source.mtimeNs);
        port.chmod(at(fd), source.mode);
      } finally {
        port.close(fd);
      }
    } finally {
      port.close(sourceFd);
    }
  }
}
