/** Where a path leads, link by link: on the host, or in the merged view of a session. */
import { type BytePath, joinPath, parentOf } from '../../../shared/bytes.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { hostEntry, readTarget } from '../../kernel/fs/entry.ts';
import { isExcluded } from '../../sandbox/claude-files.ts';
import { coveringDir, type SessionContext, upperPath } from '../../session/session-context.ts';

/** Of a session that has an overlay. */
export type ViewParts = Pick<SessionContext, 'coveredDirs' | 'excluded'>;

/** The kernel's. */
export const MAX_LINKS = 40;
const MAX_PATH_CHARS = 4096;

/**
 * The path without links and `..`, as the kernel would walk it; names that do not exist stay as they are.
 * @param view null = on the host
 * @param passed gets each name on the way, links and what they lead to included; false ends it there
 * @returns null where that cannot be told: too many links, a directory that may not be searched, NUL
 */
export function resolvePath(
  view: ViewParts | null,
  given: BytePath,
  passed: (path: BytePath) => unknown = () => {},
): BytePath | null {
  if (given.includes('\0') || given.length > MAX_PATH_CHARS) return null;
  const todo = partsOf(given);
  let at = '/' as BytePath;
  let links = 0;
  for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
    if (name === '..') {
      at = parentOf(at);
      continue;
    }
    const here = joinPath(at, name);
    if (passed(here) === false) return null;
    const target = linkTarget(view, here);
    if (target === 'unknown' || links > MAX_LINKS) return null;
    if (target === null) {
      at = here;
      continue;
    }
    links += 1;
    todo.unshift(...partsOf(target.to));
    if (target.to.startsWith('/')) at = '/' as BytePath;
  }
  return at;
}

/** The covered directory's side of a path; null = the host's. */
export function upperOf(view: ViewParts, path: BytePath): BytePath | null {
  const covered = isExcluded(path, view.excluded) ? null : coveringDir(view.coveredDirs, path);
  return covered === null ? null : upperPath(covered, path);
}

function linkTarget(view: ViewParts | null, path: BytePath): { to: BytePath } | null | 'unknown' {
  const upper = view === null ? null : upperOf(view, path);
  const pending = upper === null ? null : hostEntry(upper);
  if (pending === 'closed') return 'unknown';
  if (upper !== null && pending !== null) {
    if (isWhiteout(pending) || pending.type !== 'symlink') return null;
    return { to: readTarget(upper) };
  }
  const host = hostEntry(path);
  if (host === 'closed') return 'unknown';
  return host?.type === 'symlink' ? { to: readTarget(path) } : null;
}

export function partsOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
