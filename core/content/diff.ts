/**
 * The content of pending entries: diffs, sides of a conflict, merges, search, hidden characters, line counts.
 * All of it is computed in this process from the two sides (sides.ts), bounded in size and time. git and
 * patch text are not used, because both can be made to hide lines. The algorithms on strings are in
 * shared/text/.
 *
 *     both sides are still as listed (sides.ts)?   else omitted: changed
 *     a link, or no regular file                   -> targets, or notes on type, mode and owner
 *     read both, only if unchanged and not through a link
 *     binary, too large, too slow                  -> sizes, hashes, the first lines
 *     else compare the lines; many changed lines   -> collapsed until asked for
 *
 * diff.ts (here): one entry's diff. merge-entry.ts: merges and the three sides of a conflict. texts.ts:
 * search, hidden characters, line counts. viewed.ts: the user's "viewed" marks.
 */
import { toDisplay } from '../../shared/bytes.ts';
import { modeText } from '../../shared/format.ts';
import { AUTO_DIFF_BYTES, AUTO_DIFF_LINES, HEX_BYTES, MAX_DIFF_LINES } from '../../shared/limits.ts';
import type { Change, Side } from '../../shared/model/change.ts';
import {
  type DiffModel,
  type DiffView,
  OMITTED_REASONS,
  type OmittedReason,
  type TextComparison,
} from '../../shared/model/diff.ts';
import { compareTexts } from '../../shared/text/diff-text.ts';
import { countLines, splitLines } from '../../shared/text/lines.ts';
import { entryEtag, identityOf, readTarget } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import type { SessionContext } from '../session/session-context.ts';
import { languageOf } from './language.ts';
import { lookAt, type Now, readSide, type SideContent, type Sides } from './sides.ts';

const HEAD_LINES = 40;

interface Base {
  id: string;
  etag: string;
}

/** @param view with `load`, text over the automatic limit is not collapsed */
export async function diffEntry(
  ctx: SessionContext,
  change: Change,
  view: Partial<DiffView> = {},
): Promise<DiffModel> {
  const sides = lookAt(ctx, change);
  if (sides === null) return omitted({ id: change.id, etag: '' }, 'unreadable', null, null);
  const base: Base = {
    id: change.id,
    etag: entryEtag(identityOf(sides.host.entry), identityOf(sides.pending.entry)),
  };
  if (isOutdated(change.host, sides.host.entry) || isOutdated(change.pending, sides.pending.entry)) {
    return omitted(base, 'changed', null, null);
  }
  const types = [change.host?.type, change.pending?.type];
  if (types.includes('symlink')) return linkDiff(base, sides);
  if (change.kind === 'meta' || !types.includes('file'))
    return { ...base, kind: 'meta', notes: notesOf(change) };
  const [oldSide, newSide] = await Promise.all([contentOf(sides.host), contentOf(sides.pending)]);
  return fileDiff(base, change, [oldSide, newSide], view);
}

function isOutdated(side: Side | null, entry: Stat | null): boolean {
  return side?.type !== entry?.type;
}

async function contentOf({ path, real, entry }: Now): Promise<SideContent> {
  // A directory or FIFO has no lines and counts as absent.
  return entry?.type === 'file' ? readSide(path, entry, real) : { state: 'absent' };
}

function fileDiff(
  base: Base,
  change: Change,
  [old, now]: readonly [SideContent, SideContent],
  view: Partial<DiffView>,
): DiffModel {
  for (const side of [now, old]) if (side.state === 'omitted') return omitted(base, side.reason, old, now);
  if (old.state === 'binary' || now.state === 'binary') {
    return {
      ...base,
      kind: 'binary',
      mime: mimeOf(now) ?? mimeOf(old),
      oldBytes: bytesOf(old),
      newBytes: bytesOf(now),
      oldSha256: hashOf(old),
      newSha256: hashOf(now),
      oldHead: headOf(old),
      newHead: headOf(now),
    };
  }
  if (old.state === 'large' || now.state === 'large') return omitted(base, 'too-large', old, now);
  const oldText = textOf(old);
  const newText = textOf(now);
  if (countLines(oldText) > MAX_DIFF_LINES || countLines(newText) > MAX_DIFF_LINES) {
    return omitted(base, 'too-large', old, now);
  }
  const compared = compareTexts(oldText, newText, {
    ...(view.whole ? { context: Number.POSITIVE_INFINITY } : {}),
    spaces: view.spaces ?? 'exact',
  });
  if (view.load !== true && !isSmall(compared)) {
    const { oldTotal: oldLines, newTotal: newLines } = compared;
    return {
      ...base,
      kind: 'collapsed',
      oldLines,
      newLines,
      oldBytes: bytesOf(old) ?? 0,
      newBytes: bytesOf(now) ?? 0,
    };
  }
  return { ...base, kind: 'text', ...compared, language: languageOf(change.path) };
}

