/** The merge of one entry in conflict: its base is the content that was kept when the sandbox took its copy. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BytePath } from '../../shared/bytes.ts';
import { BASE_BLOB_BYTES } from '../../shared/limits.ts';
import type { BaseState } from '../../shared/model/base-record.ts';
import type { Change } from '../../shared/model/change.ts';
import type { TextDiff } from '../../shared/model/diff.ts';
import { compareTexts } from '../../shared/text/diff-text.ts';
import { languageOf } from '../../shared/text/language.ts';
import { type MergePreview, mergeTexts } from '../../shared/text/merge-text.ts';
import { decodeText, isBinary } from '../../shared/text/sniff.ts';
import { readSame } from '../kernel/fs/same-file.ts';
import { type BaseFile, readBaseFile } from '../overlay/base-file.ts';
import { coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';

export interface MergeResult {
  content: Buffer;
  /** What the host has now. */
  host: Buffer;
  conflicts: number;
  etag: string;
  /** Permission bits: the sandbox's where it changed them, else the host's. */
  mode: number;
  base: Extract<BaseState, { state: 'known' }>;
}

/** Sides above this are not merged (bytes): they have grown far beyond what is kept of a base. */
const MAX_BYTES = 4 * BASE_BLOB_BYTES;

/** Whether a merge may be offered, from the list and the records alone. */
export function mayMerge(change: Change, base: BaseState): base is Extract<BaseState, { state: 'known' }> {
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

/** Ids of the changes that may be merged. */
export function mergeable(ctx: SessionContext, changes: readonly Change[]): Set<string> {
  if (!changes.some(({ conflict }) => conflict === 'host-changed')) return new Set();
  const { records } = readBaseFile(ctx);
  const fits = (change: Change) => mayMerge(change, records.get(change.path)?.base ?? { state: 'none' });
  return new Set(changes.filter(fits).map(({ id }) => id));
}

/**
 * The merge of what the list says that both sides have, or a sentence that says why there is none. Reads only.
 * @param records the session's base records
 */
export function mergeChange(
  ctx: SessionContext,
  change: Change,
  records: BaseFile['records'],
): MergeResult | string {
  const base = records.get(change.path)?.base ?? { state: 'none' };
  if (!mayMerge(change, base))
    return 'Only text that both changed, whose common base was kept, can be merged.';
  const covered = coveringDir(ctx.coveredDirs, change.path);
  const host = readAs(change.path, change.hostIdentity);
  const sandbox = covered === null ? null : readAs(upperPath(covered, change.path), change.upperIdentity);
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

/** What a person sees before they decide. */
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

/** Content of the very file that was looked at; null when it is another one, too large, or changes while it is read. */
export const readAs = (path: BytePath, identity: string | undefined): Buffer | null =>
  readSame(path, identity, MAX_BYTES);

/** Content that was kept by its hash; null when it is not there any more, or not that. */
export function readBlob(ctx: SessionContext, sha256: string): Buffer | null {
  try {
    const content = readFileSync(`${ctx.sessionDir}/overlay/blobs/${sha256}`);
    return createHash('sha256').update(content).digest('hex') === sha256 ? content : null;
  } catch {
    return null;
  }
}
