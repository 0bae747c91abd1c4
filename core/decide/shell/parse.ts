/**
 * Parses a shell text into plain facts. The only file that imports the parser (unbash): its tree has lazy
 * parts that a naive walk misses, and its major versions change.
 *
 * The parser reads bash; the client may use zsh. What the two read differently (`*(e:code:)`, `$~x`,
 * `$x[code]`, `=(cmd)`) becomes an error or an `odd` piece here, never plain text.
 */

import type {
  Assignment as AssignmentNode,
  CommandArgument,
  Command as CommandNode,
  ParsedScript,
  Redirection,
  Statement,
  SyntaxNode,
  Word as WordNode,
  WordPart,
} from 'unbash';
import { forEachChild, parse } from 'unbash';
import {
  type Assignment,
  isPlain,
  type Piece,
  type Redirect,
  type Script,
  type SimpleCommand,
  type Span,
  type Word,
} from './facts.ts';
import { plainScript } from './plain.ts';
import { wordSet } from './words.ts';

/** No user reviews longer texts, and hostile nesting is slow. */
export const MAX_COMMAND_CHARS = 10_000;
/** `"$(`×3300 overflows the stack at a depth of 1,290. */
const MAX_DEPTH = 12;
const MAX_COMMANDS = 2_000;

interface Walk {
  script: Script;
  depth: number;
  whole: Whole;
}

/** What all scripts of a text share. */
interface Whole {
  /** Null in backticks, where positions are those of another text. */
  text: string | null;
  budget: { left: number };
}

/** Never throws. A text that is too long or crashes the parser is `broken` and has no commands. */
export function parseShell(text: string): Script {
  if (text.length > MAX_COMMAND_CHARS) return brokenScript();
  return plainScript(text) ?? parseAll(text);
}

function brokenScript(): Script {
  return { commands: [], odd: [], broken: true, functions: [], comments: [] };
}

/** `parseShell` by the parser alone. */
export function parseAll(text: string): Script {
  const broken = brokenScript();
  // Shells differ on control characters other than tab and newline.
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)) return broken;
  // `ls >(cat)#>x`: a word continues after a process substitution, but the parser reads a comment.
  if (/[<>]\(/.test(text) && text.includes('#')) return broken;
  try {
    const parsed = parse(text);
    const script = scriptOf(parsed, 0, { text, budget: { left: MAX_COMMANDS } });
    if (!script.broken && text.includes('#')) script.comments = commentsOf(text, parsed);
    return script;
  } catch {
    return broken;
  }
}

/**
 * For a text with the exit status of its last command: commands alone or in chains of `&&`. Null for pipes,
 * `||`, `!`, `&`, control flow, and what is not understood.
 */
export function parseSequence(text: string): SimpleCommand[] | null {
  const script = parseShell(text);
  if (!isPlain(script)) return null;
  return parse(text).commands.every(isSequence) ? script.commands : null;
}

function isSequence({ background, command }: Statement): boolean {
  if (background === true) return false;
  if (command.type !== 'AndOr') return command.type === 'Command';
  return (
    command.operators.every((operator) => operator === '&&') &&
    command.commands.every(({ type }) => type === 'Command')
  );
}

function scriptOf(parsed: ParsedScript | undefined, depth: number, whole: Whole): Script {
  const broken = parsed === undefined || depth > MAX_DEPTH;
  const script: Script = { commands: [], odd: [], broken, functions: [], comments: [] };
  if (parsed === undefined || script.broken) return script;
  if (parsed.errors !== undefined && parsed.errors.length > 0) script.broken = true;
  const walk: Walk = { script, depth, whole };
  for (const statement of parsed.commands) visit(statement, walk, false);
  return script;
}

/** Written whole: a literal with a spread is a slow object. */
function push(walk: Walk, part: Partial<SimpleCommand>, piped: boolean, chained = false): void {
  if (walk.whole.budget.left-- <= 0) {
    walk.script.broken = true;
    return;
  }
  const { words = [], assignments = [], redirects = [], loose = [] } = part;
  walk.script.commands.push({ words, assignments, redirects, loose, piped, chained });
}

