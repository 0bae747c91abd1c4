/**
 * Texts of words: without quotes; with the values, aliases and functions that the text itself defines; as if what is not
 * known were empty; and the one that an allow rule has to match.
 */
import type { Spelling } from '../../../shared/model/rule.ts';
import type { Piece, Script, SimpleCommand, Word } from '../../decide/shell/facts.ts';
import { parseShell } from '../../decide/shell/parse.ts';
import { KnownValues } from '../../decide/shell/values.ts';
import { withoutBraces } from './braces.ts';
import { literalWord, nameOfProgram } from './wrappers.ts';

const MAX_TEXTS = 8;

/** Without repetition, in order. */
export class Spellings {
  readonly list: (readonly [Spelling, string])[] = [];

  add(spelling: Spelling, text: string): void {
    if (text !== '' && !this.list.some(([, one]) => one === text)) this.list.push([spelling, text]);
  }
}

/** What words stand for, as far as the commands that were learned tell. */
export class WordTexts {
  private readonly values = new KnownValues(textOfPiece);
  private readonly aliases = new Map<string, string>();
  private readonly functions = new Map<string, SimpleCommand[]>();

  /** True where it defines an alias, or may. */
  learn(command: SimpleCommand): boolean {
    this.values.learn(command);
    if (command.words[0]?.value !== 'alias') return false;
    let defines = false;
    for (const { value } of command.words.slice(1)) {
      const [, name, text] = /^([^=]+)=(.*)$/s.exec(value ?? '') ?? [];
      if (name !== undefined && text !== undefined) this.aliases.set(name, text);
      defines ||= name !== undefined || value === null;
    }
    return defines;
  }

  learnFunctions(script: Script): void {
    for (const { name, from, to } of script.functions)
      this.functions.set(name, script.commands.slice(from, to));
  }

  /** At most MAX_TEXTS. */
  dequoted(words: readonly Word[]): string[] {
    if (words.every(({ value }) => value !== null))
      return [
        words
          .map(({ value }) => value ?? '')
          .join(' ')
          .trimStart(),
      ];
    let texts = [''];
    for (const [i, word] of withoutBraces(words).entries()) {
      const options = this.values.textsOf(word).map(tilde);
      const before = i === 0 ? '' : ' ';
      texts = texts.flatMap((text) => options.map((one) => text + before + one)).slice(0, MAX_TEXTS);
    }
    return texts.map((text) => text.replace(/^\s+/, ''));
  }

  /** The program without its directory or zsh's `=`; the text of an alias or a function of this text. */
  expanded(words: readonly Word[]): string[] {
    const [first, ...rest] = words;
    const value = first?.value ?? '';
    const name = value.startsWith('=') ? value.slice(1) : nameOfProgram(first);
    if (name === value && !this.aliases.has(name) && !this.functions.has(name)) return [];
    const args = this.dequoted(rest);
    const texts = name === value || name === '' ? [] : args.map((one) => `${name} ${one}`.trimEnd());
    const alias = this.aliases.get(name);
    if (alias !== undefined) {
      for (const { words: inner } of parseShell(alias).commands)
        texts.push(...args.flatMap((one) => this.dequoted(inner).map((text) => `${text} ${one}`)));
    }
    for (const { words: inner } of this.functions.get(name) ?? [])
      texts.push(
        inner.map((word) => word.pieces.map((piece) => argument(piece, args[0] ?? '')).join('')).join(' '),
      );
    return texts;
  }
}

/** What an allow rule has to match. */
export function canonical(words: readonly Word[]): string {
  return words.map((word) => tilde(word.value ?? word.pieces.map(canonicalPiece).join(''))).join(' ');
}

/** As if what is not known were empty: `r${x}m`, `$(:)rm`. */
export function withoutUnknown(words: readonly Word[]): string {
  const texts = words.map(({ value, pieces }) => {
    return value ?? pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  });
  return texts.join(' ').trim();
}

/** `\n` as printf and echo print it. */
export function withLines(word: Word): Word {
  return literalWord((word.value ?? '').replace(/\\n/g, '\n'));
}

/** `sh -c '$0 "$@"' rm x` */
export function withPositions(text: string, args: readonly string[]): string {
  return text.replace(/"?\$\{?(\d|[@*])\}?"?/g, (_, name: string) =>
    /\d/.test(name) ? (args[Number(name)] ?? '') : args.slice(1).join(' '),
  );
}

/** A piece whose value is not known. */
function textOfPiece(piece: Piece): string {
  if (piece.kind === 'variable') return piece.name === 'IFS' && !piece.quoted ? ' ' : `$${piece.name}`;
  if (piece.kind === 'script') return piece.source;
  // `${X:-rm}` and `${X:+rm}`: what stands in for an unset or set variable.
  return /^\$\{\w*:?[-=+]([^{}$`]*)\}$/.exec(piece.text)?.[1] ?? piece.text;
}

/** A leading tilde is a piece of its own, and also starts the literal text after it. */
const tilde = (text: string): string => text.replace(/^~~/, '~');

/** Unlike a value that is read from the text, a sign of a shell in here can't be taken for one. */
function canonicalPiece(piece: Piece): string {
  return piece.kind === 'variable' ? `$${piece.name}` : piece.kind === 'script' ? piece.source : piece.text;
}

/** A piece of a function's body, with the arguments of its call. */
function argument(piece: Piece, args: string): string {
  if (piece.kind !== 'variable') return textOfPiece(piece);
  if (piece.name === '@' || piece.name === '*') return args;
  return /^[1-9]$/.test(piece.name) ? (args.split(' ')[Number(piece.name) - 1] ?? '') : textOfPiece(piece);
}

const MAX_SUFFIXES = 64;

/**
 * Of a piece of a text that is not understood; null where nothing but quotes is in it.
 * @param anywhere also what begins with a later word, as behind the names of shells
 */
export function roughly(piece: string, anywhere: boolean): Spellings | null {
  const bare = piece
    .replace(/['"\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (bare === '') return null;
  const spellings = new Spellings();
  spellings.add('written', piece.trim());
  spellings.add('dequoted', bare);
  spellings.add(
    'unwrapped',
    bare.replace(/^((\w+=\S*|[!-]|then|do|else|sudo|exec|command|env|nohup) )+/, ''),
  );
  const words = anywhere ? bare.split(' ') : [];
  for (const [i] of words.slice(0, MAX_SUFFIXES).entries())
    spellings.add('unwrapped', words.slice(i).join(' '));
  return spellings;
}
