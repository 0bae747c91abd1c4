/** Untracked files that a forced checkout writes over: git asks nobody about those that the other commit has. */
import { lstatSync } from 'node:fs';
import { type BytePath, isWithin, joinPath } from '../../shared/bytes.ts';
import { type GitRun, git, type Repo } from './git.ts';

/** More words than these are no commits to go to, but paths. */
const MOST_WORDS = 8;

/**
 * Names, seen from the top, of what is on disk and not in the index where one of `commits` has an entry. Words that are
 * no commits count for nothing; null = one that is not known, then any untracked file that is not ignored may be meant.
 * @throws when git can't tell
 */
export async function namesInTheWay(
  repo: Repo,
  top: BytePath,
  commits: readonly (string | null)[],
): Promise<string[]> {
  const found = new Set<string>();
  const dirs = new Set<string>();
  for (const word of new Set(commits.slice(0, MOST_WORDS))) {
    for (const name of word === null ? await untracked(repo, true) : await onlyIn(repo, word)) {
      const at = existing(top, name);
      if (at !== null) (at.isDirectory ? dirs : found).add(at.name);
    }
  }
  // Where a file is to be, all of the directory goes.
  if (dirs.size > 0)
    for (const name of await untracked(repo, false))
      if ([...dirs].some((dir) => isWithin(name, dir))) found.add(name);
  return [...found];
}

/** What a commit has and the index has not. */
async function onlyIn(repo: Repo, word: string): Promise<string[]> {
  const tree = await git(repo, ['rev-parse', '-q', '--verify', '--end-of-options', `${word}^{tree}`]);
  if (tree.status === 124) throw new Error(tree.err);
  if (tree.status !== 0) return [];
  const words = ['--cached', '--name-only', '--diff-filter=D', '--no-renames', '-z', tree.out.trim()];
  return names(await git(repo, ['diff-index', ...words, '--']));
}

async function untracked(repo: Repo, known: boolean): Promise<string[]> {
  const ignored = known ? ['--exclude-standard'] : [];
  return names(await git(repo, ['ls-files', '-z', '-o', ...ignored, '--full-name', ':/']));
}

function names({ status, out, err }: GitRun): string[] {
  if (status !== 0) throw new Error(err);
  return out.split('\0').filter((name) => name !== '');
}

/** The entry, or what stands where a directory above it would have to be; null = nothing does. */
function existing(top: BytePath, name: string): { name: string; isDirectory: boolean } | null {
  for (let at = name.indexOf('/'); ; at = name.indexOf('/', at + 1)) {
    const part = at < 0 ? name : name.slice(0, at);
    const stat = lstatSync(Buffer.from(joinPath(top, part), 'latin1'), { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (at < 0 || !stat.isDirectory()) return { name: part, isDirectory: stat.isDirectory() };
  }
}
