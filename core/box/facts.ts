/** The facts of a box, for the table: reads only, and refuses what no box can be made of. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { type BytePath, fromText, isWithin, joinPath, nameOf, parentOf } from '../../shared/bytes.ts';
import type { BoxOptions } from '../../shared/config/box.ts';
import { TraiError } from '../../shared/errors.ts';
import { readEntries } from '../kernel/fs/entry.ts';
import { errorCode, fsPath, lstat, orNull, realPath } from '../kernel/fs/port.ts';
import { readEnds } from '../kernel/fs/state-file.ts';
import { clientDirs } from '../sandbox/claude-files.ts';
import { homeOf } from '../sandbox/context.ts';
import { innermostStep, type PlanStep } from '../sandbox/plan/plan.ts';
import { draftAhead } from '../sandbox/prepare/draft.ts';
import { loadConfig } from '../session/config-file.ts';
import { type Project, projectOf, readBytes, repositoryOf } from '../session/project.ts';
import {
  ALLOWS,
  allowedMissing,
  allowsAll,
  CANNOT_COVER,
  emptyPath,
  foreignRepository,
  hiddenOutside,
  NARROWS,
  noHome,
  projectNotPending,
  projectTooWide,
  settingsDirect,
  settingsNotPending,
  WIDE,
} from './messages/errors.ts';
import { narrowed, PROJECT_FILE } from './options.ts';
import {
  type Allowed,
  type BoxInput,
  type BoxTable,
  boxTable,
  candidates,
  clientPaths,
  type Found,
} from './table.ts';

export interface BoxFactsRequest {
  env: NodeJS.ProcessEnv;
  stateDir: string;
  cwd: BytePath;
  /** trai's own folder. */
  plugin: string;
  /** On PATH; null: a shell. */
  program: string | null;
  session: string;
  options: BoxOptions;
}

export interface BoxFacts {
  project: Project;
  input: BoxInput;
  found: ReadonlyMap<BytePath, Found>;
  table: BoxTable;
  /** What the box writes at once: the project and its repository; the host's prompt history. */
  direct: { dirs: readonly BytePath[]; files: readonly BytePath[] };
  /** Narrowed by the project. */
  options: BoxOptions;
  /** What the project's file says in vain. */
  ignored: readonly string[];
  /** What is to be hidden, and is not on the host: an option as it was given, or null. */
  unseen: readonly { given: string | null; path: BytePath }[];
}

const MAX_FILE_BYTES = 64 * 1024;

/** Errors: `not-entered` for a project that cannot be shown; `bad-usage` for a path of an option. */
export function gatherFacts(request: BoxFactsRequest): BoxFacts {
  const { env, cwd, stateDir } = request;
  const home = homeOf(env);
  if (orNull(() => statSync(fsPath(home)))?.isDirectory() !== true) throw noHome(home);
  const project = projectOf(cwd);
  const state = realOr(fromText(stateDir));
  const { config } = loadConfig(env);
  expectNarrow(project.root, { home, state, scratch: config.scratch.map((dir) => realOr(fromText(dir))) });
  const { options, hide, ignored } = narrowed(request.options, projectFile(project.root));
  const own = hide.map((name) => ({ name, path: hiddenByProject(name, project.root) }));
  ignored.push(...own.flatMap(({ name, path }) => (path === null ? NARROWS.outside(name) : [])));
  const { steps } = draftAhead({
    stateDir,
    projectRoot: project.root,
    config,
    mountinfo: readFileSync('/proc/self/mountinfo', 'latin1'),
    home,
  });
  const variables = new Map(Object.entries(env).map(([name, value]) => [name, value ?? '']));
  const configDir = unlinkedParent(clientDirs(home, variables).configDir);
  const isMoved = (env['CLAUDE_CONFIG_DIR'] ?? '') !== '';
  const at = (given: string): BytePath => {
    const text = fromText(given);
    return unlinkedParent(text.startsWith('/') ? text : joinPath(cwd, text));
  };
  for (const option of ['allow', 'hide'] as const)
    if (options[option].some((given) => given === '' || given === ':ro')) throw emptyPath(`--${option}`);
  const hidden = [
    ...options.hide.map((given) => ({ given, path: hiddenOf(given, at, project.root) })),
    ...own.flatMap(({ path }) => (path === null ? [] : [{ given: null, path }])),
  ];
  const gitDirs = gitDirsOf(project.root);
  const history = realOr(joinPath(configDir, 'history.jsonl'));
  const direct = {
    dirs: options.write === 'direct' ? [project.root, ...gitDirs] : [],
    files: options.history === 'shared' ? [history] : [],
  };
  const isPending = (path: BytePath) =>
    isCovered(path, steps) && ![...direct.dirs, ...direct.files].some((one) => isWithin(path, one));
  const found = new Map<BytePath, Found>();
  const realDirs = new Map<BytePath, BytePath>();
  const look = (path: BytePath): void => {
    const one = entryAt(path, isPending, realDirs);
    if (one !== null) found.set(path, one);
  };
  const input: BoxInput = {
    home,
    project: project.root,
    gitDirs,
    stateDir: state,
    configDir,
    stateFile: joinPath(isMoved ? configDir : home, '.claude.json'),
    configLinks: linksIn(configDir),
    program: request.program === null ? null : unlinkedParent(fromText(request.program)),
    plugin: realOr(fromText(request.plugin)),
    pathDirs: (env['PATH'] ?? '')
      .split(':')
      .filter((dir) => dir.startsWith('/'))
      .map(fromText),
    session: request.session,
    allow: options.allow.map((given) => allowedOf(given, at, state)),
    hide: hidden.map(({ path }) => path),
    options,
  };
  for (const path of candidates(input)) look(path);
  for (const link of [...found.values()]) look(link.real);
  for (const path of clientPaths(realOr(configDir))) look(path);
  expectPending(input, steps, direct.dirs);
  const unseen = hidden.filter(({ path }) => !found.has(path));
  return { project, input, found, table: boxTable(input, found), direct, options, ignored, unseen };
}

