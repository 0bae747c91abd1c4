/** In which directories commands may run, to look for pending changes there: doubt widens the answer. */
import { posix } from 'node:path';
import { type Script, type SimpleCommand, scriptsOf, type Word } from './facts.ts';
import { programOf } from './words.ts';

export interface Where {
  /** Absolute directories, one of which it is; null = any. */
  dirs: readonly string[] | null;
  /** It may also be a directory above one of them, up to the top of its repository. */
  above: boolean;
}

export const ANYWHERE: Where = { dirs: null, above: false };

export function whereabouts(script: Script, cwd: string, home: string): Map<SimpleCommand, Where> {
  const found = new Map<SimpleCommand, Where>();
  follow(script, isText(cwd) ? { dirs: [squeeze(cwd)], above: false } : ANYWHERE, home, found);
  return found;
}

/** All directories the script may have been in: what follows may run in any. */
function follow(script: Script, start: Where, home: string, found: Map<SimpleCommand, Where>): Where {
  let seen = start;
  let now = start;
  for (const command of script.commands) {
    // A `cd` may have failed, not been reached, or run in a subshell.
    if (!command.chained) now = seen;
    found.set(command, now);
    let inside = now;
    for (const inner of scriptsOf(command)) inside = both(inside, follow(inner, now, home, found));
    // A substitution is a subshell, but `${x:=$(…)}` is not distinguished from one.
    seen = both(seen, inside);
    const next = after(command, now, home);
    if (next !== null) {
      now = next;
      seen = both(seen, next);
    }
  }
  return seen;
}

/** The shell's directory after a command; null = unchanged. Ignores CDPATH. */
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

/** `links`: as system calls resolve `link/..`, above the link's target; a shell's `cd` uses the text. */
export function inDirectory(now: Where, word: Word, home: string, by: 'text' | 'links' = 'text'): Where {
  const tidy = (path: string) => (by === 'links' && path.includes('..') ? path : squeeze(path));
  const text = pathText(word, home);
  if (text === null || !isText(text) || /^[-+]\d*$/.test(text)) return ANYWHERE;
  if (text.startsWith('/')) return { dirs: [tidy(text)], above: false };
  if (now.dirs === null) return ANYWHERE;
  return { dirs: [...new Set(now.dirs.map((dir) => tidy(`${dir}/${text}`)))], above: now.above };
}

/** A word as a path, with `~`, `$PWD` and `$(pwd)` resolved. Null = unknown. */
export function pathText(word: Word, home: string): string | null {
  let text = '';
  let tilde = false;
  // `=ls` is the path of a program in zsh.
  if (/^=./.test(word.source)) return null;
  for (const piece of word.pieces) {
    if (piece.kind === 'text') {
      // A leading tilde is a piece of its own, and also starts the literal text after it.
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

/** False for bytes that are not UTF-8: the replacement character names another path. */
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

const SQUEEZED = /^(?!.*(?:\/\.{0,2}\/|.\/$|\/\.{1,2}$))\//s;

/** Normalises `.`, `..` and double slashes of an absolute path, as text. */
export function squeeze(path: string): string {
  return SQUEEZED.test(path) ? path : posix.resolve('/', path);
}
