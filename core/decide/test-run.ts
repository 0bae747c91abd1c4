/** Does a command run tests, so that its exit status is theirs? Pure; a "no" is always the safe answer. */

import type { SimpleCommand } from './shell/facts.ts';
import { parseSequence } from './shell/parse.ts';

/** In front of the tests these change what the rest of the text means. */
const CHANGES_THE_REST =
  /^(exit|exec|return|trap|alias|unalias|source|\.|eval|set|shopt|setopt|enable|hash|builtin|command|unset|break|continue)$/;

/** With these, test programs run no test, or pass without any. */
const RUNS_NOTHING =
  /^(--help|-h|--version|-V|--collect-only|--co|--list|--list-tests|--listTests|--no-run|--dry-run|--just-print|--passWithNoTests|--pass-with-no-tests|--if-present|--ignore-scripts|--setup-plan|--setup-only|--fixtures)(=|$)/;
/** `make -n check`, `go test -c`, `ctest -N`. */
const SHORT_RUNS_NOTHING: Readonly<Record<string, RegExp>> = {
  make: /^-[A-Za-z]*[nqt]/,
  go: /^-(c|list|n)(=|$)/,
  ctest: /^-N$/,
};

/** Words of a command that may stand in front of the program. */
function withoutWrapper(words: readonly (string | null)[]): readonly (string | null)[] {
  const [first, second] = words;
  if (first === 'timeout' && second != null && /^\d+(\.\d+)?[smhd]?$/.test(second)) return words.slice(2);
  if (first !== 'env') return words;
  const at = words.findIndex((word, i) => i > 0 && (word === null || !/^[A-Za-z_]\w*=/.test(word)));
  return at < 0 ? [] : words.slice(at);
}

/**
 * The beginning (one of `testCommands`) that the last command of the text has, when the text's exit status is that
 * command's and nothing of the text runs after it. Null = not known to be a run of tests.
 */
export function testRunOf(text: string, testCommands: readonly string[]): string | null {
  const sequence = parseSequence(text);
  const last = sequence?.at(-1);
  if (sequence === null || last === undefined) return null;
  if (sequence.slice(0, -1).some(changesTheRest)) return null;
  const words = withoutWrapper(last.words.map(({ value }) => value));
  const found = testCommands.find((beginning) => beginning.split(' ').every((word, i) => words[i] === word));
  if (found === undefined) return null;
  const short = SHORT_RUNS_NOTHING[words[0] ?? ''];
  const rest = words.slice(found.split(' ').length);
  // What the shell puts in is not known: it may be an option that runs nothing.
  const isRun = rest.every((word) => word !== null && !RUNS_NOTHING.test(word) && short?.test(word) !== true);
  return isRun ? found : null;
}

function changesTheRest({ words }: SimpleCommand): boolean {
  const program = words[0];
  return program !== undefined && (program.value === null || CHANGES_THE_REST.test(program.value));
}

/** One command of literal words, as a person may type it behind `trai exec --`. */
export function isSingleCommand(text: string): boolean {
  const sequence = parseSequence(text);
  const [only] = sequence ?? [];
  if (only === undefined || sequence?.length !== 1) return false;
  const { words, assignments, redirects } = only;
  return assignments.length === 0 && redirects.length === 0 && words.every(({ value }) => value !== null);
}

/** The command was Claude's: with anything else in it the line might not be what it looks like. */
const PRINTABLE = /^[\x20-\x7e]{1,300}$/;

function quoted(text: string): string {
  return /^[A-Za-z0-9_./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}

interface Line {
  session: string;
  /** Where the tests run. */
  cwd: string;
  /** The text that ran them last, or one that probably runs them. */
  command: string;
  testCommands: readonly string[];
}

/** Null where neither directory nor command can be put into a line that is what it looks like. */
export function testLine({ session, cwd, command, testCommands }: Line): string | null {
  const plain = PRINTABLE.test(command) ? command : testRunOf(command, testCommands);
  if (plain === null || !PRINTABLE.test(cwd)) return null;
  // An interactive shell puts old commands in the place of an unquoted `!`.
  const what = isSingleCommand(plain) && !plain.includes('!') ? plain : `bash -c ${quoted(plain)}`;
  return `cd ${quoted(cwd)} && trai exec --session ${quoted(session)} -- ${what}`;
}
