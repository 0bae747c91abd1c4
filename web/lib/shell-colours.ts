/** Syntax colours of a command. Loaded when the first one is on show, apart from the languages of files. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import { type Token, tokensByLine } from './tokens.ts';

hljs.registerLanguage('bash', bash);

/** Above this nobody reads it by its colours, and one long line may take seconds. */
const MAX_CHARS = 20_000;

/** Tokens of each line of a shell text; none for a very long one. */
export function shellColours(text: string): Token[][] {
  if (text.length > MAX_CHARS) return [];
  return tokensByLine(hljs.highlight(text, { language: 'bash', ignoreIllegals: true }).value);
}
