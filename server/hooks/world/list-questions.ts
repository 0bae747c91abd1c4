/** Questions of hooks about a change list: answered by a server's worker, or in the Node path's process. */
import { lstatSync } from 'node:fs';
import { fsPath } from '../../../core/kernel/fs/port.ts';
import { repositoryOf } from '../../../core/session/project.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import {
  type BytePath,
  fromText,
  isWithin,
  joinPath,
  nameOf,
  parentOf,
  toDisplay,
} from '../../../shared/bytes.ts';
import { type Change, type ChangeList, hostMoved } from '../../../shared/model/change.ts';
import type { HostUse } from '../../../shared/model/decision.ts';
import { MARKS } from '../../../shared/terminal/status.ts';
import { countText, namedPaths, shownPath } from '../../../shared/terminal/text.ts';
import { followed } from './file-paths.ts';

/** Without ignored entries; `moved`: changed on the host since. */
export interface PendingFacts {
  count: number;
  named: string;
  moved: number;
  movedNamed: string;
}

export interface HookQuestions {
  /** A sentence about the pending changes that these host commands would not see; or empty. */
  missing: { input: readonly HostUse[]; output: string };
  conflicts: { input: null; output: Pick<Change, 'path' | 'conflict'>[] };
  facts: { input: null; output: PendingFacts };
}

export type Answers<Q extends Record<keyof Q, { input: unknown; output: unknown }>> = {
  readonly [K in keyof Q]: (
    ctx: SessionContext,
    list: ChangeList,
    input: Q[K]['input'],
  ) => Promise<Q[K]['output']>;
};

export const HOOK_QUESTIONS: Answers<HookQuestions> = {
  missing: async ({ projectRoot }, { changes }, uses) => {
    const missing = missingFor(uses, changes);
    return missing.length === 0 ? '' : missingText(missing, projectRoot);
  },
  conflicts: async (_, { changes }) =>
    changes
      .filter(({ conflict, ignored }) => conflict !== null && ignored === null)
      .map(({ path, conflict }) => ({ path, conflict })),
  facts: async ({ projectRoot }, list) => {
    const pathsOf = (changes: readonly Change[]) => changes.map(({ path }) => path);
    const counted = pathsOf(list.changes.filter(({ ignored }) => ignored === null));
    const moved = pathsOf(hostMoved(list));
    return {
      count: counted.length,
      named: namedPaths(counted, projectRoot),
      moved: moved.length,
      movedNamed: namedPaths(moved, projectRoot),
    };
  },
};

interface Missing {
  what: string;
  changes: readonly Change[];
}

function missingFor(uses: readonly HostUse[], changes: readonly Change[]): Missing[] {
  const found: Missing[] = [];
  for (const use of uses) {
    const roots = rootsOf(use);
    const inside = (change: Change) =>
      change.ignored === null && (roots === null || roots.some((root) => matters(change, root)));
    const missing = changes.filter(inside);
    if (missing.length > 0) found.push({ what: use.what, changes: missing });
  }
  return found;
}

/** At or below the root, or above it where the change hides the host's entries below. */
function matters({ kind, path }: Change, root: BytePath): boolean {
  return isWithin(path, root) || (HIDES.has(kind) && isWithin(root, path));
}

const HIDES: ReadonlySet<Change['kind']> = new Set(['added', 'deleted', 'dir-replaced', 'replaced']);

function rootsOf({
  scope,
  dirs,
  records = [],
}: Pick<HostUse, 'scope' | 'dirs' | 'records'>): BytePath[] | null {
  if (dirs === null || records === null) return null;
  const read = records.length === 0 ? [] : (rootsOf({ scope: 'git-dir', dirs: records }) ?? []);
  const roots = dirs.flatMap((dir) => {
    // Pending paths have their symlinks resolved.
    const start = followed(fromText(dir));
    if (scope === 'below') return [start];
    // The directory itself may be pending: the nearest one on the host tells the repository.
    const repository = repositoryOf(existing(start));
    if (repository === null) return scope === 'repository' ? [start] : [joinPath(start, '.git')];
    const records = [repository.commonDir, joinPath(repository.top, '.git')];
    return scope === 'git-dir' ? records : [repository.top, repository.commonDir];
  });
  return [...new Set([...roots, ...read])];
}

function existing(path: BytePath): BytePath {
  for (let at = path; ; at = parentOf(at)) {
    if (at === '/' || lstatSync(fsPath(at), { throwIfNoEntry: false }) !== undefined) return at;
  }
}

const SHOWN = 5;

/** `14 pending changes: A src/a.ts, D old and 9 more`; paths relative to the project where they lie in it. */
function changesText(changes: readonly Change[], projectRoot: BytePath): string {
  const first = changes
    .slice(0, SHOWN)
    .map((change) => `${MARKS[change.kind]} ${shown(change.path, projectRoot)}`);
  const more = changes.length > SHOWN ? ` and ${changes.length - SHOWN} more` : '';
  return `${countText(changes.length, 'pending change')}: ${first.join(', ')}${more}`;
}

export function shown(path: BytePath, projectRoot: BytePath): string {
  const text = shownPath(path, projectRoot);
  return text.length <= 120 ? text : `…/${toDisplay(nameOf(path)).slice(-118)}`;
}

function missingText(missing: readonly Missing[], projectRoot: BytePath): string {
  const names = [...new Set(missing.map(({ what }) => `\`${what}\``))].join(' and ');
  const changes = [...new Set(missing.flatMap((one) => one.changes))];
  return `${names} would run on the host without ${changesText(changes, projectRoot)}.`;
}
