/** What a writing git command has to do with pending changes: whether it works on files, and what it throws away. */

import type { Loss } from '../../../shared/model/decision.ts';
import type { Word } from '../shell/facts.ts';
import { pathText } from '../shell/where.ts';
import { wordSet } from '../shell/words.ts';

export interface SubcommandUse {
  /** `work-tree`: it takes files from there or puts them there; `git-dir`: it changes nothing but git's own records. */
  touches: 'work-tree' | 'git-dir';
  losses: readonly Loss[];
  /** A directory other than the repository's that it works on (`git worktree remove DIR`), or null. */
  target: Word | null;
  /** True where of the files only those in `target` matter: the directory is made (`git clone URL DIR`). */
  makes: boolean;
  /** What it is made of: the records of the repository here, or of the one at a place; null = of none of this machine. */
  from?: 'here' | Word | null;
}

type Args = readonly Word[];

const RECORDS: SubcommandUse = { touches: 'git-dir', losses: [], target: null, makes: false };
const TREE: Loss = { kind: 'tree', unlessRef: null };

/**
 * Subcommands that read or write files of the work tree or its index. What is not here (fetch, tag, branch, config,
 * notes, init …) says the same whether or not files are pending.
 */
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

/** `sub` = null: not known which subcommand. Null = it changes nothing at all (a dry run). */
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

/** Go to a commit that is named, over whatever is in the way. */
const TARGETED = wordSet('reset checkout switch restore read-tree');

/** Words that may name a commit. Without one it is HEAD, which may have what was taken out of the index alone. */
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

/** True when a long option (also abbreviated) or a letter of a cluster is there. What is not literal counts as no option. */
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

/** `-n` is "do nothing" for these; for commit it is `--no-verify`. */
const DRY_LETTER = wordSet('add clean mv push rm');

function isDryRun(sub: string, args: Args): boolean {
  if (sub === 'apply')
    return has(args, ['check', 'stat', 'numstat', 'summary'], '') && !has(args, ['apply'], '');
  const dry = beforeDashes(args).some(({ value }) => value === '--dry-run');
  if (sub === 'commit') return dry;
  if (sub === 'clean') return readClean(args).dry;
  return DRY_LETTER.has(sub) && (dry || has(args, [], 'n'));
}

/** `git switch -c NAME` and `git checkout -b NAME` without a start: files stay as they are, on the host as pending. */
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

/** `-e` takes a value, in which letters and dashes mean nothing. `listing`: what makes `git clean -n` list the same. */
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

/** `--abort` and `--skip` put the work tree back as `reset --hard` does. */
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

/** Options of clone whose value is a word of its own. */
const CLONE_VALUES =
  /^(-[^-]*[bojuc]|--(branch|origin|jobs|upload-pack|config|depth|filter|reference|reference-if-able|revision|template|ref-format|separate-git-dir|server-option|shallow-since|shallow-exclude|bundle-uri))$/;

/** What a clone copies where that is a path: as git sees it, an address has a colon in front of its first slash. */
function sourceOf(args: Args): Word | null {
  const [from] = withoutValues(args, CLONE_VALUES);
  return from === undefined || /^[^/]*:/.test(from.value ?? from.source) ? null : from;
}

/** Longer than any name that the last part of an address could become. */
const MAX_ADDRESS = 4096;

/** The directory that a clone makes: the second operand, else the last part of the address. */
function cloned(args: Args): Word | null {
  const [from, dir] = withoutValues(args, CLONE_VALUES);
  if (dir !== undefined) return dir;
  if ((from?.value?.length ?? 0) > MAX_ADDRESS) return null;
  const name = /([^/:]+?)(\/?\.git)?\/*$/.exec(from?.value ?? '')?.[1];
  if (from === undefined || name === undefined) return null;
  return { source: name, value: name, pieces: [{ kind: 'text', text: name, quoted: true }] };
}

/** The operands, without those that are the value of an option in front of them. */
function withoutValues(args: Args, takesValue: RegExp): Args {
  return args.filter((word, at) => {
    if (word.value?.startsWith('-')) return false;
    return !takesValue.test(args[at - 1]?.value ?? '');
  });
}

/** The literal words that name the repository once more, for a git of our own; null when they are not known. */
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
