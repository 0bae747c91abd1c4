/** Why texts are not merged or laid side by side: whole sentences, which stand behind others. */

export const NOT_BOTH_TEXT = 'Only text that both changed, whose common base was kept, can be merged.';
export const CHANGED_OR_LARGE = 'It changed since the list was made, or it is too large. Look again.';
export const BASE_GONE = 'The common base is not kept any more.';
export const ONE_IS_NO_TEXT = 'One side is not text.';
export const MERGE_REPETITIVE = 'It has too many equal lines to be merged.';

// Side by side.

const WHERE = { host: 'On the host', sandbox: 'In the sandbox' } as const;
export type SideName = keyof typeof WHERE;

export const isNoFile = (side: SideName): string =>
  `${WHERE[side]} it is no regular file: only texts are laid side by side.`;
export const isTooLarge = (side: SideName, bytes: number, most: number): string =>
  `${WHERE[side]} it has ${bytes} bytes: only texts of up to ${most} are laid side by side.`;
export const isUnreadable = (side: SideName): string =>
  `${WHERE[side]} it has changed since the list was made, or can’t be read. Look again.`;
export const isNoText = (side: SideName): string => `${WHERE[side]} it is not text.`;
export const hasManyLines = (side: SideName, most: number): string =>
  `${WHERE[side]} it has more than ${most} lines, too many to be laid side by side.`;
export const REPETITIVE = 'The three have too many equal lines to be compared with one another in time.';

// Without a base.

export const EACH_ITS_OWN = 'Neither had an entry of that name when the sandbox began: each made its own.';
export const BASE_UNKNOWN = 'It is not on record what both began with.';
export const BASE_NO_FILE = 'What both began with was no regular file.';
export const BASE_NOT_KEPT = 'The content that both began with was not kept: it was too large, or no text.';
export const BASE_CONTENT_GONE = 'The content that both began with is not kept any more.';
