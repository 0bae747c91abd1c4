/**
 * The entries of a directory that is renamed whole, as one text: 50,000 objects of a path and an identity are a tenth of a
 * commit to make and to write down. Pure.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { PackedTree, UpperEntry } from './lines.ts';

const END = '//';

/** Takes the entries one by one. */
export class TreePacker {
  #count = 0;
  readonly #parts: string[] = [];
  readonly #skip: number;
  readonly #dev: string;
  readonly #owner: string;

  /** @param id identity of the directory itself, see node/identity.ts */
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

/** The entries as they were before, with whole identities. */
export function unpackTree(top: BytePath, { dev, owner, text }: PackedTree): UpperEntry[] {
  const fields = text.split(END);
  const entries: UpperEntry[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const path = `${top}${fields[i] ?? ''}` as BytePath;
    entries.push({ path, id: wholeIdentity(fields[i + 1] ?? '', dev, owner) });
  }
  return entries;
}

/** As node/identity.ts makes it of a look. */
function wholeIdentity(id: string, dev: string, owner: string): string {
  const fields = id.split('.');
  if (fields.length < 8) return id;
  const [ino, size, mtimeNs, ctimeNs, mode, type, nlink, birthNs, own] = fields;
  return `${type}:${mode}:${own ?? owner}:${size}:${dev}:${ino}:${birthNs}:${nlink}:${mtimeNs}:${ctimeNs}`;
}
