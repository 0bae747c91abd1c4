/**
 * Texts that a shell runs and of which not even a command's first word is known: `eval "$(…)"`, `curl … | sh`. They hide
 * from rules, and from the table of what leaves.
 */
import type { Redirect, SimpleCommand, Word } from '../../decide/shell/facts.ts';
import { parseShell } from '../../decide/shell/parse.ts';
import type { WordTexts } from './spellings.ts';
import { filesRunBy, innermost, nameOfProgram, readsProgram, runsFile } from './wrappers.ts';

export const PRINTS = /^(echo|printf|print)$/;
/** They print nothing of their own to the others of a group. */
const PRINTS_NOTHING = /^(read|test|\[|true|:|cd)$/;
/** What a wrapper puts into a text: `xargs -I{} sh -c {}`. */
const STARTS_FILLED = /^\s*["']?(\{\}|[%@])/;
const STARTS_UNKNOWN = /^"?(\$(?!\{?(HOME|PWD)\b)|`)/;

export class UnseenTexts {
  private readonly texts: WordTexts;

  /** @param texts know what the text assigns */
  constructor(texts: WordTexts) {
    this.texts = texts;
  }

  /**
   * Whether a command is a shell that reads such a text.
   * @param leaf its words without wrappers
   * @param before the commands of its pipeline, and those before that
   */
  readsUnknownText(
    { redirects, piped, inPipe }: SimpleCommand,
    leaf: readonly Word[],
    before: readonly SimpleCommand[],
  ): boolean {
    if (!runsFile(nameOfProgram(leaf[0]))) return false;
    if (filesRunBy(leaf).some(isMade)) return true;
    if (readsProgram(leaf) !== 'shell') return false;
    if (redirects.some(({ operator, target }) => operator === '<' && target !== null && isMade(target)))
      return true;
    const text = fedBy(redirects);
    if (text.length > 0) return this.startsUnknown(text);
    if (piped) return !this.isTold(before);
    const isSure = leaf.every(({ value }) => value !== null);
    return inPipe === true && isSure && redirects.every(({ operator }) => operator !== '<');
  }

  /** @param isFilled a wrapper puts words into the text */
  isUnknown(text: readonly Word[], isFilled: boolean): boolean {
    if (this.startsUnknown(text)) return true;
    return (
      isFilled && (text.length === 0 || this.texts.dequoted(text).some((one) => STARTS_FILLED.test(one)))
    );
  }

  /** Whether what the last of them prints, with those of its group, stands in the text. */
  private isTold(before: readonly SimpleCommand[]): boolean {
    for (let at = before.length - 1; at >= 0; at--) {
      if (!this.isTellingAt(before, at)) return false;
      if (before[at]?.inPipe !== true || before[at - 1]?.inPipe !== true) return true;
    }
    return false;
  }

  private isTellingAt(commands: readonly SimpleCommand[], at: number): boolean {
    const { words = [], redirects = [], piped = false, inPipe } = commands[at] ?? {};
    const [first, ...args] = innermost(words);
    const name = nameOfProgram(first);
    if (first === undefined || PRINTS_NOTHING.test(name)) return inPipe === true;
    if (PRINTS.test(name)) return !this.printsUnknown(name, args);
    if (name !== 'tee' && (name !== 'cat' || args.length > 0)) return false;
    if (redirects.some(({ operator }) => operator === '<')) return false;
    const text = fedBy(redirects);
    if (text.length > 0) return !this.startsUnknown(text);
    return piped && this.isTold(commands.slice(0, at));
  }

  private printsUnknown(name: string, args: readonly Word[]): boolean {
    // Each argument of a format may begin a line.
    if (name === 'printf') return args.some((arg) => this.startsUnknown([arg], true));
    const first = args.findIndex(({ value }) => !/^-/.test(value ?? ''));
    return first >= 0 && this.startsUnknown(args.slice(first), true);
  }

  private startsUnknown(words: readonly Word[], isPrinted = false): boolean {
    // A variable in there is the text's own.
    if (words.every(({ value }) => value !== null)) return false;
    return this.texts.dequoted(words).some((text) => {
      const { commands } = parseShell(isPrinted ? text.replace(/\\n/g, '\n') : text);
      return commands.some((command) => {
        const [first] = innermost(command.words);
        return first?.value === null && STARTS_UNKNOWN.test(first.source);
      });
    });
  }
}

/** `<(…)` is a file. */
function isMade({ pieces }: Word): boolean {
  return pieces.some((piece) => piece.kind === 'script' && piece.source.startsWith('<('));
}

/** The here-documents and here-strings among them. */
function fedBy(redirects: readonly Redirect[]): Word[] {
  return redirects.flatMap(
    ({ body, operator, target }) => body ?? (operator === '<<<' ? target : null) ?? [],
  );
}
