/**
 * Files below `~/.claude` that the client rewrites all the time: never listed or committed, since a commit
 * would overwrite newer versions. Settings, hooks, commands, skills, plugins and CLAUDE.md are reviewed.
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

/** Memory files are the only ones below `projects/` that are reviewed. */
const MEMORY = /^\/[^/]+\/memory(?:\/|$)/;

/** @param configDirs `~/.claude`, and `$CLAUDE_CONFIG_DIR` of each of the session's clients */
export function claudeOwnFiles(home: BytePath, configDirs: readonly BytePath[]): BytePath[] {
  // The client makes `.claude.json.backup`, `.lock` and temporary names beside it.
  const names = ['.claude.json*', ...CLIENT_NAMES];
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
