/** `trash/` in the state directory: names, manifests, and the tag that keeps backups from following it. */
import { type BytePath, fromText, joinPath } from '../../../shared/bytes.ts';
import { at, errorCode, type FsPort } from '../../kernel/fs/port.ts';
import type { XattrStep } from '../../kernel/xattr/text.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { otherFormat } from './journal-file.ts';

/** A manifest of another version is refused: nothing was released that wrote one. */
const MANIFEST_VERSION = 3;

interface AnyManifest {
  session: string;
  /** ISO time of the discard. */
  at: string;
  /** Entries that it holds, as the person was told. */
  entries: number;
  /** Number and host path of each covered directory. */
  places: [number, BytePath][];
}

/** Of everything: `overlay/` is the session's overlay. */
export interface WholeManifest extends AnyManifest {
  kind: 'all';
  /** `discarded`: can be undone. `returning`: an undo has begun. `replaced`: undone; holds what was there instead. */
  state: 'discarded' | 'returning' | 'replaced';
  /** `returning`: name, beside the manifest, for the overlay that makes room. */
  aside?: string;
}

/** Of a selection: `overlay/<i>` is what `moves[i]` took out of an upper. */
export interface PartManifest extends AnyManifest {
  kind: 'selection';
  /** `taking`: it has begun. `discarded`: can be undone. `giving`: an undo has begun. `replaced`: undone. */
  state: 'taking' | 'discarded' | 'giving' | 'replaced';
  moves: Move[];
}

/** `trash/<session>.<time>/manifest.json` */
export type Manifest = WholeManifest | PartManifest;

/** One step of the discard of a selection. */
export interface Move {
  /** `entry` leaves the upper; `mode`: a directory gets the mode and owner that the host's has. */
  kind: 'entry' | 'mode';
  /** Host path. */
  path: BytePath;
  /** By which the upper's entry is recognised, see `birthOf`. */
  id: string;
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

/** https://bford.info/cachedir/ */
const CACHE_TAG =
  'Signature: 8a477f597d28d172789f06886806bc55\n# Overlays that were discarded; `trai undo` takes one back.\n';

const TIME = /^[0-9]{8}T[0-9]{9}Z$/;

type Where = Pick<SessionContext, 'stateDir' | 'session'>;

export function trashDir(ctx: Pick<SessionContext, 'stateDir'>): BytePath {
  return joinPath(fromText(ctx.stateDir), 'trash');
}

/** True for `<session>.<time>` of that very session: nothing else may reach a path. */
export function isTrashName(session: string, name: string): boolean {
  return name.startsWith(`${session}.`) && TIME.test(name.slice(session.length + 1));
}

/** ISO time from the name of a discard. */
export function timeOf(name: string): string {
  const time = /\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(name);
  if (time === null) return '';
  const [, year, month, day, hour, minute, second, ms] = time;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
}

/** What a discard makes before its manifest is in place; nothing of the session is in there. */
const BEFORE_MANIFEST: ReadonlySet<string> = new Set([
  'overlay',
  'base.jsonl',
  'base.jsonl.new',
  'manifest.json.new',
]);

/** True of the trash of a discard that died, or is still about to begin (whoever holds the lock knows), before it took anything. */
export function isLeftover(port: FsPort, ctx: Where, name: string): boolean {
  const dir = joinPath(trashDir(ctx), name);
  try {
    if (port.readdir(dir).some((one) => !BEFORE_MANIFEST.has(one))) return false;
    const overlay = joinPath(dir, 'overlay');
    return port.lstat(overlay) === null || port.readdir(overlay).length === 0;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return false;
  }
}

/** The session's discards, oldest first. */
export function trashNames(port: FsPort, ctx: Where): string[] {
  if (port.lstat(trashDir(ctx)) === null) return [];
  const fd = port.openDir(joinPath(trashDir(ctx), '.'));
  try {
    return port
      .readdir(at(fd))
      .filter((name) => isTrashName(ctx.session, name))
      .sort();
  } finally {
    port.close(fd);
  }
}

/** A name for now that is younger than all there are. */
export function newTrashName(port: FsPort, ctx: Where): string {
  const last = trashNames(port, ctx).at(-1);
  for (let time = Date.now(); ; time++) {
    const name = `${ctx.session}.${new Date(time).toISOString().replace(/[-:.]/g, '')}`;
    if (last === undefined || name > last) return name;
  }
}

export function ensureTrash(port: FsPort, ctx: Where): void {
  if (port.lstat(trashDir(ctx)) === null) port.mkdir(trashDir(ctx), 0o700);
  const tag = joinPath(trashDir(ctx), 'CACHEDIR.TAG');
  if (port.lstat(tag) === null) writeFile(port, tag, CACHE_TAG);
}

/** Writes a file whole: under another name first, so that a reader finds the old text or the new. */
export function writeFile(port: FsPort, path: BytePath, text: string): void {
  const temporary = `${path}.new` as BytePath;
  if (port.lstat(temporary) !== null) port.unlink(temporary);
  const fd = port.openAppend(temporary);
  try {
    port.append(fd, text);
    port.fsync(fd);
  } finally {
    port.close(fd);
  }
  port.rename(temporary, path);
}

export function writeManifest(port: FsPort, ctx: Where, trash: string, manifest: Manifest): void {
  const text = `${JSON.stringify({ v: MANIFEST_VERSION, ...manifest })}\n`;
  writeFile(port, joinPath(trashDir(ctx), `${trash}/manifest.json`), text);
}

/** Null when there is none or it is not one of ours. @throws TraiError `unsupported`: another version has written it */
export function readManifest(port: FsPort, ctx: Where, trash: string): Manifest | null {
  const text = port.readText(joinPath(trashDir(ctx), `${trash}/manifest.json`));
  if (text === null) return null;
  let manifest: (Manifest & { v?: unknown }) | null;
  try {
    // Written by this file into a directory of mode 0700.
    manifest = JSON.parse(text) as typeof manifest;
  } catch {
    return null;
  }
  if (manifest?.session !== ctx.session) return null;
  if (manifest.v === MANIFEST_VERSION) return manifest;
  const found = { what: `discard ${trash}`, expected: MANIFEST_VERSION, found: manifest.v };
  throw otherFormat(joinPath(trashDir(ctx), trash), found);
}

/** Whether a discard can still be taken back. */
export function isReturnable(port: FsPort, ctx: Where, trash: string, manifest: Manifest): boolean {
  if (manifest.state === 'replaced' || manifest.state === 'taking') return false;
  return port.lstat(joinPath(trashDir(ctx), `${trash}/overlay`)) !== null;
}

/** Begun and not finished: the next run that finds the session quiet does it. */
export function isUnderWay({ state }: Manifest): boolean {
  return state === 'returning' || state === 'taking' || state === 'giving';
}
