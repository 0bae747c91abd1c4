/** What a directory of the host holds, byte by byte: to compare before and after. */

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface HostEntry {
  type: 'file' | 'dir' | 'link' | 'other';
  /** Octal permission bits. */
  mode: string;
  /** Nanoseconds since 1970; of directories not noted, since every entry made in them moves it. */
  mtime: string;
  ino: string;
  /** SHA-256 of a file's content, the target of a link. */
  content: string;
}

export type HostTree = Record<string, HostEntry>;

/** Every entry below a directory; names are relative byte strings (latin1). */
export function hostTree(dir: string): HostTree {
  const tree: HostTree = {};
  walk(Buffer.from(dir), '', tree);
  return tree;
}

function walk(dir: Buffer, prefix: string, tree: HostTree): void {
  for (const name of readdirSync(dir, { encoding: 'buffer' }).sort(Buffer.compare)) {
    const full = Buffer.concat([dir, Buffer.from('/'), name]);
    const entry = entryAt(full);
    const key = prefix + name.toString('latin1');
    // Own property whatever it is called: `__proto__` is a name like any other.
    Object.defineProperty(tree, key, { value: entry, enumerable: true });
    if (entry.type === 'dir') walk(full, `${key}/`, tree);
  }
}

function entryAt(file: Buffer): HostEntry {
  const stat = lstatSync(file, { bigint: true });
  const type = stat.isFile() ? 'file' : stat.isDirectory() ? 'dir' : stat.isSymbolicLink() ? 'link' : 'other';
  const content =
    type === 'file'
      ? createHash('sha256').update(readFileSync(file)).digest('hex')
      : type === 'link'
        ? readlinkSync(file, 'latin1')
        : '';
  return {
    type,
    mode: (stat.mode & 0o7777n).toString(8),
    mtime: type === 'dir' ? '' : String(stat.mtimeNs),
    ino: String(stat.ino),
    content,
  };
}

/** Type, mode and content: what a reviewer sees. Without times and inode numbers. */
export function contents(tree: HostTree): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).map(([name, entry]) => [name, `${entry.type} ${entry.mode} ${entry.content}`]),
  );
}
