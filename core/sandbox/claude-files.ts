/**
 * Files below `~/.claude` that the Claude Code client rewrites on the host all the time. A pending version of them is
 * noise, and committing it would throw away what the client wrote since: they are never listed and never committed.
 * Settings, hooks, commands, skills, plugins and CLAUDE.md are not among them: those are reviewed like any file.
 */
import { type BytePath, isWithin, joinPath } from '../../shared/bytes.ts';

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
  'daemon',
  'jobs',
  'bridge-spawn',
  'plugins/store',
  'plugins/data',
  'todos',
  'statsig',
  '.cc-writes',
] as const;

/** Memory files are written for people: the one thing below `projects/` that is reviewed. */
const MEMORY = /^\/[^/]+\/memory(?:\/|$)/;

/**
 * What `SessionContext.excluded` holds for the client.
 * @param configDirs `~/.claude`, and what `$CLAUDE_CONFIG_DIR` was for the session's clients
 */
export function claudeOwnFiles(home: BytePath, configDirs: readonly BytePath[]): BytePath[] {
  // The client makes `.claude.json.backup`, `.lock` and temporary names beside it.
  const names = ['.claude.json*', ...CLIENT_NAMES];
  return [
    joinPath(home, '.claude.json*'),
    ...configDirs.flatMap((dir) => names.map((name) => joinPath(dir, name))),
  ];
}

/** True for a path that is never listed and never committed. A trailing `*` in an entry stands for any rest of the name. */
export function isExcluded(path: BytePath, excluded: readonly BytePath[]): boolean {
  for (const entry of excluded) {
    if (!matches(path, entry)) continue;
    return !(entry.endsWith('/projects') && MEMORY.test(path.slice(entry.length)));
  }
  return false;
}

/** True for an excluded directory that can hold entries which are not excluded: a walk has to go into it. */
export function mayHoldListed(path: BytePath, excluded: readonly BytePath[]): boolean {
  return excluded.some(
    (entry) =>
      entry.endsWith('/projects') &&
      isWithin(path, entry) &&
      path.slice(entry.length + 1).split('/').length <= 1,
  );
}

/** The excluded entries that lie below a directory (it can't be removed while one of them exists). */
export function excludedBelow(dir: BytePath, excluded: readonly BytePath[]): BytePath[] {
  const prefix = dir === '/' ? dir : `${dir}/`;
  return excluded.filter((entry) => entry.startsWith(prefix));
}

function matches(path: BytePath, entry: BytePath): boolean {
  if (!entry.endsWith('*')) return isWithin(path, entry);
  const stem = entry.slice(0, -1);
  return path.startsWith(stem);
}
