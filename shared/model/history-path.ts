/** What became of single paths in a commit, an undo or a discard. */
import type { BytePath } from '../bytes.ts';

export const PATH_CHANGES = {
  added: 'added',
  changed: 'changed',
  removed: 'removed',
  meta: 'mode or owner',
  dropped: 'dropped',
  kept: 'deletion dropped',
} as const;
export type PathChange = keyof typeof PATH_CHANGES;

export interface HistoryPath {
  path: BytePath;
  what: PathChange;
}

/** Which row of the history is meant: the number of a commit or undo, or the name of a discard in the trash. */
export type HistoryKey = { n: number } | { trash: string };

export interface HistoryPaths {
  paths: HistoryPath[];
  /** Ask for the next page with this; null = that was the last. */
  next: number | null;
  /** What there is to say about the list, a sentence; or empty. */
  note: string;
}