interface Places {
  home: BytePath;
  state: BytePath;
  scratch: readonly BytePath[];
}

function expectNarrow(project: BytePath, { home, state, scratch }: Places): void {
  if (project === '/') throw projectTooWide(project, WIDE.root);
  if (isWithin(home, project)) throw projectTooWide(project, WIDE.home);
  if (scratch.includes(project)) throw projectTooWide(project, WIDE.scratch);
  if (isWithin(project, state)) throw projectTooWide(project, WIDE.state);
}

function expectPending(
  { project, configDir, options: { write } }: BoxInput,
  steps: readonly PlanStep[],
  direct: readonly BytePath[],
): void {
  const settings = realOr(configDir);
  if (write === 'pending' && !isCovered(project, steps)) throw projectNotPending(project, CANNOT_COVER);
  if (!isCovered(settings, steps)) throw settingsNotPending(configDir);
  if (direct.some((dir) => isWithin(settings, dir))) throw settingsDirect(configDir);
}

function isCovered(path: BytePath, steps: readonly PlanStep[]): boolean {
  const step = innermostStep(steps, path);
  return step?.do === 'overlay' || step?.do === 'copied';
}

const realOr = (path: BytePath): BytePath => orNull(() => realPath(path)) ?? path;

/** The entry itself may be a link; what leads there has none. */
function unlinkedParent(path: BytePath): BytePath {
  const plain = path.replace(/(.)\/+$/, '$1') as BytePath;
  const name = nameOf(plain);
  if (plain === '/' || name === '.' || name === '..') return realOr(plain);
  return joinPath(realOr(parentOf(plain)), name);
}

/** @param realDirs those found so far: most candidates are in a few directories */
function entryAt(
  path: BytePath,
  isPending: (path: BytePath) => boolean,
  realDirs: Map<BytePath, BytePath>,
): Found | null {
  return orNull(() => {
    const own = lstat(path);
    if (own === null) return null;
    const name = nameOf(path);
    const isPlain = own.type !== 'symlink' && name !== '' && name !== '.' && name !== '..';
    const real = isPlain ? joinPath(realDir(parentOf(path), realDirs), name) : realPath(path);
    const type = isPlain ? own.type : lstat(real)?.type;
    if (type === undefined) return null;
    const kind = type === 'dir' || type === 'file' ? type : 'other';
    return { type: kind, real, pending: isPending(real) } as const;
  });
}

function realDir(dir: BytePath, known: Map<BytePath, BytePath>): BytePath {
  const real = known.get(dir) ?? realPath(dir);
  known.set(dir, real);
  return real;
}

