/** Whether a command runs tests, so that its exit status is theirs. Pure; null is always a safe answer. */

import type { SimpleCommand } from './shell/facts.ts';
import { parseSequence } from './shell/parse.ts';

/** Before the tests, these change what the rest of the text means. */
const CHANGES_THE_REST =
  /^(exit|exec|return|trap|alias|unalias|source|\.|eval|set|shopt|setopt|enable|hash|builtin|command|unset|break|continue)$/;

/** With these options no test runs, or none is needed to pass. */
const RUNS_NOTHING =
  /^(--help|-h|--version|-V|--collect-only|--co|--list|--list-tests|--listTests|--no-run|--dry-run|--just-print|--passWithNoTests|--pass-with-no-tests|--if-present|--ignore-scripts|--setup-plan|--setup-only|--fixtures)(=|$)/;
/** `make -n check`, `go test -c`, `ctest -N`. */
const SHORT_RUNS_NOTHING: Readonly<Record<string, RegExp>> = {
  make: /^-[A-Za-z]*[nqt]/,
  go: /^-(c|list|n)(=|$)/,
  ctest: /^-N$/,
};

function withoutWrapper(words: readonly (string | null)[]): readonly (string | null)[] {
  const [first, second] = words;
  if (first === 'timeout' && second != null && /^\d+(\.\d+)?[smhd]?$/.test(second)) return words.slice(2);
  if (first !== 'env') return words;
  const at = words.findIndex((word, i) => i > 0 && (word === null || !/^[A-Za-z_]\w*=/.test(word)));
  return at < 0 ? [] : words.slice(at);
}

/** The entry of `testCommands` that the last command starts with, if the text ends with its exit status. */
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
  // Unknown words may be an option that runs nothing.
  const isRun = rest.every((word) => word !== null && !RUNS_NOTHING.test(word) && short?.test(word) !== true);
  return isRun ? found : null;
}

function changesTheRest({ words }: SimpleCommand): boolean {
  const program = words[0];
  return program !== undefined && (program.value === null || CHANGES_THE_REST.test(program.value));
}

/** One command of literal words, as a user may type it after `trai exec --`. */
export function isSingleCommand(text: string): boolean {
  const sequence = parseSequence(text);
  const [only] = sequence ?? [];
  if (only === undefined || sequence?.length !== 1) return false;
  const { words, assignments, redirects } = only;
  return assignments.length === 0 && redirects.length === 0 && words.every(({ value }) => value !== null);
}

/** The model wrote the command: other characters could deceive. */
const PRINTABLE = /^[\x20-\x7e]{1,300}$/;

function quoted(text: string): string {
  return /^[A-Za-z0-9_./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}

interface Line {
  session: string;
  cwd: string;
  /** The text that ran the tests last, or probably runs them. */
  command: string;
  testCommands: readonly string[];
}

/** Null when directory or command has deceptive characters. */
export function testLine({ session, cwd, command, testCommands }: Line): string | null {
  const plain = PRINTABLE.test(command) ? command : testRunOf(command, testCommands);
  if (plain === null || !PRINTABLE.test(cwd)) return null;
  // In an interactive shell an unquoted `!` expands to old commands.
  const what = isSingleCommand(plain) && !plain.includes('!') ? plain : `bash -c ${quoted(plain)}`;
  return `cd ${quoted(cwd)} && trai exec --session ${quoted(session)} -- ${what}`;
}
