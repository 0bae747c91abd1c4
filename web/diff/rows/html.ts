/** One batch of a diff as HTML. Loaded on demand: diff2html is the heaviest part of the page. */
import { html } from 'diff2html/lib-esm/diff2html';
import type { DiffFile } from 'diff2html/lib-esm/types';
import { expandMarks } from '../../ui/visible.ts';

export type Layout = 'unified' | 'split';

/** Escaped by diff2html; stand-ins of invisible characters become labelled spans. */
export function batchHtml(file: DiffFile, layout: Layout): string {
  const rendered = html([file], {
    outputFormat: layout === 'split' ? 'side-by-side' : 'line-by-line',
    drawFileList: false,
    matching: 'lines',
    diffStyle: 'word',
    maxLineLengthHighlight: 2_000,
  });
  return expandMarks(rendered);
}
