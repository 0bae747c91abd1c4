/** Three-way merge of a text that host and sandbox have both changed. Pure. */
import { diff3Merge, diffIndices } from 'node-diff3';
import type { TextDiff } from '../model/diff.ts';
import { compareTexts } from './diff-text.ts';
import { countOf, type Line, rawOf, splitLines } from './lines.ts';

/** What merging one entry would put on the host, shown before anybody decides for it. */
export interface MergePreview {
  /** The change's id. */
  id: string;
  /** Names both sides, the base and the result: what lands is this, or nothing. */
  etag: string;
  /** Places where both changed the same lines in different ways. Above 0 only a merge with markers can be committed. */
  conflicts: number;
  /** What it would change on the host, all lines of the file; with the markers where there are conflicts. */
  diff: TextDiff | null;
  /** Why it can't be merged, a sentence; null = it can. All else says nothing then. */
  refused: string | null;
}

export interface Merged {
  text: string;
  /** Places with markers in the text. */
  conflicts: number;
}

/** Pairs of equal lines that are looked at: a file of many equal lines would keep the comparison busy for minutes. */
const MAX_PAIRS = 4_000_000;

/** Null when the texts are too repetitive to be compared in time. */
export function mergeTexts(base: string, host: string, sandbox: string): Merged | null {
  const [o, a, b] = [linesOf(base), linesOf(host), linesOf(sandbox)];
  if (isTooRepetitive(o, a) || isTooRepetitive(o, b)) return null;
  let conflicts = 0;
  const parts = diff3Merge(a, o, b, { excludeFalseConflicts: true }).map(({ ok, conflict }) => {
    if (conflict === undefined) return (ok ?? []).join('');
    conflicts++;
    const side = (mark: string, lines: readonly string[]) => `${mark}\n${ended(lines.join(''))}`;
    return `${side('<<<<<<< host', conflict.a)}${side('||||||| base', conflict.o)}${side('=======', conflict.b)}>>>>>>> sandbox\n`;
  });
  return { text: parts.join(''), conflicts };
}

/** Comparing these would take too long. */
export function isTooRepetitive(one: readonly string[], other: readonly string[]): boolean {
  return pairs(one, other) > MAX_PAIRS;
}

function linesOf(text: string): string[] {
  return splitLines(text).map(rawOf);
}

/** A marker begins a line of its own. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function pairs(one: readonly string[], other: readonly string[]): number {
  const counts = countOf(one);
  return other.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}

/**
 * Who changed a stretch of lines: nobody, one of both, both in the same way (`alike`), both in different ways. `differs`
 * where there is no base to tell it from.
 */
export type BlockKind = 'same' | 'host' | 'sandbox' | 'alike' | 'both' | 'differs';

export interface Block {
  kind: BlockKind;
  /** Number of the first line in each; of `same` all three have the lines that stand in `host`. */
  hostAt: number;
  baseAt: number;
  sandboxAt: number;
  host: Line[];
  base: Line[];
  sandbox: Line[];
}

/** One entry in conflict, with all lines of both sides, and of what both began with where that was kept. */
export interface ConflictView {
  /** The change's id. */
  id: string;
  /** Whether there is a file on that side; its lines are none otherwise. */
  host: boolean;
  sandbox: boolean;
  /** Why there is nothing to show of what both began with, a sentence; null = there is. */
  noBase: string | null;
  blocks: Block[];
  /** The comparison was cut short: right, but with larger blocks than needed. */
  approximate: boolean;
  /** Why nothing can be shown, a sentence; all else says nothing then. */
  refused: string | null;
}

/** Half-open. */
interface Hunk {
  side: 'host' | 'sandbox';
  from: number;
  to: number;
  /** Lines that it has more than the base had. */
  more: number;
}

/**
 * The three texts in stretches, in order; joined, those of a side are its text. Stretches are those of `mergeTexts`: what is
 * `both` here is what a merge puts markers around. Null when the texts are too repetitive to be compared in time.
 */
