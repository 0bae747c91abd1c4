/** Which entries are listed, in which order: the filter, the search in paths, the sorts. Pure. */
import { type BytePath, nameOf } from '../../../shared/bytes.ts';
import type { CallView } from '../../../shared/log/calls.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { Risk } from '../../../shared/model/risk.ts';
import type { Effect } from '../../../shared/model/rule.ts';
import { toggled } from '../../lists/lists.ts';
import { isDirectoryChange, KIND_TABLE, type Tone } from '../../text/kinds.ts';
import { displayPath } from '../../text/paths.ts';
import { type Known, NOTHING_KNOWN } from './lists.ts';

export interface Filter {
  /** Part of the displayed path, matched literally. */
  text: string;
  /** Empty = all kinds. */
  kinds: ReadonlySet<Tone>;
  /** Ignored entries beside the others. */
  showIgnored: boolean;
  onlyIgnored: boolean;
  onlyConflicts: boolean;
  /** Never viewed, or changed since. */
  onlyUnviewed: boolean;
  risk: Risk | null;
  /** Entries that an effect rule of this kind is about. */
  effect: Effect['do'] | null;
  extension: string | null;
  /** Size of the larger side. */
  minBytes: number | null;
  /** Entries that this call is among the last writers of. */
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
  effect: null,
  extension: null,
  minBytes: null,
  call: null,
};

interface About extends Known {
  filter: Filter;
}

const TESTS: Record<Exclude<keyof Filter, 'text'>, (change: Change, about: About) => boolean> = {
  kinds: ({ kind }, { filter }) => filter.kinds.has(KIND_TABLE[kind].tone),
  showIgnored: () => true,
  onlyIgnored: ({ ignored }) => ignored !== null,
  onlyConflicts: ({ conflict }) => conflict !== null,
  onlyUnviewed: ({ id }, { marks }) => marks.get(id) !== 'viewed',
  risk: ({ id }, { filter, risks }) => risks.get(id)?.some((risk) => risk === filter.risk) === true,
  effect: ({ id }, { filter, effects }) => effects.get(id)?.some((one) => one.do === filter.effect) === true,
  extension: (change, { filter }) => !isDirectoryChange(change) && extensionOf(change) === filter.extension,
  minBytes: (change, { filter }) => sizeOf(change) >= (filter.minBytes ?? 0),
  call: ({ by = [] }, { filter }) => by.some((call) => call === filter.call),
};
const PARTS = Object.keys(TESTS) as (keyof typeof TESTS)[];

function isSet(filter: Filter, part: keyof typeof TESTS): boolean {
  return part === 'kinds' ? filter.kinds.size > 0 : filter[part] !== NO_FILTER[part];
}

/** Such a filter shows directories with matches open. */
export function isSearch(filter: Filter): boolean {
  const parts = PARTS.filter((part) => part !== 'showIgnored' && part !== 'onlyUnviewed');
  return filter.text.trim() !== '' || parts.some((part) => isSet(filter, part));
}

/** Ignored entries are hidden by default and do not count as narrowed. */
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

/** `add` toggles a kind among those shown; else it becomes the only one, or none if it was. */
export function withKind(filter: Filter, tone: Tone, add: boolean): Filter {
  const alone = filter.kinds.size === 1 && filter.kinds.has(tone);
  if (add) return { ...filter, kinds: toggled(filter.kinds, tone) };
  return { ...filter, kinds: alone ? NO_FILTER.kinds : new Set([tone]) };
}

/** Matches the text literally: no pattern can be slow or surprising. */
export function filterChanges(
  changes: readonly Change[],
  filter: Filter,
  known: Known = NOTHING_KNOWN,
): Change[] {
  const about = { filter, ...known };
  const tests = PARTS.filter((part) => isSet(filter, part)).map((part) => TESTS[part]);
  if (!showsIgnored(filter)) tests.push(({ ignored }) => ignored === null);
  const text = filter.text.trim().toLowerCase();
  const found = text === '' ? changes : entriesWith(changes, text);
  return found.filter((change) => tests.every((test) => test(change, about)));
}

/** Lower case, with its dot; empty without one, or for a name like `.env`. */
export function extensionOf(change: Change): string {
  const name = nameOf(change.path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : displayPath(name.slice(dot) as BytePath).toLowerCase();
}

function sizeOf({ pending, host }: Change): number {
  return Math.max(pending?.size ?? 0, host?.size ?? 0);
}

/** Most frequent first. */
export function extensionsIn(changes: readonly Change[]): [extension: string, count: number][] {
  const counts = new Map<string, number>();
  for (const change of changes) {
    if (change.ignored !== null || isDirectoryChange(change)) continue;
    const extension = extensionOf(change);
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

const BETWEEN = '\n';

/** All displayed paths in lower case: one search in it is many times faster than one in each of 300,000. */
interface Haystack {
  text: string;
  /** Offset of the end of each entry's path. */
  ends: Uint32Array;
}

const haystacks = new WeakMap<readonly Change[], Haystack>();

/** Cached for the list; may be called ahead of the first search. */
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

export const SORTS = {
  path: 'By path',
  newest: 'Newest first',
  largest: 'Largest first',
} as const;
export type Sort = keyof typeof SORTS;

/** End of each call, else its start: an upper bound of the age of what it wrote. */
export function callTimes(calls: readonly CallView[]): ReadonlyMap<string, number> {
  return new Map(
    calls.map(
      (call) => [call.id, Date.parse(call.endedAt ?? call.startedAt ?? call.requestedAt ?? '') || 0] as const,
    ),
  );
}

/** Unknown values go last, equal ones keep the order of their paths. */
export function sortChanges(
  changes: readonly Change[],
  sort: Exclude<Sort, 'path'>,
  times: ReadonlyMap<string, number>,
): Change[] {
  // Of several possible writers the last one counts.
  const rankOf = (change: Change): number =>
    sort === 'largest'
      ? sizeOf(change)
      : Math.max(0, ...(change.by ?? []).map((call) => times.get(call) ?? 0));
  const ranks = new Map(changes.map((change) => [change, rankOf(change)] as const));
  return [...changes].sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0));
}
