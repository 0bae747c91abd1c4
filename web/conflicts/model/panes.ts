/** What conflict panes show: blocks of lines, long unchanged ones folded, up to a number of rows. Pure. */
import type { Line } from '../../../shared/text/lines.ts';
import type { Block } from '../../../shared/text/merge-text.ts';

/** Unchanged lines kept around a change. */
const CONTEXT = 3;

export type PaneItem =
  /** `from`: lines of the block that are left out before these. */
  | { type: 'same'; block: Block; from: number; lines: Line[] }
  | { type: 'fold'; index: number; hidden: number }
  /** `place` counts from 1. Lines beyond the number of rows are left out of each side. */
  | { type: 'change'; block: Block; place: number };

interface Panes {
  items: PaneItem[];
  /** Rows that did not fit. */
  left: number;
  /** Number of changed blocks. */
  places: number;
}

/** `opened`: indices of blocks shown whole; `rows`: most rows drawn. */
export function panesOf(blocks: readonly Block[], opened: ReadonlySet<number>, rows: number): Panes {
  const items: PaneItem[] = [];
  let room = rows;
  let left = 0;
  let places = 0;
  const take = (length: number): number => {
    const taken = Math.min(room, length);
    room -= taken;
    left += length - taken;
    return taken;
  };
  const same = (block: Block, from: number, to: number): void => {
    const taken = take(to - from);
    if (taken > 0) items.push({ type: 'same', block, from, lines: block.host.slice(from, from + taken) });
  };
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'same') {
      places++;
      const taken = take(longest(block));
      if (taken > 0) items.push({ type: 'change', block: cut(block, taken), place: places });
      continue;
    }
    const { length } = block.host;
    const head = index === 0 ? 0 : CONTEXT;
    const tail = index === blocks.length - 1 ? 0 : CONTEXT;
    const hidden = length - head - tail;
    if (hidden <= 1 || opened.has(index) || blocks.length === 1) same(block, 0, length);
    else {
      same(block, 0, head);
      if (room > 0) items.push({ type: 'fold', index, hidden });
      same(block, length - tail, length);
    }
  }
  return { items, left, places };
}

function longest({ host, base, sandbox }: Block): number {
  return Math.max(host.length, base.length, sandbox.length);
}

function cut(block: Block, rows: number): Block {
  if (longest(block) <= rows) return block;
  const { host, base, sandbox } = block;
  return {
    ...block,
    host: host.slice(0, rows),
    base: base.slice(0, rows),
    sandbox: sandbox.slice(0, rows),
  };
}

/** The part of a line between the prefix and suffix shared with `other`; null when they share nothing. */
export function changedPart(
  line: string,
  other: string,
): [before: string, changed: string, after: string] | null {
  // By code points: half a character is drawn as nothing.
  const [mine, theirs] = [Array.from(line), Array.from(other)];
  const shorter = Math.min(mine.length, theirs.length);
  let head = 0;
  while (head < shorter && mine[head] === theirs[head]) head++;
  let tail = 0;
  while (tail < shorter - head && mine[mine.length - 1 - tail] === theirs[theirs.length - 1 - tail]) tail++;
  if (head + tail === 0) return null;
  const text = (from: number, to: number): string => mine.slice(from, to).join('');
  return [text(0, head), text(head, mine.length - tail), text(mine.length - tail, mine.length)];
}
