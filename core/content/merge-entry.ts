/** The merge of an entry in conflict, with its base record's content as the base; the sides of a conflict. */
import { createHash, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BytePath } from '../../shared/bytes.ts';
import { BASE_BLOB_BYTES, MAX_DIFF_BYTES, MAX_DIFF_LINES } from '../../shared/limits.ts';
import { type BaseState, makeBases } from '../../shared/model/base-record.ts';
import type { Change, Side } from '../../shared/model/change.ts';
import type { TextDiff } from '../../shared/model/diff.ts';
import { compareTexts } from '../../shared/text/diff-text.ts';
import { countLines } from '../../shared/text/lines.ts';
import {
  type ConflictView,
  type MergePreview,
  mergeTexts,
  threeWay,
  twoWay,
} from '../../shared/text/merge-text.ts';
import { decodeText, isBinary } from '../../shared/text/sniff.ts';
import { readSame } from '../kernel/fs/file-content.ts';
import { orNull } from '../kernel/fs/port.ts';
import { type BaseFile, readBaseFile } from '../overlay/base-file.ts';
import { type SessionContext, upperPathIn } from '../session/session-context.ts';
import { languageOf } from './language.ts';
import {
  BASE_CONTENT_GONE,
  BASE_GONE,
  BASE_NO_FILE,
  BASE_NOT_KEPT,
  BASE_UNKNOWN,
  CHANGED_OR_LARGE,
  EACH_ITS_OWN,
  hasManyLines,
  isNoFile,
  isNoText,
  isTooLarge,
  isUnreadable,
  MERGE_REPETITIVE,
  NOT_BOTH_TEXT,
  ONE_IS_NO_TEXT,
  REPETITIVE,
  type SideName,
} from './messages.ts';

export interface MergeResult {
  content: Buffer;
  host: Buffer;
  conflicts: number;
  etag: string;
  /** The sandbox's where it changed them, else the host's. */
  mode: number;
  base: Extract<BaseState, { state: 'known' }>;
}

/** Larger sides have outgrown what is kept of a base. */
const MAX_BYTES = 4 * BASE_BLOB_BYTES;

/** From list and base records alone, without reading content. */
function mayMerge(change: Change, base: BaseState): base is Extract<BaseState, { state: 'known' }> {
  return (
    change.conflict === 'host-changed' &&
    change.kind === 'modified' &&
    change.group === null &&
    change.pending?.type === 'file' &&
    change.host?.type === 'file' &&
    base.state === 'known' &&
    base.blob === true
  );
}

export function mergeable(ctx: SessionContext, changes: readonly Change[]): Set<string> {
  if (!changes.some(({ conflict }) => conflict === 'host-changed')) return new Set();
  const { records } = readBaseFile(ctx);
  const fits = (change: Change) => mayMerge(change, records.get(change.path)?.base ?? { state: 'none' });
  return new Set(changes.filter(fits).map(({ id }) => id));
}

/** A sentence says why there is no merge. Reads only. */
export function mergeChange(
  ctx: SessionContext,
  change: Change,
  records: BaseFile['records'],
): MergeResult | string {
  const base = records.get(change.path)?.base ?? { state: 'none' };
  if (!mayMerge(change, base)) return NOT_BOTH_TEXT;
  const host = readAs(change.path, change.hostIdentity);
  const sandbox = readUpper(ctx, change);
  if (host === null || sandbox === null) return CHANGED_OR_LARGE;
  const kept = readBlob(ctx, base.sha256 ?? '');
  if (kept === null) return BASE_GONE;
  if (isBinary(host) || isBinary(sandbox)) return ONE_IS_NO_TEXT;
  const merged = mergeTexts(latin(kept), latin(host), latin(sandbox));
  if (merged === null) return MERGE_REPETITIVE;
  const content = Buffer.from(merged.text, 'latin1');
  const mode = change.pending?.mode === base.host.mode ? change.host?.mode : change.pending?.mode;
  const names = [change.id, change.hostIdentity, change.upperIdentity, base.sha256, String(mode)];
  const etag = createHash('sha256').update(names.join('\0')).update(content).digest('hex').slice(0, 32);
  return { content, host, conflicts: merged.conflicts, etag, mode: mode ?? 0o644, base };
}

