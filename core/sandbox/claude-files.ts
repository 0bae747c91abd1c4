/**
 * Files below `~/.claude` that the client rewrites all the time: never listed or committed, since a commit
 * would overwrite newer versions. Settings, hooks, commands, skills, plugins and CLAUDE.md are reviewed.
 *
 * Where the client itself runs in the session (`trai claude`), what it keeps of its own work is the host's
 * (`hostsOfClient`), so that conversations outlive the session. What it executes of these (session-env,
 * shell-snapshots, jobs) stays in the overlay: on the host another client would run it.
 */
import { type BytePath, bytePath, isByteString, isWithin, joinPath } from '../../shared/bytes.ts';
import type { ClientHosts } from './prepare/binds.ts';

/** Names in the client's config directory (measured on client 2.1.330). */
const CLIENT_NAMES = [
  'projects',
  'sessions',
  'session-env',
  'shell-snapshots',
  'history.jsonl',
  'backups',
  'file-history',
  'cache',
  'daemon*',
  'jobs',
  'bridge-spawn',
  'plugins/store',
  'plugins/data',
  'todos',
  'statsig',
  'debug',
  'telemetry',
  'usage-data',
  'startup-perf',
  'paste-cache',
  'image-cache',
  'ide',
  'stats-cache.json',
  'gh-pr-status-cache.json',
  'mcp-needs-auth-cache.json',
  'mcp-discovery-cache',
  'policy-limits.json',
  '.credentials.json',
  '.cc-writes',
  '.last-cleanup',
  '.last-update-result.json',
  '.update.lock',
  '.npm-cache-cleanup',
  '.version-cleanup',
  '.deep-link-register-failed',
] as const;

/** Of a box: mount points, in which nothing of the overlay is. */
const BOX_NAMES = ['plans', 'tasks', 'teams'] as const;

/** Made on the host before the client starts: below a missing one its work would end with the session. */
const HOST_DIRS = ['projects', 'sessions', 'file-history', 'plans', 'tasks'] as const;
/** The host's where they are. */
const MORE_HOST_DIRS = ['todos', 'teams', 'statsig', 'usage-data', 'paste-cache', 'image-cache'] as const;
const HOST_FILE = 'history.jsonl';
/** The client makes it at its first start; pending, it would be a change that nobody asked for. */
const EMPTY_DIR = 'plugins';

interface OwnHosts extends Omit<ClientHosts, 'doors'> {
  history: BytePath;
  /** Directories that are made where they are missing. */
  made: BytePath[];
  /** The same, of a box as well. */
  empty: BytePath;
}

/** Of a client with that environment. */
export function hostsOfClient(home: BytePath, env: ReadonlyMap<string, string>): OwnHosts {
  const { configDir, locks } = clientDirs(home, env);
  const at = (name: string) => joinPath(configDir, name);
  return {
    dirs: [...[...HOST_DIRS, ...MORE_HOST_DIRS].map(at), locks],
    files: [at(HOST_FILE)],
    history: at(HOST_FILE),
    made: HOST_DIRS.map(at),
    empty: at(EMPTY_DIR),
  };
}

/** `locks`: where native installations record which version runs. */
export function clientDirs(
  home: BytePath,
  env: ReadonlyMap<string, string>,
): { configDir: BytePath; locks: BytePath } {
  const dirOf = (name: string, otherwise: BytePath) => {
    const value = env.get(name) ?? '';
    return value.startsWith('/') && isByteString(value) ? bytePath(value) : otherwise;
  };
  const state = dirOf('XDG_STATE_HOME', joinPath(home, '.local/state'));
  return {
    configDir: dirOf('CLAUDE_CONFIG_DIR', joinPath(home, '.claude')),
    locks: joinPath(state, 'claude/locks'),
  };
}

/** Memory files are the only ones below `projects/` that are reviewed. */
const MEMORY = /^\/[^/]+\/memory(?:\/|$)/;

/**
 * @param configDirs `~/.claude`, and `$CLAUDE_CONFIG_DIR` of each of the session's clients
 * @param boxed a box ran in the session: there the mount points of its instance are made
 */
export function claudeOwnFiles(home: BytePath, configDirs: readonly BytePath[], boxed = false): BytePath[] {
  // The client makes `.claude.json.backup`, `.lock` and temporary names beside it.
  const names = ['.claude.json*', ...CLIENT_NAMES, ...(boxed ? BOX_NAMES : [])];
  return [
    joinPath(home, '.claude.json*'),
    ...configDirs.flatMap((dir) => names.map((name) => joinPath(dir, name))),
  ];
}

/** `excluded`: paths with everything below them; a trailing `*` stands for any rest of the name. */
export function isExcluded(path: BytePath, excluded: readonly BytePath[]): boolean {
  for (const entry of excluded) {
    if (!matches(path, entry)) continue;
    return !(entry.endsWith('/projects') && MEMORY.test(path.slice(entry.length)));
  }
  return false;
}

/** True for an excluded directory that a walk enters, since memory files lie below it. */
export function mayHoldListed(path: BytePath, excluded: readonly BytePath[]): boolean {
  return excluded.some(
    (entry) =>
      entry.endsWith('/projects') &&
      isWithin(path, entry) &&
      path.slice(entry.length + 1).split('/').length <= 1,
  );
}

export function excludedBelow(dir: BytePath, excluded: readonly BytePath[]): BytePath[] {
  const prefix = dir === '/' ? dir : `${dir}/`;
  return excluded.filter((entry) => entry.startsWith(prefix));
}

function matches(path: BytePath, entry: BytePath): boolean {
  return entry.endsWith('*') ? path.startsWith(entry.slice(0, -1)) : isWithin(path, entry);
}
