/**
 * Translates a rule's pattern, written for PCRE as the passthru plugin has it, into a JavaScript one with the same
 * meaning. Inline flags become part of the pattern, so that all patterns are compiled with the flag `u` alone. What has
 * no equivalent (recursion, conditionals, verbs) is refused, which makes the file broken and is named by verify.
 */
import { messageOf } from '../../../shared/errors.ts';
import { unsupportedPattern } from '../messages.ts';

export interface Pattern {
  source: string;
  regexp: RegExp;
  /** Every match contains one of these texts; with `atStart`, begins with one. Empty = not known. */
  literals: readonly string[];
  atStart: boolean;
}

/** Why a pattern cannot be used. */
export class PatternError extends Error {}

const MAX_PATTERN_CHARS = 10_000;

/** @throws PatternError */
export function compilePattern(source: string): Pattern {
  if (source.length > MAX_PATTERN_CHARS)
    throw new PatternError(unsupportedPattern(`${source.length} characters`));
  const { text, literal, atStart } = new Translation(source).result();
  const choice = CHOICE.exec(source);
  const literals = literal === '' ? (choice?.[1]?.split('|') ?? []) : [literal];
  try {
    return { source, regexp: new RegExp(text, 'u'), literals, atStart };
  } catch (error) {
    throw new PatternError(messageOf(error).replace(/^Invalid regular expression: \/.*\/u?: /s, ''));
  }
}

/** A choice of plain words at the beginning, of which one is in every match: `^(git|npm) push`. */
const CHOICE = /^(?:\^|\\A)?\((?:\?:)?([A-Za-z0-9_/ -]+(?:\|[A-Za-z0-9_/ -]+)*)\)(?![*?+{])(?!.*\|)/s;

interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
  x: boolean;
}

interface Group {
  /** Where the group begins in the output, for a possessive quantifier behind it. */
  start: number;
  flags: Flags;
  /** Closes what was opened. */
  end: string;
}

const SPACES = '\\t\\n\\v\\f\\r ';
const NO_SPACES = '\\0-\\x08\\x0e-\\x1f\\x21-\\u{10ffff}';
const VERTICAL = '\\n\\v\\f\\r\\x85\\u2028\\u2029';

/** Escapes that stand for a set of characters: the inner text of a class, and of its complement. */
const SETS: Readonly<Record<string, readonly [set: string, complement: string]>> = {
  s: [SPACES, NO_SPACES],
  h: ['\\t ', '\\0-\\x08\\x0a-\\x1f\\x21-\\u{10ffff}'],
  v: [VERTICAL, '\\0-\\x09\\x0e-\\x84\\x86-\\u2027\\u202a-\\u{10ffff}'],
  d: ['0-9', '\\0-\\x2f\\x3a-\\u{10ffff}'],
  w: ['0-9A-Za-z_', '\\0-\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\u{10ffff}'],
};

const POSIX_SETS: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\0-\\x7f',
  blank: '\\t ',
  cntrl: '\\0-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e',
  space: SPACES,
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

const CONTROLS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

class Translation {
  private readonly source: string;
  private at = 0;
  private out = '';
  private flags: Flags = { i: false, m: false, s: false, x: false };
  private readonly groups: Group[] = [];
  /** Start of the last atom in the output; -1 = a quantifier may not follow. */
  private atom = -1;
  private helpers = 0;
  private captures = 0;
  /** Numbered references need names, since helper groups shift the numbers. */
  private readonly named: boolean;
  private literal = '';
  /** Nothing but literal characters so far. */
  private isLiteral = true;
  private atStart = false;
  private alternates = false;

  constructor(source: string) {
    this.source = source;
    this.named = /\\[1-9]|\\g/.test(source);
  }

  result(): { text: string; literal: string; atStart: boolean } {
    while (this.at < this.source.length) this.step();
    if (this.groups.length > 0) throw new PatternError('Unterminated group');
    const text = this.out;
    return this.alternates
      ? { text, literal: '', atStart: false }
      : { text, literal: this.literal, atStart: this.atStart };
  }

  private refuse(what: string): never {
    throw new PatternError(unsupportedPattern(what));
  }