/** Measures the diff, not the file. */
function isSmall({ hunks }: Pick<TextComparison, 'hunks'>): boolean {
  let lines = 0;
  let bytes = 0;
  for (const hunk of hunks) {
    lines += hunk.lines.length;
    for (const line of hunk.lines) bytes += line.text.length + 1;
  }
  return lines <= AUTO_DIFF_LINES && bytes <= AUTO_DIFF_BYTES;
}

function linkDiff(base: Base, { host, pending }: Sides): DiffModel {
  try {
    return { ...base, kind: 'symlink', oldTarget: targetOf(host), newTarget: targetOf(pending) };
  } catch {
    return omitted(base, 'changed', null, null);
  }
}

function targetOf({ path, entry }: Now): string | null {
  return entry?.type === 'symlink' ? toDisplay(readTarget(path)) : null;
}

function omitted(
  base: Base,
  reason: OmittedReason,
  old: SideContent | null,
  now: SideContent | null,
): DiffModel {
  const shown = [now, old].find((side) => side?.state === 'text' || side?.state === 'large') ?? null;
  const text = shown?.state === 'large' ? shown.head : shown === null ? '' : textOf(shown);
  return {
    ...base,
    kind: 'omitted',
    reason,
    message: OMITTED_REASONS[reason],
    oldBytes: old === null ? null : bytesOf(old),
    newBytes: now === null ? null : bytesOf(now),
    head: splitLines(text.slice(0, 8 * 1024))
      .slice(0, HEAD_LINES)
      .map((line) => line.text),
  };
}

function notesOf({ host, pending, kind, xattrs }: Change): string[] {
  const notes: string[] = [];
  if (host === null && pending !== null)
    notes.push(`new ${TYPE_WORDS[pending.type]}, mode ${modeText(pending.mode)}`);
  if (host !== null && pending === null) notes.push(`${TYPE_WORDS[host.type]} deleted`);
  if (kind === 'dir-replaced')
    notes.push('directory deleted and made again: what it held is listed as deleted');
  if (host === null || pending === null) return notes;
  if (host.type !== pending.type) notes.push(`${TYPE_WORDS[host.type]} → ${TYPE_WORDS[pending.type]}`);
  if (host.mode !== pending.mode) notes.push(`mode ${modeText(host.mode)} → ${modeText(pending.mode)}`);
  if (host.uid !== pending.uid || host.gid !== pending.gid) {
    notes.push(`owner ${host.uid}:${host.gid} → ${pending.uid}:${pending.gid}`);
  }
  if (xattrs === true) notes.push('other extended attributes (an ACL, a capability, user.*)');
  return notes;
}

const TYPE_WORDS: Record<Side['type'], string> = {
  file: 'file',
  dir: 'directory',
  symlink: 'symbolic link',
  fifo: 'FIFO',
  socket: 'socket',
  char: 'character device',
  block: 'block device',
};

function textOf(side: SideContent): string {
  return side.state === 'text' ? side.text : '';
}

function bytesOf(side: SideContent): number | null {
  return side.state === 'absent' ? null : side.bytes;
}

function hashOf(side: SideContent): string | null {
  return side.state === 'binary' ? side.sha256 : null;
}

function headOf(side: SideContent): string {
  if (side.state === 'text') return Buffer.from(side.text.slice(0, HEX_BYTES)).toString('hex', 0, HEX_BYTES);
  return side.state === 'binary' ? side.head : '';
}

function mimeOf(side: SideContent): string | null {
  return side.state === 'binary' ? side.mime : null;
}
