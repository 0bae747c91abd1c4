/** What a command that runs on the host does there, as far as pending changes are concerned. */

import type { HostUse } from '../../shared/model/decision.ts';
import { containerUse } from './container-use.ts';
import { readGlobals } from './git/globals.ts';
import { gitUse, globalWords } from './git/use.ts';
import type { Assignment, SimpleCommand, Word } from './shell/facts.ts';
import { ANYWHERE, both, inDirectory, pathText, squeeze, type Where } from './shell/where.ts';

/** Null: it takes no files of the host that may be pending, as far as the text tells. */
export function hostUse(program: string, command: SimpleCommand, now: Where, home: string): HostUse | null {
  const args = command.words.slice(1);
  if (program === 'git') return useOfGit(args, command.assignments, now, home);
  if (program === 'gh') return useOfGh(args, now);
  if (program === 'docker' || program === 'podman') {
    const use = containerUse(args, now, home);
    return use === null ? null : useAt(`${program} ${use.verb}`, 'below', use.where);
  }
  return program === 'sudo' ? useBehindSudo(command, now, home) : null;
}

function useAt(what: string, scope: HostUse['scope'], { dirs, above }: Where): HostUse {
  return { what, scope: above ? 'repository' : scope, dirs, globals: [], losses: [] };
}

const REPOSITORY_VARIABLES = /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY)$/;

function useOfGit(
  args: readonly Word[],
  assignments: readonly Assignment[],
  now: Where,
  home: string,
): HostUse | null {
  const globals = readGlobals(args);
  const sub = globals?.rest[0];
  const use = gitUse(sub?.value ?? null, globals?.rest.slice(1) ?? []);
  if (use === null) return null;
  let where = now;
  for (const dir of globals?.directories ?? []) where = inDirectory(where, dir, home, 'links');
  const variables = assignments.filter(({ name }) => REPOSITORY_VARIABLES.test(name));
  const named = (name: string) => variables.find((one) => one.name === name)?.value ?? null;
  const gitDir = globals?.gitDir ?? named('GIT_DIR');
  const workTree = globals?.workTree ?? named('GIT_WORK_TREE');
  const other = variables.some(({ name }) => !/^GIT_(DIR|WORK_TREE)$/.test(name));
  const words = other || globals === null ? null : globalWords(gitDir, workTree, home);
  const here = treePlaces(where, gitDir, workTree, home);
  const places = use.target === null ? here : inDirectory(where, use.target, home, 'links');
  const records =
    use.from === 'here' ? here : use.from == null ? null : inDirectory(where, use.from, home, 'links');
  const name = sub?.value ?? '';
  const what = `git ${/^[a-z][a-z0-9-]{0,40}$/i.test(name) ? name : '…'}`;
  return {
    what,
    // Where it may be a directory above that, only the whole repository holds it for certain.
    scope: use.makes && !places.above ? 'below' : use.touches === 'git-dir' ? 'git-dir' : 'repository',
    // Where git would be told of another repository than we see, nothing can be saved for the user.
    dirs: words === null ? null : places.dirs,
    ...(records === null ? {} : { records: words === null ? null : records.dirs }),
    globals: use.target === null ? (words ?? []) : [],
    losses: use.losses,
  };
}

/** Without a work tree of its own, a git directory has its work tree where git runs, or around it. */
function treePlaces(where: Where, gitDir: Word | null, workTree: Word | null, home: string): Where {
  if (workTree !== null) return inDirectory(where, workTree, home, 'links');
  if (gitDir === null) return where;
  const text = pathText(gitDir, home);
  if (text === null || where.dirs === null) return ANYWHERE;
  const around = where.dirs.map((dir) => squeeze(`${text.startsWith('/') ? text : `${dir}/${text}`}/..`));
  return both(where, { dirs: around, above: false });
}

const GH_FILES = new Set([
  'pr create',
  'pr merge',
  'pr checkout',
  'pr co',
  'release create',
  'release upload',
  'repo sync',
]);

function useOfGh(args: readonly Word[], now: Where): HostUse | null {
  const verb = `${args[0]?.value ?? ''} ${args[1]?.value ?? ''}`;
  if (!GH_FILES.has(verb)) return null;
  const forced = args.some((word) => /^(-f|--force)$/.test(word.value ?? ''));
  const use = useAt(`gh ${verb}`, 'repository', now);
  // It puts the branch to where the pull request is, as `git reset --hard` does.
  return forced && verb !== 'pr create' ? { ...use, losses: [{ kind: 'tree', unlessRef: null }] } : use;
}

/** sudo itself may do anything; only the programs that we know are looked at behind it. */
function useBehindSudo(command: SimpleCommand, now: Where, home: string): HostUse | null {
  const words = command.words.slice(1);
  let i = 0;
  for (; words[i]?.value?.startsWith('-'); i++) if (/^-[ug]$/.test(words[i]?.value ?? '')) i++;
  const program = words[i]?.value ?? '';
  if (program !== 'git' && program !== 'docker' && program !== 'podman') return null;
  const use = hostUse(program, { ...command, words: words.slice(i) }, now, home);
  return use === null ? null : { ...use, what: `sudo ${use.what}` };
}
