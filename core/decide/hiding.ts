/** Which host commands run with trai's own directories hidden: all that work in a user namespace. */

import type { Facts, OpenUse } from '../../shared/model/decision.ts';
import type { Part } from './classify.ts';
import {
  allCommands,
  type Piece,
  type Script,
  type SimpleCommand,
  type Word,
  wordsOf,
} from './shell/facts.ts';
import { isCompanion } from './shell/readers.ts';
import { squeeze, whereabouts } from './shell/where.ts';
import { programOf, wordSet } from './shell/words.ts';

/** Setuid programs, and those that map ids in namespaces of their own. */
const OPEN_ONLY =
  wordSet(`sudo sudoedit su doas pkexec run0 newgrp sg passwd chsh chfn gpasswd mount umount fusermount fusermount3 crontab at
   atq atrm batch podman buildah toolbox distrobox yay paru`);
/** A daemon's client works there, but another program may have this name. */
const OPEN_ALONE = wordSet('docker');
/** Programs that run their first operand. */
const PREFIXES = wordSet('env command exec time nohup nice setsid');
/** After `sudo`, these act on a directory without its content, unless an option says otherwise. */
const SHALLOW = wordSet(
  'ls stat df du mount umount findmnt test [ mkdir touch chmod chown chgrp install ln systemctl useradd usermod',
);
const SUDO_VALUE = /^-[CDRTUghpru]$/;
const RECURSIVE = /^-[A-Za-z]*[rR]|^--(recursive|reference)/;

export interface Hiding {
  /** Null = it runs with trai's own directories hidden. */
  open: OpenUse | null;
  /** A program that does not work hidden, beside commands that must be. */
  torn: string;
}

export function hidingFor(script: Script, facts: Facts, parts: readonly Part[]): Hiding {
  const commands = allCommands(script);
  const needy = commands.map(openProgram);
  const open = needy.find((name) => name !== '');
  if (open === undefined) return { open: null, torn: '' };
  if (commands.every((command, i) => needy[i] !== '' || readsNoFile(command)))
    return { open: openUse(script, facts, parts), torn: '' };
  return { open: null, torn: needy.find((name) => OPEN_ONLY.has(name)) ?? '' };
}

/** The program that must not run hidden; empty = none. */
function openProgram(command: SimpleCommand): string {
  const program = programOf(command) ?? '';
  const named = PREFIXES.has(program)
    ? command.words.slice(1).find((word) => word.value !== null && !/^-|=/.test(word.value))?.value
    : program;
  const name = named?.slice(named.lastIndexOf('/') + 1) ?? '';
  return OPEN_ONLY.has(name) || OPEN_ALONE.has(name) ? name : '';
}

const FILE_READERS = wordSet('find rg');

/** A companion that opens no file; it reads from its pipe. */
function readsNoFile(command: SimpleCommand): boolean {
  const program = programOf(command) ?? '';
  const opens = command.redirects.some(
    ({ operator, target }) => operator === '<' && target?.value !== '/dev/null',
  );
  if (opens) return false;
  if (command.words.length === 0) return true;
  return !FILE_READERS.has(program) && isCompanion(program, command);
}

function openUse(script: Script, facts: Facts, parts: readonly Part[]): OpenUse {
  const where = whereabouts(script, facts.cwd, facts.home);
  const found = new Naming(facts, script);
  const paths = new Set<string>();
  const trees = new Set<string>();
  for (const command of allCommands(script)) {
    const dirs = where.get(command)?.dirs ?? [facts.cwd, facts.home];
    const deep = goesDeep(command);
    for (const word of wordsOf(command)) {
      for (const path of found.pathsOf(word, dirs)) {
        paths.add(path);
        if (deep || (isSudo(command) && holdsText(word))) trees.add(path);
      }
    }
  }
  for (const use of parts.flatMap((part) => ('use' in part && part.use !== null ? [part.use] : []))) {
    // Whole trees that docker reads: build contexts, bind mounts, copied directories.
    if (use.scope === 'below' && !use.what.includes('compose'))
      for (const dir of use.dirs ?? []) trees.add(dir);
  }
  return { paths: [...paths], trees: [...trees] };
}

