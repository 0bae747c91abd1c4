/** The line that runs tests in a session's sandbox, for a person to paste into a terminal. Pure. */
import { isSingleCommand, testRunOf } from './test-run.ts';

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
