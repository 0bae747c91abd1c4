import { type BytePath, toDisplay } from '../bytes.ts';
import { sizeText } from '../format.ts';
import type { Change } from '../model/change.ts';
import type { DiffHunk, DiffModel } from '../model/diff.ts';
import { replaceHidden } from '../text/hidden-characters.ts';
import { conflictOf, detailOf } from './status.ts';
import type { Style } from './text.ts';

/** Paths are whole. */
const ROOT = '/' as BytePath;

export function diffText(change: Change, diff: DiffModel, style: Style): string {
  // The body of the others says it.
  const isContent = diff.kind !== 'meta' && diff.kind !== 'symlink';
  const detail = isContent ? style.dim(detailOf(change, ROOT)) : '';
  const head = `${style.bold(`${change.kind}: ${toDisplay(change.path)}`)}${detail}${conflictOf(change, style)}`;
  return [head, ...body(diff, style)].join('\n');
}

function body(diff: DiffModel, style: Style): string[] {
  switch (diff.kind) {
    case 'text':
      if (diff.hunks.length === 0) return ['  (empty file)'];
      return [
        ...diff.hunks.flatMap((hunk) => hunkLines(hunk, style)),
        ...(diff.approximate ? [style.dim('(comparison cut short: correct, but not minimal)')] : []),
      ];
    case 'collapsed':
      return [
        `  ${diff.oldLines} to ${diff.newLines} lines, ${sizeText(diff.oldBytes)} to ${sizeText(diff.newBytes)}: too many changed lines. Show them with: trai diff PATH`,
      ];
    case 'binary':
      return [
        `  binary${diff.mime === null ? '' : ` (${diff.mime})`}: ${side(diff.oldBytes)} to ${side(diff.newBytes)}`,
      ];
    case 'symlink':
      return [
        ...(diff.oldTarget === null ? [] : [style.red(`-> ${shown(diff.oldTarget)}`)]),
        ...(diff.newTarget === null ? [] : [style.green(`-> ${shown(diff.newTarget)}`)]),
      ];
    case 'meta':
      return diff.notes.map((note) => `  ${shown(note)}`);
    case 'omitted':
      return [
        `  not shown: ${diff.message} (${side(diff.oldBytes)} to ${side(diff.newBytes)})`,
        ...diff.head.map((line) => style.dim(`  ${shown(line)}`)),
      ];
  }
}

function hunkLines(hunk: DiffHunk, style: Style): string[] {
  const head = style.cyan(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`);
  const lines = hunk.lines.flatMap((line) => {
    const sign = line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : ' ';
    const text = `${sign}${shown(line.text)}${line.end === 'crlf' ? '\\r' : ''}`;
    const coloured =
      line.kind === 'added' ? style.green(text) : line.kind === 'removed' ? style.red(text) : text;
    return line.end === 'none' ? [coloured, style.dim('\\ No newline at end of file')] : [coloured];
  });
  return [head, ...lines];
}

/** Control characters in a file must not drive the terminal, nor reorder its text. */
function shown(text: string): string {
  return replaceHidden(text, (code) => `\\u{${code.toString(16)}}`);
}

function side(bytes: number | null): string {
  return bytes === null ? 'nothing' : sizeText(bytes);
}