function isSudo(command: SimpleCommand): boolean {
  const program = openProgram(command);
  return program !== '' && !OPEN_ALONE.has(program) && program !== 'podman';
}

function goesDeep(command: SimpleCommand): boolean {
  if (!isSudo(command)) return false;
  const words = command.words.slice(1).map((word) => word.value ?? '');
  const program =
    words.find((word, i) => !/^$|^-|=/.test(word) && !SUDO_VALUE.test(words[i - 1] ?? '')) ?? '';
  return (
    !SHALLOW.has(program.slice(program.lastIndexOf('/') + 1)) || words.some((word) => RECURSIVE.test(word))
  );
}

/** `sh -c '…'`: the text may `cd` before it names a path. */
function holdsText(word: Word): boolean {
  return /\s/.test(word.value ?? '');
}

const MAX_VALUES = 8;

/** The paths that words may stand for, with `*` for unknown parts. */
class Naming {
  private readonly facts: Facts;
  /** Values that the text assigns, in any order. */
  private readonly known = new Map<string, string[]>();

  constructor(facts: Facts, script: Script) {
    this.facts = facts;
    for (const command of allCommands(script)) {
      for (const { name, value } of command.assignments) {
        const values = value === null ? ['*'] : this.texts(value);
        this.known.set(name, [...(this.known.get(name) ?? []), ...values].slice(0, MAX_VALUES));
      }
    }
  }

  pathsOf(word: Word, dirs: readonly string[]): string[] {
    const tokens = this.texts(word).flatMap(tokensOf);
    return [...new Set(tokens)].flatMap((token) => this.absolute(token, dirs));
  }

  private absolute(token: string, dirs: readonly string[]): string[] {
    if (token.startsWith('/')) return [token];
    if (/^~(\/|$)/.test(token)) return [`${this.facts.home}${token.slice(1)}`];
    return dirs.map((dir) => squeeze(`${dir}/${token}`));
  }

  private texts(word: Word): string[] {
    let texts = [''];
    for (const piece of word.pieces) {
      const options = this.optionsOf(piece);
      texts = texts.flatMap((text) => options.map((option) => text + option)).slice(0, MAX_VALUES);
    }
    // A leading tilde is a piece of its own, and also starts the literal text after it.
    return texts.map((text) => this.named(text.replace(/^~~/, '~')));
  }

  private optionsOf(piece: Piece): string[] {
    if (piece.kind === 'text') return [piece.text];
    if (piece.kind === 'pattern') return [/^[{]/.test(piece.text) ? '*' : piece.text];
    if (piece.kind === 'variable') {
      if (piece.name === 'HOME' || piece.name === 'PWD') return [`$${piece.name}`];
      return this.known.get(piece.name) ?? ['*'];
    }
    return ['*'];
  }

  /** Replaces variables that another shell will expand. */
  private named(text: string): string {
    return text
      .replace(/\$\{?HOME\}?/g, this.facts.home)
      .replace(/\$\{?PWD\}?/g, '.')
      .replace(/\$\{?\w+\}?/g, '*');
  }
}

/** Possible paths: `--file=PATH`, `-v PATH:/x`, `src=PATH,dst=/x`, `-fPATH`, `cat PATH; ls`. */
function tokensOf(text: string): string[] {
  const parts = [text, ...text.split(/[\s'"=:,;|&<>(){}`]+/)];
  return parts.flatMap((part) => {
    const at = part.search(/[~/]/);
    if (/^-+\w*$/.test(part)) return [];
    if (part.startsWith('@')) return [part.slice(1)];
    return part.startsWith('-') && at > 0 ? [part, part.slice(at)] : part === '' ? [] : [part];
  });
}
