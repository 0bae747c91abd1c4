import { version } from '../../package.json';

/** The version of this build, as in all manifests. */
export const VERSION: string = version;

/** True when `a` is a later release than `b` (numbers compared part by part; anything else counts as 0). */
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
