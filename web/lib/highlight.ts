/** Syntax colours of one diff, made per hunk and side so that strings and comments over several lines come out right. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { DiffLine, TextDiff } from '../../shared/changes/diff-model.ts';
import { shownText } from './diff-json.ts';
import { type Token, tokensByLine } from './tokens.ts';

const LANGUAGES = {
  bash,
  c,
  cpp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  makefile,
  markdown,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Above these highlighting costs more than it gives: 10,000 lines take half a second, one long line minutes. */
const MAX_LINES = 2_000;
const MAX_CHARS = 1_000;

export interface Highlights {
  /** By line number of that side. */
  old: Map<number, Token[]>;
  new: Map<number, Token[]>;
}

function isSmall(diff: TextDiff): boolean {
  let lines = 0;
  for (const hunk of diff.hunks) {
    lines += hunk.lines.length;
    if (lines > MAX_LINES || hunk.lines.some((line) => line.text.length > MAX_CHARS)) return false;
  }
  return true;
}

function colour(
  lines: DiffLine[],
  language: string,
  side: 'oldNumber' | 'newNumber',
  into: Map<number, Token[]>,
): void {
  const text = lines.map((line) => shownText(line, false, false)).join('\n');
  const tokens = tokensByLine(hljs.highlight(text, { language, ignoreIllegals: true }).value);
  lines.forEach((line, index) => {
    const number = line[side];
    if (number !== null) into.set(number, tokens[index] ?? []);
  });
}

/** Null when the language is not known here or the diff is too large. */
export function highlightDiff(diff: TextDiff): Highlights | null {
  const { language } = diff;
  if (language === null || hljs.getLanguage(language) === undefined || !isSmall(diff)) return null;
  const result: Highlights = { old: new Map(), new: new Map() };
  for (const { lines } of diff.hunks) {
    colour(
      lines.filter((line) => line.kind !== 'added'),
      language,
      'oldNumber',
      result.old,
    );
    colour(
      lines.filter((line) => line.kind !== 'removed'),
      language,
      'newNumber',
      result.new,
    );
  }
  return result;
}
