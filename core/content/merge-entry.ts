/** The merge of an entry in conflict, with its base record's content as the base; the sides of a conflict. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BytePath } from '../../shared/bytes.ts';
import { BASE_BLOB_BYTES, MAX_DIFF_BYTES, MAX_DIFF_LINES } from '../../shared/limits.ts';
import { type BaseState, makeBases } from '../../shared/model/base-record.ts';
import type { Change, Side } from '../../shared/model/change.ts';
import type { TextDiff } from '../../shared/model/diff.ts';
import { compareTexts } from '../../shared/text/diff-text.ts';
import { languageOf } from '../../shared/text/language.ts';
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
import { type BaseFile, readBaseFile } from '../overlay/base-file.ts';
import { type SessionContext, upperPathIn } from '../session/session-context.ts';

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
  if (!mayMerge(change, base))
    return 'Only text that both changed, whose common base was kept, can be merged.';
  const host = readAs(change.path, change.hostIdentity);
  const sandbox = readUpper(ctx, change);
  if (host === null || sandbox === null)
    return 'It changed since the list was made, or it is too large. Look again.';
  const kept = readBlob(ctx, base.sha256 ?? '');
  if (kept === null) return 'The common base is not kept any more.';
  if (isBinary(host) || isBinary(sandbox)) return 'One side is not text.';
  const merged = mergeTexts(latin(kept), latin(host), latin(sandbox));
  if (merged === null) return 'It has too many equal lines to be merged.';
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
  try {
    const content = readFileSync(`${ctx.sessionDir}/overlay/blobs/${sha256}`);
    return createHash('sha256').update(content).digest('hex') === sha256 ? content : null;
  } catch {
    return null;
  }
}

type Text = { text: string } | { refused: string };

/** Reads only, and only entries that are as listed. */
export function conflictView(ctx: SessionContext, change: Change): ConflictView {
  const { id, path } = change;
  const host = sideText('host', change.host, () => readAs(path, change.hostIdentity));
  const sandbox = sideText('sandbox', change.pending, () => readUpper(ctx, change));
  const view: ConflictView = {
    ...{ id, host: change.host !== null, sandbox: change.pending !== null },
    ...{ noBase: null, blocks: [], approximate: false, refused: null },
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

const REPETITIVE = 'The three have too many equal lines to be compared with one another in time.';

function sideText(name: 'host' | 'sandbox', side: Side | null, read: () => Buffer | null): Text {
  if (side === null) return { text: '' };
  const where = name === 'host' ? 'On the host' : 'In the sandbox';
  if (side.type !== 'file')
    return { refused: `${where} it is no regular file: only texts are laid side by side.` };
  if (side.size > MAX_DIFF_BYTES)
    return {
      refused: `${where} it has ${side.size} bytes: only texts of up to ${MAX_DIFF_BYTES} are laid side by side.`,
    };
  const content = read();
  if (content === null)
    return { refused: `${where} it has changed since the list was made, or can’t be read. Look again.` };
  const text = isBinary(content) ? null : decodeText(content);
  if (text === null) return { refused: `${where} it is not text.` };
  if (countLines(text) > MAX_DIFF_LINES)
    return {
      refused: `${where} it has more than ${MAX_DIFF_LINES} lines, too many to be laid side by side.`,
    };
  return { text };
}

function baseOf(ctx: SessionContext, base: BaseState): Text {
  if (base.state === 'absent')
    return { refused: 'Neither had an entry of that name when the sandbox began: each made its own.' };
  if (base.state !== 'known') return { refused: 'It is not on record what both began with.' };
  if (base.host.type !== 'file') return { refused: 'What both began with was no regular file.' };
  if (base.blob !== true || base.sha256 === undefined)
    return { refused: 'The content that both began with was not kept: it was too large, or no text.' };
  const kept = readBlob(ctx, base.sha256);
  const text = kept === null ? null : decodeText(kept);
  return text === null ? { refused: 'The content that both began with is not kept any more.' } : { text };
}
