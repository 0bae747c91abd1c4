/** Names and marks of the kinds of change. A letter and a word go with every colour. */
import type { Change, ChangeCounts, ChangeKind, EntryType } from '../../shared/model/change.ts';
import { displayPath } from './paths.ts';

export type Tone = 'added' | 'modified' | 'deleted' | 'replaced' | 'meta';

export const KIND_TABLE = {
  added: { letter: 'A', word: 'added', tone: 'added' },
  modified: { letter: 'M', word: 'modified', tone: 'modified' },
  deleted: { letter: 'D', word: 'deleted', tone: 'deleted' },
  replaced: { letter: 'R', word: 'replaced', tone: 'replaced' },
  'dir-replaced': { letter: 'R', word: 'directory replaced', tone: 'replaced' },
  meta: { letter: 'P', word: 'mode or owner changed', tone: 'meta' },
} as const satisfies Record<ChangeKind, { letter: string; word: string; tone: Tone }>;

export const TYPE_WORDS = {
  file: 'file',
  dir: 'directory',
  symlink: 'symbolic link',
  fifo: 'named pipe',
  socket: 'socket',
  char: 'character device',
  block: 'block device',
} as const satisfies Record<EntryType, string>;

/** The filter's kinds, each a count of the model. */
export const TONES: readonly Tone[] = ['added', 'modified', 'deleted', 'replaced', 'meta'];

export const TONE_WORDS: Record<Tone, { letter: string; word: string }> = {
  ...KIND_TABLE,
  meta: { letter: 'P', word: 'mode or owner' },
};

export function totalOf(counts: ChangeCounts): number {
  return TONES.reduce((sum, tone) => sum + counts[tone], 0);
}

/** The pending type, else the host's. */
export function entryType(change: Change): EntryType {
  return change.pending?.type ?? change.host?.type ?? 'file';
}

/** The change of a directory itself: each existing side is a directory. */
export function isDirectoryChange(change: Change): boolean {
  const { pending, host } = change;
  return (pending === null || pending.type === 'dir') && (host === null || host.type === 'dir');
}

/** `directory, now a file` or `was a file` for a replaced entry, else the type; empty for files and links. */
export function typeNote(change: Change): string {
  const { pending, host } = change;
  if (pending !== null && host !== null && pending.type !== host.type) {
    if (pending.type === 'symlink') return `was a ${TYPE_WORDS[host.type]}`;
    return `${TYPE_WORDS[host.type]}, now a ${TYPE_WORDS[pending.type]}`;
  }
  const type = entryType(change);
  return type === 'file' || type === 'symlink' ? '' : TYPE_WORDS[type];
}

/** As displayed; null on a side that is not a link. */
export interface LinkTargets {
  before: string | null;
  now: string | null;
}

/** Null when no side is a symbolic link. */
export function linkTargets({ pending, host }: Change): LinkTargets | null {
  const [before, now] = [host, pending].map((side) =>
    side?.type === 'symlink' && side.target !== undefined ? displayPath(side.target) : null,
  );
  if (before === undefined || now === undefined || (before === null && now === null)) return null;
  return { before, now };
}

export function linkText({ before, now }: LinkTargets): string {
  const link = `symbolic link to ${now ?? before}`;
  return now === null || before === null || before === now ? link : `${link}, before to ${before}`;
}

/** A word for mode bits that need attention. */
export function modeNote(change: Change): string {
  const { pending, host } = change;
  if (pending === null || pending.type !== 'file') return '';
  if ((pending.mode & 0o4000) !== 0 && ((host?.mode ?? 0) & 0o4000) === 0) return 'setuid';
  if ((pending.mode & 0o2000) !== 0 && ((host?.mode ?? 0) & 0o2000) === 0) return 'setgid';
  if ((pending.mode & 0o111) !== 0 && ((host?.mode ?? 0) & 0o111) === 0) return 'executable';
  return '';
}
