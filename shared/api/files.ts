/** What the dashboard asks about the content of pending entries beside their diff. */
import type { BytePath } from '../bytes.ts';

/** Which version of an entry. */
export const SIDES = ['pending', 'host'] as const;
export type SideName = (typeof SIDES)[number];

/** A search for a text (never a pattern) in what is pending, page by page. */
export interface SearchOrder {
  text: string;
  matchCase: boolean;
  includeIgnored: boolean;
  /** Go on behind this entry: `next` of the page before. Null = from the first. */
  after: string | null;
}

export interface SearchHit {
  entry: string;
  path: BytePath;
  /** Of the pending version, from 1. */
  line: number;
  /** The line, or the part of it around what was found. */
  text: string;
  /** Where in `text` it was found; -1 = it can't be said in this script. */
  at: number;
  length: number;
}

export interface SearchPage {
  hits: SearchHit[];
  /** Entries whose lines are not all among the hits: how many more there are. */
  more: Record<string, number>;
  /** Entries looked at for this page, files or not. */
  searched: number;
  /** Files that were not searched: too large, or they could not be read. Binary ones are not counted. */
  skipped: number;
  /** Ask on with this; null = that was all. */
  next: string | null;
}

/** By entry id: lines added and removed; null where lines say nothing (binary, too large, no file). */
export type LineCounts = Record<string, readonly [added: number, removed: number] | null>;

/** What is known by now of hidden characters that the changes of text files add; ignored entries are not looked at. */
export interface HiddenTexts {
  /** Entry ids. */
  hidden: string[];
  /** Files that were not looked into: too large, not to be read, or written to just then. */
  unread: number;
  /** Files that nobody has looked at yet: ask again. */
  left: number;
}

export interface OpenOrder {
  entry: string;
  /** From 1. */
  line: number;
}
