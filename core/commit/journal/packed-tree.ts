/**
 * The entries of a directory that is renamed whole, as one text: 50,000 objects of a path and an identity are a tenth of a
 * commit to make and to write down. Pure.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';

/** An entry of a tree, by its identity. */
interface TreeEntry {
  path: BytePath;
  id: string;
}

export interface PackedTree {
  count: number;
  /** What all of them have, or those of which nothing else is said. */
  dev: string;
  owner: string;
  /**
   * For each entry its path below the directory (itself: nothing) and its identity. Both end with two slashes, which no path
   * has. The identity is one of stat-identity.ts, or, of files of one name, what the list says (model/identity.ts).
   */
  text: string;
}

const END = '//';

/** Takes the entries one by one. */
export class TreePacker {
  #count = 0;
  readonly #parts: string[] = [];
  readonly #skip: number;
  readonly #dev: string;
  readonly #owner: string;

  /** @param id identity of the directory itself, see stat-identity.ts */
  constructor(top: BytePath, id: string) {
    const [, , uid = '', gid = '', , dev = ''] = id.split(':');
    this.#skip = top.length;
    this.#dev = dev;
    this.#owner = `${uid}:${gid}`;
  }

  /** An entry that was looked at, by its identity. */
  looked(path: BytePath, id: string): void {
    this.#add(path, id);
  }

  /** One of which the list says everything, as it is of this directory and has one name. */
  listed({ path, pending, upperIdentity = '' }: Change): void {
    const owner = `${pending?.uid}:${pending?.gid}`;
    this.#add(path, owner === this.#owner ? upperIdentity : `${upperIdentity}.${owner}`);
  }

  done(): PackedTree {
    return { count: this.#count, dev: this.#dev, owner: this.#owner, text: this.#parts.join('') };
  }

  #add(path: BytePath, id: string): void {
    this.#count++;
    this.#parts.push(path.slice(this.#skip), END, id, END);
  }
}

/** A record is asked for the entries of one tree several times. */
const unpacked = new WeakMap<PackedTree, TreeEntry[]>();

/** The entries as they were before, with whole identities. */
export function unpackTree(top: BytePath, tree: PackedTree): readonly TreeEntry[] {
  const known = unpacked.get(tree);
  if (known !== undefined) return known;
  const { dev, owner, text } = tree;
  const fields = text.split(END);
  const entries: TreeEntry[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const path = `${top}${fields[i] ?? ''}` as BytePath;
    entries.push({ path, id: wholeIdentity(fields[i + 1] ?? '', dev, owner) });
  }
  unpacked.set(tree, entries);
  return entries;
}

/** As `identityOf` makes it. */
function wholeIdentity(id: string, dev: string, owner: string): string {
  const fields = id.split('.');
  if (fields.length < 8) return id;
  const [ino, size, mtimeNs, ctimeNs, mode, type, nlink, birthNs, own] = fields;
  return `${type}:${mode}:${own ?? owner}:${size}:${dev}:${ino}:${birthNs}:${nlink}:${mtimeNs}:${ctimeNs}`;
}