export function previewMerge(ctx: SessionContext, change: Change): MergePreview {
  const { id, path } = change;
  const merged = mergeChange(ctx, change, readBaseFile(ctx).records);
  const nothing = { id, etag: '', conflicts: 0, diff: null };
  if (typeof merged === 'string') return { ...nothing, refused: merged };
  const { etag, conflicts, content, host } = merged;
  const compared = compareTexts(textOf(host), textOf(content), { context: host.length + content.length });
  const diff: TextDiff = { kind: 'text', id, etag, ...compared, language: languageOf(path) };
  return { id, etag, conflicts, diff, refused: null };
}

const latin = (content: Buffer): string => content.toString('latin1');
const textOf = (content: Buffer): string => decodeText(content) ?? latin(content);

/** Null also above MAX_BYTES, or when it changes meanwhile. */
const readAs = (path: BytePath, identity: string | undefined): Buffer | null =>
  readSame(path, identity, MAX_BYTES);

function readUpper({ coveredDirs }: SessionContext, { path, upperIdentity }: Change): Buffer | null {
  const upper = upperPathIn(coveredDirs, path);
  return upper === null ? null : readAs(upper, upperIdentity);
}

/** Null when missing or damaged. */
function readBlob(ctx: SessionContext, sha256: string): Buffer | null {
  const content = orNull(() => readFileSync(`${ctx.sessionDir}/overlay/blobs/${sha256}`));
  return content !== null && hash('sha256', content) === sha256 ? content : null;
}

type Text = { text: string } | { refused: string };

/** Reads only, and only entries that are as listed. */
export function conflictView(ctx: SessionContext, change: Change): ConflictView {
  const { id, path } = change;
  const host = sideText('host', change.host, () => readAs(path, change.hostIdentity));
  const sandbox = sideText('sandbox', change.pending, () => readUpper(ctx, change));
  const view: ConflictView = {
    id,
    host: change.host !== null,
    sandbox: change.pending !== null,
    noBase: null,
    blocks: [],
    approximate: false,
    refused: null,
  };
  if ('refused' in host) return { ...view, refused: host.refused };
  if ('refused' in sandbox) return { ...view, refused: sandbox.refused };
  const base = baseOf(ctx, makeBases(readBaseFile(ctx).records).lookup(path));
  if ('text' in base) {
    const blocks = threeWay(base.text, host.text, sandbox.text);
    if (blocks !== null) return { ...view, blocks };
  }
  const { blocks, approximate } = twoWay(host.text, sandbox.text);
  return { ...view, noBase: 'text' in base ? REPETITIVE : base.refused, blocks, approximate };
}

function sideText(name: SideName, side: Side | null, read: () => Buffer | null): Text {
  if (side === null) return { text: '' };
  if (side.type !== 'file') return { refused: isNoFile(name) };
  if (side.size > MAX_DIFF_BYTES)
    return {
      refused: isTooLarge(name, side.size, MAX_DIFF_BYTES),
    };
  const content = read();
  if (content === null) return { refused: isUnreadable(name) };
  const text = isBinary(content) ? null : decodeText(content);
  if (text === null) return { refused: isNoText(name) };
  if (countLines(text) > MAX_DIFF_LINES)
    return {
      refused: hasManyLines(name, MAX_DIFF_LINES),
    };
  return { text };
}

function baseOf(ctx: SessionContext, base: BaseState): Text {
  if (base.state === 'absent') return { refused: EACH_ITS_OWN };
  if (base.state !== 'known') return { refused: BASE_UNKNOWN };
  if (base.host.type !== 'file') return { refused: BASE_NO_FILE };
  if (base.blob !== true || base.sha256 === undefined) return { refused: BASE_NOT_KEPT };
  const kept = readBlob(ctx, base.sha256);
  const text = kept === null ? null : decodeText(kept);
  return text === null ? { refused: BASE_CONTENT_GONE } : { text };
}