/** The directory that this user may not search on the way to an entry; null: nothing keeps the entry from being seen. */
export function closedAbove(path: BytePath): BytePath | null {
  const isDir = (dir: BytePath) => orNull(() => statSync(fsPath(dir)).isDirectory()) === true;
  let dir = parentOf(path);
  while (dir !== '/' && !isDir(dir)) dir = parentOf(dir);
  return orNull(() => accessSync(fsPath(dir), constants.X_OK)) === null ? dir : null;
}

/**
 * Without them git finds no repository in a worktree or a submodule.
 * @throws TraiError `not-entered` for a repository that may be another project's
 */
function gitDirsOf(project: BytePath): BytePath[] {
  const repository = repositoryOf(project);
  if (repository === null) return [];
  const gitDir = realOr(repository.gitDir);
  const outside = [repository.commonDir, gitDir].filter((dir) => !isWithin(dir, project));
  if (outside.length > 0 && !leadsBack(gitDir, project))
    throw foreignRepository(project, repository.commonDir);
  return outside.filter(
    (dir, i) => !outside.some((other, j) => j !== i && isWithin(dir, other) && (dir !== other || j < i)),
  );
}

/**
 * Files of the project name its repository, and could name that of another project. git notes the way back: in a
 * worktree's `gitdir`, and in a submodule's `core.worktree`.
 */
function leadsBack(gitDir: BytePath, project: BytePath): boolean {
  if (isWithin(gitDir, project)) return false;
  const read = (name: string) => readBytes(joinPath(gitDir, name), MAX_FILE_BYTES) ?? '';
  const worktree = read('gitdir').replace(/[\r\n]+$/, '');
  const named = ['config', 'config.worktree'].map((name) => WORKTREE.exec(read(name))?.[1] ?? '');
  const tops = [...(worktree === '' ? [] : [parentOf(worktree as BytePath)]), ...named.map(unquoted)];
  return tops.some(
    (top) => realOr((top.startsWith('/') ? top : joinPath(gitDir, top)) as BytePath) === project,
  );
}

/** `core.worktree`, as git writes it. */
const WORKTREE = /^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t\r]*$/m;

const unquoted = (value: string): string => value.replace(/^"(.*)"$/s, '$1').replace(/\\(["\\])/g, '$1');

function linksIn(dir: BytePath): BytePath[] {
  const entries = orNull(() => readEntries(dir)) ?? [];
  return entries
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => joinPath(dir, entry.name as BytePath));
}

function allowedOf(given: string, at: (given: string) => BytePath, state: BytePath): Allowed {
  const isWhole = orNull(() => statSync(fsPath(at(given)))) !== null;
  const ro = !isWhole && given.endsWith(':ro');
  const path = at(ro ? given.slice(0, -':ro'.length) : given);
  const real = orNull(() => realPath(path));
  if (real === null) throw allowedMissing(path);
  if (real === '/') throw allowsAll(path, ALLOWS.root);
  if (isWithin(real, state) || isWithin(state, real)) throw allowsAll(path, ALLOWS.state);
  return { path, ro };
}

function hiddenOf(given: string, at: (given: string) => BytePath, project: BytePath): BytePath {
  // Its own entry, wherever a link leads: the link's target is what the project shows.
  const path = realOr(at(given));
  if (path === project || !isWithin(path, project)) throw hiddenOutside(path, project);
  return path;
}

/** Null unless it is in the project, also where a link leads. */
function hiddenByProject(name: string, project: BytePath): BytePath | null {
  const path = realOr(unlinkedParent(joinPath(project, fromText(name))));
  return path !== project && isWithin(path, project) ? path : null;
}

/** `{}` where there is none; `undefined` for one that cannot be used. */
function projectFile(project: BytePath): unknown {
  try {
    const [content] = readEnds(fsPath(joinPath(project, PROJECT_FILE)), MAX_FILE_BYTES + 1, 0) ?? [];
    if (content === undefined || content.length > MAX_FILE_BYTES) return isMissing(project) ? {} : undefined;
    return JSON.parse(content.toString('utf8'));
  } catch (error) {
    if (error instanceof TraiError) throw error;
    return errorCode(error) === 'ENOENT' ? {} : undefined;
  }
}

const isMissing = (project: BytePath): boolean =>
  orNull(() => statSync(fsPath(joinPath(project, PROJECT_FILE)))) === null;