/** Other compounds that `visit` does not name are odd. */
const GROUPS = wordSet('Statement CompoundList If Elif While Subshell BraceGroup Time Negation');

function visit(node: SyntaxNode, walk: Walk, piped: boolean, chained = false): void {
  if (node.type === 'Command') {
    visitCommand(node, walk, piped, chained);
  } else if (node.type === 'Pipeline') {
    for (const [i, command] of node.commands.entries()) {
      const from = walk.script.commands.length;
      visit(command, walk, i > 0, chained);
      if (command.type !== 'Command') markInPipe(walk.script.commands.slice(from));
    }
  } else if (node.type === 'AndOr') {
    const or = node.operators.findIndex((operator) => operator !== '&&');
    for (const [i, command] of node.commands.entries()) {
      const before = node.commands[i - 1];
      visit(command, walk, false, before?.type === 'Command' && (or < 0 || i <= or));
    }
  } else if (node.type === 'Redirected') {
    push(walk, { redirects: node.redirects.map((one) => redirectOf(one, walk)) }, false);
    const { commands } = walk.script;
    const [from, group] = [commands.length, commands.at(-1)];
    visit(node.command, walk, piped);
    if (group !== undefined) group.covers = commands.length - from;
  } else if (node.type === 'For' || node.type === 'Case' || node.type === 'CaseItem') {
    visitData(node, walk);
  } else if (GROUPS.has(node.type)) {
    forEachChild(node, (child) => visit(child, walk, false));
  } else {
    walk.script.odd.push(node.type);
    const from = walk.script.commands.length;
    visitOdd(node, walk);
    if (node.type === 'Function')
      walk.script.functions.push({ name: node.name.value, from, to: walk.script.commands.length });
  }
}

function markInPipe(commands: readonly SimpleCommand[]): void {
  for (const command of commands) command.inPipe = true;
}

function visitData(node: Extract<SyntaxNode, { type: 'For' | 'Case' | 'CaseItem' }>, walk: Walk): void {
  if (node.type === 'For') {
    const loose = (node.wordlist ?? []).map((word) => wordOf(word, walk));
    const name = node.name.value;
    push(walk, { loose, assignments: [{ source: '', name, plain: true, value: null }] }, false);
    visit(node.body, walk, false);
  } else if (node.type === 'Case') {
    push(walk, { loose: [wordOf(node.word, walk)] }, false);
    for (const item of node.items) visit(item, walk, false);
  } else {
    push(walk, { loose: node.pattern.map((word) => wordOf(word, walk)) }, false);
    visit(node.body, walk, false);
  }
}

/** Continues below, so that refusals still find what it runs. */
function visitOdd(node: SyntaxNode, walk: Walk): void {
  forEachChild(node, (child) => {
    if (child.type === 'Word') push(walk, { loose: [wordOf(child, walk)] }, false);
    else if (isCommandNode(child)) visit(child, walk, false);
    else visitOdd(child, walk);
  });
}

function isCommandNode(node: SyntaxNode): boolean {
  return (
    GROUPS.has(node.type) ||
    ['AndOr', 'Command', 'Pipeline', 'Redirected', 'For', 'Case', 'CaseItem'].includes(node.type)
  );
}

function visitCommand(node: CommandNode, walk: Walk, piped: boolean, chained: boolean): void {
  if (node.name !== undefined && isParenthesisAt(walk.whole.text, node.name.end)) walk.script.broken = true;
  const assignments: Assignment[] = [];
  for (const item of node.prefix) if (item.type === 'Assignment') assignments.push(assignmentOf(item, walk));
  const words = [...(node.name === undefined ? [] : [node.name]), ...node.args].map((arg) =>
    argumentOf(arg, walk),
  );
  push(
    walk,
    { words, assignments, redirects: node.redirects.map((one) => redirectOf(one, walk)) },
    piped,
    chained,
  );
}

