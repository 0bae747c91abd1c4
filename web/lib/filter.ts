/** Which entries are on show: a literal substring of the path as a person reads it, and kinds. */
import type { Change } from '../../shared/changes/model.ts';
import type { Risk } from '../../shared/changes/risk.ts';
import { displayPath } from './display.ts';
import { KIND_TABLE, type Tone } from './kinds.ts';
import { type Mark, NO_MARKS } from './marks.ts';
import { NO_RISKS, type Risks } from './risks.ts';

export interface Filter {
  text: string;
  /** Kinds that are hidden. */
  hidden: ReadonlySet<Tone>;
  showIgnored: boolean;
  onlyConflicts: boolean;
  /** What the person has not looked at, or not since it changed. */
  onlyUnviewed: boolean;
  /** Only what has this risk. */
  risk: Risk | null;
}

export const NO_FILTER: Filter = {
  text: '',
  hidden: new Set(),
  showIgnored: false,
  onlyConflicts: false,
  onlyUnviewed: false,
  risk: null,
};

const searchable = new WeakMap<Change, string>();

/** Made once an entry: 50,000 decodings a key press would be felt. */
function searchText(change: Change): string {
  const known = searchable.get(change);
  if (known !== undefined) return known;
  const text = displayPath(change.path).toLowerCase();
  searchable.set(change, text);
  return text;
}

/** True when the person looks for something: what is found is shown open. */
export function isSearch(filter: Filter): boolean {
  return filter.text.trim() !== '' || filter.hidden.size > 0 || filter.onlyConflicts || filter.risk !== null;
}

/** True when the person has narrowed the list down by hand (ignored entries are off by default and do not count). */
export function isNarrowed(filter: Filter): boolean {
  return isSearch(filter) || filter.onlyUnviewed;
}

/** The entries that pass, in order. The text is never a pattern: no expression can be slow or surprising. */
export function filterChanges(
  changes: readonly Change[],
  filter: Filter,
  marks: ReadonlyMap<string, Mark> = NO_MARKS,
  risks: Risks = NO_RISKS,
): Change[] {
  const text = filter.text.trim().toLowerCase();
  return changes.filter((change) => {
    if (change.ignored !== null && !filter.showIgnored) return false;
    if (filter.onlyConflicts && change.conflict === null) return false;
    if (filter.onlyUnviewed && marks.get(change.id) === 'viewed') return false;
    if (filter.risk !== null && risks.get(change.id)?.includes(filter.risk) !== true) return false;
    if (filter.hidden.has(KIND_TABLE[change.kind].tone)) return false;
    return text === '' || searchText(change).includes(text);
  });
}
