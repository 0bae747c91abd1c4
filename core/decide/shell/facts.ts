/** A parsed shell text as plain data, and walks over it. */
export type Piece =
  | { kind: 'text'; text: string; quoted: boolean }
  /** `$NAME` or `${NAME}`, with positional and special parameters. */
  | { kind: 'variable'; name: string; quoted: boolean }
  /** `$(…)`, backticks, `<(…)`, `>(…)`. */
  | { kind: 'script'; script: Script; quoted: boolean; source: string }
  /** `*`, `?`, `[…]`, `{a,b}`, a leading `~`: expands to other words, runs nothing. */
  | { kind: 'pattern'; text: string }
  /** May assign, calculate or (in zsh) run code; `scripts` = the substitutions inside. */
  | { kind: 'odd'; text: string; scripts: Script[] };

export interface Word {
  source: string;
  /** Null when a part is not literal. */
  value: string | null;
  pieces: Piece[];
}

export interface Assignment {
  source: string;
  name: string;
  /** False for `a[i]=`, `a+=` and `a=(…)`. */
  plain: boolean;
  value: Word | null;
}

export interface Redirect {
  operator: string;
  /** `{name}>…`, which sets a variable to the descriptor's number. */
  assigns: boolean;
  /** Null for a here-document, or when missing. */
  target: Word | null;
  body: Word | null;
  /** Of the body, in the text that was parsed; null where it is not known. */
  span: Span | null;
}

/** From and to, in characters. */
export type Span = readonly [number, number];

export interface SimpleCommand {
  /** Empty for bare assignments, bare redirections and those of a group. */
  words: Word[];
  assignments: Assignment[];
  redirects: Redirect[];
  /** The list of `for`, the subject and patterns of `case`. */
  loose: Word[];
  /** Not the first member of its pipeline. */
  piped: boolean;
  /** Runs only if the command before succeeded: `a && b` without a `||` before. */
  chained: boolean;
  /** Redirections of a group: so many of the next commands are in it. */
  covers?: number;
  /** In a group that is a member of a pipeline, or in `>(…)`: what it reads or prints is not its own. */
  inPipe?: true;
}

export interface Script {
  /** Simple commands in source order, with those in groups and control flow, without substitutions. */
  commands: SimpleCommand[];
  /** Functions, coproc, select, `[[`, `((`: nothing with these runs on the host. */
  odd: string[];
  /** A parser error, or a limit was reached. */
  broken: boolean;
  functions: FunctionBody[];
  /** In the text that was parsed; empty in substitutions, whose comments are in those of the whole. */
  comments: readonly Span[];
}

/** A function's body is `commands` from `from` to before `to`. */
export interface FunctionBody {
  name: string;
  from: number;
  to: number;
}

/** All simple commands, with those in substitutions. */
export function allCommands(script: Script): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  for (const command of script.commands) {
    found.push(command);
    for (const inner of scriptsOf(command)) found.push(...allCommands(inner));
  }
  return found;
}

/** Nothing on any level is broken or odd. */
export function isPlain(script: Script): boolean {
  if (script.broken || script.odd.length > 0) return false;
  return script.commands.every(
    (command) =>
      wordsOf(command).every(
        ({ value, pieces }) => value !== null || pieces.every((piece) => piece.kind !== 'odd'),
      ) && scriptsOf(command).every(isPlain),
  );
}

export function wordsOf(command: SimpleCommand): readonly Word[] {
  const { loose, assignments, redirects } = command;
  // Nearly always.
  if (loose.length === 0 && assignments.length === 0 && redirects.length === 0) return command.words;
  const words = [...command.words, ...loose];
  for (const { value } of assignments) if (value !== null) words.push(value);
  for (const { target, body } of redirects) {
    if (target !== null) words.push(target);
    if (body !== null) words.push(body);
  }
  return words;
}

/** Outermost substitutions only. */
export function scriptsOf(command: SimpleCommand): readonly Script[] {
  // A word with a value has only text.
  const words = wordsOf(command).filter(({ value }) => value === null);
  return words.length === 0 ? NONE : words.flatMap(({ pieces }) => pieces.flatMap(scriptsOfPiece));
}

const NONE: readonly Script[] = [];

function scriptsOfPiece(piece: Piece): Script[] {
  if (piece.kind === 'script') return [piece.script];
  return piece.kind === 'odd' ? piece.scripts : [];
}
