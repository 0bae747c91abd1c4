/** The list of sessions: groups, search, and which wait for the user. Pure. */
import type { SessionSummary } from '../../shared/api/types.ts';
import { type BytePath, nameOf } from '../../shared/bytes.ts';
import { groupBy } from '../lists/lists.ts';
import { totalOf } from '../text/kinds.ts';
import { displayPath } from '../text/paths.ts';

export interface ProjectGroup {
  id: string;
  root: BytePath;
  sessions: SessionSummary[];
}

export type Shown = 'all' | 'review' | 'live';

export function lastUse(session: SessionSummary): string {
  return session.lastCallAt ?? session.createdAt;
}

/** Null until the first scan. */
export function pendingCount({ counts }: SessionSummary): number | null {
  return counts === null ? null : totalOf(counts);
}

/** It has pending changes, and neither process nor client. */
export function waitsForReview(session: SessionSummary): boolean {
  return (pendingCount(session) ?? 0) > 0 && !session.live && session.client !== 'here';
}

export function isIdle(session: SessionSummary): boolean {
  const quiet = !session.live && session.client !== 'here' && pendingCount(session) === 0;
  return quiet && session.off === null && !session.caught && !session.unfinished;
}

/** By newest call, sessions likewise. A group has the repository's name, not that of a worktree. */
export function groupSessions(sessions: readonly SessionSummary[]): ProjectGroup[] {
  const sorted = [...sessions].sort((a, b) => lastUse(b).localeCompare(lastUse(a)));
  return [...groupBy(sorted, ({ projectId }) => [projectId])].flatMap(([id, group]) => {
    const main = group.find(({ git }) => git?.worktree === null) ?? group[0];
    return main === undefined ? [] : [{ id, root: main.projectRoot, sessions: group }];
  });
}

export function projectName(root: BytePath): string {
  return displayPath(root === '/' ? root : nameOf(root));
}

/** Every word must occur in the id, branch, worktree or a directory. */
export function findSessions(
  sessions: readonly SessionSummary[],
  shown: Shown,
  text: string,
): SessionSummary[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter((session) => {
    if (shown === 'review' && !waitsForReview(session)) return false;
    if (shown === 'live' && !session.live) return false;
    const { id, git, cwd, projectRoot } = session;
    const all = [id, git?.branch ?? '', git?.worktree ?? '', cwd, displayPath(projectRoot)]
      .join('\n')
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

const IDLE_SHOWN = 3;

export function foldIdle(
  sessions: readonly SessionSummary[],
  unfolded: boolean,
): { rows: SessionSummary[]; folded: number } {
  const idle = sessions.filter(isIdle);
  if (unfolded || idle.length <= IDLE_SHOWN + 1) return { rows: [...sessions], folded: 0 };
  const away = new Set(idle.slice(IDLE_SHOWN));
  return { rows: sessions.filter((session) => !away.has(session)), folded: away.size };
}

interface Ended {
  id: string;
  project: string;
  pending: number;
}

/** Reports each session that ends with pending changes once, and none that ended before the first list. */
export class EndWatch {
  #told: Set<string> | null = null;

  ended(sessions: readonly SessionSummary[]): Ended[] {
    const gone = sessions.filter((session) => session.ended !== null && session.client === 'gone');
    const key = ({ id, ended: at }: SessionSummary): string => `${id} ${at}`;
    if (this.#told === null) {
      this.#told = new Set(gone.map(key));
      return [];
    }
    const told = this.#told;
    return gone.flatMap((session): Ended[] => {
      const pending = pendingCount(session);
      if (told.has(key(session)) || pending === null) return [];
      told.add(key(session));
      return pending === 0 ? [] : [{ id: session.id, project: projectName(session.projectRoot), pending }];
    });
  }
}
