/** Syntax colours, as the worker makes them. A diff's are made per hunk and side: strings and comments span lines. */
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
import type { DiffLine } from '../../../shared/model/diff.ts';
import type { ColourAnswer, ColourJob, Highlighted, Highlights } from './highlight-job.ts';
import { shownText } from './to-diff2html.ts';
import { type Token, tokensByLine } from './tokens.ts';

const LANGUAGES: Record<Highlighted, Parameters<typeof hljs.registerLanguage>[1]> = {
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

function colour(
  lines: DiffLine[],
  language: Highlighted,
  side: 'oldNumber' | 'newNumber',
  into: Map<number, Token[]>,
): void {
  const text = lines.map((line) => shownText(line, false, false)).join('\n');
  const tokens = tokensOf(text, language);
  lines.forEach((line, index) => {
    const number = line[side];
    if (number !== null) into.set(number, tokens[index] ?? []);
  });
}

function tokensOf(text: string, language: Highlighted): Token[][] {
  return tokensByLine(hljs.highlight(text, { language, ignoreIllegals: true }).value);
}

function colourHunks({ hunks, language }: Extract<ColourJob, { kind: 'diff' }>): Highlights {
  const result: Highlights = { old: new Map(), new: new Map() };
  for (const { lines } of hunks) {
    const onOld = lines.filter((line) => line.kind !== 'added');
    const onNew = lines.filter((line) => line.kind !== 'removed');
    colour(onOld, language, 'oldNumber', result.old);
    colour(onNew, language, 'newNumber', result.new);
  }
  return result;
}

/** Takes as long as the grammar takes: only the worker may call it. */
export function colours(job: ColourJob): ColourAnswer {
  if (job.kind === 'shell') return { kind: 'shell', lines: tokensOf(job.text, 'bash') };
  return { kind: 'diff', highlights: colourHunks(job) };
}
