/** Why an export is refused or fails, and what it leaves out; core/session/messages/errors.ts has the form. */
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import type { Told } from '../../shared/model/commit.ts';

// bad-input, not-found

export const notABranchName = (name: string): TraiError =>
  new TraiError('bad-input', `expected the name of a branch, found ${JSON.stringify(name)}`);

export const branchExists = (name: string): TraiError =>
  new TraiError('bad-input', `there is a branch ${name} already`, {
    hint: 'Nothing was changed. Choose another name, or delete that branch first.',
  });

export const patchNotMade = (file: string, why: string): TraiError =>
  new TraiError('bad-input', `expected the name of a new file for the patch, found ${file} (${why})`, {
    hint: 'Nothing was written. Choose another name.',
  });

export function nothingToExport(top: BytePath, left: readonly Told[]): TraiError {
  const [first] = left;
  const why = first === undefined ? '' : ` (${toDisplay(first.path)}: ${first.why})`;
  return new TraiError('not-found', `nothing is pending in ${toDisplay(top)} that differs from HEAD${why}`);
}

// io; also not-found, where git finds no work tree

const GIT_FAILED = {
  workTree: 'this is not the work tree of a repository',
  head: 'HEAD cannot be read',
  objects: 'the objects cannot be found',
  index: 'the index cannot be made',
  indexRead: 'the index cannot be read',
  tree: 'the tree cannot be written',
  patch: 'the patch cannot be written',
  commit: 'the commit cannot be made',
  branch: 'the branch cannot be made',
  differing: 'the changes cannot be counted',
  ignored: 'ignored files cannot be told',
} as const;
export type GitStep = keyof typeof GIT_FAILED;

interface GitRun {
  command: string | undefined;
  status: number;
  err: string;
}

export const gitFailed = (
  step: GitStep,
  { command, status, err }: GitRun,
  code: 'io' | 'not-found' = 'io',
): TraiError => new TraiError(code, `${GIT_FAILED[step]}: git ${command} ended with ${status}: ${err}`);

export const notCopied = (path: BytePath, why: string): TraiError =>
  new TraiError('io', `${toDisplay(path)} could not be read: ${why}`);

// Why an entry is left out.

export const OWN_DATA = 'it is the repository’s own data';
export const OTHER_REPOSITORY = 'it belongs to another repository';
export const IGNORED = 'git ignores it';
export const IN_SUBMODULE = 'it belongs to a submodule';
export const typeUnknownToGit = (type: string): string => `git has no entries of this type (${type})`;
