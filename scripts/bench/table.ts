import { median, minimum } from './timing.ts';

export interface Row {
  what: string;
  /** Measured values, in `unit`. */
  values: readonly number[];
  unit: 'ms' | 'MB';
  /** At most so much, in `unit`; null = no absolute target. */
  target: number | null;
  /** What it is compared with, measured in the same rounds. */
  peer: Peer | null;
}

export interface Peer {
  name: string;
  values: readonly number[];
  /** The ratio that must be kept. */
  atMost: number | null;
  /** How much more than the peer it may be, in `unit`. */
  atMostMore?: number | null;
}

export interface Skipped {
  what: string;
  skipped: string;
}

/** Something that was worked out of measured values. */
export interface Note {
  what: string;
  note: string;
}

export type Result = Row | Skipped | Note;

const HEAD = ['what', 'median', 'min', 'target', 'peer', 'median', 'ratio', 'target', 'verdict'];

function shown(value: number, unit: string): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

/** A ratio as a user writes it: 1/12, or 1.4 where it is above one. */
function fraction(ratio: number): string {
  return ratio < 1 ? `1/${(1 / ratio).toFixed(1)}` : ratio.toFixed(2);
}

/** Good when the absolute target and the ratio are both kept. */
export function verdict(row: Row): 'good' | 'MISSED' {
  const value = median(row.values);
  const peer = row.peer;
  const slow = row.target !== null && value > row.target;
  const slower = peer !== null && peer.atMost !== null && value / median(peer.values) > peer.atMost;
  const more = peer?.atMostMore ?? null;
  const added = peer !== null && more !== null && value - median(peer.values) > more;
  return slow || slower || added ? 'MISSED' : 'good';
}

function peerTarget(peer: Peer | null, unit: string): string {
  if (peer === null) return '';
  if (peer.atMost !== null) return `<= ${fraction(peer.atMost)}`;
  return peer.atMostMore == null ? '' : `<= ${shown(peer.atMostMore, unit)} more`;
}

function cells(result: Result): string[] {
  if ('skipped' in result)
    return [result.what, '-', '-', '-', '-', '-', '-', '-', `skipped: ${result.skipped}`];
  if ('note' in result) return [result.what, result.note, '', '', '', '', '', '', ''];
  const { what, values, unit, target, peer } = result;
  const value = median(values);
  return [
    what,
    shown(value, unit),
    shown(minimum(values), unit),
    target === null ? '' : `<= ${shown(target, unit)}`,
    peer?.name ?? '',
    peer === null ? '' : shown(median(peer.values), unit),
    peer === null ? '' : fraction(value / median(peer.values)),
    peerTarget(peer, unit),
    verdict(result),
  ];
}

/** The results as a Markdown table. */
export function table(results: readonly Result[]): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...results.map(cells)];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** How the time of a step grows between neighbouring sizes, as an exponent of the size. */
export function growthOf(
  step: string,
  sizes: readonly number[],
  valuesOf: (size: number) => readonly number[],
): Result[] {
  return sizes.slice(1).map((size, i): Result => {
    const before = sizes[i] ?? size;
    const exponent = Math.log(median(valuesOf(size)) / median(valuesOf(before))) / Math.log(size / before);
    return { what: `${step}: growth ${before} to ${size}`, note: `n^${exponent.toFixed(2)}` };
  });
}
