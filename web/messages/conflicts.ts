/** Conflicts: reasons, sides, resolutions. */
import { CONFLICT_REASONS, type ConflictReason } from '../../shared/model/change.ts';
import type { BlockKind } from '../../shared/text/merge-text.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';

const REASONS: Record<ConflictReason, string> = {
  'host-changed': 'You changed this file after Claude did',
  'host-deleted': 'You deleted this file after Claude changed it',
  'host-created': 'You created an entry of this name after Claude did',
  'host-parent-gone': 'You deleted the directory that holds it',
  'host-new-below': 'You added or changed entries below the directory that Claude deleted',
  'unknown-base': 'You and Claude changed this file at about the same time',
  unreadable: format.capital(CONFLICT_REASONS.unreadable),
};

/** `reason`: a code, or a sentence of the server. */
export const reasonText = (reason: string): string =>
  `${Object.entries(REASONS).find(([code]) => code === reason)?.[1] ?? format.capital(visibleText(reason))}.`;

export const RESOLVE_FIRST = 'Resolve it before committing.';

export const SIDE_NAMES = { host: 'Yours', base: 'Base', sandbox: 'Sandbox' } as const;
export const SIDE_NOTES = {
  host: 'now on disk',
  base: 'what both started from',
  sandbox: 'pending',
} as const;

export const WHO_CHANGED: Record<Exclude<BlockKind, 'same'>, string> = {
  host: 'Only you changed this',
  sandbox: 'Only the sandbox changed this',
  alike: 'Both made the same change',
  both: 'Both changed this',
  differs: 'Not the same',
};

export const overlapText = (overlaps: number): string =>
  `${format.plural(overlaps, 'overlap')}. Insert conflict markers to resolve ${overlaps === 1 ? 'it' : 'them'} in your editor.`;

export const differText = (places: number): string =>
  places === 0 ? 'Both have the same text now.' : `They differ in ${format.plural(places, 'place')}.`;
