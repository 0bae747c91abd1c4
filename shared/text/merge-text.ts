/** Three-way merge of a text that host and sandbox have both changed. */
import { diff3Merge, diffIndices } from 'node-diff3';
import type { TextDiff } from '../model/diff.ts';
import { compareTexts } from './diff-text.ts';
import { countOf, type Line, rawOf, splitLines } from './lines.ts';

export interface MergePreview {
  id: string;
  /** Covers both sides, base and result: a commit writes this result or refuses. */
  etag: string;
  /** Above 0 only `merge-markers` can be committed. */
  conflicts: number;
  /** Against the host, all lines of the file; with the markers where there are conflicts. */
  diff: TextDiff | null;
  /** Why it cannot be merged, a sentence; the other fields are void then. */
  refused: string | null;
}

/** Pairs of equal lines: a file of many equal lines would take minutes. */
const MAX_PAIRS = 4_000_000;

/** Null when the texts are too repetitive to be compared in time. */
export function mergeTexts(
  base: string,
  host: string,
  sandbox: string,
): { text: string; conflicts: number } | null {
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

function isTooRepetitive(one: readonly string[], other: readonly string[]): boolean {
  const counts = countOf(one);
  return other.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0) > MAX_PAIRS;
}

function linesOf(text: string): string[] {
  return splitLines(text).map(rawOf);
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** `same`: neither side changed it; `alike`: both in the same way; `differs`: there is no base. */
export type BlockKind = 'same' | 'host' | 'sandbox' | 'alike' | 'both' | 'differs';

export interface Block {
  kind: BlockKind;
  /** Number of the first line. In a `same` block only `host` has the lines. */
  hostAt: number;
  baseAt: number;
  sandboxAt: number;
  host: Line[];
  base: Line[];
  sandbox: Line[];
}

export interface ConflictView {
  id: string;
  host: boolean;
  sandbox: boolean;
  /** A sentence; null = there is one. */
  noBase: string | null;
  blocks: Block[];
  approximate: boolean;
  /** Why nothing can be shown, a sentence; the other fields are void then. */
  refused: string | null;
}

interface Hunk {
  side: 'host' | 'sandbox';
  from: number;
  to: number;
  /** Lines gained over the base. */
  more: number;
}

/** `both` is exactly where `mergeTexts` puts markers. Null when the texts are too repetitive. */
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
      kind: 'same',
      hostAt: at.host + 1,
      baseAt: at.base + 1,
      sandboxAt: at.sandbox + 1,
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

export function twoWay(host: string, sandbox: string): { blocks: Block[]; approximate: boolean } {
  const { hunks, approximate } = compareTexts(host, sandbox, { context: Number.POSITIVE_INFINITY });
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

/** Touching hunks, joined as diff3 does. */
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
  const raw = (lines: readonly Line[]) => lines.map(rawOf).join('');
  return raw(host) === raw(sandbox) ? 'alike' : 'both';
}
