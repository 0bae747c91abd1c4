/**
 * The units of a transaction. Each changes one entry or one tree of the host; its kind alone decides its
 * fields. Strings `id`, `host` and `upper` are encoded fingerprints (core/kernel/fs/fingerprint.ts), null for
 * no entry.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import type { Change } from '../../../shared/model/change.ts';
import { fingerprint, identityOf } from '../../kernel/fs/fingerprint.ts';
import type { XattrStep } from '../../kernel/fs/xattr-text.ts';

export interface HostResult {
  path: BytePath;
  id: string | null;
}

/** An entry that leaves the upper when the session is quiet, if its fingerprint still matches. */
export interface UpperEntry {
  path: BytePath;
  /** Null when the upper has no entry there (hidden by a replaced directory). */
  id: string | null;
}

export interface Override {
  path: BytePath;
  /** Makes it a conflict again after an undo; missing when its group alone makes it one. */
  base?: BaseRecord['base'];
}

export type ImageKind = 'link' | 'copy';
/** `back`: of an undo, the host's file waits in `back/` to become pending; see undo/stage-undo.ts. */
export type KeptKind = ImageKind | 'back';

export interface MergedEntry {
  /** Names the directory with the sandbox's version. */
  id: string;
  base: BaseRecord['base'];
  /** Digest of the merge: a redo compares it with the merge that it would make. */
  print: string;
  /** Hunks with conflict markers. */
  marks?: number;
}

interface EveryUnit {
  t: 'unit';
  i: number;
  path: BytePath;
  groups: string[];
  overrides?: Override[];
  reverts?: number[];
}

interface StagedUnit extends EveryUnit {
  /**
   * Number of the staging directory. Null: a file that is renamed out of the upper itself, see moves.ts. `before`: of
   * an undo, an entry that is renamed out of the commit's before-images.
   */
  stage: number | 'before' | null;
  rel: BytePath;
  /** Identifies the staged entry on the host, see `birthOf`. */
  born: string;
  /** Of a directory that its owner may not write: its final mode. */
  closedMode: number | null;
  entries: UpperEntry[];
  /** Empty where `entries` says the same: of what was renamed out of the upper. */
  result: HostResult[];
  bytes: number;
  /** How the before-image is kept; missing where there was nothing, or nothing to keep. */
  image?: KeptKind;
}

/** A new entry, or one that replaces another by one rename (a whole new tree is one unit). */
export interface PutUnit extends StagedUnit {
  kind: 'put';
  host: string | null;
  merged?: MergedEntry;
}

/** A directory replaces something else, or the other way round; the old entry is renamed aside first. */
export interface SwapUnit extends StagedUnit {
  kind: 'swap';
  host: string;
  aside: BytePath;
  below: { path: BytePath; host: string }[];
}

/** Mode, owner, modification time or, of a directory, extended attributes of an entry that stays. */
export interface MetaUnit extends EveryUnit {
  kind: 'meta';
  host: string;
  upper: string | null;
  mode: number;
  uid: number;
  gid: number;
  /** Nanoseconds as decimal; null = unchanged. */
  mtime: string | null;
  /** The attributes to set, and the old ones (the before-image). */
  xattrs?: XattrStep;
}

export interface DeleteUnit extends EveryUnit {
  kind: 'delete';
  host: string;
  upper: string | null;
  image?: ImageKind;
}

/** A new directory that is renamed out of the upper with everything in it; see moves.ts. */
export interface MoveToHostUnit extends EveryUnit {
  kind: 'move-to-host';
  born: string;
  tree: PackedTree;
  bytes: number;
}

/** Of an undo: a moved directory is renamed off the host into `back/`; see undo/stage-undo.ts. */
export interface MoveToStoreUnit extends EveryUnit {
  kind: 'move-to-store';
  host: string;
  born: string;
  entries: UpperEntry[];
}

export type Unit = PutUnit | SwapUnit | MetaUnit | DeleteUnit | MoveToHostUnit | MoveToStoreUnit;

