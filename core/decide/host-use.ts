/** What a host command does with files that may be pending. */

import type { HostUse } from '../../shared/model/decision.ts';
import { readGlobals } from './git/git.ts';
import { gitUse, globalWords } from './git/use.ts';
import type { Assignment, SimpleCommand, Word } from './shell/facts.ts';
import { ANYWHERE, both, inDirectory, pathText, squeeze, type Where } from './shell/where.ts';
import { wordSet } from './shell/words.ts';

/** Null: as far as the text shows, it uses no files that may be pending. */
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
    // `above`: only the whole repository certainly contains the directory.
    scope: use.makes && !places.above ? 'below' : use.touches === 'git-dir' ? 'git-dir' : 'repository',
    // Where git may use another repository, git rescue can't save anything.
    dirs: words === null ? null : places.dirs,
    ...(records === null ? {} : { records: words === null ? null : records.dirs }),
    globals: use.target === null ? (words ?? []) : [],
    losses: use.losses,
  };
}

/** Without a work tree given, it is where git runs, or around the git directory. */
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
  // `--force` moves the branch to the pull request like `git reset --hard`.
  return forced && verb !== 'pr create' ? { ...use, losses: [{ kind: 'tree', unlessRef: null }] } : use;
}

/** Only known programs are recognised after sudo. */
function useBehindSudo(command: SimpleCommand, now: Where, home: string): HostUse | null {
  const words = command.words.slice(1);
  let i = 0;
  for (; words[i]?.value?.startsWith('-'); i++) if (/^-[ug]$/.test(words[i]?.value ?? '')) i++;
  const program = words[i]?.value ?? '';
  if (program !== 'git' && program !== 'docker' && program !== 'podman') return null;
  const use = hostUse(program, { ...command, words: words.slice(i) }, now, home);
  return use === null ? null : { ...use, what: `sudo ${use.what}` };
}

export interface ContainerUse {
  /** `build`, `run`, `compose up`. */
  verb: string;
  where: Where;
}

const BUILDS = new Set(['build', 'buildx build', 'builder build', 'image build']);
const RUNS = new Set(['run', 'create', 'container run', 'container create']);
const COPIES = new Set(['cp', 'container cp']);
/** Verbs that read the project's compose file, its build contexts or its bind mounts. */
const COMPOSE = wordSet('up run build create watch');

/** Options of build and cp without a value. */
const FLAGS =
  /^(-[aDhLq]+|--(debug|archive|follow-link|quiet|no-cache|pull|rm|force-rm|squash|squash-all|compress|load|push|check|layers|tls-verify|tls|tlsverify))$/;

/** Null: it uses no files of the host. */
export function containerUse(args: readonly Word[], now: Where, home: string): ContainerUse | null {
  const rest = behindOptions(args);
  const [first, second] = [rest[0]?.value ?? '', rest[1]?.value ?? ''];
  if (first === 'compose') return composeUse(rest.slice(1), now, home);
  const [verb, words] =
    BUILDS.has(first) || RUNS.has(first) || COPIES.has(first)
      ? [first, rest.slice(1)]
      : [`${first} ${second}`, rest.slice(2)];
  if (BUILDS.has(verb)) return { verb, where: buildPlaces(words, now, home) };
  if (COPIES.has(verb)) return { verb, where: placesOf(operands(words).slice(0, 1), now, home) };
  if (!RUNS.has(verb)) return null;
  const where = mountPlaces(words, now, home);
  return where === null ? null : { verb, where };
}

/** judgePassthrough has checked these options. */
function behindOptions(args: readonly Word[]): readonly Word[] {
  let i = 0;
  while (args[i]?.value?.startsWith('-'))
    i += FLAGS.test(args[i]?.value ?? '') || args[i]?.value?.includes('=') ? 1 : 2;
  return args.slice(i);
}

