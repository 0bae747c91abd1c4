import { fromText, toDisplay } from '../../../shared/bytes.ts';
import type { Assignment, Piece, SimpleCommand, Word } from './facts.ts';

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Null unless a literal name, or a literal path in a system directory. */
export function programOf(command: Pick<SimpleCommand, 'words'>): string | null {
  const value = command.words[0]?.value;
  if (value === undefined || value === null || value === '') return null;
  if (!value.includes('/')) return value;
  // `./git` of a project is not git.
  return /^\/(?:usr\/(?:local\/)?)?bin\/([^/]+)$/.exec(value)?.[1] ?? null;
}

/** Stays one word and is certainly no option: literal, or quoted after a literal start. */
export function isFixed(word: Word): boolean {
  if (word.value !== null) return true;
  const start = word.pieces.find((piece) => piece.kind !== 'text' || piece.text !== '');
  // A home directory starts with a slash; an unknown one stays a tilde.
  if (start?.kind === 'pattern' && start.text === '~') return staysOneWord(word);
  if (start?.kind !== 'text' || start.text.startsWith('-')) return false;
  return staysOneWord(word);
}

/** Neither split nor globbed by the shell. */
export function staysOneWord(word: Word): boolean {
  return word.pieces.every((piece) => (piece.kind === 'pattern' ? piece.text === '~' : isOneVariable(piece)));
}

/** `"$@"` is many words although quoted. */
export function isOneVariable(piece: Piece): boolean {
  if (piece.kind === 'text') return true;
  if (piece.kind === 'script') return piece.quoted;
  if (piece.kind !== 'variable') return false;
  return /^[?#]$/.test(piece.name) || (piece.quoted && !/^[@*]$/.test(piece.name));
}

export interface OptionRules {
  /** Forbidden long options without dashes; abbreviations count too. */
  long?: readonly string[];
  /** Forbidden letters of short options. */
  short?: string;
}

/**
 * Whether an argument can't be one of the options in `rules`. Counts abbreviations, as GNU and git accept them
 * (`--upload-p`), and every letter of a cluster (`-uo FILE`), even of a value: an error on the safe side.
 */
export function avoids(word: Word, rules: OptionRules): boolean {
  // Not every program honours `--` for every option.
  if (word.value === null) return isFixed(word);
  const long = /^--([^=]+)/.exec(word.value)?.[1];
  if (long !== undefined) return !(rules.long ?? []).some((name) => name.startsWith(long));
  if (!/^-[^-]/.test(word.value)) return true;
  return ![...(rules.short ?? '')].some((letter) => word.value?.slice(1).includes(letter));
}

/** Upper-case variables that no passthrough program obeys and no shell treats specially. */
const HARMLESS =
  /^(TZ|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|FORCE_COLOR|CI|TERM|GH_REPO|GH_PROMPT_DISABLED|DOCKER_BUILDKIT|BUILDKIT_PROGRESS|COMPOSE_PROJECT_NAME|BRANCH|MSG|MESSAGE|VERSION|TAG|NAME|FILE|FILES|DIR|COMMIT|SHA|REF|REMOTE|BASE|TITLE|BODY|PR|NUM|COUNT|[A-Z])$/;

/** Harmless literal values: zsh calculates COLUMNS and LINES, and a locale may be a path. */
const HARMLESS_VALUES: readonly (readonly [RegExp, RegExp])[] = [
  [/^(COLUMNS|LINES)$/, /^\d{1,5}$/],
  [/^(LANG|LANGUAGE|LC_[A-Z]+)$/, /^[\w.@:-]*$/],
];

/** Data, flags or paths, as `-C` and `--git-dir` are. Not GIT_INDEX_FILE: git writes the file it names. */
const GIT_DATA =
  /^(GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|GIT_(TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT|LFS_SKIP_SMUDGE|ADVICE|DIR|WORK_TREE|CEILING_DIRECTORIES|LITERAL_PATHSPECS|REFLOG_ACTION)|HUSKY|LEFTHOOK|SKIP|PRE_COMMIT_ALLOW_NO_CONFIG|FILTER_BRANCH_SQUELCH_WARNING)$/;
const GIT_TAMED: readonly (readonly [RegExp, RegExp])[] = [
  [/^(GIT_EDITOR|GIT_SEQUENCE_EDITOR|EDITOR|VISUAL)$/, /^(true|:)$/],
  [/^(GIT_PAGER|PAGER)$/, /^(cat|)$/],
  [/^(GIT_CONFIG_GLOBAL|GIT_CONFIG_SYSTEM)$/, /^\/dev\/null$/],
];

export function isGitHarmlessAssignment({ name, plain, value }: Assignment): boolean {
  if (!plain) return false;
  if (GIT_DATA.test(name)) return true;
  const text = value === null ? '' : value.value;
  return text !== null && GIT_TAMED.some(([names, values]) => names.test(name) && values.test(text));
}

/** zsh ties these to PATH and the like, to its tables of functions, aliases and options, or to modules. */
const SHELL_SPECIAL =
  /^(f|cd|man|mail|module_|info)?path$|^(dis_)?(aliases|galiases|saliases|functions|functions_source|builtins|reswords|patchars)$|^(options|commands|parameters|modules|dirstack|history|historywords|jobdirs|jobtexts|jobstates|nameddirs|userdirs|usergroups|mapfile|psvar|fignore|watch|argv|status|pipestatus|signals|prompt|histchars|keymaps|widgets|termcap|terminfo|langinfo|errnos|sysparams|epochtime|(zsh|zle|zcurses|zgdbm|zftp)_.*|func.*trace|funcstack|auto_resume)$/;

/** npm and its like obey these whatever their case, and MSBuild takes any variable for a property. */
const OBEYED = /_proxy$|^(p?npm|yarn|msbuild)_|^(msbuild|custom(before|after)|directorybuild)/;

export function isHarmlessAssignment({ name, plain, value }: Assignment): boolean {
  return plain && isHarmlessVariable(name, value === null ? null : value.value);
}

/** `value` null = unknown. */
export function isHarmlessVariable(name: string, value: string | null): boolean {
  if (/^[a-z][a-z0-9_]*$/.test(name)) return !SHELL_SPECIAL.test(name) && !OBEYED.test(name);
  if (HARMLESS.test(name)) return true;
  return value !== null && HARMLESS_VALUES.some(([names, values]) => names.test(name) && values.test(value));
}

/** Of a word `NAME=VALUE`. */
export function isHarmlessSet({ source, value }: Word): boolean {
  const text = value ?? source;
  const name = text.slice(0, text.indexOf('='));
  return isHarmlessVariable(name, value === null ? null : value.slice(name.length + 1));
}

export interface Judgement {
  /** False: it may run other programs, or is not understood. */
  plain: boolean;
  writes: boolean;
  /** In words that follow "because of"; empty when plain. */
  because: string;
}

export const READ: Judgement = { plain: true, writes: false, because: '' };
export const WRITE: Judgement = { plain: true, writes: true, because: '' };

/** For a message: on one line, shortened, without invisible characters. */
export function cited(source: string): string {
  const text = toDisplay(fromText(source));
  return `\`${text.length <= MOST ? text : `${text.slice(0, MOST - 1)}…`}\``;
}

const MOST = 60;

export function unplain(because: string, writes = true): Judgement {
  return { plain: false, writes, because };
}
