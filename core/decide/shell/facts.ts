/**
 * What we know of a shell text: plain data without the parser's tree, and the walks over it.
 */
export type Piece =
  | { kind: 'text'; text: string; quoted: boolean }
  /** `$NAME` or `${NAME}`, positional and special parameters included. */
  | { kind: 'variable'; name: string; quoted: boolean }
  /** `$(…)`, backticks, `<(…)`, `>(…)`. */
  | { kind: 'script'; script: Script; quoted: boolean }
  /** `*`, `?`, `[…]`, `{a,b}`, a leading `~`: becomes other words, runs nothing. */
  | { kind: 'pattern'; text: string }
  /** Anything that may assign, calculate or (in zsh) run code; `scripts` = the substitutions found inside. */
  | { kind: 'odd'; text: string; scripts: Script[] };

export interface Word {
  source: string;
  /** The dequoted text, or null when any part is not literal. */
  value: string | null;
  pieces: Piece[];
}

export interface Assignment {
  name: string;
  /** False for `a[i]=`, `a+=` and `a=(…)`. */
  plain: boolean;
  value: Word | null;
}

export interface Redirect {
  operator: string;
  /** True for `{name}>…`, which gives a variable the number of the descriptor. */
  assigns: boolean;
  /** Null for a here-document, or when the target is missing. */
  target: Word | null;
  /** The text of a here-document. */
  body: Word | null;
}

export interface SimpleCommand {
  /** Program and arguments; empty for bare assignments, bare redirections and the redirections of a group. */
  words: Word[];
  assignments: Assignment[];
  redirects: Redirect[];
  /** Words that are only data: the list of `for`, the subject and patterns of `case`. */
  loose: Word[];
  /** True for every member of a pipeline but the first. */
  piped: boolean;
  /** True when it runs only if the simple command before it succeeded: `a && b` without any `||` before it. */
  chained: boolean;
}

export interface Script {
  /** Every simple command outside of substitutions, in source order, also those inside groups and control flow. */
  commands: SimpleCommand[];
  /** Constructs that no host decision may contain: functions, coproc, select, `[[`, `((`. */
  odd: string[];
  /** True when the parser reported a problem, or we stopped following. */
  broken: boolean;
}

/** All simple commands of a script, those inside substitutions included. */
export function allCommands(script: Script): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  for (const command of script.commands) {
    found.push(command);
    for (const inner of scriptsOf(command)) found.push(...allCommands(inner));
  }
  return found;
}

/** True when nothing in the text, on any level, is broken or odd. */
export function isPlain(script: Script): boolean {
  if (script.broken || script.odd.length > 0) return false;
  return script.commands.every(
    (command) =>
      wordsOf(command).every((word) => word.pieces.every((piece) => piece.kind !== 'odd')) &&
      scriptsOf(command).every(isPlain),
  );
}

/** Every word of a command: arguments, data words, assigned values, targets and here-document texts. */
export function wordsOf(command: SimpleCommand): Word[] {
  const words = [...command.words, ...command.loose];
  for (const { value } of command.assignments) if (value !== null) words.push(value);
  for (const { target, body } of command.redirects) {
    if (target !== null) words.push(target);
    if (body !== null) words.push(body);
  }
  return words;
}

/** The substitutions of a command, outermost ones only. */
export function scriptsOf(command: SimpleCommand): Script[] {
  return wordsOf(command).flatMap((word) => word.pieces.flatMap(scriptsOfPiece));
}

function scriptsOfPiece(piece: Piece): Script[] {
  if (piece.kind === 'script') return [piece.script];
  return piece.kind === 'odd' ? piece.scripts : [];
}
