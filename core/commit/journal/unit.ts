/**
 * The units of a transaction: each is one entry of the host, or one tree, that is carried out on its own. Which fields a
 * unit has depends on its kind alone.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { XattrStep } from '../../kernel/fs/xattr-text.ts';

/** An entry as the transaction leaves it on the host, by which a later change of the host is noticed. */
export interface HostResult {
  path: BytePath;
  /** See fingerprint.ts; null = no entry. */
  id: string | null;
}

/** An entry of the upper that leaves it when the session is quiet, if `id` is still its identity. */
export interface UpperEntry {
  path: BytePath;
  /** See fingerprint.ts; null when the upper has no entry there (hidden by a replaced directory). */
  id: string | null;
}

/** An entry that was in conflict, and of which the sandbox's version was taken. */
export interface Override {
  path: BytePath;
  /** By which it is in conflict once more after an undo; missing = it is by its group. */
  base?: BaseRecord['base'];
}

/** Where the before-image of a unit is; see images.ts. */
export type ImageKind = 'link' | 'copy';

/** A merge that is put in place; see merges.ts. */
export interface MergedEntry {
  /** Names the directory with the version that the sandbox had. */
  id: string;
  /** What both versions came from. */
  base: BaseRecord['base'];
  /** What the merge is, by which a redo knows that it would make the same one. */
  print: string;
  /** Places with conflict markers in it. */
  marks?: number;
}

interface EveryUnit {
  t: 'unit';
  i: number;
  path: BytePath;
  /** Units that share one stand or fall together. */
  groups: string[];
  /** Conflicts among its entries that were decided for the sandbox; see overrides.ts. */
  overrides?: Override[];
  /** Of an undo: the units of the commit that it takes back. */
  reverts?: number[];
}

/** The staged entry of a unit, and what it becomes. */
interface StagedUnit extends EveryUnit {
  /** Index of the `stage` line, and the path below its directory. */
  stage: number;
  rel: BytePath;
  /** By which the staged entry is recognised on the host, see `birthOf`. */
  born: string;
  /** Of a directory that its owner may not write: the mode that it must end with. */
  closedMode: number | null;
  /** What leaves the upper; below a replaced directory also what was deleted. */
  entries: UpperEntry[];
  /** What is on the host afterwards. */
  result: HostResult[];
  bytes: number;
  /** Kept of what was there before; missing where nothing was, or nothing was to be kept. */
  image?: ImageKind;
}

/** A new entry, or one that takes the place of another by one rename (a whole new tree is one unit). */
export interface PutUnit extends StagedUnit {
  kind: 'put';
  /** Identity of the host's entry when it was reviewed, null = none. */
  host: string | null;
  merged?: MergedEntry;
}

/** A directory for something else or the other way round; the old entry is renamed aside first. */
export interface SwapUnit extends StagedUnit {
  kind: 'swap';
  host: string;
  /** Name in the same directory that the old entry gets. */
  aside: BytePath;
  /** Host entries below a replaced directory, parents first, with their identities. */
  below: { path: BytePath; host: string }[];
}

/** Mode, owner, modification time or, of a directory, extended attributes of an entry that stays. */
export interface MetaUnit extends EveryUnit {
  kind: 'meta';
  host: string;
  /** Identity of the upper's entry; null = there is none. */
  upper: string | null;
  mode: number;
  uid: number;
  gid: number;
  /** Nanoseconds as decimal; null = it stays. */
  mtime: string | null;
  /** What is made of the extended attributes, and what they were (the before-image). */
  xattrs?: XattrStep;
}

/** One unlink or rmdir. */
export interface DeleteUnit extends EveryUnit {
  kind: 'delete';
  host: string;
  /** Identity of the whiteout; null = the upper has none. */
  upper: string | null;
  image?: ImageKind;
}

