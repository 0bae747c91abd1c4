/**
 * Programs that only read, and the forms in which that is true. A program of `config.readOnly` that stands in no table
 * here was added by the user and is taken at the user's word.
 */
import type { SimpleCommand, Word } from './shell-facts.ts';
import { avoids, isHarmlessName, type OptionRules, staysOneWord } from './words.ts';

type Form = OptionRules | ((args: readonly Word[]) => boolean);

const literal = (args: readonly Word[]): boolean => args.every((word) => word.value !== null);
const values = (args: readonly Word[]): string[] => args.map((word) => word.value ?? '');

/** Programs with forms that write or run something; the rules say which forms don't. */
const FORMS: Readonly<Record<string, Form>> = {
  find: (args) =>
    literal(args) &&
    !values(args).some((arg) => /^-(exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/.test(arg)),
  rg: { long: ['pre', 'hostname-bin', 'search-zip'], short: 'z' },
  sort: { long: ['output', 'compress-program', 'temporary-directory'], short: 'oT' },
  // Its second operand is an output file, and `-f 1 FILE` can't be told from that without its whole grammar. Behind `--`
  // everything is an operand.
  uniq: (args) =>
    literal(args) &&
    !values(args).includes('--') &&
    values(args).filter((arg) => !/^[-+]./.test(arg)).length <= 1,
  tree: { long: ['output'], short: 'oR' },
  file: { long: ['compile', 'uncompress', 'uncompress-noreport'], short: 'CzZ' },
  date: (args) =>
    literal(args) &&
    values(args).every((arg) => /^\+|^-(u|I[a-z]*|R)$|^--(utc|iso-8601.*|rfc-.*)$/.test(arg)),
  env: (args) => literal(args) && values(args).every((arg) => arg === '-0' || arg === '--null'),
  command: (args) => args[0]?.value === '-v' || args[0]?.value === '-V',
  test: (args) => isTest(args),
  '[': (args) => args.at(-1)?.value === ']' && isTest(args.slice(0, -1)),
  printf: (args) => isPrintf(args),
  export: (args) =>
    args.every((word) => word.value === '-p' || (staysOneWord(word) && isHarmlessName(exportedName(word)))),
};

/** True when the command, known to be of a reading program, is in a form that writes nothing and runs nothing. */
export function readsOnly(program: string, args: readonly Word[]): boolean {
  const form = Object.hasOwn(FORMS, program) ? FORMS[program] : undefined;
  if (form === undefined) return true;
  return typeof form === 'function' ? form(args) : avoids(args, form);
}

/** The name in `NAME` or `NAME=…`; empty when the word does not literally begin so (zsh calculates `a[code]`). */
function exportedName(word: Word): string {
  const first = word.pieces[0];
  if (word.value === null)
    return first?.kind === 'text' ? (/^([A-Za-z0-9_]+)=/.exec(first.text)?.[1] ?? '') : '';
  return /^([A-Za-z0-9_]+)(=|$)/.exec(word.value)?.[1] ?? '';
}

const UNARY = /^-[efdrwxsLhnzSbcpugkOGN]$/;
const INTEGER = /^-?\d+$/;

/**
 * A few shapes of `test` only: `-v 'a[$(cmd)]'` runs cmd in bash, and zsh calculates the operands of `-eq`, which can
 * run code too.
 */
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

/** `-v` and `%n` assign (a subscript there runs code), and zsh calculates what `%d` gets. */
function isPrintf(args: readonly Word[]): boolean {
  const format = args[0]?.value;
  if (format == null || format.startsWith('-')) return false;
  const directives = format.replace(/%%/g, '').match(/%[^A-Za-z]*[A-Za-z]?/g) ?? [];
  if (directives.every((one) => /^%-?\d*(\.\d+)?[sbq]$/.test(one))) return true;
  const numbers = directives.every((one) => /^%[-0+ #]*\d*(\.\d+)?[sbqduixXofegc]$/.test(one));
  return numbers && literal(args) && !values(args.slice(1)).some((arg) => /[[$`]/.test(arg));
}

/** Neither read nor write a file: they may stand beside a passthrough program even while something is pending. */
const PURE = new Set(['echo', 'true', 'false', 'pwd', 'date', 'basename', 'dirname', 'whoami', 'id', 'seq']);
const COMPANIONS = new Set(['cd', 'pushd', 'popd', ':', '[', 'test', 'printf', 'export', 'sleep']);
const READING_COMPANIONS = new Set(['env', 'command', 'find', 'rg', 'type']);
/** Only as a later member of a pipeline (or fed by a here-document), and without files of their own. */
const PIPE_ENDS = new Set([
  'head',
  'tail',
  'wc',
  'sort',
  'uniq',
  'cut',
  'tr',
  'nl',
  'column',
  'jq',
  'cat',
  'grep',
]);
/** How many operands belong to the program itself and are no files. */
const OWN_OPERANDS: Readonly<Record<string, number>> = { tr: 2, jq: 1, grep: 1 };

/** True when the command may accompany a passthrough program on the host. */
export function isCompanion(program: string, command: SimpleCommand): boolean {
  const args = command.words.slice(1);
  if (PURE.has(program) || COMPANIONS.has(program) || READING_COMPANIONS.has(program)) {
    return readsOnly(program, args);
  }
  if (!PIPE_ENDS.has(program) || !readsOnly(program, args)) return false;
  const fed = command.piped || command.redirects.some(({ operator }) => operator.startsWith('<<'));
  return fed && operandsOf(args) <= (OWN_OPERANDS[program] ?? 0);
}

/** Counts what may be a file: `-n 5` and `-d x` have their value next to them, so a value that is short passes. */
function operandsOf(args: readonly Word[]): number {
  let count = 0;
  for (const [i, word] of args.entries()) {
    if (word.value === null && !staysOneWord(word)) return Number.POSITIVE_INFINITY;
    if (word.value?.startsWith('-') && word.value !== '-') continue;
    const before = args[i - 1]?.value;
    const isValue = before != null && /^-[ncdfstkwb]$/.test(before) && (word.value?.length ?? 99) <= 8;
    if (!isValue && word.value !== '-') count++;
  }
  return count;
}
