/** `overlay/base.jsonl`, `overlay/.base-pass`, `overlay/.base-looks` and `overlay/blobs/`. */
import { appendFileSync, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { type BaseRecord, formatBaseLine, parseBaseLines } from '../../shared/model/base-record.ts';
import { namesOrNone } from '../kernel/fs/entry.ts';
import { errorCode } from '../kernel/fs/port.ts';
import { readPlainFile, readTail, tryWriteWhole, writeWhole } from '../kernel/fs/state-file.ts';
import type { SessionContext } from '../session/session-context.ts';
import { basesAreNoFile } from './messages.ts';

type Where = Pick<SessionContext, 'sessionDir'>;

/** When the latest pass began (ms since the epoch). */
const PASS = '.base-pass';

/** The latest look before that pass, and the first one since: a line each, `FROM UNTIL`. */
const LOOKS = '.base-looks';

/** Dead lines beyond this and the number of records cause a rewrite. */
const DEAD_LINES_MAX = 2_000;

export interface BaseFile {
  records: Map<BytePath, BaseRecord>;
  /** Valid lines, dead ones included. */
  lines: number;
  /** Start of the latest pass (ns); entries without a record are younger. 0 = no pass. */
  readonly lastPassNs: bigint;
}

/** A missing file is empty; torn lines are skipped. */
export function readBaseFile(ctx: Where): BaseFile {
  const path = fileOf(ctx);
  const text = readPlainFile(path);
  if (text !== null) return { ...parseBaseLines(text.toString('latin1')), lastPassNs: readPass(ctx) };
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw basesAreNoFile(path);
  return { records: new Map(), lines: 0, lastPassNs: 0n };
}

/** Null = gone. Latin1, a byte a character. The time of the last pass stays. */
export function appendBases(
  ctx: Where,
  file: BaseFile,
  entries: Iterable<[BytePath, BaseRecord | null]>,
): void {
  const path = fileOf(ctx);
  const added = [...entries];
  if (added.length === 0) return;
  // A torn last line must not swallow the first new one.
  const text = added.map(([at, record]) => formatBaseLine(at, record)).join('');
  appendFileSync(path, endsWithNewline(path) ? text : `\n${text}`, { encoding: 'latin1', mode: 0o600 });
  for (const [at, record] of added) {
    if (record === null) file.records.delete(at);
    else file.records.set(at, record);
  }
  file.lines += added.length;
  if (file.lines - file.records.size > DEAD_LINES_MAX + file.records.size) rewrite(ctx, file);
}

export function dropBases(ctx: Where, file: BaseFile, paths: readonly BytePath[]): void {
  appendBases(
    ctx,
    file,
    paths.map((path) => [path, null]),
  );
}

/** After a complete pass over the uppers that began then. */
export function notePass(ctx: Where, beganMs: number): void {
  const path = fileOf(ctx);
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600 });
  // On a full disk the earlier time stays, with which less counts as seen.
  tryWriteWhole(passOf(ctx), String(beganMs));
}

/** A pass that began then would have found nothing new. */
export function confirmBases(ctx: Where, beganMs: number): void {
  if (existsSync(fileOf(ctx))) tryWriteWhole(passOf(ctx), String(beganMs));
}

/** A new, empty overlay in `dir` lets through whatever the host has changed until now. */
export function confirmEmpty(dir: string): void {
  tryWriteWhole(`${dir}/${PASS}`, String(Date.now() - CLOCK_TICK_MS));
}

function readPass(ctx: Where): bigint {
  const text = readPlainFile(passOf(ctx))?.toString('latin1') ?? '';
  return /^\d{1,15}$/.test(text) ? BigInt(text) * 1_000_000n : 0n;
}

/** When a mount, or the refresh of one, saw what the host had (ms since the epoch). */
export interface Look {
  /** What the host changes later may be missing. */
  from: number;
  /** What a process has read before may be older. */
  until: number;
}

/** A later look since the same pass would not count (seen.ts): such a one is not noted. */
export function noteLook(ctx: Where, look: Look): void {
  const known = readLooks(ctx);
  const lastPass = readPass(ctx);
  if (known.some(({ from }) => toNs(from) > lastPass)) return;
  const text = [...known.slice(-1), look].map(({ from, until }) => `${from} ${until}\n`).join('');
  // On a full disk the earlier ones stay, with which less counts as seen.
  tryWriteWhole(looksOf(ctx), text);
}

/** In their order. */
export function readLooks(ctx: Where): Look[] {
  const text = readPlainFile(looksOf(ctx))?.toString('latin1') ?? '';
  return [...text.matchAll(/^(\d{1,15}) (\d{1,15})$/gm)].map(([, from, until]) => ({
    from: Number(from),
    until: Number(until),
  }));
}

/** Times of the host's entries may lag behind by a tick. */
export function toNs(ms: number): bigint {
  return BigInt(ms - CLOCK_TICK_MS) * 1_000_000n;
}

export function storeBlob(ctx: Where, sha256: string, content: Uint8Array): void {
  const dir = `${ctx.sessionDir}/overlay/blobs`;
  if (existsSync(`${dir}/${sha256}`)) return;
  try {
    writeWhole(`${dir}/${sha256}`, content);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeWhole(`${dir}/${sha256}`, content);
  }
}

/** Most questions that are asked one by one, instead of reading the names. */
const FEW_BLOBS = 64;

/** Whether the content with a hash is stored. @param asked how many times it will be asked at most */
export function blobsStored(ctx: Where, asked: number): (sha256: string) => boolean {
  const dir = `${ctx.sessionDir}/overlay/blobs`;
  if (asked <= FEW_BLOBS) return (sha256) => existsSync(`${dir}/${sha256}`);
  const names = new Set(namesOrNone(fromText(dir)));
  return (sha256) => names.has(sha256);
}

function rewrite(ctx: Where, file: BaseFile): void {
  const text = [...file.records].map(([at, record]) => formatBaseLine(at, record)).join('');
  writeWhole(fileOf(ctx), text);
  file.lines = file.records.size;
}

function endsWithNewline(path: string): boolean {
  const last = readTail(path, 1);
  return last === null || last.length === 0 || last[0] === 10;
}

function fileOf(ctx: Where): string {
  return `${ctx.sessionDir}/overlay/base.jsonl`;
}

function looksOf(ctx: Where): string {
  return `${ctx.sessionDir}/overlay/${LOOKS}`;
}

function passOf(ctx: Where): string {
  return `${ctx.sessionDir}/overlay/${PASS}`;
}