/** A new directory that is renamed out of the upper with all that is in it; see moves.ts. */
export interface MoveToHostUnit extends EveryUnit {
  kind: 'move-to-host';
  born: string;
  /** Its entries in the upper, which keep their inodes on the host. */
  tree: PackedTree;
  bytes: number;
}

/** Of an undo: such a directory is renamed off the host to `back/`; see undo/stage-undo.ts. */
export interface MoveToStoreUnit extends EveryUnit {
  kind: 'move-to-store';
  host: string;
  born: string;
  /** Its entries on the host. */
  entries: UpperEntry[];
}

export type Unit = PutUnit | SwapUnit | MetaUnit | DeleteUnit | MoveToHostUnit | MoveToStoreUnit;

/** Of the discard of a selection: what happens to one entry of an upper. */
export interface DiscardUnit {
  t: 'drop';
  /** `entry` is renamed into the trash; `mode`: a directory gets the mode and owner that the host's has. */
  kind: 'entry' | 'mode';
  path: BytePath;
  /** By which the upper's entry is recognised, see `birthOf`. */
  born: string;
  /** Of the upper's entry. */
  mode: number;
  uid: number;
  gid: number;
  /** A directory that its owner may not write: renaming it takes opening it up for a moment. */
  closed: boolean;
  /** `mode`: what the host has. */
  host?: { mode: number; uid: number; gid: number };
  /** `mode` of a directory with other extended attributes: the upper's (`from`), and the host's. */
  xattrs?: XattrStep;
}

/** The upper's entries that a unit is about, itself first; of `move-to-store` the host's. */
export function entriesOf(unit: Unit): readonly UpperEntry[] {
  switch (unit.kind) {
    case 'put':
    case 'swap':
    case 'move-to-store':
      return unit.entries;
    case 'meta':
    case 'delete':
      return [{ path: unit.path, id: unit.upper }];
    case 'move-to-host':
      return unpackTree(unit.path, unit.tree);
  }
}

/** How many entries a unit has. */
export function entryCount(unit: Unit): number {
  return unit.kind === 'move-to-host' ? unit.tree.count : entriesOf(unit).length;
}

/** Identity of the host's entry when it was reviewed, null = none. */
export function hostOf(unit: Unit): string | null {
  return unit.kind === 'move-to-host' ? null : unit.host;
}

/** Bytes that a unit brings to the host. */
export function bytesOf(unit: Unit): number {
  return 'bytes' in unit ? unit.bytes : 0;
}

/** Host entries below a directory that something else takes the place of. */
export function replacedBelow(unit: Unit): SwapUnit['below'] {
  return unit.kind === 'swap' ? unit.below : [];
}

/** How a unit leaves its entries on the host. */
export function resultOf(unit: Unit): readonly HostResult[] {
  switch (unit.kind) {
    case 'put':
    case 'swap':
      return unit.result;
    case 'meta':
      return [resultOfMeta(unit)];
    case 'delete':
      return [{ path: unit.path, id: null }];
    case 'move-to-host':
      return entriesOf(unit);
    case 'move-to-store':
      return unit.entries.map(({ path }) => ({ path, id: null }));
  }
}

function resultOfMeta({ path, host, mode, uid, gid, mtime }: MetaUnit): HostResult {
  const fields = host.split(':');
  if (fields[0] !== 'symlink') fields[1] = String(mode);
  if (fields[0] === 'file' && mtime !== null) fields[9] = mtime;
  return { path, id: [fields[0], fields[1], uid, gid, ...fields.slice(4)].join(':') };
}

/** A commit or an undo of the modification time of a file alone. */
export function isTimeOnly(unit: Unit): boolean {
  if (unit.kind !== 'meta' || unit.mtime === null || unit.xattrs !== undefined) return false;
  return unit.host.startsWith(`file:${unit.mode}:${unit.uid}:${unit.gid}:`);
}

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
   * has. The identity is one of fingerprint.ts, or, of files of one name, what the list says (model/identity.ts).
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

  /** @param id identity of the directory itself, see fingerprint.ts */
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