/** Perhaps behind a name. */
const LOOSE_PARENTHESIS = /[^\s$<>;&|(`][ \t]*\(/;
const OPENING = /(?:[ \t]|\\\n)*\(/y;

/** `ls ( sh -c`: the parser leaves out one behind a program's name. To zsh it begins a pattern, in which `>(cmd)` runs. */
function isParenthesisAt(text: string | null, at: number): boolean {
  OPENING.lastIndex = at;
  return text !== null && OPENING.test(text);
}

function assignmentOf(node: AssignmentNode, walk: Walk): Assignment {
  const { value } = node;
  const plain = node.append === undefined && node.index === undefined && value.type === 'Word';
  const word = value.type === 'Word' ? wordOf(value, walk) : oddWord(node.text, node, walk);
  return { source: node.text, name: node.name, plain, value: word };
}

/** The parser makes `export A=b` an assignment; the facts have the word `A=b`. */
function argumentOf(node: CommandArgument, walk: Walk): Word {
  if (node.type === 'Word') return wordOf(node, walk);
  const { name, plain, value } = assignmentOf(node, walk);
  if (!plain || value === null) return oddWord(node.text, node, walk);
  return {
    source: node.text,
    value: value.value === null ? null : `${name}=${value.value}`,
    pieces: [{ kind: 'text', text: `${name}=`, quoted: false }, ...value.pieces],
  };
}

function redirectOf(node: Redirection, walk: Walk): Redirect {
  const { operator, descriptor } = node;
  const assigns = descriptor?.type === 'FileDescriptorVariable';
  if (node.type !== 'HereDoc') {
    const target = node.target ? wordOf(node.target, walk) : null;
    // `>! f` writes f in zsh, and in bash a file named `!`.
    const isKnown = target === null || !target.source.startsWith('!');
    return { operator, assigns, target: isKnown ? target : null, body: null, span: null };
  }
  const { text, parts, pos, end } = node.body;
  const whole: Piece =
    node.delimiter?.quoted === true ? { kind: 'text', text, quoted: true } : literal(text, text, true);
  const pieces = parts === undefined ? [whole] : piecesOf(parts, true, walk);
  return { operator, assigns, target: null, body: finish(text, pieces), span: [pos, end] };
}

function oddWord(source: string, node: SyntaxNode, walk: Walk): Word {
  return { source, value: null, pieces: [oddPiece(source, node, walk)] };
}

function oddPiece(text: string, node: SyntaxNode, walk: Walk): Piece {
  const scripts: Script[] = [];
  const collect = (child: SyntaxNode): void => {
    if (child.type === 'Script') scripts.push(scriptOf(child, walk.depth + 1, { ...walk.whole, text: null }));
    else forEachChild(child, collect);
  };
  forEachChild(node, collect);
  return { kind: 'odd', text, scripts };
}

function wordOf(node: WordNode, walk: Walk): Word {
  const { text, parts } = node;
  const pieces: Piece[] =
    parts === undefined ? [literal(node.value, text, false)] : piecesOf(parts, false, walk);
  // The parser left a part out.
  if (parts !== undefined && parts.map((part) => part.text).join('') !== text) {
    pieces.push({ kind: 'odd', text, scripts: [] });
  }
  // `~[name]` calls a function of zsh.
  if (text.startsWith('~[')) pieces.push({ kind: 'odd', text, scripts: [] });
  if (text.startsWith('~')) pieces.unshift({ kind: 'pattern', text: '~' });
  return finish(text, pieces);
}

function finish(source: string, pieces: Piece[]): Word {
  let value: string | null = '';
  for (const [i, piece] of pieces.entries()) {
    value = value === null || piece.kind !== 'text' ? null : value + piece.text;
    if (piece.kind === 'variable' && zshGoesOn(piece.name, pieces[i + 1]))
      pieces[i] = { kind: 'odd', text: piece.name, scripts: [] };
  }
  return { source, value, pieces };
}

/** Checked again: the parser takes `0<(cmd)`, `{fd}<(cmd)` and `{a,<(cmd)}` for plain words. */
function literal(text: string, source: string, quoted: boolean): Piece {
  const clean = quoted ? !zshExpands(source) : isInert(source);
  return clean ? { kind: 'text', text, quoted } : { kind: 'odd', text, scripts: [] };
}

function isInert(source: string): boolean {
  return !/[\s()<>|&;`$"']/.test(source.replace(/\\[\s\S]/g, ''));
}

function piecesOf(parts: readonly WordPart[], quoted: boolean, walk: Walk): Piece[] {
  return parts.flatMap((part) => pieceOf(part, quoted, walk));
}

/** Nodes in whose text a `#` begins no comment, outside of the scripts in it. */
const NO_COMMENTS = /^(Word|Assignment|HereDoc\w*|Arithmetic\w*|Test\w*)$/;

/** Empty where positions are not those of the text: the parser unescapes what backticks hold. */
function commentsOf(text: string, parsed: ParsedScript): Span[] {
  if (text.includes('`')) return [];
  const covered = new Uint8Array(text.length);
  const mark = (node: SyntaxNode): void => {
    if (node.type === 'Script') covered.fill(0, node.pos, node.end);
    else if (NO_COMMENTS.test(node.type)) covered.fill(1, node.pos, node.end);
    forEachChild(node, mark);
  };
  for (const statement of parsed.commands) mark(statement);
  const found: Span[] = [];
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at + 1)) {
    if (covered[at] === 1) continue;
    const end = text.indexOf('\n', at);
    found.push([at, end < 0 ? text.length : end]);
    at = end < 0 ? text.length : end;
  }
  return found;
}

