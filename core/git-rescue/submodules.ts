import { git, type Repo } from './git.ts';

/** Whether the repository has submodules in use, and settings by which a forced checkout reaches into them. */
export async function reachesSubmodules(repo: Repo): Promise<boolean> {
  const words = ['config', '--get-all', '--type=bool', 'submodule.recurse'];
  // The last one is ours, see git.ts.
  const settings = (await git(repo, words)).out.trim().split('\n').slice(0, -1);
  if (settings.at(-1) !== 'true') return false;
  return (await git(repo, ['config', '--get-regexp', '^submodule\\..*\\.url$'])).status === 0;
}
