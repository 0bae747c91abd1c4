/** Diffs: notes above one, and texts where none is shown. */
import type { CollapsedDiff, OmittedDiff, OmittedReason, TextDiff } from '../../shared/model/diff.ts';
import * as format from '../text/format.ts';

export function collapsedText({ oldLines, oldBytes, newLines, newBytes }: CollapsedDiff): string {
  const size = (lines: number, bytes: number): string =>
    `${format.plural(lines, 'line')} (${format.bytes(bytes)})`;
  if (oldBytes === 0)
    return `Large file: ${format.plural(newLines, 'new line')} (${format.bytes(newBytes)}).`;
  return `Large file: ${size(oldLines, oldBytes)} on the host, ${size(newLines, newBytes)} pending.`;
}

const OMITTED: Record<OmittedReason, string> = {
  'too-large': 'Too large to display',
  'too-long-lines': 'Lines too long to display',
  timeout: 'Comparing took too long',
  unreadable: 'Could not be read',
  changed: 'Changed while it was read',
  special: 'Not a regular file',
};

export const omittedTitle = ({ reason, newBytes, oldBytes }: OmittedDiff): string =>
  `${OMITTED[reason]} (${format.bytes(newBytes ?? oldBytes ?? 0)})`;

/** An omitted diff is not an empty one: the content is committed all the same. */
export const OMITTED_NOTE = 'It will still be committed. Download it from the menu above.';

const lineEnds = (diff: TextDiff, kind: 'added' | 'removed'): Set<string> =>
  new Set(
    diff.hunks.flatMap(({ lines }) =>
      lines.flatMap((line) => (line.kind === kind && line.end !== 'none' ? [line.end] : [])),
    ),
  );

/** @param ends as `lineEndings` returns it for the whole diff */
export function endingsText(diff: TextDiff, ends: 'lf' | 'crlf' | 'cr' | 'mixed'): string {
  if (ends === 'lf') return '';
  if (ends !== 'mixed') return ends === 'crlf' ? 'Lines end with CRLF.' : 'Lines end with a bare CR.';
  const [before, after] = [lineEnds(diff, 'removed'), lineEnds(diff, 'added')];
  const [from, to] = [[...before][0], [...after][0]];
  if (before.size === 1 && after.size === 1 && from !== undefined && to !== undefined && from !== to)
    return `Line endings changed (${from.toUpperCase()} → ${to.toUpperCase()}).`;
  return 'Mixed line endings: each CR is marked.';
}

export function emptyText(diff: TextDiff): string {
  if (diff.oldTotal === 0 && diff.newTotal === 0) return 'The file is empty.';
  if (diff.spacesHidden > 0) return 'Nothing else differs.';
  return 'The text is the same on both sides; what differs is listed above.';
}

export const NOTES = {
  bidi: 'Holds characters that change the direction of text. They are shown by name here; an editor may show these lines differently.',
  approximate:
    'The comparison was cut short: every line is shown, but some may be marked as changed that are not.',
  otherSpaces: (lines: number): string =>
    `${format.plural(lines, 'line')} with other white space or line ends ${lines === 1 ? 'is' : 'are'} shown as unchanged, as you chose.`,
  cut: (lines: number, most: number): string =>
    `${format.plural(lines, 'line')} longer than ${format.count(most)} characters cut.`,
  gapFailed: (why: string): string => `The lines between could not be loaded: ${why}`,
} as const;