function operands(words: readonly Word[]): Word[] {
  const found: Word[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const value = word?.value ?? '';
    if (word === undefined) continue;
    if (value === '--') return [...found, ...words.slice(i + 1)];
    if (!value.startsWith('-') || value === '-') found.push(word);
    else if (!FLAGS.test(value) && !value.includes('=')) i++;
  }
  return found;
}

function values(words: readonly Word[], names: readonly string[]): Word[] {
  return words.flatMap((word, i) => {
    const next = words[i + 1];
    if (names.includes(word.value ?? '')) return next === undefined ? [] : [next];
    const name = names.find((one) => word.source.startsWith(`${one}=`));
    return name === undefined ? [] : [tail(word, name.length + 1)];
  });
}

function tail(word: Word, count: number): Word {
  const [first, ...more] = word.pieces;
  if (first?.kind !== 'text' || first.text.length < count) return { ...word, value: null, pieces: [] };
  const pieces = [{ ...first, text: first.text.slice(count) }, ...more];
  return { source: word.source.slice(count), value: word.value?.slice(count) ?? null, pieces };
}

function buildPlaces(words: readonly Word[], now: Where, home: string): Where {
  const [context, ...more] = operands(words);
  if (context === undefined || more.length > 0) return { ...now, above: true };
  const contexts = context.value === '-' ? [] : [context];
  const named = values(words, ['--build-context']).map((word) =>
    tail(word, (word.value?.indexOf('=') ?? -1) + 1),
  );
  const files = values(words, ['-f', '--file']).filter((word) => word.value !== '-');
  return placesOf([...contexts, ...named, ...files], now, home);
}

/** Bind mounts and env files; null = none. */
function mountPlaces(words: readonly Word[], now: Where, home: string): Where | null {
  const found: Where[] = [];
  for (const word of values(words, ['-v', '--volume'])) {
    const text = pathText(word, home);
    if (text === null) return ANYWHERE;
    // A name without a slash is a volume of the engine.
    const source = text.split(':')[0] ?? '';
    if (text.includes(':') && /^[./]/.test(source)) found.push(at(source, now));
  }
  for (const word of values(words, ['--mount'])) {
    const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(word.value ?? '')?.[1];
    if (word.value === null) return ANYWHERE;
    if (source !== undefined && /type=bind/.test(word.value)) found.push(at(source, now));
  }
  for (const word of values(words, ['--env-file'])) found.push(inDirectory(now, word, home));
  const [first, ...more] = found;
  return first === undefined ? null : more.reduce(both, first);
}

function at(text: string, now: Where): Where {
  if (text.startsWith('/')) return { dirs: [squeeze(text)], above: false };
  if (now.dirs === null) return ANYWHERE;
  return { dirs: now.dirs.map((dir) => squeeze(`${dir}/${text}`)), above: now.above };
}

function composeUse(args: readonly Word[], now: Where, home: string): ContainerUse | null {
  const words = args.findIndex((word) => COMPOSE.has(word.value ?? ''));
  if (words < 0) return null;
  const before = args.slice(0, words);
  const verb = `compose ${args[words]?.value ?? ''}`;
  const [project] = values(before, ['--project-directory', '--workdir']);
  if (project !== undefined) return { verb, where: inDirectory(now, project, home) };
  const files = values(before, ['-f', '--file']);
  // Without a name compose searches this directory and those above.
  if (files.length === 0) return { verb, where: { ...now, above: true } };
  const dirs = files.map((word) => {
    const text = pathText(word, home);
    return text === null
      ? ANYWHERE
      : at(text.includes('/') ? text.slice(0, text.lastIndexOf('/') + 1) : '.', now);
  });
  return { verb, where: dirs.reduce(both) };
}

function placesOf(words: readonly Word[], now: Where, home: string): Where {
  const local = words.filter((word) => !/^([a-z+]+:\/\/|git@)/.test(word.value ?? ''));
  return local.map((word) => inDirectory(now, word, home)).reduce(both, { dirs: [], above: false });
}
