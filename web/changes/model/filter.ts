/** Which entries are on show, and in which order: what the filter asks for, the search in paths, the sorts. Pure. */
import { type BytePath, nameOf } from '../../../shared/bytes.ts';
import type { CallView } from '../../../shared/log/calls.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { Risk } from '../../../shared/model/risk.ts';
import { toggled } from '../../lists/lists.ts';
import { isDirectoryChange, KIND_TABLE, type Tone } from '../../text/kinds.ts';
import { displayPath } from '../../text/paths.ts';
import { type Mark, NO_MARKS, NO_RISKS, type Risks } from './lists.ts';

export interface Filter {
  /** A literal part of the path as a user reads it. */
  text: string;
  /** Only these kinds; empty = all. */
  kinds: ReadonlySet<Tone>;
  /** Ignored entries beside the others. */
  showIgnored: boolean;
  onlyIgnored: boolean;
  onlyConflicts: boolean;
  /** What the user has not looked at, or not since it changed. */
  onlyUnviewed: boolean;
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

interface About {
  filter: Filter;
  marks: ReadonlyMap<string, Mark>;
  risks: Risks;
}

/** What passes each part of a filter, where that part is set. */
const TESTS: Record<Exclude<keyof Filter, 'text'>, (change: Change, about: About) => boolean> = {
  kinds: ({ kind }, { filter }) => filter.kinds.has(KIND_TABLE[kind].tone),
  showIgnored: () => true,
  onlyIgnored: ({ ignored }) => ignored !== null,
  onlyConflicts: ({ conflict }) => conflict !== null,
  onlyUnviewed: ({ id }, { marks }) => marks.get(id) !== 'viewed',
  risk: ({ id }, { filter, risks }) => risks.get(id)?.some((risk) => risk === filter.risk) === true,
  extension: (change, { filter }) => !isDirectoryChange(change) && extensionOf(change) === filter.extension,
  minBytes: (change, { filter }) => sizeOf(change) >= (filter.minBytes ?? 0),
  call: ({ by = [] }, { filter }) => by.some((call) => call === filter.call),
};
const PARTS = Object.keys(TESTS) as (keyof typeof TESTS)[];

function isSet(filter: Filter, part: keyof typeof TESTS): boolean {
  return part === 'kinds' ? filter.kinds.size > 0 : filter[part] !== NO_FILTER[part];
}

/** True when the user looks for something: what is found is shown open. */
export function isSearch(filter: Filter): boolean {
  const parts = PARTS.filter((part) => part !== 'showIgnored' && part !== 'onlyUnviewed');
  return filter.text.trim() !== '' || parts.some((part) => isSet(filter, part));
}

/** True when the user has narrowed the list down by hand (ignored entries are off by default and do not count). */
export function isNarrowed(filter: Filter): boolean {
  return isSearch(filter) || filter.onlyUnviewed;
}

/** Something is set that no chip shows. */
export function isMarked(filter: Filter): boolean {
  return (['extension', 'minBytes', 'call'] as const).some((part) => isSet(filter, part));
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

/** The entries that pass, in order. The text is never a pattern: no expression can be slow or surprising. */
export function filterChanges(
  changes: readonly Change[],
  filter: Filter,
  marks: ReadonlyMap<string, Mark> = NO_MARKS,
  risks: Risks = NO_RISKS,
): Change[] {
  const about = { filter, marks, risks };
  const tests = PARTS.filter((part) => isSet(filter, part)).map((part) => TESTS[part]);
  if (!showsIgnored(filter)) tests.push(({ ignored }) => ignored === null);
  const text = filter.text.trim().toLowerCase();
  const found = text === '' ? changes : entriesWith(changes, text);
  return found.filter((change) => tests.every((test) => test(change, about)));
}

/** What stands behind the last dot of a name, in small letters; empty where nothing does, or for a name like `.env`. */
export function extensionOf(change: Change): string {
  const name = nameOf(change.path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : displayPath(name.slice(dot) as BytePath).toLowerCase();
}

/** The size that makes an entry large: of what is there, or was. */
function sizeOf({ pending, host }: Change): number {
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

/** Between two paths: as they are read none has one. */
const BETWEEN = '\n';

/**
 * All paths of a list in one string, as a user reads them and in small letters: one search through it is many times faster
 * than one through each of 300,000 strings, which every key in the filter would wait for.
 */
interface Haystack {
  text: string;
  /** Where the path of each entry ends in it. */
  ends: Uint32Array;
}

const haystacks = new WeakMap<readonly Change[], Haystack>();

/** Made once a list. Whoever has time before the first search calls this. */
export function prepareSearch(changes: readonly Change[]): Haystack {
  const known = haystacks.get(changes);
  if (known !== undefined) return known;
  const texts = changes.map(({ path }) => displayPath(path).toLowerCase());
  const ends = new Uint32Array(texts.length);
  let at = -BETWEEN.length;
  for (const [i, text] of texts.entries()) {
    at += BETWEEN.length + text.length;
    ends[i] = at;
  }
  const made = { text: texts.join(BETWEEN), ends };
  haystacks.set(changes, made);
  return made;
}

/** The entries whose paths hold the text, which is in small letters, in their order. */
export function entriesWith(changes: readonly Change[], wanted: string): Change[] {
  if (wanted.includes(BETWEEN)) return [];
  const { text, ends } = prepareSearch(changes);
  const found: Change[] = [];
  let i = 0;
  for (let hit = text.indexOf(wanted); hit >= 0 && i < ends.length; ) {
    while ((ends[i] ?? text.length) < hit) i++;
    const change = changes[i];
    if (change !== undefined) found.push(change);
    hit = text.indexOf(wanted, (ends[i] ?? text.length) + 1);
    i++;
  }
  return found;
}

/** By path the entries are a tree, else a list. */
export const SORTS = {
  path: 'By path',
  newest: 'Newest first',
  largest: 'Largest first',
} as const;
export type Sort = keyof typeof SORTS;

/** When a call was over, or began: what it wrote is not younger. */
export function callTimes(calls: readonly CallView[]): ReadonlyMap<string, number> {
  return new Map(
    calls.map(
      (call) => [call.id, Date.parse(call.endedAt ?? call.startedAt ?? call.requestedAt ?? '') || 0] as const,
    ),
  );
}

/** A sorted copy. What can't be told goes last; equals stay in the order of their paths. */
export function sortChanges(
  changes: readonly Change[],
  sort: Exclude<Sort, 'path'>,
  times: ReadonlyMap<string, number>,
): Change[] {
  // Of several calls that may have written an entry the last one counts.
  const rankOf = (change: Change): number =>
    sort === 'largest'
      ? sizeOf(change)
      : Math.max(0, ...(change.by ?? []).map((call) => times.get(call) ?? 0));
  const ranks = new Map(changes.map((change) => [change, rankOf(change)] as const));
  return [...changes].sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0));
}
