/** What a writing git command does with files that may be pending, and what it throws away. */

import type { Loss } from '../../../shared/model/decision.ts';
import type { Word } from '../shell/facts.ts';
import { pathText } from '../shell/where.ts';
import { wordSet } from '../shell/words.ts';

export interface SubcommandUse {
  /** `git-dir`: it changes only git's own records. */
  touches: 'work-tree' | 'git-dir';
  losses: readonly Loss[];
  /** A directory outside the repository that it works on (`git worktree remove DIR`). */
  target: Word | null;
  /** It creates `target` (`git clone URL DIR`). */
  makes: boolean;
  /** The repository that it copies from; null = none of this machine. */
  from?: 'here' | Word | null;
}

type Args = readonly Word[];

const RECORDS: SubcommandUse = { touches: 'git-dir', losses: [], target: null, makes: false };
const TREE: Loss = { kind: 'tree', unlessRef: null };

/** Users of work tree or index. Others (fetch, tag, config ...) do the same whatever is pending. */
const WORK_TREE =
  wordSet(`add am apply bisect checkout checkout-index cherry-pick clean commit difftool filter-branch merge merge-file
   mergetool mv pull push read-tree rebase reset restore revert rm sparse-checkout stash submodule switch
   update-index`);
const LOSSES: Readonly<Record<string, (args: Args) => readonly Loss[]>> = {
  'reset': (args) => when(has(args, ['hard', 'merge', 'keep'], ''), TREE),
  'checkout': checkoutLosses,
  'switch': (args) => when(has(args, ['discard-changes', 'force', 'merge'], 'fm'), TREE),
  'restore': (args) => when(!has(args, ['staged'], 'S') || has(args, ['worktree'], 'W'), TREE),
  'clean': cleanLosses,
  'stash': stashLosses,
  'rm': (args) => when(has(args, ['force'], 'f') && !has(args, ['cached'], ''), TREE),
  'read-tree': (args) => when(has(args, ['reset'], 'u'), TREE),
  'checkout-index': (args) => when(has(args, ['force'], 'f'), TREE),
  'mv': (args) => when(has(args, ['force'], 'f'), TREE),
  'submodule': (args) =>
    when(/^(update|deinit)$/.test(operandsOf(args)[0]?.value ?? '') && has(args, ['force'], 'f'), {
      kind: 'submodule',
    }),
  'merge': aborting,
  'rebase': aborting,
  'am': aborting,
  'cherry-pick': aborting,
  'revert': aborting,
};

/** `sub` null = unknown. Null result: it changes nothing (a dry run). */
export function gitUse(sub: string | null, args: Args): SubcommandUse | null {
  if (sub === null) return { touches: 'work-tree', losses: [], target: null, makes: false };
  if (isDryRun(sub, args)) return null;
  if (sub === 'worktree') return worktreeUse(args);
  if (sub === 'clone') return makes(cloned(args), sourceOf(args));
  if (!WORK_TREE.has(sub) || onlyMakesBranch(sub, args)) return RECORDS;
  const losses = (Object.hasOwn(LOSSES, sub) ? (LOSSES[sub]?.(args) ?? []) : []).map((loss) =>
    loss.kind === 'tree' && TARGETED.has(sub) ? { ...loss, over: targets(args) } : loss,
  );
  const recursed = losses.some(({ kind }) => kind === 'tree') && has(args, ['recurse-submodules'], '');
  const all: readonly Loss[] = recursed ? [...losses, { kind: 'submodule' }] : losses;
  return { touches: 'work-tree', losses: all, target: null, makes: false };
}

/** Subcommands that move to a named commit and overwrite what is in the way. */
const TARGETED = wordSet('reset checkout switch restore read-tree');

/** Possible commits. HEAD is the default, and may have a file that only the index dropped. */
function targets(args: Args): (string | null)[] {
  const words = beforeDashes(args).map(({ value }) => value);
  const named = words.flatMap((value) => {
    if (!value?.startsWith('-')) return [value];
    const joined = /^(?:--so[a-z]*=|-s)(.+)$/.exec(value)?.[1];
    return joined === undefined ? [] : [joined];
  });
  return ['HEAD', ...named];
}

function when(holds: boolean, loss: Loss): readonly Loss[] {
  return holds ? [loss] : [];
}

/** Counts abbreviations and letters of clusters; words that are not literal do not count. */
function has(args: Args, long: readonly string[], short: string): boolean {
  return beforeDashes(args).some(({ value }) => {
    if (value === null) return false;
    const name = /^--([^=]+)/.exec(value)?.[1];
    if (name !== undefined) return long.some((one) => one.startsWith(name));
    return /^-[^-]/.test(value) && [...short].some((letter) => value.slice(1).includes(letter));
  });
}

function beforeDashes(args: Args): Args {
  const at = args.findIndex((word) => word.value === '--');
  return at < 0 ? args : args.slice(0, at);
}

function operandsOf(args: Args): Args {
  return args.filter((word) => !word.value?.startsWith('-'));
}

/** For commit, `-n` is `--no-verify`. */
const DRY_LETTER = wordSet('add clean mv push rm');

function isDryRun(sub: string, args: Args): boolean {
  if (sub === 'apply')
    return has(args, ['check', 'stat', 'numstat', 'summary'], '') && !has(args, ['apply'], '');
  const dry = beforeDashes(args).some(({ value }) => value === '--dry-run');
  if (sub === 'commit') return dry;
  if (sub === 'clean') return readClean(args).dry;
  return DRY_LETTER.has(sub) && (dry || has(args, [], 'n'));
}

