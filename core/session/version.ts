import { version } from '../../package.json';

export const VERSION: string = version;

/** Compares the three numbers; any other part counts as 0. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [parts(a), parts(b)];
  const at = left.findIndex((part, i) => part !== (right[i] ?? 0));
  return (left[at] ?? 0) > (right[at] ?? 0);
}

function parts(version: string): number[] {
  const found = version.split(/[.+-]/, 3).map((part) => (/^\d+$/.test(part) ? Number(part) : 0));
  return [...found, 0, 0].slice(0, 3);
}
