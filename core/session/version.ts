import { version } from '../../package.json';

export const VERSION: string = version;

/** Compares numbers part by part; any other part counts as 0. */
export function isNewer(a: string, b: string): boolean {
  const left = parts(a);
  const right = parts(b);
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function parts(version: string): number[] {
  return version
    .split(/[.+-]/)
    .slice(0, 3)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : 0));
}
