/** Which entries are on show: a literal substring of the path as a user reads it, and kinds. */
import { type BytePath, nameOf } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { Risk } from '../../../shared/model/risk.ts';
import { toggled } from '../../lists/lists.ts';
import { isDirectoryChange, KIND_TABLE, type Tone } from '../../text/kinds.ts';
import { displayPath } from '../../text/paths.ts';
import { NO_RISKS, type Risks } from './lists.ts';
import { type Mark, NO_MARKS } from './marks.ts';
import { entriesWith, prepareSearch } from './path-search.ts';

export interface Filter {
  text: string;
  /** Only these kinds; empty = all. */
  kinds: ReadonlySet<Tone>;
  /** Ignored entries beside the others. */
  showIgnored: boolean;
  /** Only ignored entries. */
  onlyIgnored: boolean;
  onlyConflicts: boolean;
  /** What the user has not looked at, or not since it changed. */
  onlyUnviewed: boolean;
  /** Only what has this risk. */
  risk: Risk | null;
  /** Only files with this extension, see `extensionOf`. */
  extension: string | null;
  /** Only files of at least so many bytes, on the side that is larger. */
  minBytes: number | null;
  /** Only what this call is among the last writers of. */
  call: string | null;
}

export const NO_FILTER: Filter = {
  text: '',
  kinds: new Set(),
  showIgnored: false,
  onlyIgnored: false,
  onlyConflicts: false,
  onlyUnviewed: false,
  risk: null,
  extension: null,
  minBytes: null,
  call: null,
};

/** True when the user looks for something: what is found is shown open. */
export function isSearch(filter: Filter): boolean {
  return (
    filter.text.trim() !== '' ||
    filter.kinds.size > 0 ||
    filter.onlyConflicts ||
    filter.onlyIgnored ||
    filter.risk !== null ||
    isMarked(filter)
  );
}

export function showsIgnored({ showIgnored, onlyIgnored }: Filter): boolean {
  return showIgnored || onlyIgnored;
}

/** Another kind is added to those on show, or taken out; alone, it is all that is on show, or no kind is asked for. */
export function withKind(filter: Filter, tone: Tone, add: boolean): Filter {
  const alone = filter.kinds.size === 1 && filter.kinds.has(tone);
  if (add) return { ...filter, kinds: toggled(filter.kinds, tone) };
  return { ...filter, kinds: alone ? NO_FILTER.kinds : new Set([tone]) };
}

/** Something is set that no chip shows. */
export function isMarked({ extension, minBytes, call }: Filter): boolean {
  return extension !== null || minBytes !== null || call !== null;
}

/** What stands behind the last dot of a name, in small letters; empty where nothing does, or for a name like `.env`. */
export function extensionOf(change: Change): string {
  const name = nameOf(change.path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : displayPath(name.slice(dot) as BytePath).toLowerCase();
}

/** The size that makes an entry large: of what is there, or was. */
export function sizeOf({ pending, host }: Change): number {
  return Math.max(pending?.size ?? 0, host?.size ?? 0);
}

/** The extensions of a list, the most frequent first. */
export function extensionsIn(changes: readonly Change[]): [extension: string, count: number][] {
  const counts = new Map<string, number>();
  for (const change of changes) {
    if (change.ignored !== null || isDirectoryChange(change)) continue;
    const extension = extensionOf(change);
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** True when the user has narrowed the list down by hand (ignored entries are off by default and do not count). */
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
  const passes = (change: Change): boolean => {
    if (change.ignored !== null ? !showsIgnored(filter) : filter.onlyIgnored) return false;
    if (filter.onlyConflicts && change.conflict === null) return false;
    if (filter.onlyUnviewed && marks.get(change.id) === 'viewed') return false;
    if (filter.risk !== null && risks.get(change.id)?.includes(filter.risk) !== true) return false;
    if (!passesMarked(change, filter)) return false;
    return filter.kinds.size === 0 || filter.kinds.has(KIND_TABLE[change.kind].tone);
  };
  const text = filter.text.trim().toLowerCase();
  if (text === '') return changes.filter(passes);
  const found = entriesWith(changes, text);
  // Most keys: then 300,000 entries need not be looked at.
  return asksMore(filter) || (prepareSearch(changes).ignored && !showsIgnored(filter))
    ? found.filter(passes)
    : found;
}

/** More than a text, and whether ignored entries are shown. */
function asksMore(filter: Filter): boolean {
  const { kinds, onlyConflicts, onlyIgnored, onlyUnviewed, risk } = filter;
  return kinds.size > 0 || onlyConflicts || onlyIgnored || onlyUnviewed || risk !== null || isMarked(filter);
}

function passesMarked(change: Change, { extension, minBytes, call }: Filter): boolean {
  if (extension !== null && (isDirectoryChange(change) || extensionOf(change) !== extension)) return false;
  if (minBytes !== null && sizeOf(change) < minBytes) return false;
  return call === null || change.by?.includes(call) === true;
}