/** `git switch -c NAME` and `git checkout -b NAME` without a start point change no file. */
function onlyMakesBranch(sub: string, args: Args): boolean {
  if (sub !== 'switch' && sub !== 'checkout') return false;
  const maker = sub === 'switch' ? /^(-[cC]|--(force-)?create)$/ : /^-[bB]$/;
  const [first, second, ...more] = args;
  return maker.test(first?.value ?? '') && second !== undefined && more.length === 0;
}

function checkoutLosses(args: Args): readonly Loss[] {
  const operands = operandsOf(args);
  if (has(args, ['force', 'merge', 'pathspec-from-file'], 'fm') || args.some((word) => word.value === '--'))
    return [TREE];
  if (has(args, ['orphan', 'detach'], 'bB') || operands.length === 0) return [];
  // `git checkout NAME` switches when NAME is a branch, and overwrites the file when it is a path.
  const [only, ...more] = operands;
  return [{ kind: 'tree', unlessRef: more.length === 0 ? (only?.value ?? null) : null }];
}

function stashLosses(args: Args): readonly Loss[] {
  const [verb, entry] = operandsOf(args);
  if (verb?.value === 'clear') return [{ kind: 'stash', entry: null }];
  if (verb?.value !== 'drop') return [];
  const name = entry === undefined ? 'stash@{0}' : entry.value;
  return [{ kind: 'stash', entry: name !== null && /^\d+$/.test(name) ? `stash@{${name}}` : name }];
}

function cleanLosses(args: Args): readonly Loss[] {
  return [{ kind: 'untracked', clean: readClean(args).listing }];
}

/** `listing`: the arguments with which `git clean -n` lists the same entries. */
function readClean(args: Args): { dry: boolean; listing: string[] | null } {
  const listing: string[] = [];
  const values = args.map((word) => word.value);
  let [dry, known] = [false, true];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? null;
    if (value === null) known = false;
    else if (value === '--') {
      known &&= values.slice(i).every((one) => one !== null);
      listing.push(...values.slice(i).filter((one) => one !== null));
      break;
    } else if (/^-[^-]/.test(value)) {
      const at = value.indexOf('e', 1);
      const letters = at < 0 ? value.slice(1) : value.slice(1, at);
      dry ||= letters.includes('n');
      listing.push(...[...letters].filter((letter) => 'dxXf'.includes(letter)).map((letter) => `-${letter}`));
      if (at >= 0) exclude(value.slice(at + 1) || (values[++i] ?? null));
    } else if (/^--e[^=]*=/.test(value)) exclude(value.slice(value.indexOf('=') + 1));
    else if (/^--e/.test(value)) exclude(values[++i] ?? null);
    else if (/^--f/.test(value)) listing.push('-f');
    else if (value === '--dry-run') dry = true;
    else if (!value.startsWith('--')) listing.push(value);
  }
  return { dry, listing: known ? listing : null };

  function exclude(pattern: string | null): void {
    known &&= pattern !== null;
    if (pattern !== null) listing.push('-e', pattern);
  }
}

/** `--abort` and `--skip` reset the work tree like `reset --hard`. */
function aborting(args: Args): readonly Loss[] {
  return when(has(args, ['abort', 'skip'], ''), TREE);
}

function worktreeUse(args: Args): SubcommandUse {
  const [verb, dir] = operandsOf(args);
  if (verb?.value === 'add') return makes(withoutValues(args, /^(-[^-]*[bB]|--reason)$/)[1] ?? null, 'here');
  if (verb?.value !== 'remove' && verb?.value !== 'move') return RECORDS;
  const forced = verb.value === 'remove' && has(args, ['force'], 'f');
  const losses: readonly Loss[] = forced ? [TREE, { kind: 'untracked', clean: ['-d'] }] : [];
  return { touches: 'work-tree', losses, target: dir ?? null, makes: false };
}

function makes(target: Word | null, from: 'here' | Word | null): SubcommandUse {
  return target === null ? RECORDS : { touches: 'work-tree', losses: [], target, makes: true, from };
}

/** Options of clone with a separate value. */
const CLONE_VALUES =
  /^(-[^-]*[bojuc]|--(branch|origin|jobs|upload-pack|config|depth|filter|reference|reference-if-able|revision|template|ref-format|separate-git-dir|server-option|shallow-since|shallow-exclude|bundle-uri))$/;

/** To git, an address has a colon before its first slash. */
function sourceOf(args: Args): Word | null {
  const [from] = withoutValues(args, CLONE_VALUES);
  return from === undefined || /^[^/]*:/.test(from.value ?? from.source) ? null : from;
}

/** Longer than any file name. */
const MAX_ADDRESS = 4096;

/** The second operand, else from the last part of the address. */
function cloned(args: Args): Word | null {
  const [from, dir] = withoutValues(args, CLONE_VALUES);
  if (dir !== undefined) return dir;
  if ((from?.value?.length ?? 0) > MAX_ADDRESS) return null;
  const name = /([^/:]+?)(\/?\.git)?\/*$/.exec(from?.value ?? '')?.[1];
  if (from === undefined || name === undefined) return null;
  return { source: name, value: name, pieces: [{ kind: 'text', text: name, quoted: true }] };
}

function withoutValues(args: Args, takesValue: RegExp): Args {
  return args.filter((word, at) => {
    if (word.value?.startsWith('-')) return false;
    return !takesValue.test(args[at - 1]?.value ?? '');
  });
}

/** Words that select the same repository for trai's own git; null when unknown. */
export function globalWords(
  gitDir: Word | null,
  workTree: Word | null,
  home: string,
): readonly string[] | null {
  const words: string[] = [];
  for (const [name, word] of [
    ['--git-dir', gitDir],
    ['--work-tree', workTree],
  ] as const) {
    if (word === null) continue;
    const text = pathText(word, home);
    if (text === null) return null;
    words.push(`${name}=${text}`);
  }
  return words;
}
