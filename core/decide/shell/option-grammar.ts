/**
 * The options of a program as one line of text (option-tables.ts), and whether a command has no others.
 * Anything not in the line is rejected: unknown options, and abbreviations of known ones.
 *
 *     -abc      options without a value, which may stand in one word; -# is every digit
 *     -n=       has a value: the rest of the word, or the next word
 *     -C?       may have a value, which is the rest of the word
 *     -O~       has a value: the rest of the word, or (not in every version) the next word, a literal one
 *     -L+       has a value, which is always the next word
 *     --all  --lines=  --color?      the same for long options
 *     --        ends the options
 */
import type { Word } from './facts.ts';
import { isOneVariable, staysOneWord } from './words.ts';

type Kind = 'flag' | 'value' | 'joined' | 'unsure' | 'next';

const KINDS: Readonly<Record<string, Kind>> = { '=': 'value', '?': 'joined', '~': 'unsure', '+': 'next' };

const TAKES_NONE: ReadonlySet<Kind> = new Set(['flag', 'joined']);

type OptionGrammar = ReadonlyMap<string, Kind>;

export interface ReadOptions {
  bad: Word | null;
  operands: readonly Word[];
  /** The options, each with the word that its value is or ends; null without a value, or a literal one in the same word. */
  named: ReadonlyMap<string, Word | null>;
  /** An unquoted variable or a pattern, which may become any number of operands. */
  countless: boolean;
}

interface Leniency {
  /** Accepts a word that is not literal. */
  unknown?: (word: Word) => boolean;
  /** No option of the program is harmful, so a value may look like one. */
  anyValue?: boolean;
  /** The first operand ends the options: it is a command with options of its own. */
  stop?: boolean;
}

const compiled = new Map<string, OptionGrammar>();

function grammarOf(line: string): OptionGrammar {
  const known = compiled.get(line);
  if (known !== undefined) return known;
  const grammar = new Map<string, Kind>();
  for (const token of line.split(/\s+/)) {
    const kind = KINDS[token.slice(-1)] ?? 'flag';
    const name = kind === 'flag' ? token : token.slice(0, -1);
    if (name.startsWith('--')) grammar.set(name, kind);
    else for (const letter of name.slice(1).replace('#', '0123456789')) grammar.set(`-${letter}`, kind);
  }
  compiled.set(line, grammar);
  return grammar;
}

export function readOptions(args: readonly Word[], line: string, leniency: Leniency = {}): ReadOptions {
  const grammar = grammarOf(line);
  const operands: Word[] = [];
  const named = new Map<string, Word | null>();
  const done = (bad: Word | null): ReadOptions => {
    const countless = operands.some((word) => !staysOneWord(word));
    return { bad, operands, named, countless };
  };
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (word === undefined) break;
    if (word.value === '--' && grammar.has('--')) {
      operands.push(...args.slice(i + 1));
      return done(null);
    }
    const start = literalStart(word);
    const isOption = start.startsWith('-') && word.value !== '-';
    const found = isOption ? optionOf(word, start, grammar) : null;
    if (found !== null) {
      const value = found.next === null ? undefined : args[++i];
      for (const name of found.names) named.set(name, value ?? null);
      if (value !== undefined && !isValue(value, found.next, leniency)) return done(value);
    } else if (isOperand(word, start) || (word.value === null && leniency.unknown?.(word) === true)) {
      if (leniency.stop === true) {
        operands.push(...args.slice(i));
        return done(null);
      }
      operands.push(word);
    } else return done(word);
  }
  return done(null);
}

/** Index of the first word that is neither an option nor a value of one. */
export function verbIndex(args: readonly Word[], line: string): number {
  const at = args.findIndex((_, i) => {
    const { bad, operands } = readOptions(args.slice(0, i + 1), line);
    return bad !== null || operands.length > 0;
  });
  return at < 0 ? args.length : at;
}

interface OptionWord {
  names: string[];
  /** Null = the next word is not its value. */
  next: Kind | null;
}

/** Null when the grammar rejects the word. */
function optionOf(word: Word, start: string, grammar: OptionGrammar): OptionWord | null {
  const whole = word.value !== null;
  if (start.startsWith('--')) {
    const name = /^[^=]+/.exec(start)?.[0] ?? '';
    const kind = grammar.get(name);
    const hasValue = name !== start;
    if (kind === undefined || name === '--' || (hasValue ? kind === 'flag' || !keepsStart(word) : !whole))
      return null;
    return { names: [name], next: hasValue || TAKES_NONE.has(kind) ? null : kind };
  }
  const names: string[] = [];
  for (const [i, letter] of [...start].entries()) {
    if (i === 0) continue;
    const kind = grammar.get(`-${letter}`);
    if (kind === undefined) return null;
    names.push(`-${letter}`);
    if (kind === 'flag') continue;
    const next = !TAKES_NONE.has(kind) && whole && i === start.length - 1 ? kind : null;
    return keepsStart(word) && (next !== null || kind !== 'next') ? { names, next } : null;
  }
  return whole ? { names, next: null } : null;
}

function literalStart(word: Word): string {
  if (word.value !== null) return word.value;
  let start = '';
  for (const piece of word.pieces) {
    // A home directory starts with a slash; an unknown one stays a tilde.
    if (piece.kind === 'pattern' && piece.text === '~' && start === '') return '~';
    if (piece.kind !== 'text') break;
    start += piece.text;
  }
  return start;
}

/** Whether every word that this one expands to starts with its literal text. */
function keepsStart(word: Word): boolean {
  return word.pieces.every((piece) => piece.kind === 'pattern' || isOneVariable(piece));
}

/** Whether every word that this one expands to is an operand. */
function isOperand(word: Word, start: string): boolean {
  if (word.value !== null) return !word.value.startsWith('-') || word.value === '-';
  return start !== '' && !start.startsWith('-') && keepsStart(word);
}

/** A value that looks like an option may be one in another version. */
function isValue(word: Word, kind: Kind | null, { anyValue }: Leniency): boolean {
  if (!staysOneWord(word)) return false;
  if (kind === 'unsure') return isOperand(word, literalStart(word));
  return anyValue === true || word.value === null || !/^-[^\d]/.test(word.value) || word.value === '-';
}
