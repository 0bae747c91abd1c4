/**
 * Base records: what the host's entry was when the sandbox took its copy. One JSON object a line in
 * `overlay/base.jsonl`; the last record of a path wins. Pure: reading and writing the file is core/overlay/base-file.ts.
 */
import { type BytePath, isByteString, parentOf } from '../bytes.ts';
import { isObject, jsonLines } from '../json-lines.ts';
import { ENTRY_TYPES, type EntryType } from './change.ts';

/** The host's lstat. Times and ids are decimal strings of nanoseconds and numbers: they don't fit a double. */
export interface HostStat {
  type: EntryType;
  mode: number;
  uid: number;
  gid: number;
  size: number;
  nlink: number;
  dev: string;
  ino: string;
  mtimeNs: string;
  ctimeNs: string;
  target?: BytePath;
}

/**
 * What is on record of the host's entry. `known`: what the sandbox saw. `absent`: no entry of that name, and nothing below.
 * `unknown`: it changed at about the time of the copy-up. `none`: not recorded (yet).
 */
export type BaseState =
  | {
      state: 'known';
      host: HostStat;
      /** Hash of the content, where it was read; `blob`: `overlay/blobs/<sha256>` has the content itself. */
      sha256?: string;
      blob?: boolean;
      /** Of a git index: what it says (core/overlay/git-index.ts). */
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
  /** Birth time (ns) of the upper's directory when it was recorded: it tells it from a later one of the same name. */
  born?: string;
  /** That directory was proven to show what the host has below. */
  shows?: boolean;
}

/** What conflicts are decided with. */
export interface Bases {
  /** The base of a path. Below an absent or listed directory, or a file, a missing record means absent. */
  lookup(path: BytePath): BaseState;
}

/** One line, with its newline. `record: null` says that the path has left the upper. */
export function formatBaseLine(path: BytePath, record: BaseRecord | null): string {
  if (record === null) return `${JSON.stringify({ v: 1, path, state: 'gone' })}\n`;
  const { base, listed, born, shows } = record;
  // What is false is left out.
  const flags = { listed: listed || undefined, born, shows: shows || undefined };
  return `${JSON.stringify({ v: 1, path, ...base, ...flags })}\n`;
}

/** Reads the file's text (latin1). Torn and unknown lines are skipped; `lines` counts those that were understood. */
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

/** A lookup over records that knows what follows from the records of the directories above a path. */
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

/** The host had no other name below it than those with records of their own. */
function hadNothingElse({ base, listed }: BaseRecord): boolean {
  return listed || base.state === 'absent' || (base.state === 'known' && base.host.type !== 'dir');
}

function parseBase(value: Record<string, unknown>): BaseRecord['base'] | null {
  const { state, sha256, blob, index, xattrs } = value;
  if (state === 'absent' || state === 'unknown') return { state };
  const host = state === 'known' ? parseHost(value['host']) : null;
  if (host === null) return null;
  return {
    state: 'known',
    host,
    ...(typeof sha256 === 'string' ? { sha256, blob: blob === true } : {}),
    ...(typeof index === 'string' ? { index } : {}),
    ...(typeof xattrs === 'string' ? { xattrs } : {}),
  };
}

function parseHost(value: unknown): HostStat | null {
  if (!isObject(value)) return null;
  const { target } = value;
  const fields = HOST_FIELDS.map(([name, isValid]) => (isValid(value[name]) ? [name, value[name]] : null));
  if (fields.includes(null)) return null;
  const stat: HostStat = Object.fromEntries(fields.filter((field) => field !== null));
  return typeof target === 'string' && isByteString(target) ? { ...stat, target: target as BytePath } : stat;
}

const isNumber = (value: unknown): boolean => typeof value === 'number';
const HOST_FIELDS: readonly (readonly [name: keyof HostStat, isValid: (value: unknown) => boolean])[] = [
  ['type', (value) => ENTRY_TYPES.some((type) => type === value)],
  ...(['mode', 'uid', 'gid', 'size', 'nlink'] as const).map((name) => [name, isNumber] as const),
  ...(['dev', 'ino', 'mtimeNs', 'ctimeNs'] as const).map((name) => [name, isDigits] as const),
];

function isPath(value: unknown): value is BytePath {
  return typeof value === 'string' && value.startsWith('/') && isByteString(value);
}

function isDigits(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+$/.test(value);
}

export function wasThere(base: BaseState): boolean {
  return base.state === 'known' || base.state === 'unknown';
}

/** True when the host may have had a directory there: what the sandbox put in the place of a file lost nothing above it. */
export function wasDirectory(base: BaseState): boolean {
  return base.state === 'unknown' || (base.state === 'known' && base.host.type === 'dir');
}
