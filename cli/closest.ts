const MOST_SLIPS = 2;

/** One slip: a letter more, less, other, or two swapped. Undefined when no word is near. */
export function closest(typed: string, words: readonly string[]): string | undefined {
  const most = Math.min(MOST_SLIPS, Math.floor(typed.length / 2));
  let best: { word: string; slips: number } | undefined;
  for (const word of words) {
    const slips = slipsBetween(typed, word);
    if (slips <= most && (best === undefined || slips < best.slips)) best = { word, slips };
  }
  return best?.word;
}

function slipsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const other = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + other, swap));
    }
  }
  return at(a.length, b.length);
}
