/** Root of the machine, or only of a user namespace (rootless containers)? The two mount overlays in different ways. */
import { readFileSync } from 'node:fs';

let known: boolean | null = null;

/** True for uid 0 with all users mapped to themselves. Anybody else enters by a user namespace of their own. */
export function isRealRoot(): boolean {
  known ??=
    process.getuid?.() === 0 &&
    /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'latin1'));
  return known;
}
