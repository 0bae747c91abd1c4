/**
 * Which git commands are plain git: those that don't run another program of the caller's choice. Only builtin
 * subcommands that are named here count, because git ignores aliases of builtin names and runs aliases of all others.
 */
import { readGlobals } from './git-globals.ts';
import { isSafeSetting } from './git-settings.ts';
import { cited, type Judgement, READ, unplain, WRITE } from './judgement.ts';
import type { Word } from './shell-facts.ts';
import { avoids, isFixed, type OptionRules } from './words.ts';

const READING = new Set(
  `annotate blame cat-file check-attr check-ignore cherry count-objects describe diff diff-files diff-index diff-tree
   for-each-ref fsck log ls-files ls-remote ls-tree merge-base merge-tree name-rev range-diff rev-list rev-parse
   shortlog show show-branch show-ref status var version whatchanged grep archive fast-export format-patch`.split(
    /\s+/,
  ),
);
const WRITING = new Set(
  `add am apply checkout checkout-index cherry-pick clean clone commit commit-tree fetch gc hash-object init merge merge-file mktag mktree mv pack-refs prune pull push read-tree rebase repack
   replace rerere reset restore revert rm sparse-checkout switch unpack-objects update-index update-ref write-tree`.split(
    /\s+/,
  ),
);

/** Options by which a subcommand runs a program; where a subcommand stands here, no word may be an unknown option. */
const RUNS: Readonly<Record<string, OptionRules>> = {
  archive: { long: ['exec', 'remote'] },
  'cherry-pick': { long: ['strategy'] },
  clone: { long: ['upload-pack', 'config', 'template'], short: 'uc' },
  fetch: { long: ['upload-pack'] },
  grep: { long: ['open-files-in-pager'], short: 'O' },
  init: { long: ['template'] },
  'ls-remote': { long: ['upload-pack', 'exec'], short: 'u' },
  merge: { long: ['strategy'], short: 's' },
  pull: { long: ['upload-pack', 'strategy'], short: 's' },
  push: { long: ['receive-pack', 'exec'] },
  rebase: { long: ['exec', 'interactive', 'edit-todo', 'strategy'], short: 'xis' },
  revert: { long: ['strategy'] },
};

/** Subcommands whose work it is to run other programs. */
const RUNNERS = new Set([
  'difftool',
  'mergetool',
  'filter-branch',
  'citool',
  'gui',
  'instaweb',
  'daemon',
  'web--browse',
]);

type Judge = (args: readonly Word[]) => Judgement;

/** The subcommand itself is the reason. */
const UNPLAIN = unplain('');

/** Subcommands whose first operand or options tell whether they read. */
const BY_ARGUMENTS: Readonly<Record<string, Judge>> = {
  bisect: byVerb({ read: 'log', write: 'start good bad old new skip reset terms replay' }),
  bundle: byVerb({ read: 'create verify list-heads', write: 'unbundle' }),
  branch: (args) =>
    listing(
      args,
      'dDmMcCfu',
      /^--(delete|move|copy|force|edit-description|set-upstream-to.*|unset-upstream)$/,
    ),
  tag: (args) => listing(args, 'dafsmFu', /^--(delete|annotate|force|sign|edit|message.*|file.*)$/),
  remote: byVerb({
    read: '-v --verbose show get-url',
    write: 'add remove rm rename set-url set-head set-branches prune update',
    none: READ,
  }),
  stash: byVerb({
    read: 'list show',
    write: 'push pop apply drop clear branch save create store -u -k -m',
    none: WRITE,
  }),
  worktree: byVerb({ read: 'list', write: 'add remove prune move lock unlock repair' }),
  submodule: byVerb({
    read: 'status summary',
    write: 'add init update sync deinit absorbgitdirs',
    none: READ,
  }),
  notes: byVerb({ read: 'list show', write: 'add append copy remove prune merge', none: READ }),
  reflog: byVerb({ read: 'show exists HEAD', write: 'expire delete', none: READ }),
  'symbolic-ref': (args) => (args.filter((word) => !word.value?.startsWith('-')).length <= 1 ? READ : WRITE),
  config: judgeConfig,
};

/** Judges the arguments of `git` (without the word itself). */
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
  // What only reads may be told to write a file, any file: in the sandbox it is pending.
  const output = judged.writes ? null : outputOf(name.value, operands);
  if (output !== null) return unplain(cited(output), false);
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
  if (!READING.has(sub) && !WRITING.has(sub))
    return unplain(`${cited(`git ${sub}`)}, an alias or a program of its own`);
  const reads = READING.has(sub);
  const rules = Object.hasOwn(RUNS, sub) ? RUNS[sub] : undefined;
  const bad = operands.find((word) => !isRefOutput(word) && rules !== undefined && !avoids([word], rules));
  if (bad !== undefined) return unplain(bad.value === null ? unknownOption(bad) : cited(bad.source), !reads);
  // Only the literal option: what is in `$x` here has always been let through, and asks for nothing but what
  // the repository's own settings name.
  const external = operands.find((word) => /^--ext(-d.*)?$/.test(word.value ?? ''));
  if (reads && external !== undefined) return unplain(cited(external.source), false);
  return reads ? READ : WRITE;
}

