/**
 * The diff of one entry: a model of our own, never patch text, whose parsers can be misled by content.
 * "Omitted" is a state of its own and never looks like an empty diff.
 */
export type DiffLineKind = 'context' | 'added' | 'removed';

export interface DiffLine {
  kind: DiffLineKind;
  /** Without its terminator, with control and invisible characters. */
  text: string;
  /** From 1; null on the side where the line does not exist. */
  oldNumber: number | null;
  newNumber: number | null;
  /** `none` only on a file's last line. */
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

/** `exact`: every byte. `amount`: not how much white space, nor the line end. `ignored`: no white space. */
export const SPACES = ['exact', 'amount', 'ignored'] as const;
export type Spaces = (typeof SPACES)[number];

export interface DiffView {
  load: boolean;
  whole: boolean;
  spaces: Spaces;
}

interface DiffBase {
  id: string;
  /** Fingerprint of both sides: an equal etag means an equal diff. */
  etag: string;
}

/** What comparing two texts gives (shared/text/diff-text.ts). */
export interface TextComparison {
  hunks: DiffHunk[];
  added: number;
  removed: number;
  oldTotal: number;
  newTotal: number;
  /** The comparison was cut short: correct, but not minimal. */
  approximate: boolean;
  /** Lines shown as unchanged whose white space or line end differs. */
  spacesHidden: number;
}

export interface TextDiff extends DiffBase, TextComparison {
  kind: 'text';
  language: string | null;
}

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
  /** The first bytes in hex, two digits a byte; empty where there is no such side. */
  oldHead: string;
  newHead: string;
}

export interface LinkDiff extends DiffBase {
  kind: 'symlink';
  oldTarget: string | null;
  newTarget: string | null;
}

/** Only mode, owner or type differ, or there is no content (directories, special files). */
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
  head: string[];
}

export type DiffModel = TextDiff | CollapsedDiff | BinaryDiff | LinkDiff | MetaDiff | OmittedDiff;