const SIMPLE_PARAMETER = /^\$\{?([A-Za-z_][A-Za-z0-9_]*|[0-9]|[?#$!@*-])\}?$/;

function pieceOf(part: WordPart, quoted: boolean, walk: Walk): Piece | Piece[] {
  switch (part.type) {
    case 'Literal':
      return literal(part.value, part.text, quoted);
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return { kind: 'text', text: part.value, quoted: true };
    case 'DoubleQuoted':
    case 'LocaleString':
      // An empty string is still a (quoted) word.
      return [{ kind: 'text', text: '', quoted: true }, ...piecesOf(part.parts, true, walk)];
    case 'Glob':
    case 'BraceExpansion':
      return isInert(part.text) ? { kind: 'pattern', text: part.text } : oddPiece(part.text, part, walk);
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const name = SIMPLE_PARAMETER.exec(part.text)?.[1];
      return name === undefined ? oddPiece(part.text, part, walk) : { kind: 'variable', name, quoted };
    }
    case 'CommandExpansion':
    case 'ProcessSubstitution': {
      const inBackticks = part.text.startsWith('`');
      const whole = inBackticks ? { ...walk.whole, text: null } : walk.whole;
      const script = scriptOf(part.script, walk.depth + 1, whole);
      if (inBackticks && LOOSE_PARENTHESIS.test(part.text)) script.broken = true;
      if (part.text.startsWith('>(')) markInPipe(script.commands);
      return { kind: 'script', script, quoted, source: part.text };
    }
    default:
      return oddPiece(part.text, part, walk);
  }
}

/** Whether zsh may read what follows `$NAME` as part of the expansion. */
export function zshGoesOn(name: string, next: Piece | undefined): boolean {
  if (next === undefined) return false;
  // `$#name` is a length, with a subscript of its own.
  if (name === '#') return !('text' in next) || !/^[\s.,;:)/]/.test(next.text);
  if (!('text' in next)) return false;
  if (/^\d$/.test(name) && /^\d/.test(next.text)) return true;
  // In zsh, letters beyond ASCII belong to a name.
  if (/^(\[|[^\0-\x7f])/.test(next.text)) return true;
  return next.text.startsWith(':') && /:[a-z&]*[FW]/.test(next.text);
}

/** Whether zsh may expand a `$` that bash takes literally within double quotes: `"$+x[…]"`, `"$é"`. */
export function zshExpands(source: string): boolean {
  return /\$(?![\s|)/.,;:%\]}<>&'"]|$)/.test(source.replace(/\\[\s\S]/g, ' '));
}
