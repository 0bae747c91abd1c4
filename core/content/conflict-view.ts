/** What a person sees of a text in conflict: what the host has now, what both began with, and the sandbox's version. */
import { MAX_DIFF_BYTES, MAX_DIFF_LINES } from '../../shared/limits.ts';
import { type BaseState, makeBases } from '../../shared/model/base-record.ts';
import type { Change, Side } from '../../shared/model/change.ts';
import { type ConflictView, threeWay, twoWay } from '../../shared/text/merge-text.ts';
import { decodeText, isBinary } from '../../shared/text/sniff.ts';
import { readBaseFile } from '../overlay/base-file.ts';
import { coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';
import { readAs, readBlob } from './merge-entry.ts';

type Text = { text: string } | { refused: string };

/** Reads only, and only the very files that the list is about. */
export function conflictView(ctx: SessionContext, change: Change): ConflictView {
  const { id, path } = change;
  const covered = coveringDir(ctx.coveredDirs, path);
  const host = textOf('host', change.host, () => readAs(path, change.hostIdentity));
  const sandbox = textOf('sandbox', change.pending, () =>
    covered === null ? null : readAs(upperPath(covered, path), change.upperIdentity),
  );
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

/** The text of one side; nothing where there is no entry. */
function textOf(name: 'host' | 'sandbox', side: Side | null, read: () => Buffer | null): Text {
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
  if (linesIn(text) > MAX_DIFF_LINES)
    return {
      refused: `${where} it has more than ${MAX_DIFF_LINES} lines, too many to be laid side by side.`,
    };
  return { text };
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
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
