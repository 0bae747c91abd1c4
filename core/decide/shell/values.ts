/** The texts that words may stand for, as far as the text of a command itself tells. */
import type { Piece, SimpleCommand, Word } from './facts.ts';

const MAX_VALUES = 8;
/** Their words are `NAME=VALUE`. */
const DECLARES = /^(export|alias|declare|typeset|local|readonly)$/;

export class KnownValues {
  /** Values that the text assigns, in any order. */
  private readonly known = new Map<string, Set<string>>();
  private readonly unknown: (piece: Piece) => string;

  /** @param unknown the text of a piece that is neither literal, nor a pattern, nor a variable with a known value */
  constructor(unknown: (piece: Piece) => string) {
    this.unknown = unknown;
  }

  learn(command: SimpleCommand): void {
    for (const { name, value } of command.assignments) {
      const values = [...(value === null ? command.loose : [value])].flatMap((word) => this.textsOf(word));
      this.remember(name, values);
    }
    if (!DECLARES.test(command.words[0]?.value ?? '')) return;
    for (const text of command.words.slice(1).flatMap((word) => this.textsOf(word))) {
      const at = text.indexOf('=');
      if (at > 0) this.remember(text.slice(0, at), [text.slice(at + 1)]);
    }
  }

  private remember(name: string, values: string[]): void {
    const known = this.known.get(name) ?? new Set<string>();
    for (const value of values.slice(0, MAX_VALUES)) known.add(value);
    this.known.set(name, known);
  }

  /** At most MAX_VALUES. */
  textsOf(word: Word): string[] {
    let texts = [''];
    for (const piece of word.pieces) {
      const options = this.optionsOf(piece);
      texts = texts.flatMap((text) => options.map((option) => text + option)).slice(0, MAX_VALUES);
    }
    return texts;
  }

  private optionsOf(piece: Piece): string[] {
    if (piece.kind === 'text' || piece.kind === 'pattern') return [piece.text];
    const known = piece.kind === 'variable' ? this.known.get(piece.name) : undefined;
    return known === undefined || known.size === 0 ? [this.unknown(piece)] : [...known];
  }
}
