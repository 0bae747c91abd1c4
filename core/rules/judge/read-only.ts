/**
 * The built-in rule "read-only": a command that certainly only reads, and only inside the working directory, the project
 * and the allowed directories. Its programs are those of the passthru plugin and of the config's `readOnly`, in the forms
 * of core/decide/shell/readers.ts. A word that is not known is outside.
 */
import { posix } from 'node:path';
import { globMatches } from '../../../shared/text/glob.ts';
import { isHarmlessRedirect, readsFile } from '../../decide/classify.ts';
import type { SimpleCommand, Word } from '../../decide/shell/facts.ts';
import { readsOnly } from '../../decide/shell/readers.ts';
import { inDirectory, pathText, type Where } from '../../decide/shell/where.ts';
import { isHarmlessAssignment, programOf, wordSet } from '../../decide/shell/words.ts';
import { isInside } from './built-in.ts';
import type { JudgeFacts } from './judge-facts.ts';

/** Those of the plugin. */
const READERS =
  wordSet(`cal uptime cat head tail wc stat strings hexdump od nl id uname free df du locale groups nproc basename dirname
   realpath cut paste tr column tac rev fold expand unexpand fmt comm cmp numfmt readlink diff true false sleep which type
   expr test getconf seq tsort pr docker echo pwd whoami ls find cd jq uniq history alias arch node python python3 : [`);

const literally = (form: RegExp) => (args: readonly Word[]) =>
  form.test(args.map(({ value }) => value ?? '\0').join(' '));

/** Where not every use only reads, beside what readers.ts says. */
const FORMS: Readonly<Record<string, (args: readonly Word[]) => boolean>> = {
  history: literally(/^\d*$/),
  alias: literally(/^$/),
  node: literally(/^(-v|--version)$/),
  python: literally(/^(-V|--version)$/),
  python3: literally(/^(-V|--version)$/),
  // `import` reads any file.
  jq: literally(/^(?!.*\b(import|include)\b)[^\0]*$/s),
  strings: literally(/^(?!(.* )?@)[^\0]*$/s),
  docker: literally(/^(ps|images)( (-a|-q|-aq|--all|--quiet|--no-trunc))*$/),
};

/** Their operands are no files. */
const NO_FILES =
  wordSet(`echo printf true false : seq sleep basename dirname date whoami id uname nproc uptime arch groups locale getconf
   which type command expr cal free ps printenv env node python python3 docker history alias export numfmt`);

/** Options with which links inside lead outside. */
const FOLLOWS: Readonly<Record<string, RegExp>> = {
  ls: /^-[A-Za-z]*L|^--dereference/,
  grep: /^-[A-Za-z]*R|^--dereference-recursive/,
  find: /^-(L|follow)$/,
  rg: /^-[A-Za-z]*L|^--follow/,
  du: /^-[A-Za-z]*L|^--dereference/,
  tree: /^-[A-Za-z]*l/,
  diff: /^-[A-Za-z]*r|^--recursive/,
  file: /^-[A-Za-z]*f|^--files-from/,
};
const NAMES_FILES = /^--files0-from/;

/** @param dirs the working directory, the project and the allowed directories */
export function isReadOnly(
  command: SimpleCommand,
  where: Where,
  dirs: readonly string[],
  facts: JudgeFacts,
): boolean {
  const program = programOf(command);
  const args = command.words.slice(1);
  if (program === null || !(READERS.has(program) || facts.readOnly.includes(program))) return false;
  const files = command.redirects.filter((one) => readsFile(one, facts.home));
  if (!command.assignments.every(isHarmlessAssignment)) return false;
  if (!command.redirects.every((one) => isHarmlessRedirect(one) || files.includes(one))) return false;
  const form = Object.hasOwn(FORMS, program) ? FORMS[program] : undefined;
  if (!readsOnly(program, args) || form?.(args) === false) return false;
  const inside = new Inside(where, dirs, facts);
  if (!files.every(({ target }) => inside.has(target))) return false;
  if (NO_FILES.has(program)) return true;
  const follows = Object.hasOwn(FOLLOWS, program) ? FOLLOWS[program] : undefined;
  return args.every((word) => {
    const text = word.value ?? '';
    return follows?.test(text) !== true && !NAMES_FILES.test(text) && inside.hasArgument(word);
  });
}

/** A glob stands for so many names at most. */
const MAX_NAMES = 1_000;

class Inside {
  private readonly where: Where;
  private readonly dirs: readonly string[];
  private readonly facts: JudgeFacts;

  constructor(where: Where, dirs: readonly string[], facts: JudgeFacts) {
    this.where = where;
    this.dirs = dirs;
    this.facts = facts;
  }

  hasArgument(word: Word): boolean {
    const { value } = word;
    if (value === null || !value.startsWith('-') || value === '-') return this.has(word);
    const [, after] = /^--[^=]*=(.*)$/s.exec(value) ?? [];
    if (after !== undefined) return this.hasText(after);
    // Where a short option's value begins depends on the program.
    return !/[/~]|\.\./.test(value);
  }

  has(word: Word | null): boolean {
    if (word === null || this.where.dirs === null || this.where.above) return false;
    if (word.value === '' || word.value === '-') return true;
    const { dirs } = inDirectory(this.where, word, this.facts.home, 'links');
    if (pathText(word, this.facts.home) !== null) return dirs?.every((path) => this.holds(path)) === true;
    return this.hasGlob(word);
  }

  private hasText(text: string): boolean {
    if (text === '') return true;
    if (this.where.dirs === null || text.startsWith('~')) return false;
    const paths = text.startsWith('/') ? [text] : this.where.dirs.map((dir) => `${dir}/${text}`);
    return paths.every((path) => this.holds(path));
  }

  /** In the last part of a path only. */
  private hasGlob({ pieces, source }: Word): boolean {
    if (source.startsWith('=')) return false;
    const text = pieces
      .map((piece) => (piece.kind === 'text' || piece.kind === 'pattern' ? piece.text : '\0'))
      .join('');
    const isGlob = pieces.every(
      (piece) => piece.kind === 'text' || /^[*?[]/.test('text' in piece ? piece.text : ''),
    );
    if (!isGlob || !pieces.some(({ kind }) => kind === 'pattern') || this.where.dirs === null) return false;
    const at = text.lastIndexOf('/');
    if (/[*?[]/.test(text.slice(0, Math.max(0, at)))) return false;
    const last = text.slice(at + 1);
    const parents = text.startsWith('/')
      ? [text.slice(0, at + 1)]
      : this.where.dirs.map((dir) => `${dir}/${text.slice(0, at + 1)}`);
    return parents.every((parent) => {
      if (!this.holds(parent)) return false;
      const names = this.facts.names(posix.normalize(parent));
      if (names === null || names.length > MAX_NAMES) return false;
      return names.filter((name) => globMatches(last, name)).every((name) => this.holds(`${parent}/${name}`));
    });
  }

  private holds(path: string): boolean {
    return isInside(path, this.dirs, this.facts);
  }
}
