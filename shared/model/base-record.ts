/**
 * Base records: what the host's entry was when the sandbox took its copy. One JSON object a line in
 * `overlay/base.jsonl`; the last record of a path wins. Pure: reading and writing the file is core/overlay/base-file.ts.
 */
import { type BytePath, isByteString, parentOf } from '../bytes.ts';
import type { EntryType } from './change.ts';

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
 * - `known`: the sandbox saw this host entry. `sha256` is its content where it was read; `blob` says that the
 *   content itself is kept in `overlay/blobs/<sha256>`. `index`: of a git index, what it says (core/overlay/git-index.ts). `xattrs`: of a directory, a hash of its extended attributes.
 * - `absent`: the host had no entry of that name; neither had it anything below.
 * - `unknown`: there was one, but which came first, its last change or the sandbox's copy, can't be told.
 * - `none`: not recorded (yet).
 */
export type BaseState =
  | { state: 'known'; host: HostStat; sha256?: string; blob?: boolean; index?: string; xattrs?: string }
  | { state: 'absent' }
  | { state: 'unknown' }
  | { state: 'none' };

export interface BaseRecord {
  path: BytePath;
  base: Exclude<BaseState, { state: 'none' }>;
  /** True when the host's whole subtree was recorded (the sandbox deleted or replaced the directory). */
  listed: boolean;
  /**
   * Of a directory on both sides: birth time (ns) of the upper's when it was last looked at. What such a one hides it has
   * hidden since then; another one may have come in its place since.
   */
  born?: string;
  /** That one was proven to show what the host has below. */
  shows?: boolean;
}

/** What conflicts are decided with. */
export interface Bases {
  /** The base of a path; `none` without a record. Below an absent or listed directory, or a file, a missing record means absent. */
  lookup(path: BytePath): BaseState;
}

const TYPES: ReadonlySet<string> = new Set(['file', 'dir', 'symlink', 'fifo', 'socket', 'char', 'block']);

/** One line, with its newline. `record: null` says that the path has left the upper. */
export function formatBaseLine(path: BytePath, record: BaseRecord | null): string {
  if (record === null) return `${JSON.stringify({ v: 1, path, state: 'gone' })}\n`;
  const { base, listed, born, shows } = record;
  const more = {
    ...(listed ? { listed } : {}),
    ...(born === undefined ? {} : { born }),
    ...(shows === true ? { shows } : {}),
  };
  return `${JSON.stringify({ v: 1, path, ...base, ...more })}\n`;
}

/** Reads the file's text (latin1). Torn and unknown lines are skipped; `lines` counts those that were understood. */
export function parseBaseLines(text: string): { records: Map<BytePath, BaseRecord>; lines: number } {
  const records = new Map<BytePath, BaseRecord>();
  let lines = 0;
  for (const line of text.split('\n')) {
    const parsed = line === '' ? null : parseLine(line);
    if (parsed === null) continue;
    lines++;
    if (parsed.record === null) records.delete(parsed.path);
    else records.set(parsed.path, parsed.record);
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

/** True when the record says of all names below it that have none of their own that the host had no such name. */
function hadNothingElse({ base, listed }: BaseRecord): boolean {
  return listed || base.state === 'absent' || (base.state === 'known' && base.host.type !== 'dir');
}

function parseLine(line: string): { path: BytePath; record: BaseRecord | null } | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isObject(value) || value['v'] !== 1 || !isPath(value['path'])) return null;
  const path = value['path'];
  const listed = value['listed'] === true;
  const shows = value['shows'] === true ? { shows: true } : {};
  const born = { ...(isDigits(value['born']) ? { born: value['born'] } : {}), ...shows };
  switch (value['state']) {
    case 'gone':
      return { path, record: null };
    case 'absent':
    case 'unknown':
      return { path, record: { path, base: { state: value['state'] }, listed, ...born } };
    case 'known': {
      const host = parseHost(value['host']);
      if (host === null) return null;
      const { sha256, blob } = value;
      const xattrs = typeof value['xattrs'] === 'string' ? { xattrs: value['xattrs'] } : {};
      const content = {
        ...(typeof sha256 === 'string' ? { sha256, blob: blob === true } : {}),
        ...(typeof value['index'] === 'string' ? { index: value['index'] } : {}),
      };
      return {
        path,
        record: { path, base: { state: 'known', host, ...content, ...xattrs }, listed, ...born },
      };
    }
    default:
      return null;
  }
}

function parseHost(value: unknown): HostStat | null {
  if (!isObject(value)) return null;
  const { type, mode, uid, gid, size, nlink, dev, ino, mtimeNs, ctimeNs, target } = value;
  if (!isType(type) || typeof mode !== 'number' || typeof uid !== 'number' || typeof gid !== 'number')
    return null;
  if (typeof size !== 'number' || typeof nlink !== 'number') return null;
  if (!isDigits(dev) || !isDigits(ino) || !isDigits(mtimeNs) || !isDigits(ctimeNs)) return null;
  const stat = { type, mode, uid, gid, size, nlink, dev, ino, mtimeNs, ctimeNs };
  return typeof target === 'string' && isByteString(target) ? { ...stat, target: target as BytePath } : stat;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPath(value: unknown): value is BytePath {
  return typeof value === 'string' && value.startsWith('/') && isByteString(value);
}

function isType(value: unknown): value is EntryType {
  return typeof value === 'string' && TYPES.has(value);
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