export function threeWay(base: string, host: string, sandbox: string): Block[] | null {
  const lines = { base: splitLines(base), host: splitLines(host), sandbox: splitLines(sandbox) };
  const raw = { base: lines.base.map(rawOf), host: lines.host.map(rawOf), sandbox: lines.sandbox.map(rawOf) };
  if (isTooRepetitive(raw.base, raw.host) || isTooRepetitive(raw.base, raw.sandbox)) return null;
  const hunks = [...hunksOf('host', raw.base, raw.host), ...hunksOf('sandbox', raw.base, raw.sandbox)];
  hunks.sort((a, b) => a.from - b.from);
  const at = { base: 0, host: 0, sandbox: 0 };
  const blocks: Block[] = [];
  const take = (size: typeof at, kindOf: (block: Block) => BlockKind): void => {
    const block: Block = {
      ...{ kind: 'same', hostAt: at.host + 1, baseAt: at.base + 1, sandboxAt: at.sandbox + 1 },
      host: lines.host.slice(at.host, at.host + size.host),
      base: lines.base.slice(at.base, at.base + size.base),
      sandbox: lines.sandbox.slice(at.sandbox, at.sandbox + size.sandbox),
    };
    block.kind = kindOf(block);
    if (size.base + size.host + size.sandbox > 0)
      blocks.push(block.kind === 'same' ? { ...block, base: [], sandbox: [] } : block);
    at.base += size.base;
    at.host += size.host;
    at.sandbox += size.sandbox;
  };
  const takeSame = (until: number): void => {
    const size = until - at.base;
    take({ base: size, host: size, sandbox: size }, () => 'same');
  };
  for (const region of regionsOf(hunks)) {
    const [first] = region;
    if (first === undefined) continue;
    takeSame(first.from);
    const size = Math.max(...region.map(({ to }) => to)) - first.from;
    const moreOf = (side: Hunk['side']) =>
      region.reduce((sum, hunk) => sum + (hunk.side === side ? hunk.more : 0), 0);
    take({ base: size, host: size + moreOf('host'), sandbox: size + moreOf('sandbox') }, (block) =>
      whoChanged(region, block),
    );
  }
  takeSame(raw.base.length);
  return blocks;
}

/** The two texts alone. */
export function twoWay(host: string, sandbox: string): { blocks: Block[]; approximate: boolean } {
  const { hunks, approximate } = compareTexts(host, sandbox, { context: Number.POSITIVE_INFINITY });
  // Without any difference there is no hunk either.
  const lines =
    hunks.length > 0
      ? hunks.flatMap((hunk) => hunk.lines)
      : splitLines(host).map((line) => ({ kind: 'context' as const, ...line }));
  const blocks: Block[] = [];
  let [hostAt, sandboxAt] = [1, 1];
  for (const { kind, text, end } of lines) {
    const wanted = kind === 'context' ? 'same' : 'differs';
    let block = blocks.at(-1);
    if (block?.kind !== wanted) {
      block = { kind: wanted, hostAt, baseAt: 0, sandboxAt, host: [], base: [], sandbox: [] };
      blocks.push(block);
    }
    if (kind !== 'added') hostAt++;
    if (kind !== 'removed') sandboxAt++;
    (kind === 'added' ? block.sandbox : block.host).push({ text, end });
  }
  return { blocks, approximate };
}

function hunksOf(side: Hunk['side'], base: string[], now: string[]): Hunk[] {
  return diffIndices(base, now).map(({ buffer1: [from, length], buffer2: [, lines] }) => {
    return { side, from, to: from + length, more: lines - length };
  });
}

/** Hunks that touch one another, as diff3 puts them together. */
function regionsOf(hunks: readonly Hunk[]): Hunk[][] {
  const regions: Hunk[][] = [];
  let end = 0;
  for (const hunk of hunks) {
    const last = regions.at(-1);
    const touches = last !== undefined && hunk.from <= end;
    if (touches) last.push(hunk);
    else regions.push([hunk]);
    end = touches ? Math.max(end, hunk.to) : hunk.to;
  }
  return regions;
}

function whoChanged(region: readonly Hunk[], { host, sandbox }: Block): BlockKind {
  const [first] = region;
  if (region.every(({ side }) => side === first?.side)) return first?.side ?? 'same';
  const alike = host.length === sandbox.length && host.every((line, i) => isSame(line, sandbox[i]));
  return alike ? 'alike' : 'both';
}

function isSame(one: Line, other: Line | undefined): boolean {
  return other !== undefined && rawOf(one) === rawOf(other);
}
