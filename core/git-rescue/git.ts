/**
 * Runs git in a repository whose settings are not trusted: they may name programs (fsmonitor, hooks, filters,
 * pagers, ssh). None of them is run, nothing is fetched, nothing prompts, submodules (with unread settings of
 * their own) are not entered, and git ends at its deadline.
 */
import { readFileSync, statSync } from 'node:fs';
import type { BytePath } from '../../shared/bytes.ts';
import { toText } from '../../shared/bytes.ts';
import { run } from '../kernel/run.ts';

export interface Repo {
  dir: string;
  /** `--git-dir=…`, `--work-tree=…`. */
  globals: readonly string[];
  /** Overrides for settings whose names only the repository knows; from `ownSettings`. */
  settings: readonly Setting[];
  /** ms since the epoch. */
  deadline: number;
}

export type Setting = readonly [key: string, value: string];

export interface GitRun {
  /** Exit status; 127 when git could not be started, 124 after a timeout. */
  status: number;
  /** latin1: one character a byte. */
  out: string;
  err: string;
}

export interface GitOptions {
  input?: string;
  /** Descriptor for stdout; `out` is empty then. */
  stdout?: number;
  /** The output may exceed MAX_OUTPUT. */
  long?: boolean;
  env?: Readonly<Record<string, string>>;
  /** Time (ms) from SIGTERM to SIGKILL, to remove locks. */
  grace?: number;
}

const GRACE_MS = 1_000;

export const TOO_LATE = 'it took too long';

const SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.sshCommand=false',
  'core.quotePath=false',
  'color.ui=never',
  'commit.gpgSign=false',
  'credential.helper=',
  'diff.ignoreSubmodules=all',
  'diff.relative=false',
  'gc.auto=0',
  'log.showSignature=false',
  'maintenance.auto=false',
  'protocol.allow=never',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);

/** Bytes; a repository with more changed names can't be saved in time anyway. */
const MAX_OUTPUT = 32 * 1024 * 1024;
const MAX_ERROR = 4_000;

export async function git(repo: Repo, args: readonly string[], options: GitOptions = {}): Promise<GitRun> {
  const { status, stdout, stderr, timedOut } = await run('git', [...SETTINGS, ...repo.globals, ...args], {
    cwd: repo.dir,
    env: { ...environment(repo.settings), ...options.env },
    input: Buffer.from(options.input ?? '', 'latin1'),
    stdout: options.stdout,
    timeout: Math.max(1, repo.deadline - Date.now()),
    // SIGKILL would leave the index locked.
    grace: options.grace ?? GRACE_MS,
    mostOutput: options.long === true ? Infinity : MAX_OUTPUT,
  });
  const said = toText(stderr.slice(0, MAX_ERROR)).trim();
  return { status, out: stdout, err: timedOut ? TOO_LATE : said };
}

export function hasNoWorkTree({ err }: GitRun): boolean {
  return /not a git repository|must be run in a work tree/.test(err);
}

/** The names in an output of `-z`. */
export function namesOf(out: string): BytePath[] {
  return out.split('\0').filter((name) => name !== '') as BytePath[];
}

/** @throws with git's message when it fails */
export async function gitNames(repo: Repo, args: readonly string[], before = ''): Promise<BytePath[]> {
  const { status, out, err } = await git(repo, args);
  if (status !== 0) throw new Error(`${before}${err}`);
  return namesOf(out);
}

function environment(settings: readonly Setting[]): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    GIT_EDITOR: 'true',
    GIT_PAGER: 'cat',
    GIT_NO_LAZY_FETCH: '1',
    // For versions without GIT_NO_LAZY_FETCH; the repository can override protocol.allow, but not this.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_AUTHOR_NAME: 'trai',
    GIT_AUTHOR_EMAIL: 'trai@localhost',
    GIT_COMMITTER_NAME: 'trai',
    GIT_COMMITTER_EMAIL: 'trai@localhost',
  };
  for (const name of ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'USER']) env[name] = process.env[name];
  // Not with -c, since the name of a filter may contain an equals sign.
  for (const [i, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${i}`] = key;
    env[`GIT_CONFIG_VALUE_${i}`] = value;
  }
  env['GIT_CONFIG_COUNT'] = String(settings.length);
  return env;
}

/**
 * Settings that keep git from running the repository's filters, or those of a submodule.
 * @param top the work tree @throws when the settings can't be listed
 */
export async function ownSettings(repo: Repo, top: BytePath): Promise<Setting[]> {
  const filters = await sections(repo, 'filter');
  const submodules = [...(await sections(repo, 'submodule')), ...(await listedSubmodules(repo, top))];
  return [
    ...[...new Set(filters)].flatMap((name): Setting[] => [
      [`${name}.clean`, ''],
      [`${name}.process`, ''],
      [`${name}.smudge`, ''],
      [`${name}.required`, 'false'],
    ]),
    // Overrides `ignore` of .gitmodules, which overrides diff.ignoreSubmodules.
    ...[...new Set(submodules)].map((name): Setting => [`${name}.ignore`, 'all']),
  ];
}

/** As git reads .gitmodules: the file, else the staged one, else the committed one. */
async function listedSubmodules(repo: Repo, top: BytePath): Promise<string[]> {
  const file = Buffer.from(`${top}/.gitmodules`, 'latin1');
  // Anything but a file (a FIFO) would block.
  if (statSync(file, { throwIfNoEntry: false })?.isFile())
    return await sections(repo, 'submodule', ['--file', '-'], readFileSync(file, 'latin1'));
  for (const blob of [':.gitmodules', 'HEAD:.gitmodules']) {
    if ((await git(repo, ['rev-parse', '-q', '--verify', blob])).status === 0)
      return await sections(repo, 'submodule', ['--blob', blob]);
  }
  return [];
}

/** `filter.NAME` and the like, one for each key. @throws when they can't be listed */
async function sections(
  repo: Repo,
  section: string,
  from: readonly string[] = [],
  input = '',
): Promise<string[]> {
  const words = ['config', ...from, '-z', '--name-only', '--get-regexp', `^${section}\\.`];
  const { status, out, err } = await git(repo, words, { input });
  // 1 = no match. On any other error the filters are unknown, so nothing may run.
  if (status === 1) return [];
  if (status !== 0) throw new Error(`git config: ${err}`);
  return out.split('\0').flatMap((key) => /^([a-z]+\.[\s\S]+)\.[^.]+$/.exec(key)?.[1] ?? []);
}
