/**
 * In which directories the commands of a text may run. Only to look for pending changes there: what can't be told
 * widens the answer and never narrows it.
 */
import { type Script, type SimpleCommand, scriptsOf, type Word } from './facts.ts';
import { programOf } from './words.ts';

export interface Where {
  /** Absolute directories, one of which it is; null = it may be anywhere. */
  dirs: readonly string[] | null;
  /** True when it may also be a directory above one of them, up to the top of its repository. */
  above: boolean;
}

export const ANYWHERE: Where = { dirs: null, above: false };

/** Where each simple command of a script runs, those inside substitutions included. */
export function whereabouts(script: Script, cwd: string, home: string): Map<SimpleCommand, Where> {
  const found = new Map<SimpleCommand, Where>();
  follow(script, isText(cwd) ? { dirs: [squeeze(cwd)], above: false } : ANYWHERE, home, found);
  return found;
}

/** Gives all places in which the script has been: what comes behind it may run in any of them. */
function follow(script: Script, start: Where, home: string, found: Map<SimpleCommand, Where>): Where {
  let seen = start;
  let now = start;
  for (const command of script.commands) {
    // Anything but `cd x && …` may follow a `cd` that failed, that was not reached, or that only a subshell did.
    if (!command.chained) now = seen;
    found.set(command, now);
    let inside = now;
    for (const inner of scriptsOf(command)) inside = both(inside, follow(inner, now, home, found));
    // A substitution is a shell of its own, but `${x:=$(…)}` and its like are not ours to tell apart.
    seen = both(seen, inside);
    const next = after(command, now, home);
    if (next !== null) {
      now = next;
      seen = both(seen, next);
    }
  }
  return seen;
}

/** Where the shell is after a command; null = where it was. CDPATH is left aside: nobody sets it for scripts. */
function after(command: SimpleCommand, now: Where, home: string): Where | null {
  const program = programOf(command);
  if (program !== 'cd' && program !== 'pushd') return null;
  const operands = command.words.slice(1).filter((word) => !/^(-[LPe]+|--)$/.test(word.value ?? ''));
  const [target, ...more] = operands;
  if (target === undefined) return program === 'cd' ? { dirs: [home], above: false } : ANYWHERE;
  if (more.length > 0) return ANYWHERE;
  if (isTopLevel(target)) return { ...now, above: true };
  return inDirectory(now, target, home);
}

/**
 * The place that a word names, seen from `now`. `links`: the way of every program, for which `link/..` is above what the link
 * leads to; the shell's own `cd` goes by the text.
 */
export function inDirectory(now: Where, word: Word, home: string, by: 'text' | 'links' = 'text'): Where {
  const tidy = (path: string) => (by === 'links' && path.includes('..') ? path : squeeze(path));
  const text = pathText(word, home);
  if (text === null || !isText(text) || /^[-+]\d*$/.test(text)) return ANYWHERE;
  if (text.startsWith('/')) return { dirs: [tidy(text)], above: false };
  if (now.dirs === null) return ANYWHERE;
  return { dirs: [...new Set(now.dirs.map((dir) => tidy(`${dir}/${text}`)))], above: now.above };
}

/** The text of a word that is a path: literal, with `~` for home, and with `$PWD` and `$(pwd)` for `.`. Null = not known. */
export function pathText(word: Word, home: string): string | null {
  let text = '';
  let tilde = false;
  for (const piece of word.pieces) {
    if (piece.kind === 'text') {
      // A leading tilde has a piece of its own, and stands once more in front of the literal text.
      text += tilde ? piece.text.slice(1) : piece.text;
      tilde = false;
    } else if (text !== '') {
      return null;
    } else if (piece.kind === 'pattern' && piece.text === '~' && /^~(\/|$)/.test(word.source)) {
      tilde = true;
      text = home;
    } else if (piece.kind === 'variable' && piece.name === 'HOME') {
      text = home;
    } else if (
      piece.kind === 'variable' ? piece.name === 'PWD' : piece.kind === 'script' && isPwd(piece.script)
    ) {
      text = '.';
    } else {
      return null;
    }
  }
  return text === '' ? null : text;
}

/** False for a path with bytes that are no UTF-8: what stands in their place names something else, or nothing. */
function isText(path: string): boolean {
  return !path.includes('\ufffd');
}

function isPwd(script: Script): boolean {
  const [only, ...more] = script.commands;
  return more.length === 0 && only?.words.length === 1 && only.words[0]?.value === 'pwd';
}

function isTopLevel(word: Word): boolean {
  return /^"?\$\(git rev-parse --show-toplevel\)"?$/.test(word.source);
}

export function both(a: Where, b: Where): Where {
  if (a === b) return a;
  if (a.dirs === null || b.dirs === null) return ANYWHERE;
  return { dirs: [...new Set([...a.dirs, ...b.dirs])], above: a.above || b.above };
}

/** Removes `.`, `..` and double slashes from an absolute path, as text. */
export function squeeze(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
