/** The list of changes: search, selection, marks, and texts for an empty list. */
import { unreadText } from '../../shared/model/risk.ts';
import type { Effect } from '../../shared/model/rule.ts';
import * as format from '../text/format.ts';

export const selectedText = (count: number, bytes: number): string =>
  `${format.count(count)} selected${bytes > 0 ? `, ${format.bytes(bytes)}` : ''}`;

export const shownText = (shown: number, all: number): string =>
  `${format.count(shown)} of ${format.count(all)} shown`;

export const viewedText = (viewed: number, total: number): string =>
  `${format.count(viewed)} of ${format.count(total)} viewed`;

export const tooManyText = (most: number): string =>
  `Too many entries are selected: at most ${format.count(most)} can be named. Select whole directories.`;

export const NOTHING_PENDING =
  'What Claude’s commands write in this session shows up here, before it reaches your files.';

export const SANDBOX_OFF = 'Claude’s commands write your files directly: none of that is listed here.';

export const NOT_YET = 'Nothing of this is in your files yet: commit applies it, discard drops it.';

export const NO_CHANGE_HERE = {
  title: 'No pending change here',
  gone: 'It was committed, discarded, or never changed in this session.',
  onlyTime: 'Only its modification time differs. Commit everything, or a directory above it, to apply that.',
} as const;

export function timesText(times: number): string {
  return times === 1
    ? 'Only the modification time of 1 file differs. A commit applies it.'
    : `Only the modification times of ${format.count(times)} files differ. A commit applies them.`;
}

export const MARKS = {
  marked: 'Marked as viewed.',
  last: 'Marked as viewed. No unviewed entries are left.',
  done: 'All viewed: commit…',
  unmarked: 'Marked as not viewed.',
  offline: 'Not marked: the server does not answer.',
} as const;

interface EffectWords {
  /** In a row. */
  badge: string;
  word: string;
  /** Follows a number. */
  counted: string;
  why: string;
}

/** Effect rules, in the order in which they are shown. */
export const EFFECTS: Readonly<Record<Effect['do'], EffectWords>> = {
  never: {
    badge: 'left out',
    word: 'left out of commits',
    counted: 'left out',
    why: 'It stays pending, unless you include ignored entries in a commit.',
  },
  confirm: {
    badge: 'confirm',
    word: 'to be confirmed',
    counted: 'to confirm',
    why: 'A commit wants your tick for it.',
  },
  flag: {
    badge: 'flagged',
    word: 'flagged by a rule',
    counted: 'flagged',
    why: 'Your rules name it as worth a look.',
  },
  auto: {
    badge: 'auto',
    word: 'committed by itself',
    counted: 'auto',
    why: 'A rule of yours commits it after a call, as soon as nothing stands in the way.',
  },
};

export const effectCount = (does: Effect['do'], count: number): string =>
  `${format.count(count)} ${EFFECTS[does].counted}`;

/** Null where no rule is about any. */
export function effectsText(counts: Readonly<Record<Effect['do'], number>>): string | null {
  const all = (Object.keys(EFFECTS) as Effect['do'][]).filter((does) => counts[does] > 0);
  return all.length === 0 ? null : all.map((does) => effectCount(does, counts[does])).join(', ');
}

export const effectsUnknown = (problems: readonly string[]): string =>
  `What rules say of these entries is not all known: ${problems.join('; ')}`;

interface HiddenScan {
  /** Null = nothing known yet. */
  counts: { left: number; unread: number } | null;
  failed: boolean;
  found: number;
}

/** How far contents were scanned for hidden characters, and what no chip flags. */
export function hiddenText({ counts, failed, found }: HiddenScan): string | null {
  if (failed) return 'Not all files could be scanned for hidden characters';
  if (counts === null) return null;
  if (counts.left > 0) return `Scanning for hidden characters… ${format.count(counts.left)} left`;
  if (counts.unread > 0) return unreadText(counts.unread);
  return found === 0 ? 'No hidden characters' : null;
}

interface TextSearchSum {
  text: string;
  state: 'idle' | 'running' | 'done' | 'enough';
  lines: number;
  files: number;
  searched: number;
  total: number;
  skipped: number;
}

export function searchText({ text, state, lines, files, searched, total, skipped }: TextSearchSum): string {
  if (text.trim() === '') return 'Type what to find in the pending text.';
  if (state === 'idle') return 'Press Enter to search.';
  const found = `${format.plural(lines, 'line')} in ${format.plural(files, 'file')}`;
  if (state === 'running') return `${found}, ${format.count(searched)} of ${format.count(total)} searched…`;
  if (state === 'enough') return `${found}. There are more: search for a longer text.`;
  return `${found}${skipped > 0 ? `; ${format.plural(skipped, 'file')} too large or not readable` : ''}.`;
}