  /** Consumes what `pattern` (sticky) matches here. */
  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  private put(text: string): void {
    this.isLiteral = false;
    this.atom = this.out.length;
    this.out += text;
  }

  private putZeroWidth(text: string): void {
    this.isLiteral = false;
    this.atom = -1;
    this.out += text;
  }

  private step(): void {
    if (this.flags.x && this.take(/(?:\s|#[^\n]*)+/y) !== null) return;
    const quantifier = this.take(/([*+?]|\{\d+(?:,\d*)?\})([+?]?)/y);
    if (quantifier !== null) {
      this.quantify(quantifier[1] ?? '', quantifier[2] ?? '');
      return;
    }
    const char = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
    this.at += char.length;
    switch (char) {
      case '\\':
        this.escape();
        return;
      case '[':
        this.set();
        return;
      case '(':
        this.open();
        return;
      case ')':
        this.close();
        return;
      case '|':
        if (this.groups.length === 0) this.alternates = true;
        this.putZeroWidth('|');
        return;
      case '.':
        this.put(this.flags.s ? '[^]' : '[^\\n]');
        return;
      case '^':
        if (this.out === '' && !this.flags.m) {
          this.atStart = true;
          this.out = '^';
        } else this.putZeroWidth(this.flags.m ? '(?<![^\\n])' : '^');
        this.atom = -1;
        return;
      case '$':
        // Before a last line feed too.
        this.putZeroWidth(this.flags.m ? '(?![^\\n])' : '(?=\\n?$)');
        return;
      case '{':
        if (/^\{,\d+\}/.test(this.source.slice(this.at - 1))) this.refuse('{,n}');
        this.character(char);
        return;
      default:
        this.character(char);
    }
  }

  private character(char: string): void {
    if (this.flags.i && char.toLowerCase() !== char.toUpperCase()) {
      this.put(`[${char}${char.toLowerCase()}${upper(char)}]`);
      return;
    }
    const wasLiteral = this.isLiteral;
    this.put(escaped(char));
    this.isLiteral = wasLiteral;
    if (wasLiteral) this.literal += char;
  }

  private quantify(quantifier: string, mode: string): void {
    if (this.atom < 0) throw new PatternError('Nothing to repeat');
    // The last literal character may be missing.
    if (this.isLiteral) this.literal = [...this.literal].slice(0, -1).join('');
    this.isLiteral = false;
    if (mode === '+') {
      const atom = this.out.slice(this.atom) + quantifier;
      this.out = this.out.slice(0, this.atom) + this.atomic(atom);
    } else this.out += quantifier + mode;
    this.atom = -1;
  }

  /** A lookahead is not re-entered, so what it captured is all or nothing. */
  private atomic(text: string): string {
    this.helpers += 1;
    const name = `atomic${this.helpers}_`;
    return `(?:(?=(?<${name}>${text}))\\k<${name}>)`;
  }

  private open(): void {
    const start = this.out.length;
    const flags = { ...this.flags };
    const enter = (begin: string, end = ')'): void => {
      this.groups.push({ start, flags, end });
      this.putZeroWidth(begin);
    };
    if (this.take(/\?#[^)]*\)/y) !== null) return;
    if (this.take(/\*/y) !== null) this.refuse('(*');
    if (this.take(/(?!\?)/y) !== null) {
      this.captures += 1;
      enter(this.named ? `(?<group${this.captures}_>` : '(');
      return;
    }
    const plain = this.take(/\?(?::|<?=|<?!)/y);
    if (plain !== null) {
      enter(`(${plain[0]}`);
      return;
    }
    const name = this.take(/\?P?<([A-Za-z_]\w*)>|\?'([A-Za-z_]\w*)'/y);
    if (name !== null) {
      this.captures += 1;
      // A reference by number cannot know the name.
      if (this.named) this.refuse('numbered references beside named groups');
      enter(`(?<${name[1] ?? name[2] ?? ''}>`);
      return;
    }
    const reference = this.take(/\?P=([A-Za-z_]\w*)\)/y);
    if (reference !== null) {
      this.put(`\\k<${reference[1] ?? ''}>`);
      return;
    }
    if (this.take(/\?>/y) !== null) {
      this.helpers += 1;
      const helper = `atomic${this.helpers}_`;
      enter(`(?:(?=(?<${helper}>`, `))\\k<${helper}>)`);
      return;
    }
    const inline = this.take(/\?(\^?[imsxun]*(?:-[imsx]*)?)(:|\))/y);
    if (inline === null) this.refuse(`(${this.source.slice(this.at, this.at + 3)}`);
    if (inline[2] === ':') enter('(?:');
    this.flags = changed(this.flags, inline[1] ?? '');
  }

  private close(): void {
    const group = this.groups.pop();
    if (group === undefined) throw new PatternError('Unmatched )');
    this.put(group.end);
    this.atom = /^\(\?<?[=!]/.test(this.out.slice(group.start, group.start + 4)) ? -1 : group.start;
    this.flags = group.flags;
  }

  private escape(): void {
    const set = this.take(/[sShHvVdDwW]/y)?.[0];
    if (set !== undefined) {
      this.put(`[${setText(set)}]`);
      return;
    }
    const property = this.take(/[pP]\{\^?\w+\}|[pP][LMNPSZC]/y)?.[0];
    if (property !== undefined) {
      this.put(`\\${propertyText(property)}`);
      return;
    }
    if (this.take(/Q/y) !== null) {
      const end = this.source.indexOf('\\E', this.at);
      const text = this.source.slice(this.at, end < 0 ? undefined : end);
      this.at += text.length + (end < 0 ? 0 : 2);
      for (const char of text) this.character(char);
      return;
    }
    if (this.take(/[EK]/y) !== null) return;
    const assertion = this.take(/[AzZbBG]/y)?.[0];
    if (assertion !== undefined) {
      this.assert(assertion);
      return;
    }
    if (this.take(/R/y) !== null) {
      this.put(`(?:\\r\\n|[${VERTICAL}])`);
      return;
    }
    if (this.take(/N(?!\{)/y) !== null) {
      this.put('[^\\n]');
      return;
    }
    const octal = this.take(/[1-3][0-7]{2}/y)?.[0];
    if (octal !== undefined) {
      this.character(codeText(Number.parseInt(octal, 8)));
      return;
    }
    const number = this.take(/([1-9]\d?)|g(\d+)|g\{(\d+)\}/y);
    if (number !== null) {
      this.put(`\\k<group${number[1] ?? number[2] ?? number[3] ?? ''}_>`);
      return;
    }
    const name = this.take(/k(?:<(\w+)>|\{(\w+)\}|'(\w+)')/y);
    if (name !== null) {
      this.put(`\\k<${name[1] ?? name[2] ?? name[3] ?? ''}>`);
      return;
    }
    this.character(this.escapedCharacter());
  }

  private assert(letter: string): void {
    if (letter === 'G') this.refuse('\\G');
    if (letter === 'A') {
      if (this.out === '') this.atStart = true;
      const isFirst = this.out === '';
      this.putZeroWidth('(?<![^])');
      this.isLiteral = isFirst;
    } else if (letter === 'z') this.putZeroWidth('(?![^])');
    else if (letter === 'Z') this.putZeroWidth('(?=\\n?(?![^]))');
    else this.putZeroWidth(`\\${letter}`);
  }

  /** One character, inside and outside of a class. */
  private escapedCharacter(): string {
    const code = this.take(/x\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{0,2})|u([0-9a-fA-F]{4})/y);
    if (code !== null) return codeText(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '0', 16) || 0);
    const octal = this.take(/0[0-7]{0,2}|o\{([0-7]+)\}/y);
    if (octal !== null) return codeText(Number.parseInt(octal[1] ?? octal[0], 8));
    const control = this.take(/c([A-Za-z])/y)?.[1];
    if (control !== undefined) return codeText(control.toUpperCase().charCodeAt(0) - 64);
    const known = this.take(/[aefnrt]/y)?.[0];
    if (known !== undefined) return codeText(CONTROLS[known] ?? 0);
    const other = this.source.codePointAt(this.at);
    if (other === undefined) throw new PatternError('\\ at end of pattern');
    const char = String.fromCodePoint(other);
    if (/[A-Za-z0-9]/.test(char)) this.refuse(`\\${char}`);
    this.at += char.length;
    return char;
  }

  private set(): void {
    let text = this.take(/\^/y) === null ? '[' : '[^';
    let isFirst = true;
    for (;;) {
      const char = this.source[this.at];
      if (char === undefined) throw new PatternError('Unterminated character class');
      if (char === ']' && !isFirst) break;
      isFirst = false;
      text += this.member();
    }
    this.at += 1;
    this.put(`${text}]`);
  }

  private member(): string {
    const posix = this.take(/\[:(\^?)(\w+):\]/y);
    if (posix !== null) {
      const set = POSIX_SETS[posix[2] ?? ''];
      if (set === undefined || posix[1] === '^') this.refuse(posix[0]);
      return this.flags.i && /upper|lower/.test(posix[0]) ? 'A-Za-z' : set;
    }
    const set = this.take(/\\([sShHvVdDwW])/y)?.[1];
    if (set !== undefined) return setText(set);
    const property = this.take(/\\([pP]\{\^?\w+\}|[pP][LMNPSZC])/y)?.[1];
    if (property !== undefined) return `\\${propertyText(property)}`;
    if (this.take(/\\[QE]/y) !== null) this.refuse('\\Q in a class');
    const from = this.memberCharacter();
    if (this.take(/-(?!\]|\\[sShHvVdDwWpP]|\[:)/y) === null) return this.folded(from, from);
    return this.folded(from, this.memberCharacter());
  }

  private memberCharacter(): string {
    if (this.take(/\\b/y) !== null) return '\b';
    if (this.take(/\\/y) !== null) return this.escapedCharacter();
    const code = this.source.codePointAt(this.at);
    if (code === undefined) throw new PatternError('Unterminated character class');
    const char = String.fromCodePoint(code);
    this.at += char.length;
    return char;
  }

  private folded(from: string, to: string): string {
    const range = (a: string, b: string) => (a === b ? inClass(a) : `${inClass(a)}-${inClass(b)}`);
    const plain = range(from, to);
    if (!this.flags.i) return plain;
    if (from === to)
      return plain + range(from.toLowerCase(), from.toLowerCase()) + range(upper(from), upper(from));
    let text = plain;
    // The letters of the range, in the other case.
    for (const [first, last, shift] of [
      [65, 90, 32],
      [97, 122, -32],
    ] as const) {
      const low = Math.max(from.codePointAt(0) ?? 0, first);
      const high = Math.min(to.codePointAt(0) ?? 0, last);
      if (low <= high) text += range(codeText(low + shift), codeText(high + shift));
    }
    return text;
  }
}

/** `ß` has no single upper-case letter. */
function upper(char: string): string {
  const text = char.toUpperCase();
  return [...text].length === 1 ? text : char;
}

function changed(flags: Flags, text: string): Flags {
  const [on = '', off = ''] = text.split('-');
  const next = on.startsWith('^') ? { i: false, m: false, s: false, x: false } : { ...flags };
  for (const name of ['i', 'm', 's', 'x'] as const) {
    if (on.includes(name)) next[name] = true;
    if (off.includes(name)) next[name] = false;
  }
  return next;
}

function setText(letter: string): string {
  const [set, complement] = SETS[letter.toLowerCase()] ?? ['', ''];
  return letter === letter.toLowerCase() ? set : complement;
}

/** `\pL` and `\p{^L}` in JavaScript's spelling. */
function propertyText(text: string): string {
  const name = text.slice(1).replace(/[{}^]/g, '');
  const isNegated = (text[0] === 'P') !== text.includes('^');
  return `${isNegated ? 'P' : 'p'}{${name}}`;
}

function codeText(code: number): string {
  if (code > 0x10ffff) throw new PatternError(unsupportedPattern(`\\x{${code.toString(16)}}`));
  return String.fromCodePoint(code);
}

function escaped(char: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char === '\n' ? '\\n' : char;
}

function inClass(char: string): string {
  return /[\\\]^[-]/.test(char) ? `\\${char}` : char;
}
