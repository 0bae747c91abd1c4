/**
 * What the browser gets for one entry: our own model, never patch text (a parser of it can be made to lie).
 * "Omitted" is a state of its own and never looks like an empty diff.
 */
export type DiffLineKind = 'context' | 'added' | 'removed';

export interface DiffLine {
  kind: DiffLineKind;
  /** Without its terminator; control and invisible characters are still in it. */
  text: string;
  /** 1-based numbers; null on the side where the line does not exist. */
  oldNumber: number | null;
  newNumber: number | null;
  /** How the line ends: `\n` is the ordinary case. `none` only on a file's last line. */
  end: 'lf' | 'crlf' | 'cr' | 'none';
}

export interface DiffHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: DiffLine[];
}

export const OMITTED_REASONS = {
  'too-large': 'it is too large to show here',
  'too-long-lines': 'it has lines that are too long to show here',
  timeout: 'comparing took too long',
  unreadable: 'it could not be read',
  changed: 'it changed while it was read',
  special: 'it is not a regular file',
} as const;
export type OmittedReason = keyof typeof OMITTED_REASONS;

/**
 * What counts as a difference: every byte; not how much white space (blanks and tabs) there is, nor how lines end; no
 * white space at all.
 */
export const SPACES = ['exact', 'amount', 'ignored'] as const;
export type Spaces = (typeof SPACES)[number];

/** How a diff is asked for. */
export interface DiffView {
  /** The text although it is over the automatic limit. */
  load: boolean;
  /** All lines of the file instead of a few around each change. */
  whole: boolean;
  spaces: Spaces;
}

interface DiffBase {
  /** The change's id. */
  id: string;
  /** Fingerprint of both sides: the same string = the same diff. */
  etag: string;
}

export interface TextDiff extends DiffBase {
  kind: 'text';
  hunks: DiffHunk[];
  added: number;
  removed: number;
  oldTotal: number;
  newTotal: number;
  /** The comparison was cut short: right, but not minimal. */
  approximate: boolean;
  language: string | null;
  /** Lines on show as unchanged whose white space or line end differs, where that was not asked for. */
  spacesHidden: number;
}

/** Text over the automatic limit: the user asks for it. */
export interface CollapsedDiff extends DiffBase {
  kind: 'collapsed';
  oldLines: number;
  newLines: number;
  oldBytes: number;
  newBytes: number;
}

export interface BinaryDiff extends DiffBase {
  kind: 'binary';
  mime: string | null;
  oldBytes: number | null;
  newBytes: number | null;
  oldSha256: string | null;
  newSha256: string | null;
  /** The first bytes of each side in hex, two digits a byte; empty where there is none. */
  oldHead: string;
  newHead: string;
}

export interface LinkDiff extends DiffBase {
  kind: 'symlink';
  /** Targets for display; null where that side is not a link. */
  oldTarget: string | null;
  newTarget: string | null;
}

/** Nothing but mode, owner or type to show (directories, mode changes, special files). */
export interface MetaDiff extends DiffBase {
  kind: 'meta';
  notes: string[];
}

export interface OmittedDiff extends DiffBase {
  kind: 'omitted';
  reason: OmittedReason;
  message: string;
  oldBytes: number | null;
  newBytes: number | null;
  /** First lines of the pending side, or of the host's when deleted. */
  head: string[];
}

export type DiffModel = TextDiff | CollapsedDiff | BinaryDiff | LinkDiff | MetaDiff | OmittedDiff;
