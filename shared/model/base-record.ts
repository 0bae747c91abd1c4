/**
 * Base records: the host's entry at the copy-up. One JSON object a line in `overlay/base.jsonl`; the last
 * record of a path wins. core/overlay/base-file.ts reads and writes the file.
 */
import { type BytePath, isByteString, parentOf } from '../bytes.ts';
import { isObject, jsonLines } from '../json-lines.ts';
import { ENTRY_TYPES, type EntryType, type Side } from './change.ts';

/** The host's lstat. Times and ids are decimal strings: they do not fit a double. */
export interface HostStat extends Side {
  nlink: number;
  dev: string;
  ino: string;
  mtimeNs: string;
  ctimeNs: string;
}

/**
 * - `known`: the sandbox saw this entry
 * - `absent`: there was no entry, and nothing below
 * - `unknown`: it changed at about the time of the copy-up
 * - `none`: no record (yet)
 */
export type BaseState =
  | {
      state: 'known';
      host: HostStat;
      /** Of the content, where it was read. `blob`: `overlay/blobs/<sha256>` holds the content. */
      sha256?: string;
      blob?: boolean;
      /** Of a git index: its content (core/overlay/git-index.ts). */
      index?: string;
      /** Of a directory: hash of its extended attributes. */
      xattrs?: string;
    }
  | { state: 'absent' }
  | { state: 'unknown' }
  | { state: 'none' };

export interface BaseRecord {
  path: BytePath;
  base: Exclude<BaseState, { state: 'none' }>;
  /** The host's whole subtree was recorded: the sandbox deleted or replaced the directory. */
  listed: boolean;
  /** Birth time (ns) of the upper's directory, which tells it from a later one of the same name. */
  born?: string;
  /** That directory was proven to show the host's entries below it. */
  shows?: boolean;
}

export interface Bases {
  /** Below an absent or listed directory, or a file, a missing record means `absent`. */
  lookup(path: BytePath): BaseState;
}

export function formatBaseLine(path: BytePath, record: BaseRecord | null): string {
  if (record === null) return `${JSON.stringify({ v: 1, path, state: 'gone' })}\n`;
  const { base, listed, born, shows } = record;
  const flags = { listed: listed || undefined, born, shows: shows || undefined };
  return `${JSON.stringify({ v: 1, path, ...base, ...flags })}\n`;
}

/** @param text latin1; torn and unknown lines are skipped, and `lines` counts the others */
export function parseBaseLines(text: string): { records: Map<BytePath, BaseRecord>; lines: number } {
  const records = new Map<BytePath, BaseRecord>();
  let lines = 0;
  for (const value of jsonLines(text)) {
    const { v, path, state, listed, born, shows } = value;
    const base = parseBase(value);
    if (v !== 1 || !isPath(path) || (base === null && state !== 'gone')) continue;
    lines++;
    if (base === null) {
      records.delete(path);
      continue;
    }
    const record: BaseRecord = { path, base, listed: listed === true };
    if (isDigits(born)) record.born = born;
    if (shows === true) record.shows = true;
    records.set(path, record);
  }
  return { records, lines };
}

export function makeBases(records: ReadonlyMap<BytePath, BaseRecord>): Bases {
  const covering = [...records.values()].some(hadNothingElse);
  return {
    lookup(path) {
      const own = records.get(path);
      if (own !== undefined) return own.base;
      for (let dir = parentOf(path); covering && dir !== '/'; dir = parentOf(dir)) {
        const above = records.get(dir);
        if (above !== undefined && hadNothingElse(above)) return { state: 'absent' };
      }
      return { state: 'none' };
    },
  };
}

/** Every name that the host had below it has a record of its own. */
function hadNothingElse({ base, listed }: BaseRecord): boolean {
  return listed || base.state === 'absent' || (base.state === 'known' && base.host.type !== 'dir');
}

function parseBase(value: Record<string, unknown>): BaseRecord['base'] | null {
  const { state, sha256, blob, index, xattrs } = value;
  if (state === 'absent' || state === 'unknown') return { state };
  const host = state === 'known' ? parseHost(value['host']) : null;
  if (host === null) return null;
  const base: Extract<BaseState, { state: 'known' }> = { state: 'known', host };
  if (typeof sha256 === 'string') {
    base.sha256 = sha256;
    base.blob = blob === true;
  }
  if (typeof index === 'string') base.index = index;
  if (typeof xattrs === 'string') base.xattrs = xattrs;
  return base;
}

/** Every scan parses the record of every modified file: no array and no pairs of its fields in between. */
function parseHost(value: unknown): HostStat | null {
  if (!isObject(value)) return null;
  const { type, mode, uid, gid, size, nlink, dev, ino, mtimeNs, ctimeNs, target } = value;
  if (!isEntryType(type) || !isNumber(mode) || !isNumber(uid) || !isNumber(gid)) return null;
  if (!isNumber(size) || !isNumber(nlink) || !isDigits(dev) || !isDigits(ino)) return null;
  if (!isDigits(mtimeNs) || !isDigits(ctimeNs)) return null;
  const stat: HostStat = { type, mode, uid, gid, size, nlink, dev, ino, mtimeNs, ctimeNs };
  if (typeof target === 'string' && isByteString(target)) stat.target = target as BytePath;
  return stat;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isEntryType = (value: unknown): value is EntryType => ENTRY_TYPES.some((type) => type === value);

function isPath(value: unknown): value is BytePath {
  return typeof value === 'string' && value.startsWith('/') && isByteString(value);
}

function isDigits(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+$/.test(value);
}

export function wasThere(base: BaseState): boolean {
  return base.state === 'known' || base.state === 'unknown';
}

/** The host may have had a directory there: one in the place of a file hides nothing. */
export function wasDirectory(base: BaseState): boolean {
  return base.state === 'unknown' || (base.state === 'known' && base.host.type === 'dir');
}