export interface DiscardUnit {
  t: 'drop';
  /** `entry` is renamed into the trash; `mode`: a directory gets the mode and owner of the host's. */
  kind: 'entry' | 'mode';
  path: BytePath;
  born: string;
  mode: number;
  uid: number;
  gid: number;
  /** Its owner may not write the directory: a rename needs its mode loosened for a moment. */
  closed: boolean;
  host?: { mode: number; uid: number; gid: number };
  /** Of a live session: number of the first unit that it goes with, or stays with (a repository's data, a rename). */
  with?: number;
  /** `mode` of a directory with other extended attributes: the upper's (`from`), and the host's. */
  xattrs?: XattrStep;
}

/** Leaves the upper with the rename that brings it to the host. */
export function leavesUpper(unit: Unit): boolean {
  return unit.kind === 'move-to-host' || (unit.kind === 'put' && unit.stage === null);
}

/** The upper's entries of a unit, its own first; of `move-to-store` the host's. */
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

export function entryCount(unit: Unit): number {
  return unit.kind === 'move-to-host' ? unit.tree.count : entriesOf(unit).length;
}

export function hostOf(unit: Unit): string | null {
  return unit.kind === 'move-to-host' ? null : unit.host;
}

export function bytesOf(unit: Unit): number {
  return 'bytes' in unit ? unit.bytes : 0;
}

export function replacedBelow(unit: Unit): SwapUnit['below'] {
  return unit.kind === 'swap' ? unit.below : [];
}

export function resultOf(unit: Unit): readonly HostResult[] {
  switch (unit.kind) {
    case 'put':
    case 'swap':
      return unit.stage === null ? unit.entries : unit.result;
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
  const then = { ...fingerprint(host), uid, gid };
  if (then.type !== 'symlink') then.mode = mode;
  if (then.type === 'file' && mtime !== null) then.mtimeNs = BigInt(mtime);
  return { path, id: identityOf(then) };
}

export function isTimeOnly(unit: Unit): boolean {
  if (unit.kind !== 'meta' || unit.mtime === null || unit.xattrs !== undefined) return false;
  return unit.host.startsWith(`file:${unit.mode}:${unit.uid}:${unit.gid}:`);
}

interface TreeEntry {
  path: BytePath;
  id: string;
}

export interface PackedTree {
  count: number;
  /** Of the top; an entry whose identity says nothing else has the same. */
  dev: string;
  owner: string;
  /**
   * For each entry its path below the top (empty for the top) and its identity, each ended by `//`, which no
   * path contains: a fingerprint or, for files of one name, the compact `upperIdentity` of the change list.
   */
  text: string;
}

const END = '//';

export class TreePacker {
  #count = 0;
  readonly #parts: string[] = [];
  readonly #skip: number;
  readonly #dev: string;
  readonly #owner: string;

  constructor(top: BytePath, id: string) {
    const [, , uid = '', gid = '', , dev = ''] = id.split(':');
    this.#skip = top.length;
    this.#dev = dev;
    this.#owner = `${uid}:${gid}`;
  }

  looked(path: BytePath, id: string): void {
    this.#count++;
    this.#parts.push(path.slice(this.#skip), END, id, END);
  }

  /** A file of one name that the change list describes in full, in the same file system as the top. */
  listed({ path, pending, upperIdentity = '' }: Change): void {
    const owner = `${pending?.uid}:${pending?.gid}`;
    this.looked(path, owner === this.#owner ? upperIdentity : `${upperIdentity}.${owner}`);
  }

  done(): PackedTree {
    return { count: this.#count, dev: this.#dev, owner: this.#owner, text: this.#parts.join('') };
  }
}

const unpacked = new WeakMap<PackedTree, TreeEntry[]>();

function unpackTree(top: BytePath, tree: PackedTree): readonly TreeEntry[] {
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

function wholeIdentity(id: string, dev: string, owner: string): string {
  const fields = id.split('.');
  if (fields.length < 8) return id;
  const [ino, size, mtimeNs, ctimeNs, mode, type, nlink, birthNs, own] = fields;
  return `${type}:${mode}:${own ?? owner}:${size}:${dev}:${ino}:${birthNs}:${nlink}:${mtimeNs}:${ctimeNs}`;
}
