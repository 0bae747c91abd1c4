/** Programs that only read, and in which uses. Programs that the user added to `readOnly` are trusted. */

import type { SimpleCommand, Word } from './facts.ts';
import { type ReadOptions, readOptions } from './option-grammar.ts';
import { FIND_TESTS, HARMLESS_READERS, MAX_OPERANDS, READER_OPTIONS } from './option-tables.ts';
import { isHarmlessVariable, staysOneWord, wordSet } from './words.ts';

type Form = (args: readonly Word[]) => boolean;

const values = (args: readonly Word[]): string[] => args.map((word) => word.value ?? '');

/** Programs without the usual options and operands, or with a meaning to the shell itself. */
const FORMS: Readonly<Record<string, Form>> = {
  find: (args) => isFind(args),
  date: (args) => isDate(args),
  env: (args) => values(args).every((arg) => arg === '-0' || arg === '--null'),
  command: ([first, ...names]) =>
    (first?.value === '-v' || first?.value === '-V') && names.every(staysOneWord),
  test: (args) => isTest(args),
  '[': (args) => args.at(-1)?.value === ']' && isTest(args.slice(0, -1)),
  printf: (args) => isPrintf(args),
  export: (args) => args.every((word) => word.value === '-p' || isHarmlessExport(word)),
  echo: () => true,
  cd: () => true,
  pushd: () => true,
  popd: () => true,
};

export function readsOnly(program: string, args: readonly Word[]): boolean {
  const form = Object.hasOwn(FORMS, program) ? FORMS[program] : undefined;
  if (form !== undefined) return form(args);
  const read = readReader(program, args);
  if (read === null) return true;
  const most = Object.hasOwn(MAX_OPERANDS, program) ? MAX_OPERANDS[program] : undefined;
  return read.bad === null && (most === undefined || (!read.countless && isOrdered(args, read, most)));
}

function readReader(program: string, args: readonly Word[]): ReadOptions | null {
  const line = Object.hasOwn(READER_OPTIONS, program) ? READER_OPTIONS[program] : undefined;
  if (line === undefined) return null;
  return readOptions(
    args,
    line,
    HARMLESS_READERS.has(program) ? { unknown: () => true, anyValue: true } : {},
  );
}

/** With POSIXLY_CORRECT everything after the first operand is an operand. */
function isOrdered(args: readonly Word[], { operands }: ReadOptions, most: number): boolean {
  const first = operands[0];
  return first === undefined || (operands.length <= most && args.length - args.indexOf(first) <= most);
}

function isFind(args: readonly Word[]): boolean {
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (word === undefined) break;
    const text = word.value;
    if (text === null || !/^-./.test(text)) {
      const operator = text !== null && /^([(),!]|)$/.test(text);
      if (!operator && readOptions([word], '').bad !== null) return false;
    } else if (FIND_TESTS[1]?.has(text) === true || /^-newer[aBcmt][aBcmt]$/.test(text)) {
      const value = args[++i];
      if (value !== undefined && !staysOneWord(value)) return false;
    } else if (FIND_TESTS[0]?.has(text) !== true) return false;
  }
  return true;
}

const DATE_OPTIONS = '-uR -d= -I? --utc --universal --rfc-email --iso-8601? --rfc-3339? --date?';

/** An operand without a plus sets the clock. */
function isDate(args: readonly Word[]): boolean {
  const { bad, operands } = readOptions(args, DATE_OPTIONS);
  return bad === null && operands.every((word) => word.source.replace(/^['"]/, '').startsWith('+'));
}

/** `NAME` or `NAME=…` with a literal name (zsh calculates `a[code]`). */
function isHarmlessExport(word: Word): boolean {
  if (!staysOneWord(word)) return false;
  const first = word.pieces[0];
  const text = word.value ?? (first?.kind === 'text' ? first.text : '');
  const [, name, equals] = /^([A-Za-z0-9_]+)(=|$)/.exec(text) ?? [];
  if (name === undefined || (equals === '' && word.value === null)) return false;
  return isHarmlessVariable(name, word.value === null ? null : word.value.slice(name.length + 1));
}

const UNARY = /^-[efdrwxsLhnzSbcpugkOGN]$/;
const INTEGER = /^-?\d+$/;

/** `-v 'a[$(cmd)]'` runs cmd in bash; zsh calculates operands of `-eq` and `-t`, which can run code too. */
function isTest(args: readonly Word[]): boolean {
  const [first, ...rest] = args;
  if (first?.value === '!') return isTest(rest);
  if (!args.every((word) => staysOneWord(word))) return false;
  const [a, b, c] = args;
  if (args.length === 1) return true;
  if (args.length === 2) return a?.value != null && UNARY.test(a.value);
  if (args.length !== 3 || b?.value == null) return false;
  if (/^(=|==|!=)$/.test(b.value)) return true;
  return /^-(eq|ne|lt|le|gt|ge)$/.test(b.value) && isNumber(a) && isNumber(c);
}

function isNumber(word: Word | undefined): boolean {
  if (word === undefined) return false;
  return word.value === null ? /^"?\$[?#]"?$/.test(word.source) : INTEGER.test(word.value);
}

const TEXT_DIRECTIVE = /^%-?\d*(\.\d+)?[sbqc]$/;
const NUMBER_DIRECTIVE = /^%[-0+ #]*\d*(\.\d+)?[duixXofeg]$/;

/** `-v` and `%n` assign (a subscript there runs code), and zsh calculates what `%d` gets. */
function isPrintf([first, ...args]: readonly Word[]): boolean {
  const format = first?.value;
  if (format == null || format.startsWith('-')) return false;
  const directives = format.replace(/%%/g, '').match(/%[^A-Za-z]*[A-Za-z]?/g) ?? [];
  if (directives.every((one) => TEXT_DIRECTIVE.test(one))) return true;
  if (!directives.every((one) => TEXT_DIRECTIVE.test(one) || NUMBER_DIRECTIVE.test(one))) return false;
  // printf reuses the format until all arguments are used.
  return args.every((word, i) => {
    const directive = directives[i % directives.length] ?? '';
    return (
      staysOneWord(word) && (TEXT_DIRECTIVE.test(directive) || /^[-+]?\d+(\.\d+)?$/.test(word.value ?? ''))
    );
  });
}

/** Allowed beside a passthrough program even while something is pending: they read no files. */
const COMPANIONS = wordSet(
  'echo true false pwd date basename dirname whoami id seq cd pushd popd : [ test printf export sleep env command find rg type',
);
/** Allowed only later in a pipeline (or with a here-document), and without files of their own. */
const PIPE_ENDS = wordSet('head tail wc sort uniq cut tr nl column jq cat grep');
/** Leading operands that are not files. */
const OWN_OPERANDS: Readonly<Record<string, number>> = { tr: 2, jq: 1, grep: 1 };

export function isCompanion(program: string, command: SimpleCommand): boolean {
  const args = command.words.slice(1);
  if (COMPANIONS.has(program)) return readsOnly(program, args);
  if (!PIPE_ENDS.has(program) || !readsOnly(program, args)) return false;
  const fed = command.piped || command.redirects.some(({ operator }) => operator.startsWith('<<'));
  return fed && filesOf(program, args) <= (OWN_OPERANDS[program] ?? 0);
}

function filesOf(program: string, args: readonly Word[]): number {
  const read = readReader(program, args);
  if (read === null || read.countless) return Number.POSITIVE_INFINITY;
  return read.operands.filter((word) => word.value !== '-').length;
}
