/**
 * Which git commands are plain: those that run no other program of the caller's choice. Only builtin
 * subcommands named here count, because git ignores aliases of builtin names and runs all others.
 *
 * Options of reading subcommands are in shell/option-tables.ts; use.ts says what a command works on and
 * throws away.
 */

import type { Word } from '../shell/facts.ts';
import { type ReadOptions, readOptions, verbIndex } from '../shell/option-grammar.ts';
import {
  GIT_LISTS,
  GIT_READING_VERBS,
  GIT_READS,
  LISTING,
  SYMBOLIC_REF_READS,
} from '../shell/option-tables.ts';
import {
  avoids,
  cited,
  isFixed,
  type Judgement,
  type OptionRules,
  READ,
  staysOneWord,
  unplain,
  WRITE,
  wordSet,
} from '../shell/words.ts';

const WRITING =
  wordSet(`add am apply checkout checkout-index cherry-pick clean clone commit commit-tree fetch gc hash-object init merge merge-tree merge-file mktag mktree mv pack-refs prune pull push read-tree rebase repack
   replace rerere reset restore revert rm sparse-checkout switch unpack-objects update-index update-ref write-tree`);

/** Options by which a writing subcommand runs a program. An unknown word may be one of them. */
const RUNS: Readonly<Record<string, OptionRules>> = {
  'cherry-pick': { long: ['strategy'] },
  clone: { long: ['upload-pack', 'config', 'template'], short: 'uc' },
  fetch: { long: ['upload-pack'] },
  init: { long: ['template'] },
  merge: { long: ['strategy'], short: 's' },
  pull: { long: ['upload-pack', 'strategy'], short: 's' },
  push: { long: ['receive-pack', 'exec'] },
  rebase: { long: ['exec', 'interactive', 'edit-todo', 'strategy'], short: 'xis' },
  revert: { long: ['strategy'] },
};

/** Subcommands that exist to run other programs. */
const RUNNERS = wordSet('difftool mergetool filter-branch citool gui instaweb daemon web--browse');

type Judge = (args: readonly Word[]) => Judgement;

/** `judgeSubcommand` names the subcommand as the reason. */
const UNPLAIN = unplain('');

/** Subcommands whose first operand or options decide whether they read. */
const BY_ARGUMENTS: Readonly<Record<string, Judge>> = {
  bisect: byVerb('bisect', { write: 'start good bad old new skip reset terms replay' }),
  branch: (args) => listing('branch', args),
  tag: (args) => listing('tag', args),
  remote: byVerb('remote', {
    write: 'add remove rm rename set-url set-head set-branches prune update',
    before: '-v --verbose',
  }),
  stash: byVerb('stash', {
    write: 'push pop apply drop clear branch save create store -u -k -m',
    none: WRITE,
  }),
  worktree: byVerb('worktree', { write: 'add remove prune move lock unlock repair' }),
  submodule: byVerb('submodule', {
    write: 'add init update sync deinit absorbgitdirs',
    before: '-q --quiet',
  }),
  notes: byVerb('notes', { write: 'add append copy remove prune merge', before: '--ref=' }),
  reflog: judgeReflog,
  'symbolic-ref': (args) => {
    const { bad, operands, countless } = readOptions(args, SYMBOLIC_REF_READS);
    return bad === null && operands.length === 1 && !countless ? READ : WRITE;
  },
  config: judgeConfig,
};

export function judgeGit(args: readonly Word[]): Judgement {
  const globals = readGlobals(args);
  if (globals === null) {
    const odd = args.find((word) => !isFixed(word));
    return unplain(odd === undefined ? "an option in front of git's subcommand" : unknownOption(odd));
  }
  const [name, ...operands] = globals.rest;
  if (name === undefined) return READ;
  if (name.value === null) return unplain(`${cited(name.source)}, which may stand for any subcommand`);
  const judged = judgeSubcommand(name.value, operands);
  if (!judged.plain) return judged;
  const remote = args.find(isTransportHelper);
  if (globals.runs !== null) return unplain(cited(globals.runs), judged.writes);
  if (remote !== undefined)
    return unplain(`${cited(remote.source)}, a remote that is a program`, judged.writes);
  return judged;
}

function judgeSubcommand(sub: string, operands: readonly Word[]): Judgement {
  const judge = Object.hasOwn(BY_ARGUMENTS, sub) ? BY_ARGUMENTS[sub] : undefined;
  if (judge !== undefined) return named(judge(operands), sub);
  if (RUNNERS.has(sub)) return unplain(cited(`git ${sub}`));
  if (Object.hasOwn(GIT_READS, sub)) return judgeReading(sub, operands);
  if (sub === 'bundle') return unplain(cited(`git ${sub}`), false);
  if (!WRITING.has(sub)) return unplain(`${cited(`git ${sub}`)}, an alias or a program of its own`);
  const rules = Object.hasOwn(RUNS, sub) ? RUNS[sub] : undefined;
  const bad = operands.find((word) => !isRefOutput(word) && rules !== undefined && !avoids(word, rules));
  if (bad !== undefined) return unplain(bad.value === null ? unknownOption(bad) : cited(bad.source));
  return WRITE;
}

