/**
 * The facts of the plainest texts without the parser, which takes ten times as long for them: words of characters that mean
 * nothing to any shell, one blank between them, and chains of such commands with `&&`.
 */
import type { Script, SimpleCommand, Word } from './facts.ts';
import { wordSet } from './words.ts';

/** With a `=` only behind a dash: elsewhere it may be an assignment. The first character tells which of the two a word is. */
const PLAIN = /^[\w./:@%,+-]+(?: (?:[\w./:@%,+][\w./:@%,+-]*|-[\w./:@%,+=-]*))*$/;

const RESERVED = wordSet(
  'if then elif else fi case esac for select while until do done in function time coproc',
);

const AND = ' && ';
/** Longer chains are rare, and the parser counts commands. */
const MOST = 50;

/** What `parseShell` says of a text; null where only the parser knows. */
export function plainScript(text: string): Script | null {
  const parts = text.includes(AND) ? text.split(AND) : [text];
  if (parts.length > MOST || !parts.every(isPlainCommand)) return null;
  const commands = parts.map((part, i) => commandOf(part, i > 0));
  return { commands, odd: [], broken: false, functions: [], comments: [] };
}

function isPlainCommand(text: string): boolean {
  const end = text.indexOf(' ');
  return PLAIN.test(text) && !RESERVED.has(end < 0 ? text : text.slice(0, end));
}

function commandOf(text: string, chained: boolean): SimpleCommand {
  return {
    words: text.split(' ').map(wordOf),
    assignments: [],
    redirects: [],
    loose: [],
    piped: false,
    chained,
  };
}

function wordOf(text: string): Word {
  return { source: text, value: text, pieces: [{ kind: 'text', text, quoted: false }] };
}
