/** Where an export works, and what of it is not for git: ignored files, and those of submodules. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { type BytePath, isWithin, joinPath, parentOf } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import type { Told } from '../../shared/model/commit.ts';
import { type GitOptions, git, type Repo } from '../git-rescue/git.ts';
import type { FsPort } from '../kernel/fs/port.ts';

export interface ExportPlace {
  port: FsPort;
  repo: Repo;
  top: BytePath;
  /** Holds the directory for work tree, index and objects. */
  work: string;
  /** For every git that uses our index. */
  env: Record<string, string>;
}

/** Runs git and gives what it printed, without the last newline. */
export async function line(
  repo: Repo,
  args: readonly string[],
  what: string,
  options: GitOptions = {},
): Promise<BytePath> {
  const { status, out, err } = await git(repo, args, options);
  if (status === 0) return out.replace(/\n$/, '') as BytePath;
  const missing = /not a git repository|must be run in a work tree/.test(err);
  throw new TraiError(missing ? 'not-found' : 'io', `${what}: git ${args[0]} ended with ${status}: ${err}`);
}

/** What says for the names which of them git ignores and how it stores them. */
export function ruleFiles(names: readonly BytePath[]): BytePath[] {
  const dirs = new Set<string>(['']);
  for (const name of names) {
    for (let dir = parentOf(`/${name}` as BytePath); dir !== '/' && !dirs.has(dir); dir = parentOf(dir))
      dirs.add(dir);
  }
  return [...dirs].flatMap((dir) =>
    ['.gitignore', '.gitattributes'].map((rule) => `${dir}/${rule}`.slice(1) as BytePath),
  );
}

export async function notForGit(
  { repo, top, work, env }: ExportPlace,
  names: readonly BytePath[],
): Promise<Told[]> {
  const ours: Repo = { ...repo, globals: [`--work-tree=${work}/tree`] };
  const input = `${names.join('\0')}\0`;
  const { status, out, err } = await git(ours, ['check-ignore', '-z', '--stdin'], { env, input });
  if (status > 1) throw new TraiError('io', `git check-ignore ended with ${status}: ${err}`);
  const ignored = out.split('\0').filter((name) => name !== '');
  const links = (await submodulesOf(repo, work, env)).map((name) => joinPath(top, name));
  return [
    ...ignored.map((name) => ({ path: joinPath(top, name), why: 'git ignores it' })),
    ...names
      .map((name) => joinPath(top, name))
      .filter((path) => links.some((link) => isWithin(path, link)))
      .map((path) => ({ path, why: 'it belongs to a submodule' })),
  ];
}

/** Paths of the index that are commits of other repositories. */
async function submodulesOf(repo: Repo, work: string, env: Record<string, string>): Promise<BytePath[]> {
  const file = `${work}/list`;
  const fd = openSync(file, 'w', 0o600);
  try {
    await line(repo, ['ls-files', '-s', '-z'], 'the index can not be read', { env, stdout: fd });
  } finally {
    closeSync(fd);
  }
  return readFileSync(file, 'latin1')
    .split('\0')
    .flatMap((entry) =>
      entry.startsWith('160000 ') ? [entry.slice(entry.indexOf('\t') + 1) as BytePath] : [],
    );
}
