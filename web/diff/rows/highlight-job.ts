/** What is asked of the worker that colours code, what it answers, and what it is not asked. */
import type { DiffHunk, TextDiff } from '../../../shared/model/diff.ts';
import type { Token } from './tokens.ts';

/** Tokens of a diff by line number of each side. */
export interface Highlights {
  old: Map<number, Token[]>;
  new: Map<number, Token[]>;
}

export type ColourJob =
  | { kind: 'diff'; language: Highlighted; hunks: DiffHunk[] }
  | { kind: 'shell'; text: string };

export type ColourAnswer =
  | { kind: 'diff'; highlights: Highlights }
  /** Tokens of each line. */
  | { kind: 'shell'; lines: Token[][] };

/** From the worker: that it has loaded, then an answer for each job; `failed` where the grammar threw. */
export type FromWorker = ColourAnswer | { kind: 'ready' } | { kind: 'failed' };

/** Above these colouring costs more than it gives: 10,000 lines take half a second, one long line minutes. */
const MAX_LINES = 2_000;
const MAX_CHARS = 1_000;
/** Above this nobody reads a command by its colours. */
const MAX_SHELL_CHARS = 20_000;

/** Null when the language is not known here or the diff is too large. */
export function diffJob({ hunks, language }: TextDiff): ColourJob | null {
  if (!isHighlighted(language)) return null;
  let lines = 0;
  for (const hunk of hunks) {
    lines += hunk.lines.length;
    if (lines > MAX_LINES || hunk.lines.some((line) => line.text.length > MAX_CHARS)) return null;
  }
  return { kind: 'diff', language, hunks };
}

/** Null for a very long text. */
export function shellJob(text: string): ColourJob | null {
  return text.length > MAX_SHELL_CHARS ? null : { kind: 'shell', text };
}

const HIGHLIGHTED = [
  'bash',
  'c',
  'cpp',
  'css',
  'diff',
  'dockerfile',
  'go',
  'ini',
  'java',
  'javascript',
  'json',
  'makefile',
  'markdown',
  'python',
  'ruby',
  'rust',
  'sql',
  'typescript',
  'xml',
  'yaml',
] as const;
export type Highlighted = (typeof HIGHLIGHTED)[number];

function isHighlighted(name: string | null): name is Highlighted {
  return HIGHLIGHTED.some((known) => known === name);
}
