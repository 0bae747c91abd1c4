/** Colours and numbers of what trai prints. Plain text where nobody sees colours (pipes, NO_COLOR, answers of hooks). */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const same = (text: string): string => text;
export const PLAIN: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

const sgr =
  (on: number, off: number) =>
  (text: string): string =>
    `\x1b[${on}m${text}\x1b[${off}m`;
export const COLOURED: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
};

/** `1 entry`, `3 entries`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A line for each of the first `most` items, and one that says how many more there are. */
export function firstLines<T>(
  items: readonly T[],
  most: number,
  line: (item: T) => string,
  total = items.length,
): string[] {
  const shown = items.slice(0, most).map(line);
  return total > shown.length ? [...shown, `  … and ${total - shown.length} more`] : shown;
}

/** Local time of an ISO time, as the dashboard shows it: `14:03:22`. Empty without one. */
export function clockText(iso: string): string {
  return localText(iso).slice(11, 19);
}

/** Local date and time of an ISO time, to the minute: `2026-03-02 14:03`. */
export function minuteText(iso: string): string {
  return localText(iso).slice(0, 16);
}

/** Local date and time of an ISO time, to the millisecond: `2026-03-02 14:03:22.120`. */
export function localText(iso: string): string {
  const utc = Date.parse(iso);
  if (Number.isNaN(utc)) return '';
  const shift = new Date(utc).getTimezoneOffset() * 60_000;
  return new Date(utc - shift).toISOString().slice(0, 23).replace('T', ' ');
}
