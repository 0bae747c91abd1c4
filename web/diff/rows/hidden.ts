/** Whether a diff adds hidden characters: what the list's flag says, without waiting for it. Pure. */
import type { DiffLine, DiffLineKind, TextDiff } from '../../../shared/model/diff.ts';
import { addsHidden } from '../../../shared/text/hidden-characters.ts';

const ENDS: Record<DiffLine['end'], string> = { lf: '\n', crlf: '\r\n', cr: '\r', none: '' };

/** Lines that both sides have need no look: what is in them is no news. */
export function diffAddsHidden(diff: TextDiff): boolean {
  const lines = diff.hunks.flatMap((hunk) => hunk.lines);
  const textOf = (kind: DiffLineKind): string =>
    lines.flatMap((line) => (line.kind === kind ? [line.text + ENDS[line.end]] : [])).join('');
  return addsHidden(textOf('removed'), textOf('added'));
}