/** `git bundle` and `git format-patch` create files: in the sandbox these are pending. */
function judgeReading(sub: string, operands: readonly Word[]): Judgement {
  const read = readGit(operands, GIT_READS[sub] ?? '');
  if (read.bad !== null) return unreadable(read.bad);
  return sub === 'format-patch' && !printsPatches(operands) ? unplain(cited(`git ${sub}`), false) : READ;
}

/** Certainly an option: not a path, nor the value of the option before it. */
function printsPatches(operands: readonly Word[]): boolean {
  const values = operands.map((word) => word.value);
  const at = values.indexOf('--stdout');
  const dashes = values.indexOf('--');
  if (at < 0 || (dashes >= 0 && dashes < at)) return false;
  const before = at === 0 ? '' : (values[at - 1] ?? null);
  return before !== null && (!before.startsWith('-') || /^-\d+$|=/.test(before));
}

function readGit(args: readonly Word[], line: string): ReadOptions {
  return readOptions(args, line, { unknown: isRefOutput });
}

/** A reading subcommand that may write or run something: harmless in the sandbox. */
function unreadable(bad: Word): Judgement {
  return unplain(bad.value === null ? unknownOption(bad) : cited(bad.source), false);
}

function unknownOption(word: Word): string {
  return `${cited(word.source)}, which may stand for any option (quote it, behind a literal start)`;
}

function named(judged: Judgement, sub: string): Judgement {
  return judged.plain || judged.because !== '' ? judged : unplain(cited(`git ${sub}`), judged.writes);
}

/** A remote that is a program: `ext::sh -c …`. */
function isTransportHelper(word: Word): boolean {
  return /^[A-Za-z0-9]+::/.test(word.value ?? '');
}

/** Output that is a name from git, never an option: `"$(git branch --show-current)"`. */
function isRefOutput(word: Word): boolean {
  return /^"\$\(git (branch --show-current|rev-parse (--short |--abbrev-ref )?HEAD|rev-parse --show-toplevel|symbolic-ref --short HEAD)\)"$/.test(
    word.source,
  );
}

interface Verbs {
  write: string;
  none?: Judgement;
  before?: string;
}

/** The verb is the first word after known options: `git remote -v remove x` removes. */
function byVerb(sub: string, { write, none, before = '' }: Verbs): Judge {
  const reading = GIT_READING_VERBS[sub] ?? {};
  const writing = new Set(write.split(' '));
  return (args) => {
    const at = verbIndex(args, before);
    const first = args[at];
    if (first === undefined) return reading[''] === undefined ? (none ?? UNPLAIN) : READ;
    if (first.value === null) return unplain(unknownOption(first));
    if (writing.has(first.value)) return WRITE;
    const line = first.value !== '' && Object.hasOwn(reading, first.value) ? reading[first.value] : undefined;
    if (line === undefined) return UNPLAIN;
    const { bad } = readGit(args.slice(at + 1), line);
    return bad === null ? READ : unreadable(bad);
  };
}

const REFLOG_WRITES = wordSet('expire delete drop write');

/** Without a verb it is `git log -g`. */
function judgeReflog(args: readonly Word[]): Judgement {
  if (args.some((word) => REFLOG_WRITES.has(word.value ?? ''))) return WRITE;
  const verb = /^(show|exists)$/.exec(args[0]?.value ?? '')?.[0] ?? '';
  const { bad, operands } = readGit(
    verb === '' ? args : args.slice(1),
    GIT_READING_VERBS['reflog']?.[verb] ?? '',
  );
  // Another word may be a verb of another version.
  const odd =
    verb === ''
      ? operands.slice(0, 1).find(({ source }) => !/^(HEAD|stash|main|master)$|[@/]/.test(source))
      : undefined;
  const refused = bad ?? odd;
  return refused === undefined ? READ : unreadable(refused);
}

/** `branch` and `tag` read operands only with options that make these patterns. */
function listing(sub: string, args: readonly Word[]): Judgement {
  const { bad, operands, named } = readGit(args, GIT_LISTS[sub] ?? '');
  if (bad !== null) return WRITE;
  return operands.length === 0 || [...named.keys()].some((name) => LISTING.test(name)) ? READ : WRITE;
}

const CONFIG_OPTION =
  /^--(global|local|system|worktree|null|show-origin|show-scope|name-only|bool|int|path|includes|type=\w+|add|replace-all|unset|unset-all|get|get-all|get-regexp|list)$|^-[lz]$/;