/** What makes a reading subcommand write a file that is none of git's own; null when nothing does. */
function outputOf(sub: string, operands: readonly Word[]): string | null {
  const makesFile = sub === 'archive' || sub === 'format-patch';
  const option = operands.find((word) => {
    // Making files is what it is for: a word that may stand for `-o DIR` is taken to.
    if (sub === 'format-patch' && !isFixed(word) && !isRefOutput(word)) return true;
    const text = word.value ?? word.source;
    const long = /^--([^=]+)/.exec(text)?.[1];
    if (long !== undefined) return OUTPUTS.some((name) => name.startsWith(long));
    return makesFile && /^-[^-]*o/s.test(text);
  });
  if (option !== undefined) return option.source;
  return (sub === 'format-patch' && !printsPatches(operands)) || sub === 'bundle' ? `git ${sub}` : null;
}

/** `--stdout` that is certainly the option: no path, and not the value of an option in front of it. */
function printsPatches(operands: readonly Word[]): boolean {
  const values = operands.map((word) => word.value);
  const at = values.indexOf('--stdout');
  const dashes = values.indexOf('--');
  if (at < 0 || (dashes >= 0 && dashes < at)) return false;
  if (values.some((value) => value?.startsWith('--no-') && '--no-stdout'.startsWith(value))) return false;
  const before = at === 0 ? '' : (values[at - 1] ?? null);
  return before !== null && (!before.startsWith('-') || /^-\d+$|=/.test(before));
}

const OUTPUTS = ['output', 'output-directory', 'export-marks'];

function unknownOption(word: Word): string {
  return `${cited(word.source)}, which may stand for any option (quote it, behind a literal start)`;
}

/** Names the subcommand where its judge could not. */
function named(judged: Judgement, sub: string): Judgement {
  return judged.plain || judged.because !== '' ? judged : unplain(cited(`git ${sub}`), judged.writes);
}

/** `ext::sh -c …`: a remote that is a program. */
function isTransportHelper(word: Word): boolean {
  return /^[A-Za-z0-9]+::/.test(word.value ?? '');
}

/** `"$(git branch --show-current)"` and its like: the output is a name that git made, never an option. */
function isRefOutput(word: Word): boolean {
  return /^"\$\(git (branch --show-current|rev-parse (--short |--abbrev-ref )?HEAD|rev-parse --show-toplevel|symbolic-ref --short HEAD)\)"$/.test(
    word.source,
  );
}

function byVerb(verbs: { read: string; write: string; none?: Judgement }): Judge {
  const read = new Set(verbs.read.split(' '));
  const write = new Set(verbs.write.split(' '));
  return (args) => {
    const first = args.find((word) => word.value !== '--quiet' && word.value !== '-q');
    if (first === undefined) return verbs.none ?? UNPLAIN;
    if (first.value === null) return unplain(unknownOption(first));
    if (read.has(first.value)) return READ;
    return write.has(first.value) ? WRITE : UNPLAIN;
  };
}

/** `branch` and `tag`: without operands and changing options they list. */
function listing(args: readonly Word[], changing: string, changingLong: RegExp): Judgement {
  const values = args.map((word) => word.value ?? 'operand');
  const changes = values.some(
    (arg) =>
      changingLong.test(arg) || (/^-[^-]/.test(arg) && [...changing].some((letter) => arg.includes(letter))),
  );
  if (changes) return WRITE;
  const lists = values.some((arg) =>
    /^(-l|-n\d*|--(list|contains|no-contains|merged|no-merged|points-at)(=.*)?)$/.test(arg),
  );
  return lists || values.every((arg) => arg.startsWith('-')) ? READ : WRITE;
}

const CONFIG_OPTION =
  /^--(global|local|system|worktree|null|show-origin|show-scope|name-only|bool|int|path|includes|type=\w+|add|replace-all|unset|unset-all|get|get-all|get-regexp|list)$|^-[lz]$/;

/** `git config core.pager CMD` arms the next plain git command: only harmless keys may be set. */
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
  // Without a dot it is no key: `edit`, `rename-section`.
  if (key?.value == null || !key.value.includes('.')) return UNPLAIN;
  if (!hasValue) return named ? WRITE : READ;
  const value = named ? more[0] : second;
  const plain = isSafeSetting(key.value, value?.value ?? null);
  return plain ? WRITE : unplain(`the setting ${cited(key.value)}`);
}
