/** Small questions about words, shared by the judges of programs. */

import { fromText, toDisplay } from '../../../shared/bytes.ts';
import type { Assignment, Piece, SimpleCommand, Word } from './facts.ts';

/** Words that stand in one text, separated by blanks. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** The program of a command: a literal name, or the last part of a literal path in a system directory. Null otherwise. */
export function programOf(command: SimpleCommand): string | null {
  const value = command.words[0]?.value;
  if (value === undefined || value === null || value === '') return null;
  if (!value.includes('/')) return value;
  // Any other path may be anything: `./git` of a project is not git.
  return /^\/(?:usr\/(?:local\/)?)?bin\/([^/]+)$/.exec(value)?.[1] ?? null;
}

/** True for a word that stays one word and is certainly no option: literal, or quoted behind a literal start. */
export function isFixed(word: Word): boolean {
  if (word.value !== null) return true;
  const start = word.pieces.find((piece) => piece.kind !== 'text' || piece.text !== '');
  // A home directory begins with a slash; one that is not known stays a tilde.
  if (start?.kind === 'pattern' && start.text === '~') return staysOneWord(word);
  if (start?.kind !== 'text' || start.text.startsWith('-')) return false;
  return staysOneWord(word);
}

/** True when no part of the word is split or globbed by the shell. */
export function staysOneWord(word: Word): boolean {
  return word.pieces.every((piece) => (piece.kind === 'pattern' ? piece.text === '~' : isOneVariable(piece)));
}

/** True for text, and for what is expanded without being split. `"$@"` is many words although it is quoted. */
export function isOneVariable(piece: Piece): boolean {
  if (piece.kind === 'text') return true;
  if (piece.kind === 'script') return piece.quoted;
  if (piece.kind !== 'variable') return false;
  return /^[?#]$/.test(piece.name) || (piece.quoted && !/^[@*]$/.test(piece.name));
}

export interface OptionRules {
  /** Long options (without dashes) that may not be there, nor any abbreviation of them. */
  long?: readonly string[];
  /** Letters that may not be in a cluster of short options. */
  short?: string;
}

/**
 * True when none of the options that `rules` names can be among the arguments. Abbreviations count, as GNU and git
 * accept them (`--upload-p`), and so does every letter of a cluster (`-uo FILE`), also where it is really an
 * option's value: the mistake is on the safe side.
 */
export function avoids(args: readonly Word[], rules: OptionRules): boolean {
  return args.every((word) => {
    // Words behind `--` are looked at like the others: not every program honours it for every option.
    if (word.value === null) return isFixed(word);
    const long = /^--([^=]+)/.exec(word.value)?.[1];
    if (long !== undefined) return !(rules.long ?? []).some((name) => name.startsWith(long));
    if (!/^-[^-]/.test(word.value)) return true;
    return ![...(rules.short ?? '')].some((letter) => word.value?.slice(1).includes(letter));
  });
}

/** Upper-case variables that no program we let onto the host takes orders from, and that no shell treats in a way of its own. */
const HARMLESS =
  /^(TZ|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|FORCE_COLOR|CI|TERM|GH_REPO|GH_PROMPT_DISABLED|DOCKER_BUILDKIT|BUILDKIT_PROGRESS|COMPOSE_PROJECT_NAME|BRANCH|MSG|MESSAGE|VERSION|TAG|NAME|FILE|FILES|DIR|COMMIT|SHA|REF|REMOTE|BASE|TITLE|BODY|PR|NUM|COUNT|[A-Z])$/;

/** Variables with the literal values that are harmless: zsh calculates what COLUMNS and LINES get, and a locale may be a path. */
const HARMLESS_VALUES: readonly (readonly [RegExp, RegExp])[] = [
  [/^(COLUMNS|LINES)$/, /^\d{1,5}$/],
  [/^(LANG|LANGUAGE|LC_[A-Z]+)$/, /^[\w.@:-]*$/],
];

/** Variables that git or its hooks read and that are data, flags or paths: `-C` and `--git-dir` may name those too. (Not GIT_INDEX_FILE: git writes whatever file it names.) */
const GIT_DATA =
  /^(GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|GIT_(TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT|LFS_SKIP_SMUDGE|ADVICE|DIR|WORK_TREE|CEILING_DIRECTORIES|LITERAL_PATHSPECS|REFLOG_ACTION)|HUSKY|LEFTHOOK|SKIP|PRE_COMMIT_ALLOW_NO_CONFIG|FILTER_BRANCH_SQUELCH_WARNING)$/;
/** Variables that name a program, with the values that do nothing or only print. */
const GIT_TAMED: readonly (readonly [RegExp, RegExp])[] = [
  [/^(GIT_EDITOR|GIT_SEQUENCE_EDITOR|EDITOR|VISUAL)$/, /^(true|:)$/],
  [/^(GIT_PAGER|PAGER)$/, /^(cat|)$/],
  [/^(GIT_CONFIG_GLOBAL|GIT_CONFIG_SYSTEM)$/, /^\/dev\/null$/],
];

/** True for `name=value` in front of `git` that can't make it run something. */
export function isGitHarmlessAssignment({ name, plain, value }: Assignment): boolean {
  if (!plain) return false;
  if (GIT_DATA.test(name)) return true;
  const text = value === null ? '' : value.value;
  return text !== null && GIT_TAMED.some(([names, values]) => names.test(name) && values.test(text));
}

/** Lower-case names that zsh ties to PATH and its like, to its tables of functions, aliases and options, or to its modules. */
const SHELL_SPECIAL =
  /^(f|cd|man|mail|module_|info)?path$|^(dis_)?(aliases|galiases|saliases|functions|functions_source|builtins|reswords|patchars)$|^(options|commands|parameters|modules|dirstack|history|historywords|jobdirs|jobtexts|jobstates|nameddirs|userdirs|usergroups|mapfile|psvar|fignore|watch|argv|status|pipestatus|signals|prompt|histchars|keymaps|widgets|termcap|terminfo|langinfo|errnos|sysparams|epochtime|(zsh|zle|zcurses|zgdbm|zftp)_.*|func.*trace|funcstack|auto_resume)$/;

/** True for `name=value` that cannot change what a later or the same command runs. */
export function isHarmlessAssignment({ name, plain, value }: Assignment): boolean {
  return plain && isHarmlessVariable(name, value === null ? null : value.value);
}

/** `value` null = not known. */
export function isHarmlessVariable(name: string, value: string | null): boolean {
  if (/^[a-z][a-z0-9_]*$/.test(name)) return !SHELL_SPECIAL.test(name) && !name.endsWith('_proxy');
  if (HARMLESS.test(name)) return true;
  return value !== null && HARMLESS_VALUES.some(([names, values]) => names.test(name) && values.test(value));
}

/** What a judge of a passthrough program says about one command of it. */
export interface Judgement {
  /** False: it may run other programs, or can't be understood. */
  plain: boolean;
  /** True when it may change something on the host. */
  writes: boolean;
  /** What keeps it from being plain, as it reads after "because of"; empty when plain. */
  because: string;
}

export const READ: Judgement = { plain: true, writes: false, because: '' };
export const WRITE: Judgement = { plain: true, writes: true, because: '' };

/** What the model wrote, for a message: on one line, without anything invisible, and not too much of it. */
export function cited(source: string): string {
  const text = toDisplay(fromText(source));
  return `\`${text.length <= MOST ? text : `${text.slice(0, MOST - 1)}…`}\``;
}

const MOST = 60;

export function unplain(because: string, writes = true): Judgement {
  return { plain: false, writes, because };
}