/** `git config core.pager CMD` makes the next plain git run CMD: only harmless keys may be set. */
function judgeConfig(args: readonly Word[]): Judgement {
  const options = args.filter((word) => word.value?.startsWith('-'));
  if (!args.every(isFixed) || !options.every((word) => CONFIG_OPTION.test(word.value ?? ''))) return UNPLAIN;
  const [first, second, ...more] = args.filter((word) => !word.value?.startsWith('-'));
  const has = (pattern: RegExp): boolean => options.some((word) => pattern.test(word.value ?? ''));
  if (has(/^--(get.*|list)$|^-l$/) || first?.value === 'get' || first?.value === 'list') return READ;
  if (has(/^--unset/)) return WRITE;
  const named = first?.value === 'set' || first?.value === 'unset';
  const key = named ? second : first;
  const hasValue = named ? more.length > 0 : second !== undefined;
  // Without a dot it is a verb: `edit`, `rename-section`.
  if (key?.value == null || !key.value.includes('.')) return UNPLAIN;
  if (!hasValue) return named ? WRITE : READ;
  const value = named ? more[0] : second;
  const plain = isSafeSetting(key.value, value?.value ?? null);
  return plain ? WRITE : unplain(`the setting ${cited(key.value)}`);
}

export interface Globals {
  rest: readonly Word[];
  /** The first option that may run a program, as written. */
  runs: string | null;
  directories: readonly Word[];
  gitDir: Word | null;
  workTree: Word | null;
}

const ALONE =
  wordSet(`--no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs
   --no-replace-objects --bare --version -v`);
const WITH_VALUE = wordSet('-C -c --git-dir --work-tree --namespace --config-env');

/** Null when the start of the subcommand is unknown. */
export function readGlobals(args: readonly Word[]): Globals | null {
  const directories: Word[] = [];
  const named = new Map<string, Word>();
  let runs: string | null = null;
  let i = 0;
  for (; i < args.length; i++) {
    const word = args[i];
    if (word === undefined || !isFixed(word)) return null;
    const text = word.value ?? word.source;
    if (!text.startsWith('-')) break;
    if (ALONE.has(text)) continue;
    const joined = /^(--[a-z-]+)=/.exec(text)?.[1];
    const name = joined ?? text;
    const value = joined === undefined ? args[++i] : behindEquals(word);
    if (name === '--exec-path' && joined !== undefined) runs ??= name;
    else if (!WITH_VALUE.has(name) || value === undefined || !staysOneWord(value)) return null;
    else if (name === '-C') directories.push(value);
    else if (name === '--config-env') runs ??= name;
    else if (name === '-c') runs ??= isSafeOption(value) ? null : `-c ${value.source}`;
    else named.set(name, value);
  }
  return {
    rest: args.slice(i),
    runs,
    directories,
    gitDir: named.get('--git-dir') ?? null,
    workTree: named.get('--work-tree') ?? null,
  };
}

function behindEquals(word: Word): Word | undefined {
  if (word.value === null) return undefined;
  const value = word.value.slice(word.value.indexOf('=') + 1);
  return { source: value, value, pieces: [{ kind: 'text', text: value, quoted: true }] };
}

/** Keys whose value is no program, no path of one, and no file that contains such keys. */
const DATA =
  /^(user\.(name|email|signingkey|useconfigonly)|author\.(name|email)|committer\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|branch\.[^=]+\.(remote|merge|rebase)|core\.(autocrlf|eol|safecrlf|filemode|ignorecase|quotepath|longpaths|abbrev|preloadindex|untrackedcache)|color\..*|column\.ui|commit\.gpgsign|tag\.(gpgsign|sort)|branch\.sort|fetch\.(prune|parallel)|merge\.(ff|conflictstyle|renamelimit)|diff\.(renames|renamelimit|algorithm|context|noprefix|mnemonicprefix)|log\.(date|decorate|showsignature)|status\.[a-z]+|rebase\.(autostash|autosquash)|rerere\.enabled|advice\..*|safe\.directory|gc\.auto|maintenance\.auto|http\.(postbuffer|version|lowspeedlimit|lowspeedtime)|submodule\.recurse|checkout\.workers)$/i;

const TAMED: readonly (readonly [RegExp, RegExp])[] = [
  [/^core\.pager$|^pager\.[a-z-]+$/i, /^(cat|less|false|true|)$/],
  [/^(core|sequence)\.editor$/i, /^(true|:)$/],
  [/^core\.hookspath$/i, /^\/dev\/null$/],
  [/^core\.fsmonitor$/i, /^(false|0)$/],
  [/^credential\.helper$/i, /^$/],
];

/** `value` null = unknown. */
export function isSafeSetting(key: string, value: string | null): boolean {
  if (DATA.test(key)) return true;
  return value !== null && TAMED.some(([keys, values]) => keys.test(key) && values.test(value));
}

/** The argument of `-c`. */
export function isSafeOption(word: Word): boolean {
  if (word.value !== null) {
    const at = word.value.indexOf('=');
    return at < 0
      ? isSafeSetting(word.value, 'true')
      : isSafeSetting(word.value.slice(0, at), word.value.slice(at + 1));
  }
  const start = word.pieces.find((piece) => piece.kind !== 'text' || piece.text !== '');
  const key = start?.kind === 'text' ? /^([^=]+)=/.exec(start.text)?.[1] : undefined;
  return key !== undefined && staysOneWord(word) && isSafeSetting(key, null);
}
